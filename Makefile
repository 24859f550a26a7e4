# `make help` lists the commands.

.DEFAULT_GOAL := help
.PHONY: help stacks validate fit program build bench simulate gate baseline gate-power phones peers scale peers-test peers-gate feeds-speed comment-examples examples test size signals kills faults determinism additions cluster-check explore soak histories fuzz lint prose format tsan asan plots \
  published claims report report-check gallery docs goldens pages troubles completions clean set-up

# Flags of every build; `.ci/run` makes warnings errors with it.
BUILD_FLAGS ?=
# Release builds have no debug information, so that they take less time. A stack trace has the names of functions
# without it.
RELEASE := -c release -debug-info-format none
# Variables of single commands, see `make help`.
ROWS ?=
FLAGS ?=
IDLE ?=
SAMPLES ?=
HISTORIES ?= 5000
SEED ?= 1
REPETITIONS ?= 20
# Measures the live experiments of `make claims` too.
LIVE ?=
# Schedules of each stack in `make explore`.
SCHEDULES ?= 1000
# Killed trials of `make kills`.
KILLS ?= 1000
# Calls that `make faults` tries for each stack and kind of fault.
FAULTS ?= 20
# Runs of `make determinism`.
RUNS ?= 1000
# Random inputs of `make fuzz`.
INPUTS ?= 10000
# Minutes of `make soak` for all stacks together, or of libFuzzer in `make fuzz`. The standard values are 60 and 1.
MINUTES ?=
FROM ?= Results/latest
TO ?= plots/latest
# The folder for completions. If there is a PREFIX, they are for all users, otherwise for this user.
PREFIX ?=
DESTDIR ?=

SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests \
  Examples/Sources Examples/Tests
STACKBENCH := .build/release/stackbench

# The engine's peers have a separate package and a separate Python.
PEERS_PACKAGE := --package-path Benchmarks --scratch-path .build/benchmarks
PEERS_PYTHON := .build/peers-python
# The subjects of the comparison that claims need. A missed floor does not concern them.
CLAIMED_PEERS := --subjects stackbench,raw

# Tests run on the objects of `make build`. The flag keeps SwiftPM from compiling them again with other flags.
TEST := sh .ci/swift test $(RELEASE) --disable-testable-imports --disable-xctest $(BUILD_FLAGS)

# The last --output among FLAGS, or the folder of the last --name; charts are drawn from there.
FLAGGED_NAME := $(shell printf '%s' '$(FLAGS)' | sed -n 's/.*--name[= ]*\([^ ]*\).*/\1/p')
FLAGGED_OUTPUT := $(or $(shell printf '%s' '$(FLAGS)' | sed -n 's/.*--output[= ]*\([^ ]*\).*/\1/p'),$(addprefix Results/,$(FLAGGED_NAME)))
OUTPUT := $(or $(FLAGGED_OUTPUT),Results/latest)
SIMULATED_OUTPUT := $(or $(FLAGGED_OUTPUT),Results/simulated)
SCALE_OUTPUT := $(or $(FLAGGED_OUTPUT),Results/scale)

# The test targets with suites whose subject is several threads at once, and these suites.
TSAN_TARGETS := MachineConformanceTests,SQLitePersistenceTests,ContextEngineTests
TSAN_SUITES := ^(MachineConformanceTests|SQLitePersistenceTests|ContextEngineTests\.ConcurrencyTests)[./]
TSAN_FLAGS := --scratch-path .build/tsan --sanitize=thread -Xswiftc -DUNDER_SANITIZER $(BUILD_FLAGS)

