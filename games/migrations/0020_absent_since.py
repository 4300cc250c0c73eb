from django.db import migrations, models
from django.db.models.functions import Coalesce


def keep(apps, schema_editor):
    """Who was shown to be on autopilot is so still; since when, as well as is known."""
    shown = apps.get_model("games", "Tenure").objects.filter(autopilot_shown=True)
    shown.update(
        absent_since=Coalesce(
            "autopilot_since",
            models.Subquery(
                apps.get_model("games", "Game")
                .objects.filter(pk=models.OuterRef("game_id"))
                .values("changed_at")
            ),
        )
    )


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0019_ready_before_the_first_card'),
    ]

    operations = [
        migrations.AddField(
            model_name='tenure',
            name='absent_since',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(keep, migrations.RunPython.noop),
        migrations.RemoveField(model_name='tenure', name='autopilot_shown'),
    ]
