"""Prints a C++ header: formats of the operator % with values, and what this CPython makes of them."""

import itertools
import random
import re

# As C++ writes them, and as Python does.
VALUES = [
    *[(str(n), n) for n in (0, 1, -1, 7, -42, 65, 255, 1234567, 8364, 128512, 1114111, 1114112, 2**31, 2**63 - 1)],
    ("LLONG_MIN", -(2**63)),
    ("ULLONG_MAX", 2**64 - 1),
    ("true", True),
    ("false", False),
    *[(repr(x), x) for x in (
        0.0, -0.0, 1.0, 0.5, 1.5, 2.5, -3.75, 0.1, 1 / 3, -2e-7, 9.999e-5, 1e-4, 0.00012345, 123456.789, 999999.5,
        1234567890123456.0, 9007199254740993.0, 1e15, 9999999999999998.0, 1e16, 1e17, 1e22, 1e23, -1e300, 5e-324,
        1.7976931348623157e308)],
]
TEXTS = ["", "x", "text", "it's", "say \"yes\"", "both ' and \"", "back\\slash", "a\tb", "\x7f\x01", "\u00e9",
         "caf\u00e9", "\u65e5\u672c\u8a9e", "\U0001F600", "a\u00a0\u20ac"]
CONVERSIONS = "diuoxXeEfFgGcsra"


class Values(dict):
    """What stands in a format without a name's place is refused by Kiln."""

    def __repr__(self):
        raise TypeError


def literal(text):
    return '"' + "".join("\\%03o" % byte if not 32 <= byte < 127 or byte in b'"\\?' else chr(byte)
                         for byte in text.encode()) + '"sv'


def formats():
    for conversion in CONVERSIONS:
        for before in ("", "#", "+", " ", "08", "-8", "+08.3", "#.0", "."):
            yield "%(n)" + before + conversion
    choose = random.Random(1)
    flags = ["".join(some) for count in range(4) for some in itertools.permutations("#0- +", count)]
    for _ in range(250):
        yield "%(n)" + "".join((choose.choice(flags), choose.choice(["", "1", "5", "12", "30"]),
                                choose.choice(["", ".", ".0", ".1", ".3", ".17"]), choose.choice(["", "", "h", "l", "L"]),
                                choose.choice(CONVERSIONS)))
    yield from ("", "no names", "%", "%%", "100%% of %(n)s", "%(n)%", "%(n)s%(n)s", "%(m)s", "%(a(b)c)s", "%(n", "%(n)",
                "%(n)5", "%(n)5.", "%(n)l", "%(n)lld", "%(n)y", "% (n)s", "%s", "%d", "%r", "%(n)*d", "%(n).*f", "%(n)s%")
    pieces = ["%", "(n)", "(", ")", "d", "s", "x", "g", "#", "0", "-", " ", ".", "5", "*", "l", "%%", "%(n)d", "y", "a"]
    for _ in range(300):
        yield "".join(choose.choice(pieces) for _ in range(choose.randint(1, 8)))


def result(text, value):
    try:
        return text % Values({"n": value, "a(b)c": 3})
    except (TypeError, ValueError, KeyError, OverflowError):
        return None


def main():
    print("#pragma once\n#include <kiln/template_value.hpp>")
    print("#include <climits>\n#include <optional>\n#include <string_view>\n#include <vector>")
    print("namespace format_percent_test {\nusing namespace std::string_view_literals;")
    print("struct PercentRow { std::string_view format; std::size_t value; std::optional<std::string_view> made; };")
    print("inline const std::vector<kiln::TemplateValue> percent_values = {")
    for spelled, _ in VALUES:
        print(f"  {spelled},")
    for text in TEXTS:
        print(f"  {literal(text)},")
    print("};\ninline constexpr PercentRow percent_rows[] = {")
    values = [value for _, value in VALUES] + TEXTS
    choose = random.Random(2)
    for text in formats():
        for number in sorted(choose.sample(range(len(values)), 12)):
            value = values[number]
            if isinstance(value, str) and not value.isascii() and re.search("%[^%]*r", text):
                continue  # which characters are printable depends on the version
            made = result(text, value)
            print(f"  {{{literal(text)}, {number}, {'std::nullopt' if made is None else literal(made)}}},")
    print("};\n}  // namespace format_percent_test")


main()
