#!/bin/sh
# Guess, before the run: nvJitLink's -kernels-used, in a link of LTO-IR, removes kernels and what only they need. A
# __constant__ variable that a remaining kernel reads stays, for the host to write: only -variables-used, and
# -optimize-unused-variables for variables that no device code refers to, concern variables.
#
# Seen instead (2026-11-27, nvidia-nvjitlink 13.0.88 and 13.5.37): -kernels-used alone removes the variable, and puts
# its initial value into the kernel that read it. -optimize-unused-variables does the same, though device code does
# refer to the variable. Neither case gives a message. -variables-used beside it keeps the variable. Output, the same
# for both versions:
#   (no option)                                 the variable stays; the kernel has ld.const.u32 %r1, [factor];
#   -kernels-used=scale                         the variable is gone; the kernel has mov.u32 %r1, 77;
#   -optimize-unused-variables                  the variable is gone; the kernel has mov.u32 %r1, 77;
#   -kernels-used=scale -variables-used=factor  the variable stays; the kernel has ld.const.u32 %r1, [factor];
#
# What follows for a library that compiles at run time: if a caller may set variables of a module, -variables-used must
# name each of them as soon as -kernels-used names a kernel. Otherwise the symbol is missing, or kernels never see the
# value.
#
# No GPU is needed. Exit status: 0 as stated, 1 another behaviour, 77 the packages could not be installed.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" || exit 77
for version in 13.0.88 13.5.37; do
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --target "$folder/$version" "nvidia-cuda-nvrtc==$version" "nvidia-nvjitlink==$version" ||
    { echo "skipped: the packages of $version could not be installed"; exit 77; }
done

cat >"$folder/see.py" <<'PYTHON'
import ctypes
import re
import sys

nvrtc = ctypes.CDLL(sys.argv[1] + "/libnvrtc.so.13")
nvjitlink = ctypes.CDLL(sys.argv[1] + "/libnvJitLink.so.13")
LTO_IR = 3  # NVJITLINK_INPUT_LTOIR

SOURCE = b"""
__constant__ int factor = 77;
extern "C" __global__ void scale(int* p) { *p = factor; }
"""


def strings(values):
    return (ctypes.c_char_p * len(values))(*values)


def lto_ir(source):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [b"--gpu-architecture=compute_80", b"-dlto"]
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"scale.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(program, len(options), strings(options)) == 0
    assert nvrtc.nvrtcGetLTOIRSize(program, ctypes.byref(size)) == 0
    code = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetLTOIR(program, code) == 0
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return code


def linked_ptx(code, *more):
    options = [b"-lto", b"-ptx", b"-arch=sm_80", *more]
    link, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvjitlink.nvJitLinkCreate(ctypes.byref(link), len(options), strings(options)) == 0
    assert nvjitlink.nvJitLinkAddData(link, LTO_IR, code, ctypes.c_size_t(len(code)), b"scale") == 0
    assert nvjitlink.nvJitLinkComplete(link) == 0
    assert nvjitlink.nvJitLinkGetLinkedPtxSize(link, ctypes.byref(size)) == 0
    ptx = ctypes.create_string_buffer(size.value)
    assert nvjitlink.nvJitLinkGetLinkedPtx(link, ptx) == 0
    nvjitlink.nvJitLinkDestroy(ctypes.byref(link))
    return ptx.value.decode()


stays = {
    (): True,
    (b"-kernels-used=scale",): False,
    (b"-optimize-unused-variables",): False,
    (b"-kernels-used=scale", b"-variables-used=factor"): True,
}
code = lto_ir(SOURCE)
changed = False
for options, expected in stays.items():
    ptx = linked_ptx(code, *options)
    read = re.search(r"ld\.const\S*\s+%r\d+, \[factor\];", ptx)
    folded = re.search(r"mov\S*\s+%r\d+, 77;", ptx)
    declared = re.search(r"\.const .*\bfactor\b", ptx)
    changed |= (bool(read), not folded, bool(declared)) != (expected,) * 3
    print("  %-43s the variable %s; the kernel has %s" % (
        b" ".join(options).decode() or "(no option)", "stays" if declared else "is gone",
        re.sub(r"\s+", " ", (read or folded).group()) if read or folded else "neither"))
sys.exit(changed)
PYTHON

status=0
for version in 13.0.88 13.5.37; do
  echo "nvJitLink $version:"
  "$folder/venv/bin/python" "$folder/see.py" "$folder/$version/nvidia/cu13/lib" || status=1
done
exit $status
