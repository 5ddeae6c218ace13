"""golden.json: the counts of Nsight Compute. A count of 0 is left out of a case; `recorded` says which of
counters.METRICS the cases of a family have."""
import json
import os
import pathlib

PATH = pathlib.Path(__file__).resolve().with_name("golden.json")


def write(path, golden):
    """One line a case, so that a difference can be read. The file is never there in part."""
    head = {name: value for name, value in golden.items() if name != "cases"}
    lines = [f"  {json.dumps(name)}: {json.dumps({key: value for key, value in counts.items() if value})}"
             for name, counts in golden["cases"].items()]
    text = json.dumps(head, indent=1)[:-2] + ',\n "cases": {\n' + ",\n".join(lines) + "\n }\n}\n"
    part = pathlib.Path(f"{path}.part")
    part.write_text(text)
    os.replace(part, path)


def read(path):
    return json.loads(pathlib.Path(path).read_text())


def counts_of(golden, case):
    """The counts of a case with their zeros, or None where it was not recorded."""
    counts = golden["cases"].get(case.name)
    if counts is None:
        return None
    return {**dict.fromkeys(golden["recorded"][case.family], 0), **counts}
