"""Which kernels a source text has, and which of them is meant."""
import re

from .errors import KilnError

# Raw strings, strings, characters and comments: what stands in them is no code. The quote of 1'000 begins no character.
NO_CODE = re.compile(
    r'R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<!\w)'(?:\\.|[^'\\\n])*'"
    r"|//(?:\\\n|[^\n])*"
    r"|/\*.*?(?:\*/|\Z)", re.DOTALL)
ATTRIBUTE = re.compile(r"\b__\w+__\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")  # __launch_bounds__(256)
KERNEL = re.compile(r"\b__global__\b[^;{}()]*?\b(\w+)\s*\(")


def kernels_of(source):
    """The names of the __global__ functions, without their namespaces; macros are not expanded."""
    code = ATTRIBUTE.sub(" ", NO_CODE.sub(" ", source))
    return list(dict.fromkeys(KERNEL.findall(code)))


def plain_name(kernel):
    """`scale` of `math::scale<float, 4>`."""
    return kernel.partition("<")[0].strip().rpartition("::")[2]


def is_spelt_out(word):
    """A template instance or a qualified name can be nothing but a kernel's."""
    return re.match(r"[A-Za-z_]\w*(::|<)", word) is not None


def choose_kernel(source, words):
    """The kernel's name and its arguments. The name may be left out where the cell has one kernel."""
    kernels = kernels_of(source)
    if words and (plain_name(words[0]) in kernels or is_spelt_out(words[0])):
        return words[0], words[1:]
    if len(kernels) == 1:
        return kernels[0], words
    if kernels:
        raise KilnError("the cell has several kernels: name one on the line of %%kiln, before the arguments: " +
                        ", ".join(kernels))
    if words and words[0].isidentifier():
        return words[0], words[1:]  # made by a macro, or in a header
    raise KilnError("the cell has no __global__ function; where a macro or a header has it, name it on the line of "
                    "%%kiln, before the arguments")
