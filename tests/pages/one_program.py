"""Several programs as one, so that the headers are read once: each is a namespace, and main calls the one that its first
argument names, with the arguments after it.

    one_program.py OUTPUT PROGRAM.cpp..."""
import pathlib
import re
import sys

HEAD = re.compile(r"(?:#include .*\n|//.*\n|\n)*")
INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)
MAIN = re.compile(r"^int main\((int argc, char\*\* argv)?\)(?: try)? \{$", re.MULTILINE)


def split_includes(code):
    """The include lines at the beginning, and the code with empty lines in their place."""
    end = HEAD.match(code).end()
    return INCLUDE.findall(code[:end]), INCLUDE.sub("", code[:end]) + code[end:]


def placed(code, file, line):
    return f'#line {line} "{file}"\n{code}'


class Programs:
    """The source of such a program, which `add` writes."""

    def __init__(self):
        self.includes, self.text, self.calls = [], "", ""

    def add(self, name, code, file, line=1):
        """A fault of it as a text, or nothing."""
        includes, code = split_includes(code)
        # In a namespace main has to return by itself.
        code, count = re.subn(r"\}\n$", "return 0; }\n", code)
        main = MAIN.search(code)
        if not count or not main:
            return f"the program {name} does not end with int main() or int main(int argc, char** argv)"
        self.includes += includes
        self.text += f"namespace program_{name} {{\n{placed(code, file, line)}}}\n"
        arguments = "count - 1, arguments + 1" if main[1] else ""
        self.calls += f'  if (name == "{name}") return program_{name}::main({arguments});\n'
        return None

    def source(self, head=""):
        includes = dict.fromkeys(["#include <string_view>", *self.includes])
        return (head + "\n".join(includes) + "\n" + self.text + "int main(int count, char** arguments) {\n"
                "  const std::string_view name = count > 1 ? arguments[1] : \"\";\n" + self.calls + "  return 2;\n}\n")


def main(output, *files):
    programs = Programs()
    for file in files:
        if fault := programs.add(file.stem, file.read_text(), file):
            sys.exit(f"{file}: {fault}")
    output.write_text(programs.source())


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
