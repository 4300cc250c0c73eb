"""What the site asks of whatever database, cache and channel layer it is given."""

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.cache import cache
from django.db import connection

pytestmark = pytest.mark.services


@pytest.mark.django_db
def test_the_database_is_the_one_asked_for() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)
    assert connection.settings_dict["ENGINE"] == settings.DATABASES["default"]["ENGINE"]


def test_the_cache_counts() -> None:
    cache.set("tries", 1, 60)
    cache.incr("tries")
    assert cache.get("tries") == 2


def test_a_message_to_a_group_arrives() -> None:
    async def send_and_receive() -> dict[str, str]:
        layer = get_channel_layer()
        assert layer is not None
        channel = await layer.new_channel()
        await layer.group_add("table", channel)
        await layer.group_send("table", {"type": "poke"})
        received: dict[str, str] = await layer.receive(channel)
        return received

    assert async_to_sync(send_and_receive)() == {"type": "poke"}
