"""The pages about the person, under /account/. allauth knows its own by these names."""

from allauth.account import views as allauth
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes.views import generate_recovery_codes
from allauth.mfa.totp.views import deactivate_totp
from django.urls import include, path

from accounts.views import own, push, rest, second_factor
from accounts.views.banner import warning_read
from accounts.views.blocks import block, unblock
from accounts.views.pages import for_members, for_others, password, profile, sign_out_everywhere

ours = [
    path("warnings/<int:sanction_id>/read/", warning_read, name="warning_read"),
    path("profile/", profile, name="profile"),
    path("hours/", rest.hours, name="hours"),
    path("holiday/", rest.holiday, name="holiday"),
    path("holiday/by-itself/", rest.by_itself, name="holiday_by_itself"),
    path("holiday/<int:absence_id>/end/", rest.come_back, name="come_back"),
    path("data/", own.data, name="data"),
    path("close/", own.close, name="close"),
    path("block/", block, name="block"),
    path("unblock/<int:block_id>/", unblock, name="unblock"),
    path("push/", push.subscription, name="push"),
    path("push/end/", push.end, name="end_push"),
    path("sign-out-everywhere/", sign_out_everywhere, name="sign_out_everywhere"),
]

the_second_factor = [
    path("", second_factor.index, name="mfa_index"),
    path("begin/", second_factor.begin, name="mfa_begin"),
    path("app/", second_factor.activate, name="mfa_activate_totp"),
    path("codes/", second_factor.recovery_codes, name="mfa_view_recovery_codes"),
    path("new-codes/", for_members(generate_recovery_codes), name="mfa_generate_recovery_codes"),
    path("off/", for_members(deactivate_totp), name="mfa_deactivate_totp"),
    path("sign-in/", mfa.authenticate, name="mfa_authenticate"),
    path("again/", for_members(mfa.reauthenticate), name="mfa_reauthenticate"),
]

urlpatterns = [
    path("second-factor/", include(the_second_factor)),
    path("", include((ours, "accounts"))),
    path("signup/", for_others(allauth.signup), name="account_signup"),
    path("login/", for_others(allauth.login), name="account_login"),
    path("logout/", allauth.logout, name="account_logout"),
    path("closed/", allauth.account_inactive, name="account_inactive"),
    path("confirm/", allauth.email_verification_sent, name="account_email_verification_sent"),
    path("reauthenticate/", for_members(allauth.reauthenticate), name="account_reauthenticate"),
    path("e-mail/", for_members(allauth.email), name="account_email"),
    path("password/", password, name="account_change_password"),
    path("reset/", allauth.password_reset, name="account_reset_password"),
    path(
        "reset/confirm/",
        allauth.confirm_password_reset_code,
        name="account_confirm_password_reset_code",
    ),
    path(
        "reset/password/", allauth.complete_password_reset, name="account_complete_password_reset"
    ),
    path(
        "reset/done/",
        allauth.password_reset_from_key_done,
        name="account_password_reset_completed",
    ),
]
