#!/bin/sh
# Guess, before the run: NVRTC's automatic precompiled headers (--pch) compare the headers of a program with those of
# the precompiled one, as Clang's do by size and date, and precompile again where one differs: above all for headers
# that nvrtcCreateProgram was given as text, which NVRTC holds in memory and could compare.
#
# Seen instead (2026-11-27, nvidia-cuda-nvrtc 13.0.88 and 13.5.37): in one process, a second program with another text
# of its header gets the value of the first program's header, although its name and kernel differ. So does a program
# whose header is a file that was rewritten in between, with another length. The compile reports success; only with
# --pch-messages=true does the log say "using precompiled header file". Options are compared: with one more macro the
# program gets its own header. Output, the same for both versions:
#   without --pch, headers as text:    VALUE is 111, then 222
#   with --pch, headers as text:       VALUE is 111, then 111
#   with --pch, and other options:     VALUE is 111, then 222
#   with --pch, headers as files:      VALUE is 333, then 333
#
# What follows for a library that compiles at run time: after a compile with --pch, the process may compile the next
# program with stale headers. Either end the process after that program, or distinguish the sets of headers by an
# option, such as a macro with their digest.
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
import re
import sys

nvrtc = ctypes.CDLL(sys.argv[1] + "/libnvrtc.so.13")
headers = sys.argv[2]


def strings(values):
    return (ctypes.c_char_p * len(values))(*values)


def value(kernel, options, texts):
    """The constant that a kernel of that name stores, whose program is given those texts of its header."""
    source = b'#include "value.h"\nextern "C" __global__ void %s(int* p) { *p = VALUE; }\n' % kernel
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [b"--gpu-architecture=compute_80", *options]
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, kernel + b".cu", len(texts), strings(texts),
                                    strings([b"value.h"] * len(texts))) == 0
    assert nvrtc.nvrtcCompileProgram(program, len(options), strings(options)) == 0
    assert nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)) == 0
    ptx = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetPTX(program, ptx) == 0
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return int(re.search(rb"mov\S*\s+%r\d+, (\d+);", ptx.value).group(1))


def from_text(kernel, number, *options):
    return value(kernel, options, [b"#define VALUE %d\n" % number])


def from_file(kernel, text):
    with open(headers + "/value.h", "wb") as file:
        file.write(text)
    return value(kernel, [b"--pch", b"-I" + headers.encode()], [])


first = from_text(b"first", 111, b"--pch")
rows = (
    ("without --pch, headers as text:  ", from_text(b"plain", 111), from_text(b"other", 222), (111, 222)),
    ("with --pch, headers as text:     ", first, from_text(b"second", 222, b"--pch"), (111, 111)),
    ("with --pch, and other options:   ", first, from_text(b"third", 222, b"--pch", b"-DSECOND"), (111, 222)),
    ("with --pch, headers as files:    ", from_file(b"read", b"#define VALUE 333\n"),
     from_file(b"again", b"// Longer than before.\n#define VALUE 444\n"), (333, 333)),
)
for what, before, after, _ in rows:
    print("  %s  VALUE is %d, then %d" % (what, before, after))
sys.exit(any((before, after) != expected for _, before, after, expected in rows))
PYTHON

status=0
for version in 13.0.88 13.5.37; do
  echo "NVRTC $version:"
  mkdir "$folder/headers.$version"
  "$folder/venv/bin/python" "$folder/see.py" "$folder/$version/nvidia/cu13/lib" "$folder/headers.$version" || status=1
done
exit $status
