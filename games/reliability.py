"""Whether people finish what they begin: counted when a game ends, asked before a seat is taken."""

from collections import Counter

from django.db.models import Case, Count, F, Q, Value, When

from accounts.models import User
from games.models import Admits, Game, Source, Tenure

ENOUGH = 3
"""After so many games it can be said how somebody plays; before, they are new here."""

FINISHED_OF_FIVE = 4
"""Whoever finishes so many of five games finishes their games."""


def count(game: Game) -> None:
    """Count a game that has just ended, for each person who had a seat. Bots alone do not count.
    Whoever is on autopilot has left without saying so.

    It is done at the end, not when somebody is late or leaves: that would tell when they did.
    """
    tenures = Tenure.objects.filter(game=game, user__isnull=False).annotate(
        late=Count("prompts", filter=Q(prompts__answered_by=Source.CLOCK))
    )
    late: Counter[int] = Counter()
    stayed = set[int]()
    for tenure in tenures:
        assert tenure.user_id is not None
        late[tenure.user_id] += tenure.late
        if not tenure.ended and tenure.autopilot_since is None:
            stayed.add(tenure.user_id)
    if len(late) < 2:
        return
    # In one order, so that two games that end at once do not wait for each other.
    people = User.objects.filter(pk__in=late)
    list(people.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    people.update(
        games_finished=F("games_finished") + Case(When(pk__in=stayed, then=1), default=0),
        games_left=F("games_left") + Case(When(pk__in=stayed, then=0), default=1),
        time_outs=F("time_outs")
        + Case(*(When(pk=pk, then=Value(times)) for pk, times in late.items()), default=0),
    )


def is_new(user: User) -> bool:
    """Whether too few games of this person have ended to say how they play."""
    return user.games_finished + user.games_left < ENOUGH


def finishes(user: User) -> bool:
    """Whether this person finishes their games, as far as that is known."""
    games = user.games_finished + user.games_left
    return is_new(user) or 5 * user.games_finished >= FINISHED_OF_FIVE * games


def tables_for(user: User | None) -> set[Admits]:
    """The conditions that somebody meets; None: who is not known here at all."""
    if user is None:
        return {Admits.EVERYBODY, Admits.FINISHERS}
    met = {Admits.EVERYBODY}
    if finishes(user):
        met.add(Admits.FINISHERS)
        if not is_new(user):
            met.add(Admits.PROVEN)
    return met
