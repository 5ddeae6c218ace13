"""Executes notebooks with %%kiln cells by the built `kiln` on the emulator, and looks at what their cells show.

    test_notebook.py BUILD/tools/kiln/kiln BUILD/emulator/libkiln_emulator.so

Skipped where no Python has nbclient, ipykernel and numpy."""
import html.parser
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

import frames
import running

running.become_python_with_jupyter()

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

KILN, EMULATOR = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
LESSON = running.PACKAGE / "examples" / "first_steps.ipynb"
PAGE = running.PACKAGE.parent / "docs" / "notebook.md"

ADD = """__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
"""


class Frames(html.parser.HTMLParser):
    """The elements of an output, and the text outside of them."""

    def __init__(self):
        super().__init__()
        self.elements, self.text = [], ""

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


class PageData(html.parser.HTMLParser):
    """What stands in a page's <script id="profile">, as a browser would find its end."""

    def __init__(self):
        super().__init__()
        self.inside, self.data = False, ""

    def handle_starttag(self, tag, attributes):
        self.inside = tag == "script" and dict(attributes).get("id") == "profile"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.data += data


def page_of(test, cell):
    """The page in the cell's only frame."""
    shown = [output.data for output in cell.outputs if output.output_type == "display_data"]
    test.assertEqual(len(shown), 1, cell.outputs)
    frames = Frames()
    frames.feed(shown[0]["text/html"])
    test.assertEqual([tag for tag, _ in frames.elements], ["iframe"])
    test.assertEqual(frames.text, "")
    test.assertEqual(frames.elements[0][1]["sandbox"], "allow-scripts")
    return frames.elements[0][1]["srcdoc"]


def profile_of(test, cell):
    data = PageData()
    data.feed(page_of(test, cell))
    return json.loads(data.data)


def plain_text(cell):
    return "".join(output.data["text/plain"] for output in cell.outputs if "data" in output)


def stream(cell, name):
    return "".join(output.text for output in cell.outputs if output.output_type == "stream" and output.name == name)


def errors(cell):
    return [output for output in cell.outputs if output.output_type == "error"]


class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="kiln-")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        for name in [name for name in os.environ if name.startswith(("KILN_", "PYCUDA_"))]:
            del os.environ[name]
        cls.place = cls.folder / "a földer"
        cls.place.mkdir()
        # The test's own folder has a plain name, as sockets lie in it; temporary files of the magic do not.
        running.use_folder(cls.folder)
        os.environ.update(KILN_TOOL=KILN, KILN_DRIVER=EMULATOR, KILN_CACHE_DIR=str(cls.folder / "cache"),
                          KILN_PCH="off", TMPDIR=str(cls.place))
        cls.cells = cls.execute()

    def succeeds(self, cell):
        self.assertEqual(errors(cell), [], cell.outputs)

    def fails(self, cell, pattern):
        """With one short line, and none of the package's own code."""
        found = errors(cell)
        self.assertEqual(len(found), 1, cell.outputs)
        self.assertEqual(found[0].ename, "KilnError")
        self.assertRegex(found[0].evalue, pattern)
        self.assertEqual(found[0].traceback, [f"KilnError: {found[0].evalue}"])


