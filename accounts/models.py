"""The person: one row whether a guest or somebody with an address."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts import signals
from accounts.names import KEY_LENGTH, name_key, normal_name, validate_name


class UserManager(BaseUserManager["User"]):
    def create_user(
        self, name: str, email: str | None = None, password: str | None = None, **fields: Any
    ) -> "User":
        """A person with a public name; without a password nobody can sign in as them."""
        user = self.model(name=name, email=email.strip().lower() if email else None, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_guest(self, name: str, **fields: Any) -> "User":
        """Somebody who plays without an account: no address, no password."""
        return self.create_user(name, is_guest=True, **fields)

    def create_superuser(
        self, name: str, email: str | None = None, password: str | None = None, **fields: Any
    ) -> "User":
        return self.create_user(
            name, email, password, **fields | {"is_staff": True, "is_superuser": True}
        )

    def named(self, name: str) -> "User | None":
        """The person of this name, however it is spelled, unless the account is closed."""
        return self.filter(name_key=name_key(name), is_active=True).first()

    def get_by_natural_key(self, username: str | None) -> "User":
        """Find a person by name, however it is spelled, or by address."""
        given = username or ""
        if "@" in given:
            return self.get(email__iexact=given.strip())
        return self.get(name_key=name_key(given))


class MailTrouble(models.TextChoices):
    """Why an address gets no mail of ours."""

    BOUNCED = "bounced", _("its mail server refuses it")
    UNVERIFIED = "unverified", _("it is not confirmed")


class User(AbstractBaseUser, PermissionsMixin):
    """A person. What they chose about messages stands in the row itself: it is needed wherever
    somebody is asked something, and there the person is at hand.

    `message_choices` holds a choice by kind and channel where it is not the usual one.
    `mail_trouble` concerns the address `mail_trouble_of`, and so ends when the address changes.
    `sleep_from` and `sleep_to` are minutes of the local day in `sleep_zone`, set at `hours_set_at`
    and, the time before, at `hours_set_before`. Hints: `has_push`, whether any device might take a
    push; `has_sanctions`, whether any sanction might hold; `away_until`, no absence ends later.
    """

    name = models.CharField(
        _("public name"), max_length=30, unique=True, validators=[validate_name]
    )
    name_key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), null=True, blank=True)  # noqa: DJ001  see Meta
    is_guest = models.BooleanField(_("guest"), default=False)
    language = models.CharField(_("language"), max_length=20, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    confirm_costly = models.BooleanField(
        _("ask again before a move that cannot be taken back"), default=True
    )
    mail_delay = models.PositiveSmallIntegerField(default=10)
    digest_hour = models.PositiveSmallIntegerField(null=True, blank=True)
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)
    quiet_to = models.PositiveSmallIntegerField(null=True, blank=True)
    message_choices = models.JSONField(default=dict, blank=True)
    has_push = models.BooleanField(default=False, editable=False)
    mail_trouble = models.CharField(max_length=12, choices=MailTrouble, blank=True, editable=False)
    mail_trouble_of = models.EmailField(blank=True, editable=False)
    # How games with others ended for them; games count when they end.
    games_finished = models.PositiveIntegerField(default=0, editable=False)
    games_left = models.PositiveIntegerField(default=0, editable=False)
    time_outs = models.PositiveIntegerField(default=0, editable=False)
    # Of a guest: the form that made them, which sent twice makes one.
    form_token = models.CharField(max_length=32, unique=True, null=True, editable=False)  # noqa: DJ001
    sleep_zone = models.CharField(max_length=64, blank=True, editable=False)
    sleep_from = models.PositiveSmallIntegerField(null=True, editable=False)
    sleep_to = models.PositiveSmallIntegerField(null=True, editable=False)
    hours_set_at = models.DateTimeField(null=True, editable=False)
    hours_set_before = models.DateTimeField(null=True, editable=False)
    holiday_by_itself = models.BooleanField(
        _("take an hour of holiday by itself when my time would otherwise run out"), default=False
    )
    away_until = models.DateTimeField(null=True, editable=False)
    has_sanctions = models.BooleanField(default=False, editable=False)
    session_epoch = models.PositiveIntegerField(default=0, editable=False)
    is_active = models.BooleanField(_("active"), default=True)
    closed_at = models.DateTimeField(null=True, editable=False)
    is_staff = models.BooleanField(_("staff"), default=False)
    date_joined = models.DateTimeField(_("joined"), auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["email"]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        permissions = [("view_address", "Can see people's addresses")]
        constraints = [
            # Guests have none (NULL), and NULLs never collide.
            models.UniqueConstraint(
                Lower("email"),
                name="accounts_user_email_once",
                violation_error_message=_("This address is in use."),
            ),
            models.CheckConstraint(
                condition=~models.Q(email=""), name="accounts_user_email_null_not_empty"
            ),
            models.CheckConstraint(
                condition=models.Q(digest_hour=None) | models.Q(digest_hour__lt=24),
                name="accounts_user_digest_hour",
            ),
            models.CheckConstraint(
                condition=models.Q(quiet_from=None, quiet_to=None)
                | models.Q(quiet_from__lt=24, quiet_to__lt=24),
                name="accounts_user_quiet_hours",
            ),
            models.CheckConstraint(
                condition=models.Q(sleep_from=None, sleep_to=None)
                | models.Q(sleep_from__lt=24 * 60, sleep_to__lt=24 * 60, sleep_zone__gt=""),
                name="accounts_user_sleep",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a session must know to count as this person's: see `end_sessions`."""
        key_salt = "accounts.models.User.get_session_auth_hash"
        secrets = f"{self.session_epoch} {self.password}"
        return salted_hmac(key_salt, secrets, secret=secret, algorithm="sha256").hexdigest()

    @property
    def mail_stopped(self) -> str:
        """Why their address gets no mail; empty if it does, as far as is known."""
        return self.mail_trouble if self.mail_trouble_of == self.email else ""

    def end_sessions(self) -> None:
        """Sign out everywhere: every session of this person stops counting, in any browser."""
        type(self).objects.filter(pk=self.pk).update(session_epoch=models.F("session_epoch") + 1)
        signals.signed_out.send(type(self), user=self)

    def clean(self) -> None:
        super().clean()
        self.email = self.email or None

    def save(
        self,
        *,
        force_insert: bool | tuple[models.base.ModelBase, ...] = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """The key follows the name, whoever changes it."""
        self.name, self.email = normal_name(self.name), self.email or None
        self.name_key = name_key(self.name)
        if update_fields is not None and "name" in update_fields:
            update_fields = {*update_fields, "name_key"}
        super().save(
            force_insert=force_insert,
            force_update=force_update,
            using=using,
            update_fields=update_fields,
        )


class Block(models.Model):
    """Somebody wants to meet somebody no more. It works both ways, and is nobody else's to know."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["by", "blocked"], name="accounts_block_once"),
            models.CheckConstraint(
                condition=~models.Q(by=models.F("blocked")), name="accounts_block_of_another"
            ),
        ]

    def __str__(self) -> str:
        return f"block of user {self.blocked_id} by user {self.by_id}"


class Absence(models.Model):
    """A holiday booked ahead, or an hour that was taken `by_itself`: that person's clocks rest.

    `hours` are what it costs of the holiday of its calendar year.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="absences")
    starts = models.DateTimeField()
    ends = models.DateTimeField()
    year = models.PositiveSmallIntegerField()
    hours = models.PositiveSmallIntegerField()
    by_itself = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(starts__lte=models.F("ends")), name="accounts_absence_ends"
            )
        ]
        indexes = [models.Index(fields=["user", "ends"], name="accounts_absence_of")]

    def __str__(self) -> str:
        return f"absence of user {self.user_id} from {self.starts} to {self.ends}"

    @property
    def last_day(self) -> datetime:
        """An instant of the last day of it."""
        return self.ends - timedelta(seconds=1)


