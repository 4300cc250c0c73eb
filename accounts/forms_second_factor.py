"""Forms of the second factor: allauth's, in our words."""

# mypy: disallow-subclassing-any=False
# allauth has no types.

from allauth.mfa.base import forms as base
from allauth.mfa.totp import forms as totp
from django.utils.translation import gettext_lazy as _

from accounts.forms import Plain

CODE = _("Code")


class AuthenticateForm(Plain, base.AuthenticateForm):
    labels = {"code": CODE}
    helps = {"code": _("Six digits from the app on your phone, or one of your recovery codes.")}


class ReauthenticateForm(Plain, base.ReauthenticateForm):
    labels = {"code": CODE}
    helps = AuthenticateForm.helps


class ActivateForm(Plain, totp.ActivateTOTPForm):
    labels = {"code": CODE}
    helps = {"code": _("Six digits that the app shows for this site.")}
