from django.apps import AppConfig


class CoupsiteConfig(AppConfig):
    name = "coupsite"
