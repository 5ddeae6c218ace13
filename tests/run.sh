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

kiln_setup "$build"
kiln_configure "$build" -Dtests=true -Dexamples=true "$@"
kiln_make "$build"

log=$build/meson-logs/testlog.json
rm -f "$log"
status=0
meson test -C "$build" --no-rebuild --print-errorlogs || status=$?

# The counts come from the runner's own record; every result that it does not call good or skipped is a failure.
python3 - "$log" <<'COUNT' || status=1
import json, os, sys
results = [json.loads(line)["result"] for line in open(sys.argv[1])] if os.path.exists(sys.argv[1]) else []
passed = sum(result in ("OK", "EXPECTEDFAIL") for result in results)
skipped = results.count("SKIP")
failed = len(results) - passed - skipped
print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
sys.exit(0 if passed and not failed else 1)
COUNT
exit "$status"
