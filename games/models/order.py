"""Standing orders: what a player wants said for them, and a record of what was said."""

from typing import Final

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from games import orders
from games.engine.cards import Role

from .prompt import Prompt
from .seat import Tenure

# Role and Kind are plain words to the database; people read `games.words`.
_KINDS: Final = [(kind.value, kind.value) for kind in orders.Kind]
_SCOPES: Final = [(scope.value, scope.value) for scope in orders.Scope]
_ROLES: Final = [(role.value, role.value) for role in Role]
_WHY: Final = [(why.value, why.value) for why in orders.Why]


class OrderEnd(models.TextChoices):
    """Why an order holds no longer; the first two are the words of its scope."""

    TURN = orders.Scope.TURN.value, _("your turn ended")
    LOSS = orders.Scope.LOSS.value, _("somebody lost a card")
    REMOVED = "removed", _("removed by you")


class StandingOrder(models.Model):
    """One order of the list of a tenure, whose holder alone knows of it.

    It lives while `ended` is empty, its tenure sits and its game runs. Of one that is `active` the
    list makes use. `from_move` is the last move made before it was set.
    """

    tenure = models.ForeignKey(Tenure, on_delete=models.CASCADE, related_name="orders")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=_KINDS)
    player = models.PositiveSmallIntegerField(null=True)
    role = models.CharField(max_length=10, choices=_ROLES, blank=True)
    untouching = models.BooleanField(default=False)
    ranking = models.CharField(max_length=60, blank=True)
    scope = models.CharField(max_length=10, choices=_SCOPES)
    active = models.BooleanField(default=True)
    from_move = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    ended = models.CharField(max_length=10, choices=OrderEnd, blank=True)

    class Meta:
        constraints = [
            CheckConstraint(
                condition=(Q(kind=orders.Kind.BLOCK) & ~Q(role=""))
                | (Q(kind=orders.Kind.CARDS) & ~Q(ranking=""))
                | Q(kind__in=[orders.Kind.ALLOW, orders.Kind.CHALLENGE]),
                name="games_standingorder_says_what",
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenure", "position"],
                condition=Q(ended=""),
                name="games_standingorder_live",
            )
        ]

    def __str__(self) -> str:
        return f"order {self.pk} ({self.kind}) of tenure {self.tenure_id}"

    @property
    def what(self) -> orders.Order:
        """The order itself."""
        return orders.Order(
            kind=orders.Kind(self.kind),
            player=self.player,
            role=Role(self.role) if self.role else None,
            untouching=self.untouching,
            ranking=tuple(Role(role) for role in self.ranking.split(",") if role),
        )


class OrderFiring(models.Model):
    """An order answered a question as `said`, or could not, and `why`. For its owner's eyes."""

    order = models.ForeignKey(StandingOrder, on_delete=models.CASCADE, related_name="firings")
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="firings")
    turn = models.PositiveIntegerField()
    said = models.CharField(max_length=60, blank=True)
    why = models.CharField(max_length=10, choices=_WHY, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            UniqueConstraint(fields=["order", "prompt"], name="games_orderfiring_once"),
            CheckConstraint(
                condition=(Q(said="") & ~Q(why="")) | (Q(why="") & ~Q(said="")),
                name="games_orderfiring_said_or_why",
            ),
        ]

    def __str__(self) -> str:
        return f"firing of order {self.order_id} at prompt {self.prompt_id}"
