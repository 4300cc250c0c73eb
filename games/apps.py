from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import export, people  # noqa: F401  they listen to what happens to people
        from games.moderation import roles

        post_migrate.connect(roles.set_right, sender=self, dispatch_uid="games.moderation.roles")
