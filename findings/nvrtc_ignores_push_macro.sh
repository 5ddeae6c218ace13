#!/bin/sh
# Guess, before the run: NVRTC obeys #pragma push_macro and pop_macro as nvcc does. Both are NVIDIA's front end for
# CUDA C++, and the pragma is common to GCC, Clang and Microsoft's compiler.
#
# Seen instead (2026-11-27, CUDA 13.0.88 and 13.5.37): NVRTC warns of an unrecognized #pragma (161-D), compiles on
# with the macro as it was last defined, and reports success; so one source gives two values. nvcc has the host compiler
# preprocess, which obeys the pragma. Output, the same for both versions:
#   nvcc:  value 1, warned of: nothing
#   NVRTC: value 2, warned of: push_macro, pop_macro
#
# What follows for a library that compiles at run time: "push, undefine, include, pop" around a header does not restore
# a macro under NVRTC, and such sources differ silently where warnings are not shown. Restore macros by #undef and
# #define instead.
#
# No GPU is needed. Exit status: 0 as stated, 1 another behaviour, 77 no g++ for nvcc, or the packages could not be
# installed.
set -eu

command -v g++ >/dev/null || { echo "skipped: nvcc needs g++"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" || exit 77
for version in 13.0.88 13.5.37; do
  runtime=$version
  [ "$version" != 13.0.88 ] || runtime=13.0.96
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --target "$folder/$version" "nvidia-cuda-nvrtc==$version" "nvidia-cuda-nvcc==$version" "nvidia-nvvm==$version" \
    "nvidia-cuda-crt==$version" "nvidia-cuda-runtime==$runtime" ||
    { echo "skipped: the packages of $version could not be installed"; exit 77; }
done

cat >"$folder/store.cu" <<'CUDA'
#define VALUE 1
#pragma push_macro("VALUE")
#undef VALUE
#define VALUE 2
#pragma pop_macro("VALUE")
extern "C" __global__ void store(int* p) { *p = VALUE; }
CUDA

cat >"$folder/nvrtc.py" <<'PYTHON'
import ctypes
import sys

nvrtc = ctypes.CDLL(sys.argv[1] + "/libnvrtc.so.13")
with open(sys.argv[2], "rb") as file:
    source = file.read()
program, size = ctypes.c_void_p(), ctypes.c_size_t()
options = (ctypes.c_char_p * 1)(b"--gpu-architecture=compute_80")
assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"store.cu", 0, None, None) == 0
assert nvrtc.nvrtcCompileProgram(program, 1, options) == 0
for get_size, get in ((nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX),
                      (nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog)):
    assert get_size(program, ctypes.byref(size)) == 0
    text = ctypes.create_string_buffer(size.value)
    assert get(program, text) == 0
    print(text.value.decode())
PYTHON

# Prints the value that is stored, and the pragmas that were warned of, from a file with PTX and log.
seen() {
  value=$(sed -n 's/.*mov[^,]*%r[0-9]*, \([0-9]*\);.*/\1/p' "$1")
  warned=$(grep -A 1 'warning #161-D' "$1" | sed -n 's/.*#pragma \([a-z_]*\)(.*/\1/p' | paste -s -d , | sed 's/,/, /g')
  echo "value $value, warned of: ${warned:-nothing}"
}

status=0
for version in 13.0.88 13.5.37; do
  toolkit=$folder/$version/nvidia/cu13
  "$toolkit/bin/nvcc" -arch=compute_80 -ptx -o "$folder/nvcc.ptx" "$folder/store.cu" >"$folder/nvcc.log" 2>&1 ||
    status=1
  cat "$folder/nvcc.ptx" "$folder/nvcc.log" >"$folder/nvcc.out"
  "$folder/venv/bin/python" "$folder/nvrtc.py" "$toolkit/lib" "$folder/store.cu" >"$folder/nvrtc.out"
  nvcc=$(seen "$folder/nvcc.out")
  nvrtc=$(seen "$folder/nvrtc.out")
  printf 'CUDA %s:\n  nvcc:  %s\n  NVRTC: %s\n' "$version" "$nvcc" "$nvrtc"
  [ "$nvcc" = 'value 1, warned of: nothing' ] || status=1
  [ "$nvrtc" = 'value 2, warned of: push_macro, pop_macro' ] || status=1
done
exit $status
