"""A header as doxygen is to see it. Lines keep their numbers.

- Overloads that follow each other without an empty line share the comment of the first.
- Destructors, copies and moves without a comment of their own are left out: the class's comment says what they do."""
import re

SPECIAL = re.compile(r"(?:virtual |constexpr )*"
                     r"(?:~\w+\(\)|(\w+)\((?:const )?\1&&?(?: \w+)?\)|\w+& operator=\((?:const )?\w+&&?(?: \w+)?\))")
TEMPLATE = re.compile(r"template <(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>\s*")
NAME = re.compile(r"(operator\s*\(\)|operator\s*[^\s(]+|~?\w+)\s*\(")


def indent(line):
    return len(line) - len(line.lstrip())


def declaration(lines, start):
    """From its first line to the one that ends it, or opens its body."""
    text = ""
    for line in lines[start:start + 8]:
        text += " " + line.strip()
        if re.search(r"[;{}]\s*(//.*)?$", line):
            break
    return TEMPLATE.sub("", text.replace("KILN_EXPORT ", "").strip())


def function_name(text):
    match = NAME.search(text)
    return match[1] if match else None


def end_of(lines, start):
    """The line behind the declaration and its body."""
    depth = 0
    for number in range(start, len(lines)):
        code = re.sub(r'//.*|"(?:\\.|[^"])*"', "", lines[number])
        depth += code.count("{") - code.count("}")
        if depth <= 0 and re.search(r"[;}]\s*$", code):
            return number + 1
    return len(lines)


def share_comments(header):
    lines = header.split("\n")
    comment, shared, name = [], "", None
    number = 0
    while number < len(lines):
        line = lines[number]
        text = line.strip()
        if text.startswith("///") and not text.startswith("///<"):
            if text not in ("/// @{", "/// @}"):
                comment.append(text[3:].strip())
            number += 1
            continue
        if not text or text.startswith(("//", "#", "}", "public:", "private:", "protected:")):
            if not text.startswith("//"):
                comment, shared, name = [], "", None
            number += 1
            continue
        declared = declaration(lines, number)
        is_type = declared.startswith(("class ", "struct ", "namespace ", "enum "))
        here = None if is_type else function_name(declared)
        if not here:
            comment, shared, name = [], "", None
            number += 1
            continue
        end = end_of(lines, number)
        if comment:
            shared, name = " ".join(comment), here
        elif here == name and "///<" not in declared:
            lines[number] = " " * indent(line) + f"/** {shared} */ " + text
        elif SPECIAL.match(declared):
            lines[number:end] = [""] * (end - number)
        comment = []
        number = end
    return "\n".join(lines)
