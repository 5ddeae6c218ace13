"""components.py finds each kind of fault, in a small tree that has just that one."""
import pathlib
import sys
import tempfile
import unittest

import components

def page(rows):
    return "| folder | what | may use |\n|---|---|---|\n" + "".join(
        f"| `{name}/` | it | {', '.join(used) or '-'} |\n" for name, used in rows.items()) + "\n"


COMPONENTS = {"low": [], "middle": ["low"], "high": ["middle"]}
MIDDLE = {".": ["parts/fine"], "parts": [], "parts/fine": ["parts"]}
WORKER = {".": ["jobs"], "jobs": []}
TREE = {
    "include/kiln/a.hpp": "#include <kiln/b.hpp>\n#include <vector>\n",
    "include/kiln/b.hpp": "",
    "lib/low/l.hpp": "",
    "lib/middle/m.hpp": '#include "low/l.hpp"\n#include "middle/parts/p.hpp"\n',
    "lib/middle/parts/p.hpp": '#include "low/l.hpp"\n',
    "lib/middle/parts/fine/f.hpp": '#include "middle/parts/p.hpp"\n',
    "lib/high/h.cpp": '#include "low/l.hpp"\n#include "middle/parts/fine/f.hpp"\n#include <kiln/a.hpp>\n',
    "worker/w.cpp": '#include "middle/m.hpp"\n#include "worker/jobs/j.hpp"\n#include <boost/process.hpp>\n',
    "worker/jobs/j.hpp": '#include "low/l.hpp"\n',
    "tools/t/one.hpp": '#include "two.hpp"\n',
    "tools/t/two.hpp": "",
}


def faults(changes=None, table=None, middle=None, worker="middle"):
    pages = {"lib/README.md": page(table or COMPONENTS) + "## middle/\n\n" + page(middle or MIDDLE),
             "worker/README.md": f"Of `lib/` it uses `{worker}`.\n\n" + page(WORKER)}
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {**TREE, **pages, **(changes or {})}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        found = components.all_faults(root)
        return [fault.replace(folder + "/", "") for fault in found]


class Components(unittest.TestCase):
    def test_a_good_tree(self):
        self.assertEqual(faults(), [])

    def test_a_component_below_includes_one_above(self):
        self.assertEqual(faults({"lib/low/x.cpp": '\n#include "high/h.hpp"\n', "lib/high/h.hpp": ""}),
                         ["lib/low/x.cpp:2: component low must not include component high"])

    def test_a_component_without_a_row(self):
        self.assertEqual(faults({"lib/new/n.cpp": ""}), ["lib/new/n.cpp: no rule says what component new may include"])

    def test_a_header_by_a_short_name(self):
        self.assertEqual(faults({"lib/low/x.cpp": '#include "l.hpp"\n'}),
                         ['lib/low/x.cpp:1: "l.hpp" is not a header of a component, spelled "component/name.hpp"'])

    def test_a_folder_includes_one_above(self):
        self.assertEqual(faults({"lib/middle/parts/x.cpp": '#include "middle/parts/fine/f.hpp"\n'}),
                         ["lib/middle/parts/x.cpp:1: the folder parts must not include parts/fine"])

    def test_a_folder_includes_the_component_itself(self):
        self.assertEqual(faults({"lib/middle/parts/x.cpp": '#include "middle/m.hpp"\n'}),
                         ["lib/middle/parts/x.cpp:1: the folder parts must not include ."])

    def test_a_folder_without_a_row(self):
        self.assertEqual(faults({"lib/middle/other/o.cpp": ""}),
                         ["lib/middle/other/o.cpp: no rule says what the folder other of component middle may include"])

    def test_a_row_without_a_folder(self):
        self.assertEqual(faults(middle={**MIDDLE, "gone": []}),
                         ["the table of middle: the folder gone has no sources"])

    def test_a_row_that_names_no_row(self):
        self.assertEqual(faults(table={**COMPONENTS, "low": ["base"]}),
                         ["the table of components: low may include base, which has no row"])

    def test_a_cycle_of_components(self):
        self.assertEqual(faults(table={**COMPONENTS, "low": ["high"]}),
                         ["the table of components has a cycle: low -> high -> middle -> low"])

    def test_a_cycle_of_folders(self):
        self.assertEqual(faults(middle={**MIDDLE, "parts": ["parts/fine"]}),
                         ["the table of middle has a cycle: parts/fine -> parts -> parts/fine"])

    def test_a_cycle_of_files(self):
        self.assertEqual(faults({"lib/low/l.hpp": '#include "low/x.hpp"\n', "lib/low/x.hpp": '#include "low/l.hpp"\n'}),
                         ["files include each other: lib/low/l.hpp -> lib/low/x.hpp -> lib/low/l.hpp"])
        self.assertEqual(faults({"tools/t/two.hpp": '#include "one.hpp"\n'}),
                         ["files include each other: tools/t/one.hpp -> tools/t/two.hpp -> tools/t/one.hpp"])
        self.assertEqual(faults({"include/kiln/b.hpp": "#include <kiln/a.hpp>\n"}),
                         ["files include each other: include/kiln/a.hpp -> include/kiln/b.hpp -> include/kiln/a.hpp"])

    def test_a_public_header_that_includes_an_inner_one(self):
        self.assertEqual(faults({"include/kiln/b.hpp": '#include "low/l.hpp"\n'}),
                         ["include/kiln/b.hpp:1: a public header includes low/l.hpp"])

    def test_a_component_that_includes_the_worker(self):
        self.assertEqual(faults({"lib/high/x.cpp": '#include "worker/jobs/j.hpp"\n'}),
                         ["lib/high/x.cpp:1: component high must not include component worker"])

    def test_a_worker_that_includes_what_its_page_does_not_name(self):
        self.assertEqual(faults({"worker/jobs/x.cpp": '#include "middle/m.hpp"\n'}, worker="low"),
                         ["worker/jobs/x.cpp:1: component worker must not include component middle",
                          "worker/w.cpp:1: component worker must not include component middle"])
        self.assertEqual(faults({"worker/jobs/x.hpp": '#include "worker/w.hpp"\n', "worker/w.hpp": ""}),
                         ["worker/jobs/x.hpp:1: the folder jobs must not include ."])

    def test_a_table_of_no_component(self):
        self.assertEqual(faults({"lib/README.md": page(COMPONENTS) + "## gone/\n\n" + page(MIDDLE)}),
                         ["lib/README.md: a table of gone, which is no component"])

    def test_openssl(self):
        self.assertEqual(faults({"lib/low/x.cpp": "#include <openssl/sha.h>\n"}),
                         ["lib/low/x.cpp:1: only lib/base/openssl_sha256.hpp may include openssl"])

    def test_libraries_of_the_worker(self):
        self.assertEqual(faults({"lib/low/x.cpp": "#include <boost/process.hpp>\n"}),
                         ["lib/low/x.cpp:1: only the worker may include boost"])
        self.assertEqual(faults({"lib/low/x.cpp": "#include <hiredis/hiredis.h>\n"}),
                         ["lib/low/x.cpp:1: only the worker may include hiredis"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
