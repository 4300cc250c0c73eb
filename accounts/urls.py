"""The pages about the person, under /account/. allauth knows its own by these names."""

from allauth.account import views as allauth
from django.urls import include, path

from accounts.views import own
from accounts.views.pages import for_members, for_others, profile, sign_out_everywhere

ours = [
    path("profile/", profile, name="profile"),
    path("data/", own.data, name="data"),
    path("close/", own.close, name="close"),
    path("sign-out-everywhere/", sign_out_everywhere, name="sign_out_everywhere"),
]

urlpatterns = [
    path("", include((ours, "accounts"))),
    path("signup/", for_others(allauth.signup), name="account_signup"),
    path("login/", for_others(allauth.login), name="account_login"),
    path("logout/", allauth.logout, name="account_logout"),
    path("closed/", allauth.account_inactive, name="account_inactive"),
    path("confirm/", allauth.email_verification_sent, name="account_email_verification_sent"),
    path("reauthenticate/", for_members(allauth.reauthenticate), name="account_reauthenticate"),
    path("e-mail/", for_members(allauth.email), name="account_email"),
    path("password/", for_members(allauth.password_change), name="account_change_password"),
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
