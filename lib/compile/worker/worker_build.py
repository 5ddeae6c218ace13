"""Writes a C++ source with a digest of the sources below some folders. Usage: worker_build.py OUTPUT DEPFILE FOLDER..."""
import hashlib
import pathlib
import sys

output, depfile, *folders = sys.argv[1:]
digest = hashlib.sha256()
files = []
for folder in folders:
    for path in sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file()):
        files.append(path)
        digest.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
inputs = files + sorted({path.parent for path in files})  # a folder changes with the files in it
words = [str(path).replace(" ", "\\ ") for path in [output, *inputs]]
pathlib.Path(depfile).write_text(f"{words[0]}: {' '.join(words[1:])}\n")
pathlib.Path(output).write_text(
    '#include "compile/worker/worker_program.hpp"\n\n'
    f'std::string_view kiln::worker_build() {{ return "{digest.hexdigest()[:32]}"; }}\n')