class Lesson(Notebook):
    @classmethod
    def execute(cls):
        notebook = nbformat.read(LESSON, 4)
        running.execute(notebook, cls.place)
        return {cell.id: cell for cell in notebook.cells}

    def test_it_has_no_outputs_of_an_earlier_run(self):
        for cell in nbformat.read(LESSON, 4).cells:
            self.assertEqual(cell.get("outputs", []), [])

    def test_cells_fail_where_they_say_so(self):
        for cell in self.cells.values():
            if cell.cell_type == "code":
                self.assertEqual(bool(errors(cell)), "raises-exception" in cell.metadata.get("tags", []), cell.outputs)

    def test_results(self):
        self.assertEqual(stream(self.cells["scale"], "stdout"),
                         "argument 1: float[1000]: 0 1.5 3 4.5 ... 1497 1498.5; min 0, max 1498.5, mean 749.25\n")
        self.assertIn("argument 2: float[1000]: 2 2.001", stream(self.cells["add"], "stdout"))
        self.assertEqual(plain_text(self.cells["compare"]), "True")

    def test_the_slow_kernel_and_the_fast_one(self):
        slow, fast = (profile_of(self, self.cells[name])["launches"] for name in ("slow", "fast"))
        self.assertEqual([launch["kernel"] for launch in slow + fast], 2 * ["twice(float const*, float*)"])
        figures = [(launch[0]["totals"]["global_load_sectors"], launch[0]["totals"]["global_load_requests"])
                   for launch in (slow, fast)]
        self.assertEqual(figures, [(1024, 32), (128, 32)])
        self.assertIn("32 sectors a request, where 4 would do; consecutive threads are 128 bytes apart",
                      plain_text(self.cells["slow"]))
        self.assertEqual(plain_text(self.cells["fast"]),
                         "profile of twice(float const*, float*), grid (1,1,1), block (32,1,1)")

    def test_a_write_out_of_bounds(self):
        cell = self.cells["bug"]
        self.fails(cell, r"^the kernel copy\(.*\) failed \(CUDA_ERROR_ILLEGAL_ADDRESS\): the emulator's report above says")
        said = stream(cell, "stderr")
        self.assertRegex(said, r"kernel copy\(float const\*, float\*\), block \(3,0,0\), thread \(\d+,0,0\)")
        self.assertIn("0 bytes past the end of the allocation of 4000 bytes", said)
        self.assertIn("kernel.cu:4: out[i] = in[i];", said)
        self.assertEqual(cell.source.splitlines()[3].strip(), "out[i] = in[i];")

    def test_what_does_not_compile(self):
        cell = self.cells["compile"]
        self.fails(cell, r'could not compile "kernel.cu": kernel.cu\(4\): error: identifier "j" is undefined$')
        self.assertRegex(stream(cell, "stderr"), r"\n> +4 \|   if \(i < n\) out\[i\] = in\[j\];\n")


