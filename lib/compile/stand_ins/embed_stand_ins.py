#!/usr/bin/env python3
"""Writes the files of a folder as a C++ table: embed_stand_ins.py OUTPUT FOLDER FILE..."""
import hashlib
import pathlib
import sys

output, folder, *files = (pathlib.Path(path).resolve() for path in sys.argv[1:])
texts = [(path.relative_to(folder).as_posix(), path.read_text("utf-8")) for path in files]
digest = hashlib.sha256(repr(sorted(texts)).encode()).hexdigest()[:16]

parts = ['#include "compile/stand_ins/stand_in_texts.hpp"\n\nnamespace kiln {\n\nconst StandInText stand_in_texts[] = {']
parts += [f'{{"{name}", R"kiln({text})kiln"}},' for name, text in texts]
parts.append(f'}};\nconst std::size_t stand_in_text_count = {len(texts)};')
parts.append(f'const char* const stand_in_digest = "{digest}";\n\n}}  // namespace kiln\n')
output.write_text("\n".join(parts), "utf-8")
