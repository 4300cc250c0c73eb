"""Where every page lives."""

from django.contrib import admin
from django.urls import include, path

from coupsite import views
from games.views.home import home

urlpatterns = [
    path("", include("games.urls")),
    path("", home, name="home"),
    path("account/", include("accounts.urls")),
    path("admin/", admin.site.urls),
    path("favicon.ico", views.favicon),
]
