"""The line of %%kiln: options of `kiln run`, the kernel's name and arguments, in any order as in a shell."""
import dataclasses
import re
import shlex

from .errors import KilnError

FLAGS = {"--emulator", "--time", "--bench", "--json", "--help", "-h"}  # all other options take a value


@dataclasses.dataclass
class CommandLine:
    options: list = dataclasses.field(default_factory=list)  # as they are passed on
    words: list = dataclasses.field(default_factory=list)  # the kernel's name, where it is given, and the arguments
    shows_profile: bool = False  # --profile without a file: in the notebook


def is_option(token):
    return token.startswith("-") and len(token) > 1 and not re.match(r"-\.?\d", token)


def has_value_behind(option):
    if option.startswith("--"):
        return option not in FLAGS and "=" not in option
    return option not in FLAGS and len(option) == 2  # -DN=8 has it in the same word


def names_profile_file(token):
    return token == "-" or token.endswith((".html", ".json"))


def read_line(line):
    try:
        tokens = shlex.split(line)
    except ValueError as fault:
        raise KilnError(f"cannot split the line of %%kiln into words: {fault}: {line}") from None
    read = CommandLine()
    while tokens:
        token = tokens.pop(0)
        if token == "--":
            read.words += tokens
            break
        if not is_option(token):
            read.words.append(token)
        elif token == "--profile" and not (tokens and names_profile_file(tokens[0])):
            read.shows_profile = True
        else:
            read.options.append(token)
            if has_value_behind(token) and tokens:
                read.options.append(tokens.pop(0))
    return read
