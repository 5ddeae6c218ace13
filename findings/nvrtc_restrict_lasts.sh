#!/bin/sh
# Guess, before the run: an option of nvrtcCompileProgram holds for that program. One that is compiled without it is the
# same in every process.
#
# Seen instead (2026-11-27, nvidia-cuda-nvrtc 12.6.85, 13.0.88 and 13.5.37): after one program was compiled with
# --restrict, all later programs of the process are compiled as with it. Their pointers count as restricted: loads go
# through the read-only cache (ld.global.nc), which is wrong where two of their pointers alias. The
# option has no opposite that would undo it. Output, the same for all versions:
#   a fresh process:        ld.global
#   with --restrict:        ld.global.nc
#   after that, without it: ld.global.nc
#
# What follows for a library that compiles at run time: a process that has compiled with --restrict compiles no program
# without it. A key of a cache that has the program's own options does not name what was compiled.
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
import re
import sys

nvrtc = ctypes.CDLL(sys.argv[1])
SOURCE = b"""
extern "C" __global__ void swap_parts(const float4* from, float4* to) {
  to[threadIdx.x].x = from[threadIdx.x].y;
  to[threadIdx.x + 1].y = from[threadIdx.x].z;
}
"""


def loads(*options):
    """The kinds of load of the kernel, compiled with those options."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [b"--gpu-architecture=compute_80", *options]
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), SOURCE, b"swap_parts.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    assert nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)) == 0
    ptx = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetPTX(program, ptx) == 0
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return " ".join(sorted({kind.decode() for kind in re.findall(rb"ld\.global(?:\.nc)?", ptx.value)}))


rows = (
    ("a fresh process:       ", (), "ld.global"),
    ("with --restrict:       ", (b"--restrict",), "ld.global.nc"),
    ("after that, without it:", (), "ld.global.nc"),
)
same = True
for what, options, expected in rows:
    seen = loads(*options)
    print("  %s %s" % (what, seen))
    same = same and seen == expected
sys.exit(not same)
PYTHON

status=0
for version in $versions; do
  echo "NVRTC $version:"
  library=$(find "$folder/$version" -name 'libnvrtc.so.1?' | head -n 1)
  "$folder/venv/bin/python" "$folder/see.py" "$library" || status=1
done
exit $status
