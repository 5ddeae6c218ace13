"""HTML of the public headers, from the XML that doxygen made of their comments: one page a header. Types and functions
are links, in declarations and in comments."""
import re
import xml.etree.ElementTree as ElementTree
from html import escape

UNNAMED = re.compile(r"^(class|typename|int|bool)$")


class Reference:
    """headers: name of a header -> its text. used_by: name of a header -> (title, place) of pages that name it."""

    def __init__(self, xml, headers):
        self.headers, self.used_by = headers, {}
        self.compounds, self.places, self.names = {}, {}, {}
        for path in sorted(xml.glob("*.xml")):
            for compound in ElementTree.parse(path).getroot().iter("compounddef"):
                self.compounds[compound.get("id")] = compound
        for compound in self.compounds.values():
            self._place(compound)

    def _place(self, compound):
        """Where each thing is described: doxygen's id -> page and anchor; and its name -> the same."""
        for thing in [compound] if compound.get("kind") in ("class", "struct") else []:
            self._place_at(thing, thing.find("location").get("file"), thing.findtext("compoundname"))
        for member in compound.iter("memberdef"):
            if documented(member):
                name = member.findtext("qualifiedname") or member.findtext("name")
                self._place_at(member, member.find("location").get("file"), name)

    def _place_at(self, thing, file, name):
        header = file.rpartition("/")[2]
        if header in self.headers and thing.get("prot") != "private":
            place = f"{header[:-4]}.html#{anchor(thing)}"
            self.places[thing.get("id")] = place
            self.names.setdefault(name, place)

    def lead(self, header):
        """What a header's first comment says of it."""
        comment = re.match(r"(?://.*\n)+", self.headers[header])[0]
        return " ".join(line.strip("/ ") for line in comment.splitlines())

    def page(self, header):
        """HTML of a header's page, and its sections as (level, anchor, text)."""
        body, outline = f"<h1>{escape(f'<kiln/{header}>')}</h1><p>{escape(self.lead(header))}</p>", []
        if pages := self.used_by.get(header):
            links = ", ".join(f'<a href="../{place}">{escape(text)}</a>' for text, place in pages)
            body += f'<p class="used-by">On pages: {links}</p>'
        for heading, name, text in self.sections(header):
            if heading:
                outline.append((2, name, heading))
                body += f'<h2 id="{name}">{escape(heading)}</h2>'
            body += text
        return body, outline

    def sections(self, header):
        """(heading or None, its anchor, HTML), in the order of the header."""
        found = []
        for compound in self.compounds.values():
            if compound.get("kind") in ("class", "struct") and self._is_of(compound, header):
                name = compound.findtext("compoundname").removeprefix("kiln::")
                body = self._class(compound) + self._members(compound.iter("memberdef"))
                found.append((line(compound), f"{compound.get('kind')} {name}", anchor(compound), body))
        for compound in self.compounds.values():
            if compound.get("kind") in ("namespace", "file"):
                members = [member for member in compound.iter("memberdef") if self._is_of(member, header)]
                if body := self._members(members):
                    found.append((min(map(line, members)), None, None, body))
        # What is of no class comes first, under the page's own heading.
        found.sort(key=lambda each: (each[1] is not None, each[0]))
        return [each[1:] for each in found]

    def _is_of(self, thing, header):
        return thing.get("id") in self.places and thing.find("location").get("file") == "kiln/" + header

    def _class(self, compound):
        bases = [f"public {self._text(base)}" for base in compound.iterfind("basecompoundref")]
        head = self._template(compound) + f"{compound.get('kind')} {escape(compound.findtext('compoundname'))}"
        return declaration(head + (" : " + ", ".join(bases) if bases else "")) + self._description(compound)

    def _members(self, members):
        """Overloads that share a comment stand together above it."""
        members = sorted((m for m in members if m.get("id") in self.places and documented(m)), key=line)
        parts, last = [], None
        for member in members:
            described = self._description(member) + self._values(member)
            if (member.findtext("name"), described) == last:
                parts.insert(-1, declaration(self._declaration(member), anchor(member)))
            else:
                parts.append(declaration(self._declaration(member), anchor(member)))
                parts.append(f'<div class="described">{described}</div>')
            last = member.findtext("name"), described
        return "\n".join(parts)

    def _declaration(self, member):
        kind, name = member.get("kind"), escape(member.findtext("name"))
        if kind == "define":
            return "#define " + name
        if kind == "enum":
            return ("enum class " if member.get("strong") == "yes" else "enum ") + name
        of = self._text(member.find("type"))
        if kind == "typedef":
            return f"{self._template(member)}using {name} = {of}" if "(" not in (member.findtext("argsstring") or "") \
                else tidy(escape(member.findtext("definition")))
        before = "".join(word + " " for word in ("static", "explicit") if member.get(word) == "yes" and word not in of)
        text = self._template(member) + before + (of + " " if of else "") + name
        if kind == "variable":
            text += escape(member.findtext("argsstring") or "")
            value = member.findtext("initializer")
            return tidy(text + (" " + escape(value) if value and "\n" not in value else ""))
        return tidy(text + self._arguments(member))

    def _arguments(self, member):
        parameters = []
        for each in member.iterfind("param"):
            text = self._text(each.find("type"))
            extent = escape(each.findtext("array") or "")
            word = escape(each.findtext("declname") or "")
            if extent.startswith(")"):  # of a reference to an array the name stands inside
                text += word + extent
            else:
                text += (" " + word if word else "") + extent
            default = each.find("defval")
            parameters.append(text + (" = " + self._text(default) if default is not None else ""))
        behind = (member.findtext("argsstring") or "").rpartition(")")[2]
        return "(" + ", ".join(parameters) + ")" + escape(behind)

    def _template(self, thing):
        listed = thing.find("templateparamlist")
        if listed is None:
            return ""
        words = []
        for each in listed.iterfind("param"):
            kind, name = self._text(each.find("type")), each.findtext("declname") or ""
            if each.find("defval") is not None and UNNAMED.match(kind) and not name:
                continue  # a condition on the others
            words.append(f"{kind} {escape(name)}".strip())
        return f"template &lt;{', '.join(words)}&gt;\n" if words else ""

    def _values(self, member):
        rows = [f'<dt id="{value.get("id")}">{value.findtext("name")}</dt><dd>{self._description(value)}</dd>'
                for value in member.iterfind("enumvalue")]
        return f'<dl class="values">{"".join(rows)}</dl>' if rows else ""

    def _description(self, thing):
        return "".join(self._blocks(thing.find(kind)) for kind in ("briefdescription", "detaileddescription"))

    def _blocks(self, node):
        return self._text(node).strip() if node is not None else ""

    def _text(self, node):
        """HTML of what doxygen marked."""
        if node is None:
            return ""
        inner = escape(node.text or "", quote=False)
        for child in node:
            inner += self._marked(child) + escape(child.tail or "", quote=False)
        return inner

    def _marked(self, node):
        inner = self._text(node)
        if node.tag == "ref":
            place = self.places.get(node.get("refid"))
            return f'<a href="{place}">{inner}</a>' if place else inner
        if node.tag in TAGS:
            return f"<{TAGS[node.tag]}>{inner.strip()}</{TAGS[node.tag]}>"
        if node.tag in CHARACTERS:
            return CHARACTERS[node.tag]
        if node.tag == "simplesect":
            return inner
        raise ValueError(f"doxygen's <{node.tag}> has no counterpart in docs/site/reference.py")


TAGS = {"para": "p", "computeroutput": "code", "bold": "b", "emphasis": "i", "verbatim": "pre", "itemizedlist": "ul",
        "orderedlist": "ol", "listitem": "li"}
CHARACTERS = {"ndash": "–", "mdash": "—", "linebreak": "<br>", "nonbreakablespace": " ", "sp": " "}


def documented(member):
    return any("".join(member.find(kind).itertext()).strip() for kind in ("briefdescription", "detaileddescription"))


def line(thing):
    return int(thing.find("location").get("line"))


def anchor(thing):
    return thing.get("id")


def tidy(text):
    """Doxygen's spaces before & and *, and inside angle brackets, are not as the headers have them."""
    text = re.sub(r" ((?:&amp;|\*)+)(?=[\s,)&]|$)", r"\1", text)
    return re.sub(r"&lt; | (?=&gt;)", lambda match: match[0].strip(), text)


def declaration(text, name=None):
    mark = f' id="{name}"' if name else ""
    return f'<pre class="declaration"{mark}>{tidy(text)}</pre>'
