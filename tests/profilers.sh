#!/bin/sh
# Kiln under NVIDIA's profilers and debuggers, on a machine with a GPU: whether they show its ranges, and the lines of a
# source that is a string. Usage: tests/profilers.sh BUILD OUT, where BUILD is a build folder, or one that tests/gpu.sh
# packed, and OUT a folder for reports and logs. A tool that is not there is skipped; the exit status is 1 where one that
# is there does not show what it should. Not part of the tests.
set -u
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
program=$build/tests/unit/tools/traced_program
line='values\[i\] \*= factor'  # of its source
unset KILN_DRIVER
failed=0

for folder in "${CUDA_HOME:-/usr/local/cuda}/bin" /usr/local/cuda/bin /opt/nvidia/nsight-compute/* \
  /opt/nvidia/nsight-systems/*/bin "${CUDA_HOME:-/usr/local/cuda}/compute-sanitizer"; do
  [ ! -d "$folder" ] || PATH=$PATH:$folder
done

have() { command -v "$1" >/dev/null || { echo "SKIP $1: not found"; return 1; }; }

# Usage: expect NAME FILE PATTERN: whether a log has a line of that pattern.
expect() {
  if grep -q -- "$3" "$2"; then
    echo "PASS $1"
  else
    echo "FAIL $1: no line of $2 matches: $3"
    tail -n 15 "$2"
    failed=1
  fi
}

# Each tool's own cache, so that each run compiles.
cache() { KILN_CACHE_DIR=$out/cache-$1; export KILN_CACHE_DIR; rm -rf "$KILN_CACHE_DIR"; }

cache trace
"$build/tools/kiln/kiln" trace -o "$out/trace.json" "$program" launch >"$out/trace.log" 2>&1
expect 'kiln trace: a compile' "$out/trace.log" 'scale.cu'
expect 'kiln trace: launches' "$out/trace.log" 'scale(float'

if have nsys; then
  cache nsys
  nsys profile --trace=cuda,nvtx --force-overwrite true -o "$out/nsys" "$program" launch >"$out/nsys.log" 2>&1
  nsys stats --force-export true --report nvtx_pushpop_sum "$out/nsys.nsys-rep" >"$out/nsys-ranges.log" 2>&1
  expect 'nsys: ranges' "$out/nsys-ranges.log" 'compile: scale.cu'
fi

if have ncu; then
  cache ncu
  KILN_DEFAULT_OPTIONS=-lineinfo ncu --set full --import-source yes -f -o "$out/ncu" "$program" launch \
    >"$out/ncu.log" 2>&1
  ncu --import "$out/ncu.ncu-rep" --page source --csv --print-source cuda,sass >"$out/ncu-source.csv" 2>&1
  expect 'ncu: the source page' "$out/ncu-source.csv" "$line"
  # The text is in the report: also where the file is gone.
  rm -rf "$KILN_CACHE_DIR"
  ncu --import "$out/ncu.ncu-rep" --page source --csv --print-source cuda,sass >"$out/ncu-imported.csv" 2>&1
  expect 'ncu: the source in the report' "$out/ncu-imported.csv" "$line"
fi

if have cuda-gdb; then
  cache gdb
  KILN_DEFAULT_OPTIONS=-G cuda-gdb -batch -ex 'set cuda break_on_launch application' -ex run -ex 'info source' \
    -ex list -ex next -ex 'info locals' -ex 'info args' --args "$program" launch >"$out/cuda-gdb.log" 2>&1
  expect 'cuda-gdb: the source of a string' "$out/cuda-gdb.log" "$line"
  expect 'cuda-gdb: arguments' "$out/cuda-gdb.log" 'factor = 1.5'
fi

if have compute-sanitizer; then
  cache sanitizer
  printf '%s\n' '__global__ void beyond(int* p) {' '  p[1 << 20] = 1;' '}' >"$out/beyond.cu"
  KILN_DEFAULT_OPTIONS=-lineinfo compute-sanitizer "$build/tools/kiln/kiln" run "$out/beyond.cu" beyond --grid 1 \
    --block 1 'int[4]=zeros' >"$out/sanitizer.log" 2>&1
  expect 'compute-sanitizer: the line' "$out/sanitizer.log" 'beyond.cu:2'
fi

exit $failed
