"""All settings, from the environment, with defaults that work on a laptop.

COUP_PRODUCTION=1 turns the laptop defaults off: whatever would be insecure then refuses to start.
README.md lists the variables.
"""

import re
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote

import django_stubs_ext
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

from coupsite.environment import flag, kept_secret, text, url, words

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent


def require(ok: object, advice: str) -> None:
    """Refuse to start in production unless `ok`."""
    if PRODUCTION and not ok:
        raise ImproperlyConfigured(f"COUP_PRODUCTION is set: {advice}")


# Mode

PRODUCTION = flag("COUP_PRODUCTION")
DEBUG = flag("COUP_DEBUG")
MAINTENANCE = flag("COUP_MAINTENANCE")
require(not DEBUG, "COUP_DEBUG shows secrets to visitors; unset it.")

DATA_DIR = Path(text("COUP_DATA_DIR", str(BASE_DIR / "var")))

SECRET_KEY = text("COUP_SECRET_KEY")
require(len(SECRET_KEY) >= 50, "set COUP_SECRET_KEY to 50 or more random characters.")
require(len(set(SECRET_KEY)) >= 10, "COUP_SECRET_KEY is not random.")
SECRET_KEY = SECRET_KEY or kept_secret(DATA_DIR / "secret_key")

ALLOWED_HOSTS = words("COUP_HOSTS", "" if PRODUCTION else "localhost .localhost 127.0.0.1 [::1]")
require(ALLOWED_HOSTS, "set COUP_HOSTS to the site's host names.")
require("*" not in ALLOWED_HOSTS, "COUP_HOSTS may not be '*'.")
# Where links in mail lead: nobody asks for a page there that would say.
SITE_URL = (
    f"https://{ALLOWED_HOSTS[0].removeprefix('.')}"
    if PRODUCTION
    else f"http://127.0.0.1:{text('PORT', '8000')}"
)

# Applications

INSTALLED_APPS = [
    "games",
    "accounts",
    "coupsite",
    "coupsite.admin_config.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "django_htmx",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    *(["whitenoise.middleware.WhiteNoiseMiddleware"] if PRODUCTION else []),
    "coupsite.middleware.maintenance",
    "coupsite.middleware.only_what_can_be_kept",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "accounts.middleware.a_get_keeps_the_session",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.in_their_terms",
    "accounts.views.tracing.leave_traces",
    "django_htmx.middleware.HtmxMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.views.unreadable.SayWhatCannotBeRead",
    "coupsite.middleware.stay_in_one_thread",  # last: see there
]

ROOT_URLCONF = "coupsite.urls"
WSGI_APPLICATION = "coupsite.wsgi.application"
ASGI_APPLICATION = "coupsite.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SILENCED_SYSTEM_CHECKS: list[str] = []

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.context_processors.waiting",
                "accounts.views.banner.sanctions",
            ],
        },
    }
]

# Database. SQLite takes its write lock at the start of a transaction (IMMEDIATE), which is what
# makes "database is locked" go away and stands in for select_for_update. A GET writes nothing.


def database(parts: SplitResult | None) -> dict[str, Any]:
    """Django's settings for the database at this address; SQLite where there is none."""
    if parts is None:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": DATA_DIR / "db.sqlite3",
            # Set by wsgi.py. Under ASGI threads come and go, and would leave connections behind.
            "CONN_MAX_AGE": int(text("COUP_CONNECTION_AGE", "0")),
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": (
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                    " PRAGMA busy_timeout=20000; PRAGMA cache_size=-20000;"
                ),
            },
        }
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL must begin with postgresql://.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": {"pool": {"min_size": 2, "max_size": 20}} | dict(parse_qsl(parts.query)),
    }


DATABASES = {"default": database(url("DATABASE_URL"))}

# Redis carries live updates and the shared cache between processes; one process needs neither.

REDIS_URL = text("REDIS_URL")
require(
    REDIS_URL or flag("COUP_ONE_PROCESS"),
    "set REDIS_URL, or COUP_ONE_PROCESS=1 if one process serves everything.",
)
CHANNEL_LAYERS: dict[str, dict[str, Any]]
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL]},
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# People

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "accounts.views.adapter.Adapter"
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "login": "accounts.forms.LoginForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "confirm_password_reset_code": "accounts.forms.ConfirmResetForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "add_email": "accounts.forms.AddEmailForm",
    "confirm_email_verification_code": "accounts.forms.ConfirmEmailForm",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # guests may sign up; see accounts/urls.py
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
MFA_ADAPTER = "accounts.views.second_factor.Adapter"
MFA_FORMS = {
    "authenticate": "accounts.forms_second_factor.AuthenticateForm",
    "reauthenticate": "accounts.forms_second_factor.ReauthenticateForm",
}
MFA_TOTP_ISSUER = "Coup"
MFA_TOTP_TOLERANCE = 1  # a code that has just run out counts, and one of a clock that is ahead
# By code rather than by link: nothing secret in an address, and no GET that writes.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 15 * 60
# Beside allauth's own limits.
ACCOUNT_RATE_LIMITS = {
    "change_profile": "20/m/user",
    "close_account": "10/h/user",
    "guest": "30/h/ip",
    "one_tap": "60/m/ip",
    "test_message": "6/10m/user",
    "play_now": "20/m/ip",
    "csp_report": "20/m/ip",
    "push": "20/m/user",
}
# How many proxies of ours stand before the site: without it they all look like one visitor.
ALLAUTH_TRUSTED_PROXY_COUNT = int(text("COUP_PROXIES", "1" if PRODUCTION else "0"))

