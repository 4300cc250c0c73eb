"""Where every page lives."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView

from coupsite import views

urlpatterns = [
    path("", include("games.urls")),
    path("", TemplateView.as_view(template_name="home.html"), name="home"),
    path("account/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("favicon.ico", views.favicon),
]
