#!/bin/sh
# Sets up, builds and runs the tests. Usage: tests/run.sh [--no-install] [all|asan|tsan]
# Without a word: the first tier, the suites unit, text, gpu and examples. It builds what these run, and nothing else.
# all: then every other suite, and the tests once more with other toolkits: NVRTC 12; the wheels that a machine without a
# toolkit is given, the machine's own hidden; and the newest wheels of the major version. KILN_TEST_MINUTES: what has its
# turn later than so many minutes after the start is skipped, and that is said.
# asan, tsan: every suite, with a sanitizer.
# --no-install: Debian packages that are missing are named, and it ends, instead of installing them.
# The line before the last names the tier. The last line is "N passed, N failed, N skipped"; the exit status is 0 where at
# least one test ran and none failed.
set -eu
started=$(date +%s)
kiln_source=$(cd "$(dirname "$0")/.." && pwd)
cd "$kiln_source"
# shellcheck source=tools/setup.sh
. tools/setup.sh

if [ "${1:-}" = --no-install ]; then
  kiln_install=no
  shift
fi
tier=${1:-first}
case $tier in
  first | all) build='build' ;;
  asan) build='build-asan' ;;
  tsan) build='build-tsan' ;;
  *) echo "usage: tests/run.sh [--no-install] [all|asan|tsan]" >&2; exit 2 ;;
esac
case $tier in
  first | all) set -- ;;
  asan) set -- -Ddebug=true -Db_sanitize=address,undefined -Db_lundef=false ;;
  tsan) set -- -Ddebug=true -Db_sanitize=thread -Db_lundef=false ;;
esac

# Programs of the tests inherit these; they write nothing of their own to a stream that a test reads.
LSAN_OPTIONS=suppressions=$kiln_source/tests/leak_suppressions.txt:print_suppressions=0
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
# Tests fork while threads of theirs run.
TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:suppressions=$kiln_source/tests/race_suppressions.txt:print_suppressions=0
# AddressSanitizer takes some variables of threads for what an older glibc kept there; the search for leaks then fails.
ASAN_OPTIONS=intercept_tls_get_addr=0
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS

kiln_choose_driver
kiln_setup "$build" tests
[ "$tier" = first ] || kiln_fetch_nvrtc_12 "$kiln_build/cuda-12"
kiln_configure "$build" -Dtests=true -Dexamples=true "$@"
first_tier='unit text gpu examples'
# shellcheck disable=SC2046,SC2086
kiln_make "$build" $(python3 -B tests/support/test_targets.py "$build" $first_tier)
# A locale with a comma in its numbers, for the test that it changes nothing.
locales=$kiln_build/locales
mkdir -p "$locales"
[ -d "$locales/de_DE.UTF-8" ] || localedef -i de_DE -f UTF-8 "$locales/de_DE.UTF-8"
LOCPATH=$locales
export LOCPATH

