#!/bin/sh
# Guess, before the run: the mark '^' below the line of a warning stands under the variable that it is about, wherever in
# the line that is.
#
# Seen instead (2026-11-28, nvidia-cuda-nvrtc 12.6.85, 13.0.88 and 13.5.37): columns are counted modulo 65,536, and the
# mark stands under another token. Output, the same for all versions:
#   a line of some 60000 bytes: the variable is at 60048, the mark at 60048
#   a line of some 70000 bytes: the variable is at 70048, the mark at 4512
#
# What follows for a library that compiles at run time: generated sources have such lines, as of a table. What shows the
# place of an error, or cuts a long line around it, must look for the name that the message quotes as well.
#
# No GPU is needed. Exit status: 0 as stated, 1 another behaviour, 77 the packages could not be installed.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" || exit 77
versions='12.6.85 13.0.88 13.5.37'
for version in $versions; do
  package=nvidia-cuda-nvrtc
  case $version in 12.*) package=nvidia-cuda-nvrtc-cu12 ;; esac
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --target "$folder/$version" "$package==$version" ||
    { echo "skipped: the packages of $version could not be installed"; exit 77; }
done

cat >"$folder/see.py" <<'PYTHON'
import ctypes
import sys

nvrtc = ctypes.CDLL(sys.argv[1])


def places(size):
    """Where a line with a table of that many bytes has a variable that is not used, and where the warning's mark is."""
    table = "int table[] = {" + "1," * ((size - 16) // 2) + "1}; "
    line = 'extern "C" __global__ void k(int* p) { ' + table + "int unused; p[0] = table[p[1]]; }"
    program, length = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), line.encode(), b"k.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(program, 0, None) == 0
    assert nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(length)) == 0
    log = ctypes.create_string_buffer(length.value)
    assert nvrtc.nvrtcGetProgramLog(program, log) == 0
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    lines = log.value.decode().splitlines()
    at = next(i for i, text in enumerate(lines) if '"unused" was declared' in text)
    return lines[at + 1].index("unused"), lines[at + 2].index("^")


same = True
for size in (60_000, 70_000):
    variable, mark = places(size)
    print("  a line of some %d bytes: the variable is at %d, the mark at %d" % (size, variable, mark))
    same = same and variable - mark == (0 if size < 65_536 else 65_536)
sys.exit(not same)
PYTHON

status=0
for version in $versions; do
  echo "NVRTC $version:"
  library=$(find "$folder/$version" -name 'libnvrtc.so.1?' | head -n 1)
  "$folder/venv/bin/python" "$folder/see.py" "$library" || status=1
done
exit $status
