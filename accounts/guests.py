"""Guests: people who play before they sign up. The row stays when they do."""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import CASCADE, F, ForeignObjectRel, ProtectedError, Q
from django.utils.translation import gettext_lazy as _

from accounts import blocks, devices, sanctions, signals, traces
from accounts.models import User
from accounts.names import name_key, validate_name

IDLE = timedelta(days=30)
"""How long a guest is kept unused. Whoever never confirmed an address is one."""

DOUBLE_CLICK = timedelta(minutes=1)
"""How long a form that is sent again stands for the guest whom it made."""

FIRST = (
    "Amber", "Bold", "Brisk", "Calm", "Candid", "Clever", "Copper", "Coy", "Dapper", "Distant",
    "Eager", "Early", "Frosty", "Gallant", "Gentle", "Gilded", "Grave", "Hasty", "Hidden", "Humble",
    "Ivory", "Jolly", "Keen", "Late", "Lively", "Lucky", "Merry", "Mild", "Nimble", "Noble", "Odd",
    "Patient", "Plain", "Proud", "Quiet", "Restless", "Rosy", "Sage", "Scarlet", "Shy", "Silver",
    "Sly", "Solemn", "Sturdy", "Subtle", "Sunny", "Swift", "Tidy", "Velvet", "Wary", "Witty",
)  # fmt: skip
SECOND = (
    "Badger", "Bear", "Bittern", "Crane", "Crow", "Deer", "Dove", "Egret", "Falcon", "Ferret",
    "Finch", "Fox", "Goose", "Hare", "Hawk", "Hedgehog", "Heron", "Hound", "Ibex", "Jackdaw", "Jay",
    "Kestrel", "Lark", "Lynx", "Magpie", "Marten", "Mole", "Newt", "Nightjar", "Otter", "Owl",
    "Partridge", "Peacock", "Pheasant", "Pike", "Plover", "Quail", "Raven", "Robin", "Rook",
    "Sparrow", "Stag", "Starling", "Stoat", "Stork", "Swan", "Thrush", "Toad", "Trout", "Wren",
)  # fmt: skip

FORMER = "A former player"
"""What a name begins with once its holder has gone. Nobody else's may."""

type Choose = Callable[[Sequence[str]], str]


def name_taken(name: str, *, but: int | None = None) -> bool:
    """Whether somebody other than the person `but` has this name, or one that looks like it."""
    return User.objects.filter(~Q(pk=but), name_key=name_key(name)).exists()


def create(
    name: str | None = None,
    *,
    time_zone: str = "",
    form_token: str = "",
    choose: Choose = secrets.choice,
) -> User:
    """A new guest, with this name or one made up. ValidationError, in words, if it may not be.

    The same `form_token` makes no second one: see `made_by`.
    """
    fields = {"time_zone": time_zone, "form_token": form_token or None}
    if form_token and User.objects.filter(form_token=form_token).exists():
        fields["form_token"] = None  # a page of long ago
    if name is not None:
        validate_name(name)
        guest = _try_to_create(name, fields)
        if guest is None:
            raise ValidationError(NAME_TAKEN)
        return guest
    while True:
        guest = _try_to_create(_made_up(choose), fields)
        if guest is not None:
            return guest


def made_by(form_token: str, now: datetime) -> User | None:
    """The guest whom this form has made a moment ago, by the first half of a double click.

    Whoever knows the token is that guest: it stood on one page, which one browser was sent.
    """
    fresh = User.objects.filter(is_guest=True, is_active=True, date_joined__gte=now - DOUBLE_CLICK)
    return fresh.filter(form_token=form_token).first() if form_token else None


NAME_TAKEN = _("Somebody has this name, or one that looks like it. Please choose another.")


def _made_up(choose: Choose) -> str:
    name = f"{choose(FIRST)} {choose(SECOND)}"
    if not name_taken(name):
        return name
    return f"{name} {''.join(choose('23456789') for _digit in range(4))}"


def _try_to_create(name: str, fields: dict[str, str | None]) -> User | None:
    """The database alone knows whether the name is free: two may ask for it at once.

    So may two with one form: the second gets the guest of the first.
    """
    if name_taken(name):
        return None
    try:
        with transaction.atomic():
            return User.objects.create_guest(name, **fields)
    except IntegrityError:
        token = fields["form_token"]
        return User.objects.filter(form_token=token).first() if token else None


@transaction.atomic
def upgrade(guest: User, *, name: str, password: str, now: datetime) -> bool:
    """The guest has proved an address: make it an account. `password` is hashed already.

    False if somebody took the name meanwhile: the guest's own stays.
    """
    old_name = guest.name
    guest.is_guest, guest.password = False, password
    # These alone: what a moderator, say, decides meanwhile stands in the same row.
    guest.save(update_fields=["is_guest", "password"])
    if name_taken(name, but=guest.pk):
        return False
    guest.name = name
    try:
        with transaction.atomic():
            guest.save(update_fields=["name"])
    except IntegrityError:  # two at once, and the other was faster
        guest.name = old_name
        return False
    if name != old_name:
        signals.name_changed.send(User, user=guest, now=now)
    return True


@transaction.atomic
def merge(guest: User, user: User, *, now: datetime) -> None:
    """What is the guest's becomes the account's, and the guest goes; or MergeRefused."""
    signals.guest_merges.send(User, guest=guest, user=user, now=now)
    blocks.hand_over(guest, user)
    devices.hand_over(guest, user)
    counts = ("games_finished", "games_left", "time_outs")
    User.objects.filter(pk=user.pk).update(
        **{count: F(count) + getattr(guest, count) for count in counts}
    )
    sanctions.hand_over(guest=guest, user=user)
    traces.hand_over(guest=guest, user=user)
    discard(guest)
    transaction.on_commit(lambda: blocks.part(user, now))


@transaction.atomic
def discard(person: User) -> None:
    """Delete the row; where games hold it, keep "a former player" of whom nothing is known."""
    try:
        with transaction.atomic():
            User.objects.get(pk=person.pk).delete()
            signals.signed_out.send(User, user=person)
    except ProtectedError:
        person.name = f"{FORMER} {person.pk}"
        forget(person)


KEPT = ("id", "name", "name_key", "date_joined", "session_epoch", "closed_at")
"""What stays of a person who is forgotten, as long as their row does."""


def forget(person: User) -> None:
    """Delete every row that would go with the person's own, were that deleted, and empty their own
    but for the name. Nobody gets in as them any more."""
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and relation.on_delete is CASCADE:
            rows = relation.related_model._base_manager
            rows.filter(**{relation.field.name: person}).delete()
    for field in User._meta.concrete_fields:
        if field.name not in KEPT:
            setattr(person, field.name, field.get_default())
    person.is_active = False
    person.set_unusable_password()
    person.save()
    person.end_sessions()


def sweep(now: datetime) -> int:
    """Let go of guests nobody needs any more. How many went."""
    since = now - IDLE
    seen_since = Q(date_joined__gte=since) | Q(last_login__gte=since)
    idle = User.objects.filter(~seen_since, is_guest=True, is_active=True)
    return sum(_sweep_one(pk, since) for pk in idle.values_list("pk", flat=True))


@transaction.atomic
def _sweep_one(pk: int, since: datetime) -> bool:
    """Under the row's lock nobody sits down as this person while it is decided."""
    person = User.objects.select_for_update().filter(pk=pk).first()
    if person is None:
        return False
    answers = signals.still_needed.send(User, user=person, since=since)
    if any(needed for _receiver, needed in answers):
        return False
    discard(person)
    return True
