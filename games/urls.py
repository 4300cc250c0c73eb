"""Where the pages of games live."""

from django.urls import path

from games.views import (
    fairness,
    finding,
    health,
    home,
    lobby,
    messages,
    one_tap,
    people,
    replay,
    seats,
    table,
)

app_name = "games"

urlpatterns = [
    path("lobby/", finding.lobby, name="lobby"),
    path("new/", finding.new, name="new"),
    path("play/", home.play_now, name="play_now"),
    path("next/", home.next_game, name="next"),
    path("waiting/", home.waiting, name="waiting"),
    path("people/", people.people, name="people"),
    path("people/<str:name>/", people.person, name="person"),
    path("messages/", messages.page, name="messages"),
    path("messages/test/", messages.test, name="test_message"),
    path("messages/off/<str:token>/", messages.unsubscribe, name="unsubscribe"),
    path("answer/<str:token>/", one_tap.one_tap, name="one_tap"),
    path("g/<slug:public_id>/", table.page, name="table"),
    path("g/<slug:public_id>/table/", table.fragment, name="fragment"),
    path("g/<slug:public_id>/answer/", table.answer, name="answer"),
    path("g/<slug:public_id>/read/", table.read, name="read"),
    path("g/<slug:public_id>/beat/", table.beat, name="beat"),
    path("g/<slug:public_id>/leave/", table.leave, name="leave"),
    path("g/<slug:public_id>/back/", seats.come_back, name="come_back"),
    path("g/<slug:public_id>/replay/", replay.page, name="replay"),
    path("g/<slug:public_id>/replay/<int:step>/", replay.step, name="replay_step"),
    path("g/<slug:public_id>/draws/", fairness.draws, name="draws"),
    path("fair/", fairness.page, name="fair"),
    path("health/", health.page, name="health"),
    path("g/<slug:public_id>/sit/", lobby.sit, name="sit"),
    path("g/<slug:public_id>/get-up/", lobby.get_up, name="get_up"),
    path("g/<slug:public_id>/start/", lobby.start, name="start"),
    path("g/<slug:public_id>/cancel/", lobby.cancel, name="cancel"),
    path("g/<slug:public_id>/bot/", lobby.add_bot, name="add_bot"),
    path("g/<slug:public_id>/link/", lobby.renew_link, name="renew_link"),
    path("g/<slug:public_id>/invite/", lobby.invite, name="invite"),
    path("g/<slug:public_id>/decline/", lobby.decline, name="decline"),
    path("g/<slug:public_id>/rematch/", lobby.rematch, name="rematch"),
]
