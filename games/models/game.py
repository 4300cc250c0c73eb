"""A game, from the open table to the end."""

import secrets
from zlib import crc32

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from games.engine.cards import MAX_PLAYERS, MIN_PLAYERS, Options
from games.timing import Pace


class Status(models.TextChoices):
    OPEN = "open", _("open")
    RUNNING = "running", _("running")
    OVER = "over", _("over")
    CANCELLED = "cancelled", _("cancelled")


class Halt(models.TextChoices):
    """Why a running game stands still, or why it ended without a result."""

    MODERATOR = "moderator", _("a moderator")
    CONSENT = "consent", _("by consent")
    AUTOPILOT = "autopilot", _("everybody on autopilot")


class Visibility(models.TextChoices):
    PUBLIC = "public", _("public: anybody may join from the list")
    UNLISTED = "unlisted", _("unlisted: whoever has the link may join")
    PRIVATE = "private", _("private: only those invited")


class Admits(models.TextChoices):
    """Whom a table takes of those who come by themselves; whoever is invited is welcome."""

    EVERYBODY = "everybody", _("everybody")
    FINISHERS = "finishers", _("people who finish their games, and newcomers")
    PROVEN = "proven", _("people who finish their games, no newcomers")


class Watch(models.TextChoices):
    ANYBODY = "anybody", _("anybody")
    LINK = "link", _("whoever has the link")
    PLAYERS = "players", _("only the players")


PACES = {
    Pace.PRACTICE: _("practice: no hurry"),
    Pace.LIVE: _("live: a minute for an answer"),
    Pace.BRISK: _("brisk: ten minutes"),
    Pace.DAILY: _("daily: a day"),
    Pace.RELAXED: _("relaxed: three days"),
}


ROOMS = (
    _("The Long Gallery"),
    _("The Map Room"),
    _("The Chapel Stairs"),
    _("The Orangery"),
    _("The Lower Cloister"),
    _("The Counting House"),
    _("The Winter Garden"),
    _("The Whispering Hall"),
    _("The Salt Cellar"),
    _("The Bell Loft"),
    _("The Armoury"),
    _("The Scriptorium"),
)


def new_public_id() -> str:
    """A name for a game's address: not secret, and not to be guessed from another."""
    return secrets.token_urlsafe(9)


def new_link_token() -> str:
    """A secret: whoever has it may come in by the link."""
    return secrets.token_urlsafe(18)


class Game(models.Model):
    """One table. `version` is public: it rises only when something a spectator sees changes.

    `last_move` is private: it counts sealed answers too, so nothing that others see may order,
    count or tag by it; nor by any timestamp but `changed_at`, which moves with `version`.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    link_token = models.CharField(max_length=32, default=new_link_token)
    title = models.CharField(max_length=60, blank=True)
    size = models.PositiveSmallIntegerField()
    inquisitor = models.BooleanField(default=False)
    factions = models.BooleanField(default=False)
    both_one = models.BooleanField(default=False)
    pace = models.CharField(max_length=10, choices=[(p.value, p.value) for p in Pace])
    visibility = models.CharField(max_length=10, choices=Visibility)
    watch = models.CharField(max_length=10, choices=Watch, default=Watch.ANYBODY)
    admits = models.CharField(max_length=10, choices=Admits, default=Admits.EVERYBODY)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted"
    )
    rematch_of = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, related_name="rematches"
    )
    form_token = models.CharField(max_length=32, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    frozen_at = models.DateTimeField(null=True)
    frozen_for = models.CharField(max_length=10, choices=Halt, blank=True)
    version = models.PositiveIntegerField(default=0)
    # What moderators did, as the table is told: see games.words.notices.
    notices = models.JSONField(default=list)
    last_move = models.PositiveIntegerField(default=0)
    # How many there ever were. At most tables none, and none is looked for.
    proposals = models.PositiveIntegerField(default=0)
    commitment = models.CharField(max_length=64)
    start_names = models.JSONField(default=list)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            # A form sent twice opens one table.
            UniqueConstraint(
                fields=["host", "form_token"],
                condition=~Q(form_token=""),
                name="games_game_once_a_form",
            ),
            CheckConstraint(
                condition=Q(size__gte=MIN_PLAYERS, size__lte=MAX_PLAYERS), name="games_game_size"
            ),
            CheckConstraint(
                condition=Q(status=Status.OPEN, started_at=None)
                | Q(status=Status.CANCELLED)
                | Q(status__in=[Status.RUNNING, Status.OVER], started_at__isnull=False),
                name="games_game_started",
            ),
            CheckConstraint(
                condition=Q(status__in=[Status.OPEN, Status.RUNNING], ended_at=None)
                | Q(status__in=[Status.OVER, Status.CANCELLED], ended_at__isnull=False),
                name="games_game_ended",
            ),
            CheckConstraint(
                condition=Q(frozen_at=None) | (Q(status=Status.RUNNING) & ~Q(frozen_for="")),
                name="games_game_frozen",
            ),
            CheckConstraint(
                condition=Q(rematch_of=None) | ~Q(rematch_of=F("id")), name="games_game_rematch"
            ),
        ]
        indexes = [models.Index(fields=["status", "visibility", "created_at"])]
        default_permissions = ("view",)
        permissions = [
            ("moderate_game", "Can stop games, and set them right"),
            ("look_at_hands", "Can look at hidden cards, for a reason"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Its title, or the name of a room that stays the same for this table."""
        return self.title or str(ROOMS[crc32(self.public_id.encode()) % len(ROOMS)])

    @property
    def has_begun(self) -> bool:
        return self.started_at is not None

    @property
    def has_ended(self) -> bool:
        """Whether it was played to its end, or up to where it ended without a result."""
        return self.has_begun and self.ended_at is not None

    @property
    def pace_words(self) -> str:
        return str(PACES[Pace(self.pace)])

    @property
    def options(self) -> Options:
        return Options(self.size, self.inquisitor, self.factions, self.both_one)