class Cells(Notebook):
    """Cells of the test's own, each with a name."""

    SOURCES = {
        "variables": "import numpy as np\n"
                     "a = np.arange(6, dtype=np.float32).reshape(2, 3)\n"
                     "b, c, fixed = np.ones(6, '>f4'), np.zeros(6, np.float32), np.zeros(6, np.float32)\n"
                     "columns = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))\n"
                     "n, factor, blocks, names, texts = np.int64(6), -2.0, 2, [1], np.array(['a'])\n"
                     "fixed.flags.writeable = False",
        "add": f"%%kiln add --grid {{blocks}} --block 4 a b out:c $n\n{ADD}",
        "c": "c.tolist()",
        "columns": f"%%kiln --grid 2 --block 4 columns columns out:c n\n{ADD}",
        "c of columns": "c.tolist()",
        "inout": "%%kiln --grid 1 --block 6 inout:a factor\n"
                 "__global__ void scale(float* x, float factor) { x[threadIdx.x] *= factor; }",
        "a": "a.tolist()",
        "expected": "np.save('wrong.npy', np.zeros(6, np.float32)); c[:] = -1",
        "doubles": "wide = np.ones(6)",
        "float64": f"%%kiln --grid 2 --block 4 a wide out:c n\n{ADD}",
        "differs": f"%%kiln --grid 2 --block 4 --expect wrong.npy a b out:c n\n{ADD}",
        "c that differs": "c.tolist()",
        "json": f"%%kiln --grid 2 --block 4 --json --save c.npy a b out:float[6] n\n{ADD}",
        "saved": "np.load('c.npy').tolist()",
        "table": f"%%kiln --grid 2 --block 4 --profile - a b out:c n\n{ADD}",
        "page file": f"%%kiln --grid 2 --block 4 --profile page.html a b out:c n\n{ADD}",
        "is there": "import os; os.path.getsize('page.html') > 10000",
        "hostile": "%%kiln '</script>' --profile",  # replaced below
        "fault": "%%kiln --profile --grid 1 --block 8 out:c\n"
                 "__global__ void fill(float* x) { x[threadIdx.x] = 7; }",
        "c after the fault": "c.tolist()",
        "no grid": f"%%kiln --block 4 a b out:c n\n{ADD}",
        "no option": f"%%kiln --gird 4 --block 4 a b out:c n\n{ADD}",
        "no variable": f"%%kiln --grid 2 --block 4 a b out:d n\n{ADD}",
        "list": f"%%kiln --grid 2 --block 4 a names out:c n\n{ADD}",
        "texts": f"%%kiln --grid 2 --block 4 a texts out:c n\n{ADD}",
        "fixed": f"%%kiln --grid 2 --block 4 a b out:fixed n\n{ADD}",
        "two kernels": f"%%kiln --grid 2 --block 4 a b out:c n\n{ADD}{ADD.replace('add', 'sum')}",
        "wrong type": f"%%kiln --grid 2 --block 4 a b int[6]=zeros n\n{ADD}",
        "no device": "%env KILN_EMULATOR_DEVICES=0",
        "on no device": f"%%kiln --grid 2 --block 4 a b out:c n\n{ADD}",
        "no program": "%env KILN_TOOL=/nowhere/kiln",
        "by no program": f"%%kiln --grid 2 --block 4 a b out:c n\n{ADD}",
        "temporary files": "sorted(os.listdir('.'))",
    }
    # Text that would end a script, an attribute or a frame if it were not escaped, and an instance with such a name.
    HOSTILE_LINE = """%%kiln --profile --grid 1 --block 1 "quote<'<', (2 > 1), '&'>" out:char[3]"""
    HOSTILE_SOURCE = r"""// </script></iframe><img src=x onerror="alert('1')"> &quot;&lt; ]]> <!--
template <char C, bool B, char D> __global__ void quote(char* out) {
  const char* text = "</script>\"' &amp;";
  for (int i = 0; i < 3; ++i) out[i] = text[i] + B + C - C + D - D;
}
"""

    @classmethod
    def execute(cls):
        shown = re.findall(r"^```(?:python|cuda)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
        sources = dict(zip(["page's load", "page's add", "page's twice"], shown))
        sources["page's c"] = "float(c.sum())"
        sources.update(cls.SOURCES, hostile=f"{cls.HOSTILE_LINE}\n{cls.HOSTILE_SOURCE}")
        notebook = new_notebook(cells=[new_code_cell(source) for source in sources.values()])
        running.execute(notebook, cls.place)
        return dict(zip(sources, notebook.cells))

    def test_cells_of_the_page(self):
        for name in ["page's load", "page's add", "page's twice"]:
            self.succeeds(self.cells[name])
        said = stream(self.cells["page's add"], "stdout")
        self.assertTrue(said.startswith("argument 2: float[1000]: "), said)
        self.assertIn("\n    " + said, PAGE.read_text(encoding="utf-8"))
        self.assertEqual(self.value("page's c"), "500500.0")
        self.assertEqual(profile_of(self, self.cells["page's twice"])["launches"][0]["block"], [32, 1, 1])

    def value(self, name):
        self.succeeds(self.cells[name])
        return plain_text(self.cells[name])

    def test_variables_and_results(self):
        for name in ["variables", "add", "columns", "inout"]:
            self.succeeds(self.cells[name])
        self.assertEqual(self.value("c"), "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]")
        self.assertEqual(self.value("c of columns"), "[0.0, 2.0, 4.0, 6.0, 8.0, 10.0]")
        self.assertEqual(self.value("a"), "[[-0.0, -2.0, -4.0], [-6.0, -8.0, -10.0]]")

    def test_what_is_compared(self):
        self.fails(self.cells["differs"], "^a result is not what was expected$")
        self.assertIn("wrong.npy", stream(self.cells["differs"], "stdout"))
        self.assertEqual(self.value("c that differs"), "[1.0, -1.0, -3.0, -5.0, -7.0, -9.0]")

    def test_options_are_those_of_kiln_run(self):
        self.succeeds(self.cells["json"])
        said = json.loads(stream(self.cells["json"], "stdout"))
        self.assertEqual((said["grid"], said["block"], said["passed"]), ([2, 1, 1], [4, 1, 1], True))
        self.assertEqual(self.value("saved"), "[1.0, -1.0, -3.0, -5.0, -7.0, -9.0]")

    def test_a_profile_that_goes_elsewhere(self):
        self.succeeds(self.cells["table"])
        self.assertIn("sectors/load", stream(self.cells["table"], "stderr"))
        self.assertEqual(self.value("is there"), "True")
        for name in ["table", "page file"]:
            self.assertEqual({each.output_type for each in self.cells[name].outputs}, {"stream"})

    def test_texts_that_try_to_be_html(self):
        cell = self.cells["hostile"]
        self.succeeds(cell)
        profile = profile_of(self, cell)
        self.assertEqual(profile["sources"][0]["text"], ["", *self.HOSTILE_SOURCE.splitlines()])
        self.assertRegex(profile["launches"][0]["kernel"], r"^(void )?quote<\(char\)60, true, \(char\)38>\(char\*\)$")
        self.assertIn("quote<(char)60, true, (char)38>", plain_text(cell))

    @unittest.skipUnless(frames.has_browser(), "no Chromium")
    def test_the_frame_in_a_browser(self):
        output = self.cells["hostile"].outputs[-1].data["text/html"]
        with frames.only_frame(self.folder, output) as (in_frame, in_page):
            if in_frame is None:
                self.skipTest("this Chromium has no process for a sandboxed frame")
            # The page's own script has drawn it: the policy of its head holds in the frame, too.
            self.assertIn("quote<(char)60, true, (char)38>", in_frame("document.querySelector('main').textContent"))
            self.assertIn("Kiln profile", in_frame("document.title"))
            self.assertEqual(in_frame("document.querySelectorAll('img, iframe').length"), 0)
            self.assertEqual(in_frame("origin"), "null")  # so the notebook is out of its reach
            self.assertEqual(in_page("document.querySelectorAll('body *').length"), 1)
            self.assertEqual(in_page("document.title"), "the notebook")

    def test_numpy_s_default_type(self):
        self.fails(self.cells["float64"], r"; wide is of float64, .*: wide\.astype\(numpy\.float32\)$")

    def test_a_fault_has_its_profile(self):
        cell = self.cells["fault"]
        self.fails(cell, r"^the kernel fill\(float\*\) failed \(CUDA_ERROR_ILLEGAL_ADDRESS\)")
        self.assertIn("0 bytes past the end of the allocation of 24 bytes", stream(cell, "stderr"))
        self.assertEqual(profile_of(self, cell)["launches"][0]["failed"], 1)
        self.assertEqual(self.value("c after the fault"), self.value("c that differs"))

    def test_wrong_lines(self):
        for name, said in [
            ("no grid", "^--grid is required$"),
            ("no option", "--gird"),
            ("no variable", 'argument 2 .counted from 0., "out:d": there is no Python variable d'),
            ("list", "the variable names is of type list"),
            ("texts", "the array texts has elements of type <U1"),
            ("fixed", r"the array fixed can only be read: pass a copy, fixed.copy\(\)"),
            ("two kernels", "several kernels: .*: add, sum$"),
            ("wrong type", r"argument 2 .counted from 0.: expected float\* .*given int\*"),
        ]:
            with self.subTest(name):
                self.fails(self.cells[name], said)

    def test_no_device(self):
        self.fails(self.cells["on no device"], 'the emulator shows no device: KILN_EMULATOR_DEVICES is "0"')

    def test_no_program(self):
        self.fails(self.cells["by no program"], "^KILN_TOOL is /nowhere/kiln, which is no program that can be run$")

    def test_nothing_is_left_behind(self):
        self.assertEqual(self.value("temporary files"), "['c.npy', 'page.html', 'wrong.npy']")


del Notebook  # it has no tests of its own

if __name__ == "__main__":
    unittest.main()
