"""Forms about the person. allauth's own, in our words, and one for preferences."""

# mypy: disallow-subclassing-any=False
# allauth has no types.

from typing import Any

from allauth.account import forms as allauth
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from allauth.account.utils import passthrough_next_redirect_url
from allauth.core import context, ratelimit
from django import forms
from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME, login
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from accounts import guests, zones
from accounts.models import User
from accounts.names import LONGEST, SHORTEST

PENDING = "sign_up"
"""Session key: what a guest gave at sign-up, until the address is proved."""

EMAIL = _("E-mail address")
PASSWORD = _("Password")
NEW_PASSWORD = _("New password")
PASSWORD_HELP = _("At least 8 characters; not only digits, and none of the usual ones.")


class Plain(forms.Form):
    """Labels say what a field is: no placeholders that vanish when one types."""

    labels: dict[str, Any] = {}
    helps: dict[str, Any] = {}
    without: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.without:
            self.fields.pop(name, None)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")


class ZoneField(forms.CharField):
    """Where the browser is: a script fills it in; without one it stays empty, which is UTC."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.HiddenInput({"data-time-zone": ""}))

    def clean(self, value: Any) -> str:
        return zones.known(str(value or ""))


def _learn_zone(user: User, found: str) -> None:
    """Keep the browser's time zone for somebody whose own is not known yet."""
    if found and not user.time_zone:
        user.time_zone = found
        user.save(update_fields=["time_zone"])


class SignupForm(Plain, allauth.SignupForm):
    labels = {"email": EMAIL, "username": _("Public name"), "password1": PASSWORD}
    helps = {
        "email": _("For signing in and for messages about your games. Nobody else sees it."),
        "username": _("What others see at the table."),
        "password1": PASSWORD_HELP,
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"] = ZoneField()
        self.fields["username"].widget.attrs |= {
            "autocomplete": "nickname",
            "minlength": SHORTEST,
            "maxlength": LONGEST,
        }
        # A name that is taken must not cost the password typed below it. The page is never stored.
        self.fields["password1"].widget.render_value = True
        user = context.request.user
        if isinstance(user, User):
            self.fields["username"].initial = user.name

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Send a code to the address; until it is typed in, whoever signs up is a guest.

        So nothing is written in the name of an address that may be somebody else's, and an
        address in use is answered like any other: its owner is told by mail.
        """
        given = self.cleaned_data
        guest = request.user
        if not isinstance(guest, User):
            too_many: HttpResponse | None = ratelimit.consume_or_429(request, action="guest")
            if too_many:
                return None, too_many
            guest = guests.create(given["username"])
            login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
        _learn_zone(guest, given["time_zone"])
        request.session[PENDING] = {
            "name": given["username"],
            "password": make_password(given["password1"]),
        }
        clear_login(request)
        owner = None if self.account_already_exists else guest
        address = EmailAddress(user=owner, email=given["email"])
        send_verification_email_to_address(request, address, signup=True)
        url = reverse("account_email_verification_sent")
        return guest, redirect(passthrough_next_redirect_url(request, url, REDIRECT_FIELD_NAME))


class LoginForm(Plain, allauth.LoginForm):
    labels = {"login": EMAIL, "password": PASSWORD}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"] = ZoneField()

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        if isinstance(self.user, User):
            _learn_zone(self.user, self.cleaned_data["time_zone"])
        response: HttpResponse = super().login(request, redirect_url)
        return response


class ResetPasswordForm(Plain, allauth.ResetPasswordForm):
    labels = {"email": EMAIL}


class ResetPasswordKeyForm(Plain, allauth.ResetPasswordKeyForm):
    labels = {"password1": NEW_PASSWORD}
    helps = {"password1": PASSWORD_HELP}
    without = ("password2",)


class ChangePasswordForm(Plain, allauth.ChangePasswordForm):
    labels = {"oldpassword": _("Password until now"), "password1": NEW_PASSWORD}
    helps = {"password1": PASSWORD_HELP}
    without = ("password2",)


class ReauthenticateForm(Plain, allauth.ReauthenticateForm):
    labels = {"password": PASSWORD}


class AddEmailForm(Plain, allauth.AddEmailForm):
    labels = {"email": _("New e-mail address")}


class ConfirmEmailForm(Plain, allauth.ConfirmEmailVerificationCodeForm):
    labels = {"code": _("Code")}


class ConfirmResetForm(Plain, allauth.ConfirmPasswordResetCodeForm):
    labels = {"code": _("Code")}


class ProfileForm(forms.ModelForm[User]):
    class Meta:
        model = User
        fields = ["name", "language", "time_zone", "confirm_costly"]
        help_texts = {"name": _("What others see at the table.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = [(code, get_language_info(code)["name_local"]) for code in _codes()]
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"),
            choices=[("", _("As the browser asks")), *languages],
            required=False,
        )
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("Time zone"), choices=zones.choices, required=False
        )
        self.fields["name"].widget.attrs |= {"autocomplete": "nickname", "minlength": SHORTEST}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if guests.name_taken(name, but=self.instance.pk):
            raise forms.ValidationError(guests.NAME_TAKEN)
        return name


class CloseForm(forms.Form):
    """The end of an account: meant, and by its owner. A guest has no password to give."""

    password = forms.CharField(
        label=PASSWORD,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(label=_("I know that it cannot be taken back."))

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not user.has_usable_password():
            self.fields.pop("password")

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(_("This is not your password."))
        return password


def _codes() -> list[str]:
    """The languages that have a name of their own; the pseudo-languages have none."""
    pseudo = {code for code, _name in settings.PSEUDO_LANGUAGES}
    return [code for code, _name in settings.LANGUAGES if code not in pseudo]
