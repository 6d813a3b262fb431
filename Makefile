# The project's commands. `make` alone lists them.
.DEFAULT_GOAL := help
SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
HOST ?= 127.0.0.1
PORT ?= 8000
JOBS ?= auto
LOCK := $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe \
	--no-emit-index-url --no-emit-find-links --no-emit-options --no-emit-trusted-host

CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/django.po))

.PHONY: help install messages run test test-browser test-servers screens check format bench lock clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: $(VENV)/installed $(CATALOGUES) ## make .venv with everything in it

$(VENV)/installed: requirements/dev.txt pyproject.toml
	@sh deploy/install.sh $(VENV)
	@touch $@

%.mo: %.po | $(VENV)/installed
	@$(BIN)/python -m config.languages.catalogues

messages: install ## bring the languages' .po files up to date with the source (NEW=xx begins one)
	@$(BIN)/python -m config.languages.messages $(NEW)

run: install ## install, migrate, seed and serve a playable site
	@$(BIN)/python manage.py serve --host $(HOST) --port $(PORT)

test: install ## install and run the tests (on DATABASE_URL and REDIS_URL where they are set)
	@$(BIN)/python -m pytest -m "not browser and not servers and not screens" -n $(JOBS) --dist worksteal $(ARGS)

test-browser: install ## play in headless Chromium
	@$(BIN)/python -m pytest -m browser --nomigrations -n $(JOBS) --dist worksteal $(ARGS)

test-servers: install ## real server processes on PostgreSQL and Redis, kill -9 included
	@$(BIN)/python -m pytest -m servers $(ARGS)

screens: install ## walk every screen in every language; screenshots are left in var/screens
	@$(BIN)/python -m pytest -m screens --nomigrations -n $(JOBS) --dist worksteal $(ARGS)

check: install ## format, lint, types, import contracts, missing migrations
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python manage.py makemigrations --check --dry-run
	@$(BIN)/python manage.py check

format: install ## put the code in shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: install ## measure, as ratios
	@$(BIN)/python bench/engine.py
	@$(BIN)/python bench/moves.py
	@$(BIN)/python bench/pairing.py
	@$(BIN)/python bench/brackets.py
	@$(BIN)/python bench/arena.py
	@$(BIN)/python bench/quickplay.py
	@$(BIN)/python bench/events.py
	@$(BIN)/python bench/ratings.py

lock: install ## pin requirements/*.in anew, with hashes
	@cd requirements && ../$(LOCK) -o base.txt base.in && ../$(LOCK) -o dev.txt dev.in

clean: ## remove the virtual environment and caches; var/ with its data stays
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache *.egg-info
