"""What those at a running table decide together, and what each of them has said to it."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from .game import Game
from .prompt import Window
from .seat import BotKind, Tenure


class ProposalKind(models.TextChoices):
    PAUSE = "pause", _("a pause")
    GO_ON = "go_on", _("to go on")
    EXTEND = "extend", _("more time")
    END = "end", _("an end without a result")
    BOT = "bot", _("a bot for a seat")
    NEWCOMER = "newcomer", _("a newcomer for a seat")


class Outcome(models.TextChoices):
    OPEN = "open", _("open")
    AGREED = "agreed", _("agreed")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    LAPSED = "lapsed", _("lapsed")


class Proposal(models.Model):
    """Something that those who play may agree on; all of it is public but `move`.

    `by` is nobody where a pause was over by itself. `holder` sits on the seat that is to be given
    away; more time is for the question in `window`. `due` is when to look at it again: because it
    lapses, because who counts may have changed, or because the pause that it led to is over.
    `move` was the game's last when it was decided: there it stands in the log.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=ProposalKind)
    by = models.ForeignKey(Tenure, null=True, on_delete=models.CASCADE, related_name="+")
    holder = models.ForeignKey(Tenure, null=True, on_delete=models.CASCADE, related_name="+")
    bot = models.CharField(max_length=10, choices=BotKind, blank=True)
    window = models.ForeignKey(Window, null=True, on_delete=models.CASCADE, related_name="+")
    opened_at = models.DateTimeField()
    due = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=9, choices=Outcome, default=Outcome.OPEN)
    closed_at = models.DateTimeField(null=True)
    move = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            UniqueConstraint(
                fields=["game", "kind"],
                condition=Q(outcome=Outcome.OPEN, holder=None),
                name="games_proposal_one_open",
            ),
            UniqueConstraint(
                fields=["game", "kind", "holder"],
                condition=Q(outcome=Outcome.OPEN, holder__isnull=False),
                name="games_proposal_one_open_a_seat",
            ),
            CheckConstraint(
                condition=Q(outcome=Outcome.OPEN, closed_at=None, move=None, due__isnull=False)
                | (~Q(outcome=Outcome.OPEN) & Q(closed_at__isnull=False, move__isnull=False)),
                name="games_proposal_closed",
            ),
            CheckConstraint(
                condition=Q(holder__isnull=False, kind__in=["bot", "newcomer"])
                | (Q(holder=None) & ~Q(kind__in=["bot", "newcomer"])),
                name="games_proposal_holder",
            ),
            CheckConstraint(
                condition=(Q(kind="bot") & ~Q(bot="")) | (~Q(kind="bot") & Q(bot="")),
                name="games_proposal_bot",
            ),
            CheckConstraint(
                condition=Q(kind="extend", window__isnull=False)
                | (~Q(kind="extend") & Q(window=None)),
                name="games_proposal_window",
            ),
        ]
        indexes = [
            models.Index(fields=["due"], condition=Q(due__isnull=False), name="games_proposal_due")
        ]

    def __str__(self) -> str:
        return f"proposal {self.pk} ({self.kind}) in game {self.game_id}"


class Voice(models.Model):
    """What somebody says to a proposal. It can be changed while the proposal is open."""

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="voices")
    tenure = models.ForeignKey(Tenure, on_delete=models.CASCADE, related_name="+")
    agrees = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            UniqueConstraint(fields=["proposal", "tenure"], name="games_voice_once_a_proposal")
        ]

    def __str__(self) -> str:
        return f"voice {self.pk} on proposal {self.proposal_id}"
