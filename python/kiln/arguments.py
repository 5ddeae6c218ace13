"""Arguments that name Python variables: numbers become texts, NumPy's arrays files that `kiln run` reads and writes."""
import dataclasses
import re
import sys

from .errors import KilnError

KILN_WORDS = {"true", "false", "inf", "nan", "null", "nullptr"}  # mean to `kiln run` what they say
HOW_TO_PASS = ("pass a number, an array of NumPy's (x, or out:x and inout:x for what the kernel writes), or what "
               "\"kiln run\" takes, such as float[1000]=arange")


@dataclasses.dataclass
class Result:
    """A file that `kiln run` writes, and the array that gets what is in it."""
    position: int
    array: object
    path: str


def is_array(value):
    numpy = sys.modules.get("numpy")  # who has an array has imported it
    return numpy is not None and isinstance(value, numpy.ndarray)


def number_text(name, value):
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    raise KilnError(f"the variable {name} is of type {type(value).__name__}: {HOW_TO_PASS}")


def save_array(path, array):
    import numpy

    little_endian = array.dtype.newbyteorder("<")
    numpy.save(path, numpy.ascontiguousarray(array, little_endian), allow_pickle=False)


def load_result(result):
    import numpy

    result.array[...] = numpy.load(result.path, allow_pickle=False).reshape(result.array.shape)


def check_array(name, array, is_written):
    if array.dtype.kind not in "biufc":
        raise KilnError(f"the array {name} has elements of type {array.dtype}: pass numbers, with .astype or .view")
    if is_written and not array.flags.writeable:
        raise KilnError(f"the array {name} can only be read: pass a copy, {name}.copy()")


class ArgumentPasser:
    """Makes the texts of arguments. Files go to `folder`; `results` are to be read after the launch."""

    def __init__(self, variables, kernel, folder):
        self.variables, self.kernel, self.folder = variables, kernel, folder
        self.results = []
        self.doubles = {}  # names of arrays of float64, by position

    def text_of(self, position, word):
        direction, _, name = word.rpartition(":")
        if direction not in ("", "out", "inout") or not name.isidentifier() or word in KILN_WORDS:
            return word
        if name not in self.variables:
            raise KilnError(f"argument {position} (counted from 0), \"{word}\": there is no Python variable {name}, "
                            f"and the kernel's name is {self.kernel}; {HOW_TO_PASS}")
        value = self.variables[name]
        if is_array(value):
            return self.array_text(position, direction, name, value)
        if direction:
            raise KilnError(f"argument {position} (counted from 0), \"{word}\": the variable {name} is of type "
                            f"{type(value).__name__}, and results go to an array of NumPy's that is there, such as "
                            f"{name} = numpy.empty(1000, numpy.float32)")
        return number_text(name, value)

    def array_text(self, position, direction, name, array):
        check_array(name, array, is_written=bool(direction))
        if array.dtype.name == "float64":
            self.doubles[position] = name
        if direction:
            self.results.append(Result(position, array, f"{self.folder}/result{position}.npy"))
        if direction == "out":
            return f"out:{array.dtype.name}[{'x'.join(map(str, array.shape)) or 1}]"
        path = f"{self.folder}/argument{position}.npy"
        save_array(path, array)
        return f"{'out:' if direction else ''}@{path}"

    def advice_for(self, errors):
        """What to write where the kernel refused an array of NumPy's default type."""
        refused = re.search(r"argument (\d+) .*expected float .*given double\b", errors.replace("*", " "))
        name = self.doubles.get(int(refused[1])) if refused else None
        return f"; {name} is of float64, which NumPy makes by default: {name}.astype(numpy.float32)" if name else ""

    def save_options(self):
        return [word for result in self.results for word in ("--save", f"{result.position}={result.path}")]
