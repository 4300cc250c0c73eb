"""Pages by WSGI workers, for production; `/ws/` and background work are then served apart."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "coupsite.settings")
os.environ.setdefault("COUP_CONNECTION_AGE", "60")  # seconds; a worker keeps its connection

application = get_wsgi_application()
