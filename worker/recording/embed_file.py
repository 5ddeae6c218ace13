"""Writes a C++ source that holds a file's bytes, as two symbols: embed_file.py OUTPUT FILE NAME

extern "C" const char NAME_begin[], NAME_end[]. The compiler never sees the bytes: the assembler reads them.
"""
import hashlib
import os
import sys

output, path, name = sys.argv[1:]
with open(path, "rb") as data:
    digest = hashlib.sha256(data.read()).hexdigest()
path = os.path.abspath(path).replace("\\", "\\\\").replace('"', '\\"')
lines = [
    '.pushsection .rodata',
    '.balign 16',
    f'.global {name}_begin',
    f'.hidden {name}_begin',
    f'{name}_begin:',
    f'.incbin "{path}"',
    f'.global {name}_end',
    f'.hidden {name}_end',
    f'{name}_end:',
    '.byte 0',
    '.popsection',
]
with open(output, "w", encoding="utf-8") as text:
    text.write(f"// {digest}: the source changes with the file\n__asm__(\n")
    for line in lines:
        quoted = line.replace("\\", "\\\\").replace('"', '\\"')
        text.write(f'    "{quoted}\\n"\n')
    text.write(");\n")