# The test targets of code that uses C or pointers.
ASAN_TARGETS := MachineCoreTests,MachineConformanceTests,MachineSimulatedTests,ContextEngineTests,SQLitePersistenceTests,FeedReadingTests,ModelReadingTests,WorkloadsTests,VerificationTests,OutputFilesTests,YardstickTests,InspectionTests
# The C functions in headers are compiled with Swift's modules, so that the compiler of C needs its own flags for them.
# The build counts the code that an input of the fuzzer reaches. It contains libFuzzer without its own main function, and
# the operators of C++ that allocate with the sanitizer as C does.
RUNTIMES := $(wildcard $(dir $(shell command -v swift))../lib/clang/*/lib/linux)
ASAN_FLAGS := $(RELEASE) --scratch-path .build/asan --sanitize=address -Xcc -fsanitize=address,undefined \
  -Xcc -fno-sanitize-recover=undefined -Xswiftc -DUNDER_SANITIZER -Xswiftc -DCOVERAGE_GUIDED \
  -Xswiftc -sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp \
  $(addprefix -Xlinker ,--whole-archive $(RUNTIMES)/libclang_rt.asan_cxx-x86_64.a --no-whole-archive \
  $(RUNTIMES)/libclang_rt.fuzzer_no_main-x86_64.a -lstdc++) $(BUILD_FLAGS)
ASAN_TEST := swift test --disable-testable-imports --disable-xctest $(ASAN_FLAGS)

# Small runs under a sanitizer, which takes many times as long: one with two imports at once and a second process, and one
# with payloads that arrive steadily and computations in the background.
SMALL_RUN := run --no-settings-file --rows 300 --existing-rows 200 --batch-size 50 --save-every 25 --trials 1 --warmup 0 \
  --view-controllers 2 --user-edit-interval 100 --topology all+ --idle-seconds 0 --repeat-limit 0 --time-limit 600 \
  --replace --quiet
LANES_RUN := $(SMALL_RUN) --topology two-coordinators/processes --concurrent-imports 2 --overlap 20
STEADY_RUN := $(SMALL_RUN) --arrival-interval 20 --in-flight validate

# Runs a command under a sanitizer, whose reports are written to files. They are printed last, so that no other output
# hides them. The command fails if there are any, since a child process ends without the sanitizer's status. Tests that
# let a process trap leave reports of the thread sanitizer that are no warnings.
#   $(call sanitized,tsan,COMMAND)
sanitized = TSAN_OPTIONS="suppressions=$(CURDIR)/.ci/tsan-suppressions log_path=$(CURDIR)/.build/tsan/reports/race" \
	  ASAN_OPTIONS="detect_leaks=1 log_path=$(CURDIR)/.build/asan/reports/error" \
	  LSAN_OPTIONS="suppressions=$(CURDIR)/.ci/asan-suppressions print_suppressions=0" UBSAN_OPTIONS="print_stacktrace=1" \
	  SWIFT_BACKTRACE=enable=no $(2); status=$$?; reports=$$(find .build/$(1)/reports -type f -exec grep -lE 'WARNING: Thread|ERROR: (Address|Leak)|runtime error' {} +); \
	  if [ -n "$$reports" ]; then cat $$reports >&2; status=1; fi; exit $$status

# Draws the charts of the results in a folder into another.
draw = sh .ci/draw "$(1)" "$(2)"

help: ## lists the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

set-up:
	@sh .ci/set-up

program: set-up
	sh .ci/swift build $(RELEASE) --product stackbench $(BUILD_FLAGS)

build: program ## installs what is missing, builds the program, and the one beside it for calibrate and validate
	sh .ci/swift build $(RELEASE) --product stackbench-workshop $(BUILD_FLAGS)

bench: program ## the main job: measures the six stacks, prints the table, draws the charts; ROWS=N FLAGS="…" IDLE=SECONDS
	@$(STACKBENCH) run $(if $(ROWS),--rows $(ROWS)) $(if $(IDLE),--idle-seconds $(IDLE)) $(FLAGS); status=$$?; \
	if [ $$status -gt 1 ] || ! [ -s "$(OUTPUT)/trials.csv" ]; then exit $$status; fi; \
	$(call draw,$(OUTPUT),plots/latest) && exit $$status

simulate: program ## all six stacks on the default phone, in virtual time; writes Results/simulated/; ROWS=N FLAGS="…"
	@$(STACKBENCH) run --machine simulated $(if $(FLAGGED_NAME),,--output Results/simulated) $(if $(ROWS),--rows $(ROWS)) $(FLAGS); status=$$?; \
	if [ $$status -gt 1 ] || ! [ -s "$(SIMULATED_OUTPUT)/trials.csv" ]; then exit $$status; fi; \
	$(call draw,$(SIMULATED_OUTPUT),plots/latest/simulated) && exit $$status

gate: program ## nothing worse than Results/baseline/? simulates the gate's runs and compares; FLAGS="--format markdown"
	@$(STACKBENCH) gate $(FLAGS)

baseline: program ## makes what the gate's runs come to now the baseline, and draws its charts into plots/; to be committed
	@$(STACKBENCH) gate --record $(FLAGS)
	@$(call draw,Results/gate/six,plots)

validate: build ## how far predictions hold: calibrates, compares with this machine cause by cause and with published tables; writes Results/validation/
	@$(STACKBENCH) calibrate --fall-back --output Results/validation/host.yaml --measurements Results/validation/measurements.csv
	@$(STACKBENCH) validate --profile Results/validation/host.yaml --output Results/validation $(FLAGS)
	@$(STACKBENCH) validate --published all --output Results/validation

fit: build ## fits Core Data's shape and the phones anew to the published tables, as after a change of costs or tables
	@sh .ci/fit record $(STACKBENCH)

published: build ## published tables of Core Data beside simulated ones; writes Results/validation/published.{csv,md}; FLAGS="…"
	@$(STACKBENCH) validate --published all --output Results/validation $(FLAGS)

claims: program ## which statements of articles hold: simulates their experiments, writes Results/claims/ and Results/claims.md; LIVE=1 measures too
	@$(if $(LIVE),rm -f Results/peers/peers.csv; $(MAKE) --no-print-directory peers FLAGS="$(CLAIMED_PEERS)" || [ -s Results/peers/peers.csv ])
	@$(STACKBENCH) claims --renew $(if $(LIVE),all,simulated) $(FLAGS)

phones: program ## hitches phone by phone: sweeps the six stacks over the shipped phones; writes Results/phones/, plots/phones.svg
	@$(STACKBENCH) sweep --vary profile=iphone-15-pro,iphone-12-pro,iphone-6s,iphone-6-ios-11,iphone-4s,pixel-3 \
	  --vary topology=all --draws 21 --output Results/phones --restart $(FLAGS)
	@cp Results/phones/charts/hitch_us_per_s.svg plots/phones.svg

BUILD_PEERS = swift build $(RELEASE) --product peers $(PEERS_PACKAGE) $(BUILD_FLAGS)

peers: set-up ## the engine against raw SQLite, GRDB, SQLAlchemy and structs kept by hand; writes Results/peers/, ends with 1 if a floor is missed; FLAGS="…"
	@sh .ci/set-up-python $(PEERS_PYTHON) Benchmarks/requirements.txt
	$(BUILD_PEERS)
	@.build/benchmarks/release/peers --python $(PEERS_PYTHON)/bin/python $(FLAGS)

scale: set-up ## the growth of the engine's times from 100,000 to 1,000,000 rows; writes Results/scale/, plots/latest/scale.svg, ends with 1 if an exponent is above 1.1; FLAGS="--most-rows N"
	$(BUILD_PEERS)
	@.build/benchmarks/release/peers --scale $(FLAGS); status=$$?; \
	if [ $$status -gt 1 ] || ! [ -s "$(SCALE_OUTPUT)/scale.csv" ]; then exit $$status; fi; \
	mkdir -p plots/latest && gnuplot -c plots/scale/scale.gp "$(SCALE_OUTPUT)" plots/latest svg && exit $$status

peers-test: set-up ## runs the tests of that comparison
	@sh .ci/set-up-python $(PEERS_PYTHON) Benchmarks/requirements.txt
	PEERS_PYTHON="$(abspath $(PEERS_PYTHON))/bin/python" swift test $(RELEASE) --disable-testable-imports --disable-xctest \
	  $(PEERS_PACKAGE) $(BUILD_FLAGS)

peers-gate: set-up ## counts the engine's instructions in those cases and compares with the committed counts; FLAGS=--record
	@sh .ci/set-up valgrind
	sh .ci/swift build $(RELEASE) --product peers-gate $(BUILD_FLAGS)
	@sh .ci/peers-gate $(if $(filter --record,$(FLAGS)),record,check) .build/release/peers-gate

feeds-speed: set-up ## the speed of reading feeds against JSONDecoder, and its peak memory; ends with 1 if a floor is missed; FLAGS="…"
	swift build $(RELEASE) --product feeds-speed $(PEERS_PACKAGE) $(BUILD_FLAGS)
	@.build/benchmarks/release/feeds-speed --folder .build/benchmarks $(FLAGS)

comment-examples: set-up
	@command -v python3 >/dev/null || sh .ci/set-up python
	@python3 .ci/comment-examples

examples: comment-examples ## runs the example app and the examples in the engine's comments; ends with 2 if one of them fails
	swift build $(RELEASE) --product ReadingList $(BUILD_FLAGS)
	@.build/release/ReadingList >.build/reading-list.txt
	@diff Examples/expected.txt .build/reading-list.txt >&2 || \
	  { echo "error: the example printed other lines (>) than Examples/expected.txt (<); correct whichever is wrong" >&2; exit 1; }
	$(TEST) --filter '^(CommentExamples|PublicInterfaceTests)\.'

test: comment-examples ## runs all tests on the objects of the release build; SAMPLES=DIR adds those over real models and feeds
	@sh .ci/set-up strace
	$(if $(SAMPLES),STACKBENCH_SAMPLES="$(abspath $(SAMPLES))") $(TEST)

signals: build ## sends SIGINT and SIGTERM at 200 instants of three commands, beside 20 busy processes; ends with 2 if one is lost
	@command -v python3 >/dev/null || sh .ci/set-up python
	@python3 .ci/signals $(STACKBENCH)

kills: program ## kills live imports at 1,000 random instants and checks the stores; KILLS=1000 SEED=1 FLAGS="…"; ends with 2 if a commit is lost
	@command -v python3 >/dev/null || sh .ci/set-up python
	@python3 .ci/kills $(STACKBENCH) $(KILLS) $(SEED) $(FLAGS)

faults: comment-examples ## trials whose files have faults, and power cuts under each mode of SQLite; FAULTS=20 calls of each kind
	STACKBENCH_FAULTS=$(FAULTS) $(TEST) --filter '^(StackbenchTests\.FileFaultTrialTests|TrialProcessesTests\.PowerCutTests)[./]'

determinism: program ## one small simulated run in 1,000 environments, in debug and release; RUNS=1000 SEED=1 FLAGS="…"; ends with 2 if results differ
	@command -v python3 >/dev/null || sh .ci/set-up python
	swift build $(BUILD_FLAGS) --product stackbench
	@python3 .ci/determinism $(STACKBENCH) --debug .build/debug/stackbench $(RUNS) $(SEED) $(FLAGS)

cluster-check: program ## runs a plan with GNU parallel over ssh and with Slurm, kills a worker of each, compares the tables
	@sh .ci/set-up cluster
	@bash .ci/cluster-check $(STACKBENCH)

explore: program ## runs a small import in each stack under many orders of its threads; SCHEDULES=1000 for each stack
	@$(STACKBENCH) explore all+ --schedules $(SCHEDULES) $(FLAGS)

soak: program ## imports, scrolls and edits in the six stacks without pause; MINUTES=60 FLAGS="…"; ends with 1 if something grows
	@$(STACKBENCH) soak all --minutes $(or $(MINUTES),60) $(FLAGS)

histories: comment-examples ## random histories of the engine; HISTORIES=5000 SEED=1 (the first one's seed)
	STACKBENCH_HISTORIES=$(HISTORIES) STACKBENCH_HISTORY_SEED=$(SEED) \
	  $(TEST) --filter '^ContextEngineTests\.(RandomHistory|ContextTree|FetchedResultsHistory)Tests[./]'

fuzz: program comment-examples ## random inputs, INPUTS=10000 SEED=1, then what libFuzzer makes of each kind of file, MINUTES=1 (or 0); goes on from earlier runs
	@TEST="$(TEST)" sh .ci/fuzz $(STACKBENCH) $(INPUTS) $(SEED)
	$(if $(filter 0,$(MINUTES)),,STACKBENCH_TESTS=StackbenchTests $(ASAN_TEST) --filter '^nothing$$')
	@$(if $(filter 0,$(MINUTES)),,python3 .ci/guided-fuzz .build/asan/release $(or $(MINUTES),1))

lint: ## checks the style of all Swift files
	swift format lint --strict --recursive $(SOURCES)

prose: ## checks how plainly comments and the subjects of commits are written
	@command -v python3 >/dev/null || sh .ci/set-up python
	@python3 .ci/prose

size: ## lines of code, folders of Sources, circles of folders, pages; FLAGS=--targets adds the lines of each target
	@command -v python3 >/dev/null || sh .ci/set-up python
	@python3 .ci/size $(FLAGS)

additions: set-up ## adds a stack, a measure, a command, a setting and a format to a copy, builds and uses them, and counts files
	@sh .ci/additions

format: ## puts all Swift files into that style
	swift format format --in-place --recursive $(SOURCES)

tsan: set-up ## runs concurrent code in a debug build under the thread sanitizer: its tests, small live runs of all stacks, the goldens
	@rm -rf .build/tsan/reports && mkdir -p .build/tsan/reports
	swift build $(TSAN_FLAGS) --product stackbench
	$(call sanitized,tsan,STACKBENCH_TESTS='$(TSAN_TARGETS)' swift test $(TSAN_FLAGS) --disable-xctest --filter '$(TSAN_SUITES)')
	$(call sanitized,tsan,.build/tsan/debug/stackbench $(LANES_RUN) --output .build/tsan/results)
	$(call sanitized,tsan,.build/tsan/debug/stackbench $(STEADY_RUN) --output .build/tsan/results)
	$(call sanitized,tsan,sh .ci/goldens check .build/tsan/debug/stackbench)

# Tests of files that are read-only run processes of another user, who must be able to write reports.
asan: set-up ## runs code with pointers and C in a release build under the address, leak and undefined-behaviour sanitizers: its tests, small runs, the goldens
	@rm -rf .build/asan/reports && mkdir -p -m 777 .build/asan/reports
	swift build $(ASAN_FLAGS) --product stackbench
	$(call sanitized,asan,STACKBENCH_TESTS='$(ASAN_TARGETS)' $(ASAN_TEST))
	$(call sanitized,asan,.build/asan/release/stackbench $(LANES_RUN) --output .build/asan/results)
	$(call sanitized,asan,.build/asan/release/stackbench $(STEADY_RUN) --output .build/asan/results)
	$(call sanitized,asan,.build/asan/release/stackbench $(SMALL_RUN) --machine simulated --draws 0 --output .build/asan/results)
	$(call sanitized,asan,sh .ci/goldens check .build/asan/release/stackbench)

plots: set-up ## draws the charts of a result as SVG and PNG; FROM=Results/latest TO=plots/latest
	@$(call draw,$(FROM),$(TO))

report: program ## a result as one HTML file; FROM=Results/latest FLAGS="--output FILE.html"
	@$(STACKBENCH) report "$(FROM)" $(FLAGS)

report-check: program ## opens reports in a real browser and checks them; installs Debian's chromium if none is there
	@sh .ci/set-up browser
	@bash .ci/report-check $(STACKBENCH)

stacks: program ## draws what a payload does in each stack, into docs/stacks.md and docs/stacks/
	@sh .ci/stacks write $(STACKBENCH)

gallery: program ## the six stacks on each model and feed of a folder, on one page; SAMPLES=DIR ROWS=5000; writes Results/gallery/
	@command -v python3 >/dev/null || sh .ci/set-up python
	@python3 .ci/gallery $(STACKBENCH) "$(or $(SAMPLES),$(STACKBENCH_SAMPLES))" Results/gallery $(ROWS)

docs: program ## writes the documentation of engine and seam into .build/docs; a link that leads nowhere is an error
	@sh .ci/docs

troubles: program ## writes docs/troubles.md and the stories in docs/troubles/ anew from what the scenarios do
	@sh .ci/troubles record $(STACKBENCH)

pages: program ## writes what their commands print now into the pages; names the lines that have to be changed by hand
	@command -v python3 >/dev/null || sh .ci/set-up python
	@python3 .ci/readme record $(STACKBENCH)

goldens: program ## records anew what the tests of simulated results compare with, after a change that means to change them
	sh .ci/goldens record $(STACKBENCH)

completions: program ## installs completions for bash, zsh and fish: your own, or for all users with PREFIX=/usr/local (DESTDIR=DIR)
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" sh .ci/completions "$(STACKBENCH)"

gate-power: program ## how often compare --live is right, on one program and with its engine slowed by 10 %; REPETITIONS=20 (about 95 min)
	swift build $(RELEASE) --product stackbench --scratch-path .build/slowed -Xswiftc -DSLOWED_ENGINE $(BUILD_FLAGS)
	@bash .ci/gate-power $(STACKBENCH) .build/slowed/release/stackbench $(REPETITIONS)

clean: ## removes builds, the latest results and their charts
	rm -rf .build Results/gate Results/latest Results/simulated Results/phones Results/peers Results/scale Results/soak Results/gallery plots/latest
