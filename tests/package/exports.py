"""The shared library shows kiln's symbols and nothing else, and needs only the run-time libraries of C and C++: each
other one would cost every program that links Kiln its loading. The static library has no name that a library of the
program may have, such as libcrypto's, and no call for when a program is loaded.

Usage: exports.py LIBRARY [STATIC_LIBRARY]"""
import re
import sys

from dynamic_symbols import exported, output

library = sys.argv[1]
symbols = [name for _, name in exported(library, "-C")]
kiln = re.compile(r"(vtable for |typeinfo for |typeinfo name for |guard variable for )?kiln::")
foreign = [symbol for symbol in symbols if not kiln.match(symbol)]
relocations = output("readelf", "-rW", library).splitlines()
own = [line.split()[4] for line in relocations if "JUMP_SLO" in line and re.match(r"_ZNK?4kiln", line.split()[4])]
needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", library))
others = [name for name in needed if not re.match(r"(ld-linux.*|lib(c|dl|gcc_s|m|pthread|stdc\+\+))\.so\.", name)]

taken = []
if len(sys.argv) > 2:
    # Weak ones, as NVTX's are, may be there twice.
    names = re.findall(r"^[0-9a-f]+ [A-UX-Z] (\S+)$", output("nm", "-g", "--defined-only", sys.argv[2]), re.MULTILINE)
    taken = [name for name in names if not re.match(r"_Z|kiln_", name)]
    if not any(name.startswith("kiln_SHA256") for name in names):
        taken.append("nothing of SHA-256, so that this test would find none of libcrypto either")
    if re.search(r"\s\.init\s", output("readelf", "-SW", sys.argv[2])):
        taken.append(".init, a call for when a program is loaded")

for name in taken:
    print(sys.argv[2], "has", name)
for symbol in foreign:
    print("exported, though not kiln's:", symbol)
for symbol in own:
    print("looked up at each start, though it is kiln's own function:", symbol)
for name in others:
    print("linked, though it should be opened when needed, or be the worker's:", name)
print(len(symbols), "symbols; needs", ", ".join(needed))
sys.exit(1 if taken or foreign or own or others or not symbols else 0)
