"""Django's deployment checks, on settings as production has them."""

import os
import secrets
import subprocess
import sys

PRODUCTION = {
    "COUP_PRODUCTION": "1",
    "COUP_SECRET_KEY": secrets.token_urlsafe(50),
    "COUP_HOSTS": "coup.example",
    "COUP_MAIL_URL": "smtp://user:password@mail.example:587",
    "COUP_MAIL_FROM": "coup@coup.example",
    "DATABASE_URL": "postgresql://coup:coup@db.example/coup",
    "REDIS_URL": "redis://redis.example",
}

sys.exit(
    subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env=os.environ | PRODUCTION,
        check=False,
    ).returncode
)
