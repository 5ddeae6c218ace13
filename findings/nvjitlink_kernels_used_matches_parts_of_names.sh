#!/bin/sh
# Guess, before the run: nvJitLink's -kernels-used=alpha, in a link of LTO-IR, keeps the kernel "alpha" alone. NVIDIA
# documents the option's value as a kernel's name, and that kernels which are not in the list can be removed.
#
# Seen instead (2026-11-27, nvidia-nvjitlink 13.0.88 and 13.5.37): every kernel stays whose name contains the value:
# "alphabet" stays beside "alpha", and the value "pha" keeps both. A value that is no kernel's name is no error either:
# no message says that it matched other kernels, or none. Output, the same for both versions:
#   (no option)              keeps alpha, alphabet, beta
#   -kernels-used=beta       keeps beta
#   -kernels-used=alpha      keeps alpha, alphabet
#   -kernels-used=alphabet   keeps alphabet
#   -kernels-used=pha        keeps alpha, alphabet
#   -kernels-used=gamma      keeps nothing
#
# What follows for a library that compiles at run time: the option removes kernels, but does not choose one. The symbol
# table of the linked code lists its kernels; they may differ from those that were named.
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
extern "C" __global__ void alpha(int* p) { *p = 1; }
extern "C" __global__ void alphabet(int* p) { *p = 2; }
extern "C" __global__ void beta(int* p) { *p = 3; }
"""


def strings(values):
    return (ctypes.c_char_p * len(values))(*values)


def lto_ir(source):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [b"--gpu-architecture=compute_80", b"-dlto"]
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"kernels.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(program, len(options), strings(options)) == 0
    assert nvrtc.nvrtcGetLTOIRSize(program, ctypes.byref(size)) == 0
    code = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetLTOIR(program, code) == 0
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return code


def kernels(code, *more):
    options = [b"-lto", b"-ptx", b"-arch=sm_80", *more]
    link, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvjitlink.nvJitLinkCreate(ctypes.byref(link), len(options), strings(options)) == 0
    assert nvjitlink.nvJitLinkAddData(link, LTO_IR, code, ctypes.c_size_t(len(code)), b"kernels") == 0
    assert nvjitlink.nvJitLinkComplete(link) == 0
    assert nvjitlink.nvJitLinkGetLinkedPtxSize(link, ctypes.byref(size)) == 0
    ptx = ctypes.create_string_buffer(size.value)
    assert nvjitlink.nvJitLinkGetLinkedPtx(link, ptx) == 0
    nvjitlink.nvJitLinkDestroy(ctypes.byref(link))
    return re.findall(r"\.entry (\w+)", ptx.value.decode())


seen = {
    (): ["alpha", "alphabet", "beta"],
    (b"-kernels-used=beta",): ["beta"],
    (b"-kernels-used=alpha",): ["alpha", "alphabet"],
    (b"-kernels-used=alphabet",): ["alphabet"],
    (b"-kernels-used=pha",): ["alpha", "alphabet"],
    (b"-kernels-used=gamma",): [],
}
code = lto_ir(SOURCE)
changed = False
for options, expected in seen.items():
    found = kernels(code, *options)
    changed |= found != expected
    print("  %-24s keeps %s" % (b" ".join(options).decode() or "(no option)", ", ".join(found) or "nothing"))
sys.exit(changed)
PYTHON

status=0
for version in 13.0.88 13.5.37; do
  echo "nvJitLink $version:"
  "$folder/venv/bin/python" "$folder/see.py" "$folder/$version/nvidia/cu13/lib" || status=1
done
exit $status
