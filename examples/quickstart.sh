#!/bin/sh
# Builds Kiln and shows what it is for: the first run compiles a kernel, the second run finds it.
# Usage: examples/quickstart.sh [--no-install]
# --no-install: Debian packages that are missing are named, and it ends, instead of installing them.
set -eu
kiln_source=$(cd "$(dirname "$0")/.." && pwd)
cd "$kiln_source"
# shellcheck source=tools/setup.sh
. tools/setup.sh

case $#:${1:-} in
  0:) ;;
  1:--no-install) kiln_install=no ;;
  *) echo "usage: examples/quickstart.sh [--no-install]" >&2; exit 2 ;;
esac

kiln_choose_driver
kiln_setup build
# A folder that tests/run.sh has set up keeps its tests.
tests=-Dtests=false
[ ! -f build/build.ninja ] || tests=
kiln_configure build ${tests:+"$tests"}
emulator=emulator/libkiln_emulator.so
if [ "$kiln_driver" = emulator ]; then
  kiln_make build examples/quickstart "$emulator"
else
  kiln_make build examples/quickstart
fi
[ -z "$kiln_driver" ] || export KILN_DRIVER="$kiln_driver"
# A cache of its own, empty, so that the first run is a cold one.
KILN_CACHE_DIR=$kiln_build/quickstart-cache
export KILN_CACHE_DIR
rm -rf "$KILN_CACHE_DIR"

# Prints a run's lines, its first one (what and how many microseconds) in words; sets `microseconds`.
run() {
  output=$(build/examples/quickstart)
  first=$(printf '%s\n' "$output" | head -n 1)
  microseconds=${first#* }
  printf 'time       %s.%03d ms from source text to function\n' $((microseconds / 1000)) $((microseconds % 1000))
  printf '%s\n' "$output" | tail -n +2
  [ "${first%% *}" = "$1" ] || { echo "expected a $1 start, got: $first" >&2; return 1; }
}

printf '\n== Cold start: the kernel includes CUB and is compiled\n'
run cold
cold=$microseconds
printf '\n== Warm start: another process, the same source\n'
run warm
printf '\nThe warm start is %s times as fast as the cold one.\n' $((cold / (microseconds > 0 ? microseconds : 1)))

# Last, as it takes a sixth of the time to build. The trace needs NVTX's header, which not every toolkit has.
printf '\n'
trace=tools/trace/libkiln_trace.so
grep -q "^build $trace:" build/build.ninja || trace=
kiln_make build tools/kiln/kiln "$emulator" ${trace:+"$trace"}
printf '\n== What is here (kiln doctor)\n'
build/tools/kiln/kiln doctor

printf '\nNext: docs/tutorial.md. For this shell:\n'
printf '  export PATH="%s/build/tools/kiln:%s"\n' "$PWD" "\$PATH"
[ "$kiln_driver" != emulator ] || printf '  export KILN_DRIVER=emulator\n'
[ -z "${CUDA_HOME:-}" ] || printf '  export CUDA_HOME="%s"\n' "$CUDA_HOME"
