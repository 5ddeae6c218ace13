"""Writes a C++ source that holds the program kiln-worker. Usage: embed_worker.py OUTPUT FILE"""
import hashlib
import pathlib
import sys

output, image = map(pathlib.Path, sys.argv[1:])
data = image.read_bytes()
note = data.find(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0") + 16  # a build id of 20 bytes
if note < 16:
    sys.exit(f"{image} has no build id")
spelled = str(image.resolve()).replace("\\", "\\\\").replace('"', '\\"')
# The digest has the source change with the file.
output.write_text(f'''// {hashlib.sha256(data).hexdigest()}
#include "compile/worker/worker_program.hpp"

#include <cstddef>

asm(R"assembler(
  .pushsection .rodata.kiln_worker_image, "a"
  .balign 16
  .globl kiln_worker_image_begin
  .hidden kiln_worker_image_begin
kiln_worker_image_begin:
  .incbin "{spelled}"
  .globl kiln_worker_image_end
  .hidden kiln_worker_image_end
kiln_worker_image_end:
  .popsection
)assembler");

extern "C" __attribute__((visibility("hidden"))) const char kiln_worker_image_begin[];
extern "C" __attribute__((visibility("hidden"))) const char kiln_worker_image_end[];

std::string_view kiln::worker_image() {{
  return {{kiln_worker_image_begin, static_cast<std::size_t>(kiln_worker_image_end - kiln_worker_image_begin)}};
}}

std::string_view kiln::worker_image_identity() {{ return "build-id:{data[note:note + 20].hex()}"; }}
''')
