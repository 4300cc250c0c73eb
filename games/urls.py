"""Where the pages of games live."""

from django.urls import path

from games.views import table

app_name = "games"

urlpatterns = [
    path("g/<str:public_id>/", table.page, name="table"),
    path("g/<str:public_id>/table/", table.fragment, name="fragment"),
    path("g/<str:public_id>/answer/", table.answer, name="answer"),
    path("g/<str:public_id>/leave/", table.leave, name="leave"),
]
