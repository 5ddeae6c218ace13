#!/bin/sh
# Guess, before the run: a macro of the caller, -DT=3, affects the caller's source and headers. It cannot affect the
# declarations that NVRTC brings along: they are in no file that the caller includes, and an implementation's own names
# are reserved (__x).
#
# Seen instead (2026-11-27, nvidia-cuda-nvrtc 13.0.88 and 13.5.37): -D macros also apply to NVRTC's builtin header. It
# comes before the source, uses names such as x, T and size, and then does not parse. An empty kernel does not compile
# with any of these 21 macros, nor with "count" in 13.5.37. As the source's first line, "#define T 3" does no harm.
# Output:
#   NVRTC 13.0.88, an empty kernel does not compile with -DNAME=3, NAME one of:
#     T a b bytes f in mask offset p ptr result size to type v val value w x y z
#     -DT=3: __nv_nvrtc_builtin_header.h(3379): error: expected an identifier
#   NVRTC 13.5.37, an empty kernel does not compile with -DNAME=3, NAME one of:
#     T a b bytes count f in mask offset p ptr result size to type v val value w x y z
#     -DT=3: __nv_nvrtc_builtin_header.h(3731): error: expected an identifier
#
# What follows for a library that compiles at run time: put a caller's macros into the source's first lines, not into
# options, or explain errors in that header by the given macros. The list grows with versions.
#
# No GPU is needed. Exit status: 0 as stated, 1 another behaviour, 77 the packages could not be installed.
set -eu

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
import string
import sys

version = sys.argv[2]
nvrtc = ctypes.CDLL(sys.argv[1] + "/libnvrtc.so.13")

TRIED = list(string.ascii_letters) + (
    "bytes count data in index len mask offset out ptr result size to type val value").split()
EXPECTED = set("T a b bytes f in mask offset p ptr result size to type v val value w x y z".split())
if version == "13.5.37":
    EXPECTED.add("count")

KERNEL = 'extern "C" __global__ void empty_kernel() {}\n'


def compile_log(source, *options):
    """None where it compiled, else the log."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = ["--gpu-architecture=compute_80", *options]
    texts = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"empty.cu", 0, None, None) == 0
    status = nvrtc.nvrtcCompileProgram(program, len(options), texts)
    assert nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)) == 0
    log = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetProgramLog(program, log) == 0
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode() if status else None


by_option = {name for name in TRIED if compile_log(KERNEL, "-D%s=3" % name)}
by_line = {name for name in TRIED if compile_log("#define %s 3\n%s" % (name, KERNEL))}
print("NVRTC %s, an empty kernel does not compile with -DNAME=3, NAME one of:" % version)
print("  " + " ".join(sorted(by_option)))
print("  -DT=3: " + (compile_log(KERNEL, "-DT=3") or "compiles").splitlines()[0])
if by_line:
    print("  and as the source's first line: " + " ".join(sorted(by_line)))
sys.exit(by_option != EXPECTED or bool(by_line))
PYTHON

status=0
for version in 13.0.88 13.5.37; do
  "$folder/venv/bin/python" "$folder/see.py" "$folder/$version/nvidia/cu13/lib" "$version" || status=1
done
exit $status
