#!/bin/sh
# Sets up, builds and runs every test. Usage: tests/run.sh [asan|tsan]
# The last line is "N passed, N failed, N skipped"; the exit status is 0 where at least one test ran and none failed.
set -eu
kiln_source=$(cd "$(dirname "$0")/.." && pwd)
cd "$kiln_source"
# shellcheck source=tools/setup.sh
. tools/setup.sh

case ${1:-} in
  '') build='build'; set -- ;;
  asan) build='build-asan'; set -- -Db_sanitize=address,undefined -Db_lundef=false ;;
  tsan) build='build-tsan'; set -- -Db_sanitize=thread -Db_lundef=false ;;
  *) echo "usage: tests/run.sh [asan|tsan]" >&2; exit 2 ;;
esac

# Programs of the tests inherit these; they write nothing of their own to a stream that a test reads.
LSAN_OPTIONS=suppressions=$kiln_source/tests/leak_suppressions.txt:print_suppressions=0
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
# A thread of Kiln's may sleep for some seconds after a compile in a worker, and tests fork.
TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:suppressions=$kiln_source/tests/race_suppressions.txt:print_suppressions=0
# AddressSanitizer takes some variables of threads for what an older glibc kept there; the search for leaks then fails.
ASAN_OPTIONS=intercept_tls_get_addr=0
export ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS

kiln_choose_driver
kiln_setup "$build"
# shellcheck disable=SC2046
kiln_install_packages $(kiln_missing_static_packages)
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
rm -f "$build"/meson-logs/*log.json
run_tests() {
  meson test -C "$build" --no-rebuild --print-errorlogs "$@" || status=$?
}
run_tests --no-suite gpu --no-suite examples
# The others' drivers are fakes of their own.
[ -z "$kiln_driver" ] || export KILN_DRIVER="$kiln_driver"
run_tests --logbase devicelog --suite gpu --suite examples

# The counts come from the runner's own record; every result that it does not call good or skipped is a failure.
python3 - "$build"/meson-logs/testlog.json "$build"/meson-logs/devicelog.json <<'COUNT' || status=1
import json, os, sys
results = [json.loads(line)["result"] for log in sys.argv[1:] if os.path.exists(log) for line in open(log)]
passed = sum(result in ("OK", "EXPECTEDFAIL") for result in results)
skipped = results.count("SKIP")
failed = len(results) - passed - skipped
print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
sys.exit(0 if passed and not failed else 1)
COUNT
exit "$status"