ENDPOINT_LENGTH = 1000


class PushSubscription(models.Model):
    """A browser that takes pushes for a person, as long as they are signed in there.

    It belongs to the session in which it was made, and ends with it. `endpoint` is where its push
    service wants them, and known to nobody else; `p256dh` and `auth` are what only that browser can
    read them with. `failures` counts those since the last that was taken.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="push_subscriptions")
    session = models.CharField(max_length=40, db_index=True)
    endpoint = models.CharField(max_length=ENDPOINT_LENGTH, unique=True)
    p256dh = models.CharField(max_length=87)
    auth = models.CharField(max_length=22)
    device = models.CharField(max_length=60)
    made_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)
    failures = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"push subscription {self.pk} of user {self.user_id}"


class SanctionKind(models.TextChoices):
    WARNING = "warning", _("warning")
    MUTE = "mute", _("silence")
    SUSPENSION = "suspension", _("suspension")
    BAN = "ban", _("ban")


LONGEST_REASON = 500


class Sanction(models.Model):
    """What a moderator has decided about a person; `accounts.sanctions` says what it means.

    `reason` is written to the person. Silence and suspension have an end, a warning ends when it
    has been read, a ban when it is lifted.
    """

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="sanctions")
    kind = models.CharField(max_length=10, choices=SanctionKind)
    reason = models.CharField(max_length=LONGEST_REASON)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    read_at = models.DateTimeField(null=True)
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        default_permissions = ("view",)
        permissions = [("sanction_person", "Can warn, silence, suspend and ban people")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[SanctionKind.MUTE, SanctionKind.SUSPENSION],
                    until__gt=models.F("since"),
                )
                | models.Q(kind__in=[SanctionKind.WARNING, SanctionKind.BAN], until=None),
                name="accounts_sanction_until",
            ),
            models.CheckConstraint(
                condition=models.Q(lifted_at=None, lifted_by=None)
                | models.Q(lifted_at__isnull=False, lifted_by__isnull=False),
                name="accounts_sanction_lifted_by_somebody",
            ),
        ]
        indexes = [models.Index(fields=["user", "since"])]

    def __str__(self) -> str:
        return f"{self.kind} of user {self.user_id}"


class TraceKind(models.TextChoices):
    DEVICE = "device", _("device")
    NETWORK = "network", _("network")


class Trace(models.Model):
    """That somebody was here by this device or network, of which a salted hash is kept alone."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="traces")
    kind = models.CharField(max_length=7, choices=TraceKind)
    hash = models.CharField(max_length=64)
    seen_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "hash"], name="accounts_trace_once")
        ]
        indexes = [models.Index(fields=["seen_at"])]

    def __str__(self) -> str:
        return f"a {self.kind} of user {self.user_id}"
