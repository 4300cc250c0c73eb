# `make run` serves the site; `make test`, `make lint` check it. README.md says more.

PYTHON ?= python3
PY = .venv/bin/python
PORT ?= 8000
STEPS ?= 5000
export PORT

.DEFAULT_GOAL = help
.PHONY: help run admin test test-services lint format fuzz bench-engine bench-web bench-async messages \
	pictures vendor ready ready-dev ready-bench

help:
	@echo "make run             serve the site on http://127.0.0.1:$(PORT)"
	@echo "make admin           make an administrator"
	@echo "make test            all tests that need no server of their own, in a browser too"
	@echo "make test-services   database, concurrency and channel tests on PostgreSQL and Redis"
	@echo "make fuzz            random people do random things: STEPS=$(STEPS), SEED= one that was printed"
	@echo "make lint            style, types, walls, templates, migrations, deployment settings"
	@echo "make format          put the style right"
	@echo "make bench-engine    games a second beside coupml"
	@echo "make bench-web       the cost of a move and of a page"
	@echo "make bench-async     how long a game takes people who look in three times a day"
	@echo "make messages        extract the texts to translate (needs gettext)"
	@echo "make pictures        the pictures of README.md"
	@echo "make vendor          fetch htmx, fonts and axe from npm again"

ready:
	@$(PYTHON) scripts/bootstrap.py

ready-dev:
	@$(PYTHON) scripts/bootstrap.py dev

ready-bench:
	@$(PYTHON) scripts/bootstrap.py bench dev

run: ready
	@$(PY) manage.py serve

admin: ready
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py make_admin

# Playwright leaves an event loop behind that other tests trip over: browser tests run apart.
test: ready-dev
	@$(PY) scripts/chromium.py
	@failed=0; \
	$(PY) -m pytest -n auto tests --ignore=tests/browser || failed=1; \
	$(PY) -m pytest tests/browser || failed=1; \
	exit $$failed

test-services: ready-dev
	$(PY) scripts/services.py $(PY) -m pytest -m services tests --ignore=tests/browser

fuzz: ready-dev
	@seed=$(or $(SEED),$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')); \
	echo "make fuzz STEPS=$(STEPS) SEED=$$seed"; \
	$(PY) -m pytest tests/fuzz --show-capture=no --fuzz-steps=$(STEPS) --hypothesis-seed=$$seed

lint: ready-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/djlint --lint --quiet templates
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) scripts/check_deploy.py
	$(PY) scripts/check_messages.py
	$(PY) scripts/audit.py

format: ready-dev
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

bench-engine: ready-bench
	$(PY) -m bench.engine

bench-web: ready-bench
	$(PY) -m bench.web

bench-async: ready-dev
	$(PY) -m bench.days

messages: ready-dev
	$(PY) manage.py makemessages --locale en --no-wrap --no-location --ignore '.*' --ignore 'var/*'

pictures: ready-dev
	@$(PY) scripts/chromium.py
	$(PY) -m scripts.pictures

vendor: ready
	$(PY) scripts/vendor.py