SESSION_COOKIE_AGE = 60 * 60 * 24 * 180
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
# In a cookie, so that showing a message never writes to the database on a GET.
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

# Mail


def mailer(parts: SplitResult | None) -> dict[str, Any]:
    """SMTP by COUP_MAIL_URL, smtp://user:password@host:port (smtps: TLS from the first byte)."""
    if parts is None:
        return {"BACKEND": "coupsite.mailbox.Backend", "OPTIONS": {"folder": DATA_DIR / "mail"}}
    if parts.scheme not in {"smtp", "smtps"}:
        raise ImproperlyConfigured("COUP_MAIL_URL must begin with smtp:// or smtps://.")
    direct = parts.scheme == "smtps"
    return {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": parts.hostname or "localhost",
            "port": parts.port or (465 if direct else 587),
            "username": unquote(parts.username or ""),
            "password": unquote(parts.password or ""),
            "use_ssl": direct,
            "use_tls": not direct and bool(parts.username),
            "timeout": 20,
        },
    }


require(url("COUP_MAIL_URL"), "set COUP_MAIL_URL; mail kept on this machine reaches nobody.")
require(text("COUP_MAIL_FROM"), "set COUP_MAIL_FROM to the address the site writes from.")
MAILERS = {"default": mailer(url("COUP_MAIL_URL"))}
# Where letters are kept that go nowhere; None where they go out.
MAILBOX = None if url("COUP_MAIL_URL") else DATA_DIR / "mail"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = text("COUP_MAIL_FROM", "Coup <coup@localhost>")
CONTACT = text("COUP_CONTACT", parseaddr(DEFAULT_FROM_EMAIL)[1])
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True

# Web push. The key is how push services know this site: whoever subscribed did so to this key, and
# has to do it again if it changes. In production there is no push without one. The contact is for
# those who run push services.

PUSH_KEY = text("COUP_PUSH_PRIVATE_KEY")
if PUSH_KEY and not re.fullmatch(r"[\w-]{43}", PUSH_KEY, re.ASCII):
    raise ImproperlyConfigured("COUP_PUSH_PRIVATE_KEY is not what manage.py push_keys prints.")
if not PRODUCTION:
    # 32 random bytes: but for one in four thousand million they are a key.
    PUSH_KEY = PUSH_KEY or kept_secret(DATA_DIR / "push_key", 32)
PUSH_CONTACT = text("COUP_PUSH_CONTACT", f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}")
if not PUSH_CONTACT.startswith(("mailto:", "https://")):
    raise ImproperlyConfigured("COUP_PUSH_CONTACT must begin with mailto: or https://.")
# Where browsers may ask us to send: the services of Chrome and its kin, Firefox, Edge and Safari.
# A name that begins with a dot stands for all below it.
PUSH_HOSTS = words(
    "COUP_PUSH_HOSTS",
    "fcm.googleapis.com jmt17.google.com .push.services.mozilla.com .notify.windows.com"
    " .push.apple.com",
)
# For tests: the origin of a push service on this machine, where no TLS and a private address do.
PUSH_STAND_IN = ""

# Security. HTTPS ends at the proxy, which must set X-Forwarded-Proto itself.

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "worker-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    "object-src": [CSP.NONE],
    "report-uri": ["/csp-report/"],
}
CSRF_FAILURE_VIEW = "coupsite.views.csrf_failure"
CSRF_TRUSTED_ORIGINS = words("COUP_ORIGINS")
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
if PRODUCTION:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True

# Languages and time

USE_I18N = USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
# To see what translation will do to a page; the names are CLDR's. See coupsite/catalogues.py.
PSEUDO_LANGUAGES = [("en-xa", "Pseudo, accented"), ("ar-xb", "Pseudo, right to left")]
if flag("COUP_PSEUDO"):
    LANGUAGES += PSEUDO_LANGUAGES
LOCALE_PATHS = [BASE_DIR / "coupsite" / "locale"]
FORMAT_MODULE_PATH = "coupsite.formats"

# Static files: straight from the sources (see asgi.py); in production WhiteNoise, collected.

STATIC_URL = "/static/"
STATIC_ROOT = Path(text("COUP_STATIC_ROOT", str(BASE_DIR / "staticfiles")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Logging: to standard error; never a request's body, so never a card, an answer or a password.
# Django's templates say, where a name is missing, what all others are: other people's cards too.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "class": "coupsite.logs.Discreet",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": text("COUP_LOG_LEVEL", "INFO")},
    "loggers": {
        "django": {"handlers": ["stderr"], "propagate": False},
        "django.template": {"level": "INFO"},
    },
}
