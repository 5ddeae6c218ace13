#!/bin/sh
# Lets libFuzzer at each target of tests/fuzz. Usage: tests/fuzz/run.sh [SECONDS [TARGET...]], 60 seconds a target where
# nothing is said. Needs clang++ with its run-time libraries, which the rest of Kiln does not. The exit status is 1 where
# a target failed; what it failed on stays in build-fuzz/findings.
set -eu
kiln_source=$(cd "$(dirname "$0")/../.." && pwd)
cd "$kiln_source"
# shellcheck source=tools/setup.sh
. tools/setup.sh

seconds=${1:-60}
case $seconds in *[!0-9]* | '' | 0) echo "usage: tests/fuzz/run.sh [SECONDS [TARGET...]]" >&2; exit 2 ;; esac
[ $# -eq 0 ] || shift
if [ $# -eq 0 ]; then
  for file in tests/fuzz/fuzz_*.cpp; do
    name=${file#tests/fuzz/fuzz_}
    set -- "$@" "${name%.cpp}"
  done
fi

if ! command -v clang++ >/dev/null; then
  echo "clang++ is not there; it brings libFuzzer. On Debian and Ubuntu: apt-get install clang" >&2
  exit 3
fi
if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
  clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null 2>/dev/null; then
  echo "clang++ cannot link libFuzzer. On Debian and Ubuntu: apt-get install" \
    "libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev" >&2
  exit 3
fi

build='build-fuzz'
kiln_setup "$build" tests
CXX=clang++ kiln_configure "$build" -Dfuzz=true -Dbuildtype=debugoptimized -Dexamples=false \
  -Ddefault_library=static -Db_sanitize=address,undefined -Db_lundef=false
program=tests/fuzz/fuzz
kiln_make "$build" "$program"

UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export UBSAN_OPTIONS
failed=
for name in "$@"; do
  corpus=$build/corpus/$name
  rm -rf "$corpus"
  mkdir -p "$corpus" "$build/findings"
  cp "tests/fuzz/corpus/$name/"* "$corpus"
  log=$build/fuzz-$name.log
  if KILN_FUZZ_TARGET=$name "$build/$program" -max_total_time="$seconds" -max_len=16384 -timeout=20 -rss_limit_mb=1024 \
    -malloc_limit_mb=16 -print_final_stats=1 -artifact_prefix="$build/findings/$name-" "$corpus" >"$log" 2>&1; then
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions, no finding"
  else
    tail -n 40 "$log" >&2
    echo "$name: failed; $(sed -n 's/.*Test unit written to /the input is /p' "$log"). Again:" \
      "KILN_FUZZ_TARGET=$name $build/$program INPUT" >&2
    failed=1
  fi
done
[ -z "$failed" ]
