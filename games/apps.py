from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import export, people  # noqa: F401  they listen to what happens to people