status=0
rm -f "$build"/meson-logs/*.json
# Called by name, as its alternative is.
# shellcheck disable=SC2317
as_it_is() { "$@"; }
without_toolkit() { tests/support/without_toolkit.sh "$toolkit" "$@"; }
# The tests' time limits are for a quiet machine; a busy one takes many times as long.
# Usage: run_tests RUNNER DRIVER MESON_TEST_ARGUMENT...
run_tests() {
  runner=$1 driver=$2
  shift 2
  "$runner" env ${driver:+"KILN_DRIVER=$driver"} meson test -C "$build" --no-rebuild --print-errorlogs \
    --timeout-multiplier 10 "$@"
}
# Usage: run_suites RUNNER LOG SUITES... The results are in meson-logs/LOG.json and, of the device's suites, which are
# always run, in LOG-device.json. These run beside the others on the emulator, and after them on a GPU, which is then
# theirs alone.
run_suites() {
  runner=$1 log=$2
  shift 2
  device_tests() { run_tests "$runner" "$kiln_driver" --logbase "$log-device" --suite gpu --suite examples; }
  device=
  if [ "$kiln_driver" = emulator ]; then
    device_tests >"$build/meson-logs/$log-device.out" 2>&1 &
    device=$!
  fi
  # The others' drivers are fakes of their own.
  run_tests "$runner" '' --logbase "$log" "$@" || status=$?
  if [ -n "$device" ]; then
    wait "$device" || status=$?
    cat "$build/meson-logs/$log-device.out"
  else
    device_tests || status=$?
  fi
}
skip_suites() {
  say "skipped: the tests $2"
  echo '{"result": "SKIP"}' >"$build/meson-logs/$1.json"
}
time_is_up() {
  [ -n "${KILN_TEST_MINUTES:-}" ] && [ $(($(date +%s) - started)) -gt $((KILN_TEST_MINUTES * 60)) ]
}
# Nothing that is built links the toolkit: the same programs run with others, with a cache of their own for each. What
# looks at no toolkit has no need to.
with_other_toolkit='--suite unit --suite corpus --suite stress --suite remote --suite mpi --no-suite no_toolkit'
run_with_wheels() {
  if [ -z "$toolkit" ]; then
    say "this machine has no toolkit to hide: the tests ran with the wheels"
  elif ! without_toolkit true; then
    skip_suites wheels "without the toolkit of this machine, which no mount namespace can hide here"
  elif time_is_up; then
    skip_suites wheels "with the wheels of a machine that has no toolkit: $KILN_TEST_MINUTES minutes are over"
  elif ! kiln_fetch_toolkit "$kiln_build/cuda"; then
    skip_suites wheels "with the wheels of a machine that has no toolkit, which cannot be fetched"
  else
    runner_here=without_toolkit
    say "the tests with the wheels of a machine that has no toolkit"
    KILN_CACHE_DIR=$kiln_build/cache-wheels
    # shellcheck disable=SC2086
    run_suites without_toolkit wheels $with_other_toolkit
  fi
}
run_with_newest() {
  if time_is_up; then
    skip_suites newest "with the newest wheels: $KILN_TEST_MINUTES minutes are over"
  elif kiln_fetch_newest_toolkit "$kiln_build/cuda-newest"; then
    say "the tests with the newest wheels"
    KILN_CACHE_DIR=$kiln_build/cache-newest
    # shellcheck disable=SC2086
    run_suites "$runner_here" newest $with_other_toolkit
  else
    skip_suites newest "with the newest wheels, which cannot be fetched"
  fi
}

run_suites as_it_is testlog --suite unit --suite text
if [ "$tier" != first ]; then
  if time_is_up; then
    skip_suites rest "of the other suites: $KILN_TEST_MINUTES minutes are over"
  else
    kiln_make "$build"
    # shellcheck disable=SC2046,SC2086
    run_tests as_it_is '' --logbase rest $(printf -- '--no-suite %s ' $first_tier cuda_12) || status=$?
  fi
  if time_is_up; then
    skip_suites cuda-12 "with NVRTC 12: $KILN_TEST_MINUTES minutes are over"
  else
    run_tests as_it_is '' --logbase cuda-12 --suite cuda_12 || status=$?
  fi
fi
if [ "$tier" = all ]; then
  runner_here=as_it_is
  run_with_wheels
  run_with_newest
fi

# The counts come from the runner's own record; every result that it does not call good or skipped is a failure. Of each
# failure the end of what it said is repeated here: whoever reads only the end of a long log is to find it.
python3 - "$tier" "$build"/meson-logs/*.json <<'COUNT' || status=1
import json, os, sys
tier = {"first": "the first tier; tests/run.sh all runs the others, too"}.get(sys.argv[1], sys.argv[1])
results = [(log, json.loads(line)) for log in sys.argv[2:] if os.path.exists(log) for line in open(log)]
counts = {"passed": 0, "failed": 0, "skipped": 0}
for log, test in results:
    result = test["result"]
    outcome = "passed" if result in ("OK", "EXPECTEDFAIL") else "skipped" if result == "SKIP" else "failed"
    counts[outcome] += 1
    if outcome == "failed":
        print(f"\n{result}: {test['name']} ({os.path.splitext(os.path.basename(log))[0]})")
        said = (test.get("stdout", "") + test.get("stderr", "")).splitlines()
        print(*("  " + line for line in said[-20:]), sep="\n")
print(f"tier: {tier}")
print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()), flush=True)
sys.exit(0 if counts["passed"] and not counts["failed"] else 1)
COUNT
exit "$status"
