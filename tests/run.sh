#!/bin/sh
# Sets up, builds and runs every test. Usage: tests/run.sh [--no-install] [asan|tsan|every-toolkit]
# --no-install: Debian packages that are missing are named, and it ends, instead of installing them.
# every-toolkit: with the toolkit of the machine; with that hidden and the wheels that a machine without one is given;
# and with the newest wheels of the major version. KILN_TEST_MINUTES: NVRTC 12 and these toolkits are skipped where their
# turn comes later than so many minutes from the start, and that is said.
# The last line is "N passed, N failed, N skipped"; the exit status is 0 where at least one test ran and none failed.
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
every_toolkit=
case ${1:-} in
  '') build='build'; set -- ;;
  every-toolkit) build='build'; every_toolkit=yes; set -- ;;
  asan) build='build-asan'; set -- -Ddebug=true -Db_sanitize=address,undefined -Db_lundef=false ;;
  tsan) build='build-tsan'; set -- -Ddebug=true -Db_sanitize=thread -Db_lundef=false ;;
  *) echo "usage: tests/run.sh [--no-install] [asan|tsan|every-toolkit]" >&2; exit 2 ;;
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
kiln_fetch_nvrtc_12 "$kiln_build/cuda-12"
kiln_configure "$build" -Dtests=true -Dexamples=true "$@"
kiln_make "$build"
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
# Usage: run_suites RUNNER LOG MESON_TEST_ARGUMENT... The results are in meson-logs/LOG.json and LOG-device.json.
# The device's tests run beside the others on the emulator, and after them on a GPU, which is then theirs alone.
run_suites() {
  runner=$1 log=$2
  shift 2
  device_tests() { run_tests "$runner" "$kiln_driver" --logbase "$log-device" --suite gpu --suite examples "$@"; }
  device=
  if [ "$kiln_driver" = emulator ]; then
    device_tests "$@" >"$build/meson-logs/$log-device.out" 2>&1 &
    device=$!
  fi
  # The others' drivers are fakes of their own.
  run_tests "$runner" '' --logbase "$log" --no-suite gpu --no-suite examples "$@" || status=$?
  if [ -n "$device" ]; then
    wait "$device" || status=$?
    cat "$build/meson-logs/$log-device.out"
  else
    device_tests "$@" || status=$?
  fi
}
skip_suites() {
  say "skipped: the tests $2"
  echo '{"result": "SKIP"}' >"$build/meson-logs/$1.json"
}
time_is_up() {
  [ -n "${KILN_TEST_MINUTES:-}" ] && [ $(($(date +%s) - started)) -gt $((KILN_TEST_MINUTES * 60)) ]
}
run_suites as_it_is testlog --no-suite cuda_12
if time_is_up; then
  skip_suites cuda-12 "with NVRTC 12: $KILN_TEST_MINUTES minutes are over"
else
  run_tests as_it_is '' --logbase cuda-12 --suite cuda_12 || status=$?
fi

# Nothing that is built links the toolkit: the same programs run with others, with a cache of their own for each. What
# looks at no toolkit has no need to.
again='--no-suite package --no-suite fuzz --no-suite no_toolkit --no-suite cuda_12'
if [ -n "$every_toolkit" ]; then
  runner_here=as_it_is
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
    run_suites without_toolkit wheels $again
  fi
  if time_is_up; then
    skip_suites newest "with the newest wheels: $KILN_TEST_MINUTES minutes are over"
  elif kiln_fetch_newest_toolkit "$kiln_build/cuda-newest"; then
    say "the tests with the newest wheels"
    KILN_CACHE_DIR=$kiln_build/cache-newest
    # shellcheck disable=SC2086
    run_suites "$runner_here" newest $again
  else
    skip_suites newest "with the newest wheels, which cannot be fetched"
  fi
fi

# The counts come from the runner's own record; every result that it does not call good or skipped is a failure. Of each
# failure the end of what it said is repeated here: whoever reads only the end of a long log is to find it.
python3 - "$build"/meson-logs/*.json <<'COUNT' || status=1
import json, os, sys
results = [(log, json.loads(line)) for log in sys.argv[1:] if os.path.exists(log) for line in open(log)]
counts = {"passed": 0, "failed": 0, "skipped": 0}
for log, test in results:
    result = test["result"]
    outcome = "passed" if result in ("OK", "EXPECTEDFAIL") else "skipped" if result == "SKIP" else "failed"
    counts[outcome] += 1
    if outcome == "failed":
        print(f"\n{result}: {test['name']} ({os.path.splitext(os.path.basename(log))[0]})")
        said = (test.get("stdout", "") + test.get("stderr", "")).splitlines()
        print(*("  " + line for line in said[-20:]), sep="\n")
print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()), flush=True)
sys.exit(0 if counts["passed"] and not counts["failed"] else 1)
COUNT
exit "$status"
