"""Where every page lives."""

from django.contrib import admin
from django.urls import include, path

from coupsite import installable, mailbox, reports, views
from games.views.home import home

urlpatterns = [
    path("", include("games.urls")),
    path("", home, name="home"),
    path("account/", include("accounts.urls")),
    path("admin/", admin.site.urls),
    path("favicon.ico", views.favicon),
    path("csp-report/", reports.csp_report, name="csp_report"),
    path("mail/", mailbox.mailbox, name="mailbox"),
    path("mail/<uuid:name>/", mailbox.letter, name="letter"),
    path("mail/<uuid:name>/html/", mailbox.letter_html, name="letter_html"),
    path("contact/", views.contact, name="contact"),
    path("privacy/", views.privacy, name="privacy"),
    path("terms/", views.terms, name="terms"),
    path("manifest.webmanifest", installable.manifest, name="manifest"),
    path("sw.js", installable.service_worker),
    path("offline/", installable.offline),
]
