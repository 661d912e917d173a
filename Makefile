# Everything a person needs to run, test and change Lá e Lô.
# `make run` and `make test` work on a fresh machine that has only python3 and make.

PYTHON ?= python3
BOOTSTRAP := $(PYTHON) tools/bootstrap.py
BIN := .venv/bin
PY := $(BIN)/python
SOURCES := libs services tools tests $(wildcard bench)
MEMBERS := libs/common $(wildcard services/*) tools
REPORTS := .local/reports
PYTEST = $(PY) -m pytest --junitxml=$(REPORTS)/$@.xml
# Tests wait for servers more than they compute, so there is one more of them than there are cores.
# `make test WORKERS=0` runs them in this process, one after the other, as a debugger wants it.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(8, (os.cpu_count() or 1) + 1))')
TOGETHER = $(PYTEST) -n $(WORKERS) --dist worksteal

# What needs more than this checkout has targets of its own: k8s-check and test-containers.
HERE := not k8s and not container

# A browser for the tests of the page: the one named by LAELO_CHROMIUM, else the first on PATH.
CHROMIUM := $(or $(LAELO_CHROMIUM),$(shell command -v chromium || command -v chromium-browser || command -v google-chrome))
ifneq ($(CHROMIUM),)
export LAELO_CHROMIUM := $(CHROMIUM)
endif

.DEFAULT_GOAL := help
.SUFFIXES:

.PHONY: help
help: ## List the targets
	@sed -nE 's/^([a-z0-9-]+):[^#]*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

# --- set-up ------------------------------------------------------------------------------------

.PHONY: setup
setup: ## Prepare .venv and the generated code (every other target does it by itself)
	@$(BOOTSTRAP) python
	@$(PYTHON) tools/cores.py

.PHONY: core
core: ## Build what is also in C anew, if there is a compiler (set-up does it, too)
	@$(PYTHON) tools/cores.py --force

.PHONY: analysts
analysts: ## Add what `laelo export` to Parquet and `laelo report` need (the tests do it, too)
	@$(BOOTSTRAP) analysts

.PHONY: example
example: analysts ## Make an invented town's export in .local/example, for reports and the notebook
	@test -d .local/example || $(PY) docs/notebooks/example.py

.PHONY: notebook
notebook: example ## Open docs/notebooks/first_look.ipynb in Jupyter; LAELO_EXPORT= names an export
	@$(BOOTSTRAP) notebook
	@$(BIN)/jupyter lab docs/notebooks/first_look.ipynb

.PHONY: proto
proto: setup ## Generate the protobuf code anew
	$(PY) libs/common/generate.py

.PHONY: proto-publish
proto-publish: setup ## Bind proto/ to what it is: from now on it may only be added to
	$(BIN)/buf breaking proto --against proto/published.binpb
	$(BIN)/buf build proto --exclude-source-info -o proto/published.binpb

.PHONY: lock
lock: ## Write the locks from the members' dependencies
	@$(BOOTSTRAP) lock

.PHONY: lock-check
lock-check: ## Fail if the locks are not what `make lock` would write
	@$(BOOTSTRAP) lock-check

.PHONY: web
web: setup ## Build the page into web/dist
	@$(BOOTSTRAP) web

# --- running -----------------------------------------------------------------------------------

.PHONY: run
run: setup web ## Start everything on this machine; Ctrl-C stops it
	@exec $(BIN)/laelo up $(ARGS)

.PHONY: bench
bench: setup web ## Measure the load that one machine carries, results in bench/results
	@exec $(PY) -m bench.run $(ARGS)

.PHONY: peers
peers: setup ## Install boardgame.io and Colyseus for bench-peers; nothing else needs them
	@$(BOOTSTRAP) peers >/dev/null

.PHONY: bench-peers
bench-peers: peers ## The same game on other servers, measured as ours is; ARGS=--quick for a short one
	@exec $(PY) -m bench.peers $(ARGS)

.PHONY: rolling
rolling: setup web ## Restart every replica three times during 200 matches; ARGS="--tables 20" for less
	@exec $(BIN)/laelo rolling --out bench/results/rolling.json $(ARGS)

.PHONY: growth
growth: setup web ## Measure how costs grow with tables, stored commits, replicas; ARGS="--only NAME"
	@exec $(PY) -m bench.growth $(ARGS)

.PHONY: soak
soak: setup web ## Two hours of load, and what it leaves behind; HOURS= for another time
	@exec $(PY) -m bench.soak --hours $(or $(HOURS),2) $(ARGS)

.PHONY: scaling
scaling: setup ## Write the tables of docs/scaling.md anew from bench/results
	@$(PY) -m bench.scaling

.PHONY: pictures
pictures: setup ## Draw docs/pictures anew from bench/results
	@$(PY) -m bench.pictures.draw

.PHONY: arena
arena: setup ## Let two bots play each other on duplicate deals; ARGS="strong simple --pairs 2000"
	@exec $(PY) -m bench.arena $(ARGS)

# --- tests -------------------------------------------------------------------------------------

.PHONY: test
test: analysts web ## All tests but the slow ones and the faults; the page's too if there is a browser
ifeq ($(CHROMIUM),)
	$(TOGETHER) -m "not slow and $(HERE) and not faults and not browser" $(ARGS)
	@echo "The tests of the page were left out: no Chromium was found. Install one" >&2
	@echo "(Debian, Ubuntu: apt-get install chromium) or name it with LAELO_CHROMIUM=." >&2
else
	$(TOGETHER) -m "not slow and $(HERE) and not faults" $(ARGS)
endif

.PHONY: unit
unit: analysts ## The tests that need no servers
	$(TOGETHER) -m "not slow and $(HERE) and not faults and not browser and not integration" $(ARGS)

.PHONY: slow
slow: analysts web ## The tests with many examples
	$(TOGETHER) -m slow $(ARGS)

.PHONY: faults
faults: analysts web ## Kill and disturb processes in mid-match
	$(TOGETHER) -m faults $(ARGS)

MINUTES ?= 10
NEMESIS := $(PY) -m tests.faults.nemesis --faults 40 --pace 2 --large --to-the-end

.PHONY: nemesis
nemesis: setup web ## Break everything while people play, for MINUTES=10; ARGS="--seed S" repeats a plan
	@exec $(NEMESIS) --minutes $(MINUTES) $(ARGS)

.PHONY: faults-long
faults-long: setup web ## The same with 1,000 faults; results in bench/results/nemesis.json
	@exec $(NEMESIS) --total 1000 --json bench/results/nemesis.json $(ARGS)

.PHONY: prove-nemesis
prove-nemesis: setup web ## Show that the nemesis finds what is broken: tests/faults/nemesis/mutants
	@exec $(PY) -m tests.faults.nemesis.prove $(ARGS)

.PHONY: prove-faults
prove-faults: setup web ## Show that each test of tests/faults fails once its protection is taken out
	$(PY) tests/faults/prove.py $(ARGS)

.PHONY: durability
durability: setup web ## Cut the power, turn bits, cut files short; needs root and loop devices
	@exec $(PY) -m tests.durability $(ARGS)

.PHONY: hostile
hostile: setup web ## Send a million hostile frames and requests; ARGS="--many 20000" for fewer
	@exec $(PY) -m tests.security.hostile.run --json bench/results/hostile.json $(ARGS)

.PHONY: fuzz
fuzz: ## Fuzz a decoder with atheris until stopped; TARGET=frames, ARGS="-max_total_time=600"
	@$(BOOTSTRAP) fuzz
	@exec $(PY) -m tests.security.fuzz $(or $(TARGET),frames) $(ARGS)

.PHONY: web-test
web-test: setup ## The page's own unit tests
	@$(BOOTSTRAP) npm test

.PHONY: web-e2e
web-e2e: analysts web ## The page's tests in a browser
	$(TOGETHER) -m browser $(ARGS)

.PHONY: screenshots
screenshots: setup web ## Pictures of all screens in .local/screenshots; ARGS="--only home --lang pt" for fewer
	$(PY) -m tests.web.screenshots $(ARGS)

# --- checks ------------------------------------------------------------------------------------

.PHONY: lint
lint: lint-python lint-arrows lint-proto lint-text lint-web ## Style, types, arrows between members, protos, spelling

.PHONY: lint-python
lint-python: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

.PHONY: lint-arrows
lint-arrows: setup
	$(BIN)/lint-imports --no-cache
	@set -e; for member in $(MEMBERS); do \
		echo "deptry $$member"; (cd $$member && "$(CURDIR)/$(BIN)/deptry" src --known-first-party laelo); \
	done

.PHONY: lint-proto
lint-proto: setup
	$(BIN)/buf lint proto
	$(BIN)/buf format --diff --exit-code proto
	$(BIN)/buf breaking proto --against proto/published.binpb

.PHONY: lint-text
lint-text: setup
	$(BIN)/codespell
	$(PYTEST) -q tools/tests/test_tracked_files.py

.PHONY: lint-web
lint-web: setup
	@$(BOOTSTRAP) npm run lint
	@$(BOOTSTRAP) npm run check

# --- deploying ---------------------------------------------------------------------------------

# Machines that are containers themselves need other settings than podman's own.
CONTAINERS := CONTAINERS_CONF="$${CONTAINERS_CONF:-$(CURDIR)/deploy/ci/containers.conf}"

.PHONY: image
image: setup web ## Build the image of all services; ARGS="--tag NAME --base IMAGE" for others
	@$(CONTAINERS) $(PY) deploy/images/build.py $(ARGS)

.PHONY: images
images: setup web
	@$(CONTAINERS) $(PY) deploy/images/build.py --servers

.PHONY: k8s-tools
k8s-tools:
	@$(PYTHON) deploy/toolbox.py k8s checkov >/dev/null

.PHONY: local-up
local-up: images k8s-tools ## Run the overlay `local` by podman, on port 18080
	@$(CONTAINERS) $(PY) deploy/ci/one_machine.py up

.PHONY: local-down
local-down: setup k8s-tools ## Stop it; what was played is kept
	@$(CONTAINERS) $(PY) deploy/ci/one_machine.py down

.PHONY: test-containers
test-containers: images k8s-tools ## The image, the compose file and the overlay `local` under podman
	@$(PYTHON) deploy/toolbox.py compose >/dev/null
	$(CONTAINERS) LAELO_CONTAINERS_REQUIRED=1 $(PYTEST) -m container $(ARGS) tests/deploy

MANIFESTS := .local/tools/k8s/bin/python deploy/check/manifests.py

.PHONY: k8s-check
k8s-check: setup k8s-tools ## Hold the rendered overlays against schemas, checkov and our policies
	$(MANIFESTS) render .local/k8s
	$(MANIFESTS) schemas $(addprefix .local/k8s/,local.yaml staging.yaml prod.yaml prod-console.yaml)
	$(TOGETHER) -m k8s $(ARGS) tests/deploy

# --- tidying -----------------------------------------------------------------------------------

.PHONY: clean-data
clean-data: ## Delete all matches and accounts of the local run
	@$(PYTHON) tools/clean_data.py

.PHONY: clean
clean: ## Delete what was built and installed, but not the data
	rm -rf .venv .local/tools .local/reports .local/web.ok web/dist web/node_modules
	rm -f services/bots/src/laelo_bots/libcore.* services/bots/core/core.stamp
	rm -f tools/src/laelo_tools/history/libglance.* tools/core/core.stamp
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis libs/common/src/laelo
