#!/bin/sh
# Guess, before the run: NVRTC folds a call such as sinf(0.7f) to one constant, rounded to nearest as the device
# function's result is, whatever rounding mode the calling host thread has set. A compiler's output depends on its
# input.
#
# Seen instead (2026-11-27, nvidia-cuda-nvrtc 13.0.88 and 13.5.37, x86-64 Linux, glibc 2.36): after fesetround in the
# calling thread the PTX has another constant, for each of nine functions tried, square roots among them. Arithmetic
# such as 1.0f / 3.0f is folded to nearest in every mode. Output, the same for both versions:
#   sinf(0.7f)        downward 0.64421767, upward 0.64421773
#   tanhf(0.7f)       downward 0.604367733, upward 0.604367793
#   expf(0.7f)        downward 2.01375246, upward 2.0137527
#   logf(0.7f)        downward -0.356674969, upward -0.356674939
#   powf(0.7f, 0.3f)  downward 0.89852339, upward 0.89852345
#   sqrtf(0.7f)       downward 0.836659968, upward 0.836660028
#   exp(0.7)          downward 2.0137527074704762, upward 2.0137527074704766
#   log(0.7)          downward -0.35667494393873245, upward -0.35667494393873239
#   sqrt(0.7)         downward 0.83666002653407545, upward 0.83666002653407556
#   1.0f / 3.0f       0.333333343 in every mode
#   0.1f + 0.2f       0.300000012 in every mode
#   1.0 / 3.0         0.33333333333333331 in every mode
# libnvrtc.so imports such functions from the host's C library, so the last digits may differ with another one. The
# script only checks that the constants of the two directed modes differ, and that those of the arithmetic agree.
#
# What follows for a library that compiles at run time: an application thread's floating-point environment is an input
# of the compiler. Set it to nearest around nvrtcCompileProgram, or run the compiler in a process of its own. Otherwise
# one source under one cache key has two outputs.
#
# No GPU is needed. Exit status: 0 as stated, 1 another behaviour, 77 the packages could not be installed, or another
# system.
set -eu

[ "$(uname -sm)" = "Linux x86_64" ] || { echo "skipped: not x86-64 Linux, whose numbers of modes these are"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" || exit 77
for version in 13.0.88 13.5.37; do
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --target "$folder/$version" "nvidia-cuda-nvrtc==$version" ||
    { echo "skipped: the packages of $version could not be installed"; exit 77; }
done

cat >"$folder/see.py" <<'PYTHON'
import ctypes
import re
import struct
import sys

nvrtc = ctypes.CDLL(sys.argv[1] + "/libnvrtc.so.13")
libm = ctypes.CDLL("libm.so.6")
TO_NEAREST, DOWNWARD, UPWARD = 0, 0x400, 0x800

FOLDED_BY_MODE = [
    ("float", "sinf(0.7f)"), ("float", "tanhf(0.7f)"), ("float", "expf(0.7f)"), ("float", "logf(0.7f)"),
    ("float", "powf(0.7f, 0.3f)"), ("float", "sqrtf(0.7f)"),
    ("double", "exp(0.7)"), ("double", "log(0.7)"), ("double", "sqrt(0.7)"),
]
FOLDED_TO_NEAREST = [("float", "1.0f / 3.0f"), ("float", "0.1f + 0.2f"), ("double", "1.0 / 3.0")]


def ptx(source):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = (ctypes.c_char_p * 1)(b"--gpu-architecture=compute_80")
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"fold.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(program, 1, options) == 0
    assert nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)) == 0
    text = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetPTX(program, text) == 0
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return text.value.decode()


def constant(kind, call, mode):
    source = 'extern "C" __global__ void store(%s* p) { *p = %s; }' % (kind, call)
    libm.fesetround(mode)
    try:
        text = ptx(source.encode())
    finally:
        libm.fesetround(TO_NEAREST)
    found = re.search(r"mov\S*\s+%r[sd]?\d+, (-?\d+);", text)
    if not found:
        return "no constant"
    bits = int(found.group(1))
    if kind == "float":
        return "%.9g" % struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))
    return "%.17g" % struct.unpack("<d", struct.pack("<Q", bits & 0xFFFFFFFFFFFFFFFF))


changed = False
for expressions, by_mode in ((FOLDED_BY_MODE, True), (FOLDED_TO_NEAREST, False)):
    for kind, call in expressions:
        nearest, down, up = (constant(kind, call, mode) for mode in (TO_NEAREST, DOWNWARD, UPWARD))
        changed |= "no constant" in (nearest, down, up) or (down != up) != by_mode
        print("  %-17s %s" % (call, "downward %s, upward %s" % (down, up) if down != up else
                              "%s in every mode" % nearest))
sys.exit(changed)
PYTHON

status=0
for version in 13.0.88 13.5.37; do
  echo "NVRTC $version:"
  "$folder/venv/bin/python" "$folder/see.py" "$folder/$version/nvidia/cu13/lib" || status=1
done
exit $status
