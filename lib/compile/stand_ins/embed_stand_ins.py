#!/usr/bin/env python3
"""Writes the files of a folder as C++ functions: embed_stand_ins.py OUTPUT FOLDER FILE..."""
import hashlib
import pathlib
import sys

output, folder, *files = (pathlib.Path(path).resolve() for path in sys.argv[1:])
texts = [(path.relative_to(folder).as_posix(), path.read_text("utf-8")) for path in files]
digest = hashlib.sha256(repr(sorted(texts)).encode()).hexdigest()[:16]

parts = ['#include "compile/stand_ins/stand_in_headers.hpp"\n\nstd::map<std::string, std::string> kiln::stand_in_texts() {\n  return {']
parts += [f'{{"{name}", R"kiln({text})kiln"}},' for name, text in texts]
parts.append('  };\n}')
parts.append(f'std::string_view kiln::stand_in_version() {{ return "{digest}"; }}\n')
output.write_text("\n".join(parts), "utf-8")
