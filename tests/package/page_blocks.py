"""The pieces of C++ on pages, each in a function of its own, for the build: a piece that does not compile stops it.

    page_blocks.py OUTPUT PAGE...

Whole programs, behind a comment `<!-- program: NAME -->`, are left to programs.py. What the pieces use without declaring
it are the parameters below."""
import pathlib
import re
import sys

HEAD = """#include <kiln/kiln.hpp>

#include <cstdio>
#include <string>
#include <vector>
"""
PARAMETERS = """const std::string& source, const std::string& source_a, const std::string& source_b,
    const std::string& source_c, const kiln::CompileOptions& options, const kiln::SourceModule& module,
    const kiln::Function& scale, const kiln::DeviceBuffer<float>& values"""
BLOCK = re.compile(r"(<!-- program: \w+ -->\n)?```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)

output, *pages = sys.argv[1:]
text = HEAD
for page in pages:
    content = pathlib.Path(page).read_text()
    for count, match in enumerate(BLOCK.finditer(content)):
        if match[1]:
            continue
        name = f"{pathlib.Path(page).stem.lower().replace('-', '_')}_{count}"
        line = content.count("\n", 0, match.start(2)) + 1
        # The inner braces let a piece declare what is a parameter for the others. Diagnostics point into the page.
        text += f'void {name}({PARAMETERS});\nvoid {name}({PARAMETERS}) {{ {{\n#line {line} "{page}"\n{match[2]}}} }}\n'
pathlib.Path(output).write_text(text)
