from django.db import migrations
from django.db.models import Sum

SECOND = 1000
HOUR = 60 * 60 * SECOND
BANKS = {
    "live": (120 * SECOND, 180 * SECOND),
    "brisk": (HOUR // 2, HOUR),
    "daily": (48 * HOUR, 72 * HOUR),
    "relaxed": (7 * 24 * HOUR, 10 * 24 * HOUR),
}
"""By pace: what a time bank begins with, and what it holds at most."""


def open_banks(apps, schema_editor):
    """Whoever sat at a running game before there were time banks is given one. It counts from the
    next question on: the deadline of an open one is known to all."""
    Tenure = apps.get_model("games", "Tenure")
    ClockEntry = apps.get_model("games", "ClockEntry")
    sitting = Tenure.objects.filter(ended="", game__status="running", game__pace__in=BANKS)
    without = sitting.exclude(user=None).exclude(clock_entries__reason="opening")
    # A bank is the sum of its entries; since there are banks, answers have given something back.
    for tenure in without.select_related("game").annotate(saved=Sum("clock_entries__delta")):
        opening, most = BANKS[tenure.game.pace]
        saved = tenure.saved or 0
        delta = min(opening, most - saved)
        if delta > 0:
            ClockEntry.objects.create(tenure=tenure, delta=delta, reason="opening")
        Tenure.objects.filter(pk=tenure.pk).update(bank=saved + max(delta, 0))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_seats_change_hands"),
    ]

    operations = [
        migrations.RunPython(open_banks, migrations.RunPython.noop, elidable=True),
    ]
