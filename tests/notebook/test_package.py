"""The parts of the package `kiln` that need no Jupyter: the line of %%kiln, the kernels of a source, arguments, the
frame of a report.

    test_package.py BUILD/tools/kiln/kiln
"""
import html.parser
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
sys.dont_write_bytecode = True

from kiln import arguments, command_line, kernels, report, tool
from kiln.errors import KilnError

KILN = os.path.abspath(sys.argv.pop(1))


class Line(unittest.TestCase):
    def read(self, line):
        read = command_line.read_line(line)
        return read.options, read.words

    def test_options_and_words_in_any_order(self):
        self.assertEqual(self.read("add --grid 4 a --block 256 --emulator b"),
                         (["--grid", "4", "--block", "256", "--emulator"], ["add", "a", "b"]))

    def test_values_in_the_same_word(self):
        self.assertEqual(self.read("--grid=4 -DN=8 x -I include y"),
                         (["--grid=4", "-DN=8", "-I", "include"], ["x", "y"]))

    def test_numbers_below_zero_and_what_stands_behind_the_dashes_are_words(self):
        self.assertEqual(self.read("-3 -.5 -- -inf --grid"), ([], ["-3", "-.5", "-inf", "--grid"]))

    def test_quotes(self):
        self.assertEqual(self.read("""'scale<float, 4>' -D "TEXT=a b" """), (["-D", "TEXT=a b"], ["scale<float, 4>"]))

    def test_a_quote_that_is_open(self):
        with self.assertRaisesRegex(KilnError, "No closing quotation: 'scale<"):
            self.read("'scale<float")

    def test_a_profile_without_a_file_is_for_the_notebook(self):
        for line in ["--profile", "--profile x", "--profile --grid 4"]:
            read = command_line.read_line(line)
            self.assertTrue(read.shows_profile, line)
            self.assertNotIn("--profile", read.options)
        for line in ["--profile -", "--profile r.html", "--profile r.json", "--profile=x"]:
            read = command_line.read_line(line)
            self.assertFalse(read.shows_profile, line)
            self.assertEqual((read.options, read.words), (line.split(), []))

    def test_an_option_that_lacks_its_value_is_passed_on(self):
        self.assertEqual(self.read("add --grid"), (["--grid"], ["add"]))

    def test_flags_are_those_of_kiln_run(self):
        said = subprocess.run([KILN, "run", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
        options = re.findall(r"^  (?:(-\w),)?(--?[\w-]+)(?: ([A-Z]+))?", said.partition("Options:")[2], re.MULTILINE)
        self.assertGreater(len(options), 15)
        flags = {name for short, long, value in options if not value for name in (short, long) if name}
        self.assertEqual(flags, command_line.FLAGS)


class Kernels(unittest.TestCase):
    def test_names(self):
        self.assertEqual(kernels.kernels_of("""
            // __global__ void commented() {}
            /* __global__ void
               too() {} */
            const char* text = "__global__ void quoted() { \\" ";  const char* raw = R"x(__global__ void raw() " )")x";
            int thousand = 1'000; char quote = '"';
            extern "C" __global__ void __launch_bounds__(256, (2 + 1)) first(int) {}
            template <class T> __launch_bounds__(N) static __global__ auto second(T* p) -> void {}
            __global__ void first(int);
            namespace space { __global__
              void
              third (float* x) { first<<<1, 2>>>(3); } }
            __device__ void no_kernel() {}"""), ["first", "second", "third"])

    def test_the_only_kernel_needs_no_name(self):
        source = "__global__ void add(int) {}"
        self.assertEqual(kernels.choose_kernel(source, ["x", "1"]), ("add", ["x", "1"]))
        self.assertEqual(kernels.choose_kernel(source, ["add", "1"]), ("add", ["1"]))
        self.assertEqual(kernels.choose_kernel(source, []), ("add", []))

    def test_names_with_arguments_and_namespaces(self):
        source = "template <class T> __global__ void add(T) {}"
        for name in ["add<float>", "math::add<float>", "other<int>", "::math::add"]:
            self.assertEqual(kernels.choose_kernel(source, [name, "x"]), (name, ["x"]))
        for word in ["float[1000]=arange", "out:float[4]", "half:1.5", "@x.npy"]:
            self.assertEqual(kernels.choose_kernel(source, [word]), ("add", [word]))

    def test_several_kernels(self):
        source = "__global__ void one() {} __global__ void two() {}"
        self.assertEqual(kernels.choose_kernel(source, ["two"]), ("two", []))
        with self.assertRaisesRegex(KilnError, "several kernels.*: one, two$"):
            kernels.choose_kernel(source, ["x", "two"])

    def test_a_kernel_that_a_macro_makes(self):
        self.assertEqual(kernels.choose_kernel("KERNEL(made)", ["made", "1"]), ("made", ["1"]))
        for words in [[], ["1"], ["float[3]=ones"]]:
            with self.assertRaisesRegex(KilnError, "no __global__ function"):
                kernels.choose_kernel("KERNEL(made)", words)


class Arguments(unittest.TestCase):
    def text_of(self, word, **variables):
        with tempfile.TemporaryDirectory() as folder:
            return arguments.ArgumentPasser(variables, "add", folder).text_of(2, word)

    def test_what_kiln_run_takes_is_passed_on(self):
        for word in ["1000", "1.5f", "true", "inf", "null", "half:1.5", "@x.npy", "float[3]=ones", "out:float[3]",
                     "hex:00ff", "-inf"]:
            self.assertEqual(self.text_of(word), word)

    def test_numbers(self):
        self.assertEqual(self.text_of("n", n=1000), "1000")
        self.assertEqual(self.text_of("n", n=-0.1), "-0.1")
        self.assertEqual(self.text_of("n", n=float("-inf")), "-inf")
        self.assertEqual(self.text_of("n", n=True), "true")

    def test_advice_on_numpy_s_default_type(self):
        refusal = ("kiln: kernel k(float const*, float*): argument 2 (counted from 0): expected float const* (pointer, 8 "
                   "bytes), given double* (pointer, 8 bytes); write float[...]")
        passer = arguments.ArgumentPasser({}, "k", "folder")
        passer.doubles = {2: "x"}
        self.assertIn("; x is of float64, ", passer.advice_for(refusal))
        self.assertEqual(passer.advice_for(refusal.replace("argument 2", "argument 1")), "")
        self.assertEqual(passer.advice_for(refusal.replace("expected float", "expected int")), "")

    def test_what_cannot_be_passed(self):
        for word, variables, said in [
            ("x", {}, 'argument 2 .counted from 0., "x": there is no Python variable x, and the kernel\'s name is add'),
            ("x", {"x": [1.0]}, "the variable x is of type list: pass a number, an array"),
            ("x", {"x": 1j}, "the variable x is of type complex"),
            ("out:x", {"x": 1}, r"the variable x is of type int.*x = numpy.empty\(1000"),
            ("inout:x", {}, "there is no Python variable x"),
        ]:
            with self.assertRaisesRegex(KilnError, said):
                self.text_of(word, **variables)


class Tool(unittest.TestCase):
    def test_where_it_is(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "kiln")
            with unittest.mock.patch.dict(os.environ, {"PATH": folder}):
                os.environ.pop("KILN_TOOL", None)
                with self.assertRaisesRegex(KilnError, "no program kiln on the PATH.*KILN_TOOL="):
                    tool.find_tool()
                program.write_text("#!/bin/sh\n")
                with self.assertRaisesRegex(KilnError, "no program kiln on the PATH"):
                    tool.find_tool()
                program.chmod(program.stat().st_mode | stat.S_IXUSR)
                self.assertEqual(tool.find_tool(), str(program))
                os.environ["KILN_TOOL"] = KILN
                self.assertEqual(tool.find_tool(), KILN)
                os.environ["KILN_TOOL"] = folder
                with self.assertRaisesRegex(KilnError, "^KILN_TOOL is .*no program"):
                    tool.find_tool()

    def test_the_virtual_environment_of_the_notebook(self):
        with unittest.mock.patch.dict(os.environ), unittest.mock.patch.object(sys, "base_prefix", "/usr"):
            os.environ.pop("VIRTUAL_ENV", None)
            with unittest.mock.patch.object(sys, "prefix", "/home/me/venv"):
                self.assertEqual(tool.tool_environment()["VIRTUAL_ENV"], "/home/me/venv")
                os.environ["VIRTUAL_ENV"] = "/other"
                self.assertEqual(tool.tool_environment()["VIRTUAL_ENV"], "/other")
                del os.environ["VIRTUAL_ENV"]
            with unittest.mock.patch.object(sys, "prefix", "/usr"):
                self.assertNotIn("VIRTUAL_ENV", tool.tool_environment())

    def test_an_interrupt_ends_it(self):
        with tempfile.TemporaryDirectory() as folder:
            program, started = pathlib.Path(folder, "kiln"), pathlib.Path(folder, "started")
            # It presses "Interrupt" itself, and then does not end.
            program.write_text(f"#!{sys.executable}\nimport os, signal\n"
                               f"open({str(started)!r}, 'w').write(str(os.getpid()))\n"
                               "os.kill(os.getppid(), signal.SIGINT)\nwhile True:\n  signal.pause()\n")
            program.chmod(0o755)
            with unittest.mock.patch.dict(os.environ, {"KILN_TOOL": str(program)}):
                with self.assertRaises(KeyboardInterrupt):
                    tool.run_tool([], "")
            with self.assertRaises(ProcessLookupError):
                os.kill(int(started.read_text()), 0)

    def test_what_a_status_means(self):
        no_device = 'kiln: there is no GPU; "kiln run --emulator" runs the kernel on the CPU\nno CUDA driver\n'
        self.assertRegex(tool.fault_of(3, no_device), "^there is no GPU: add --emulator")
        self.assertEqual(tool.fault_of(3, "kiln: no NVRTC: searched\n  here"), "no NVRTC: searched")
        self.assertEqual(tool.fault_of(1, "log\nkiln: no launch: y; longer\n  more\n"), "no launch: y")
        remark = "kiln: the device is Kiln's PTX emulator, as KILN_DRIVER asks for, and no GPU\n"
        self.assertEqual(tool.fault_of(1, remark), "a result is not what was expected")
        self.assertEqual(tool.fault_of(-9, "kiln: x"), "kiln run was ended by SIGKILL")
        self.assertEqual(tool.fault_of(7, ""), "kiln run failed with exit status 7")


class Frame(unittest.TestCase):
    def test_the_page_arrives_as_it_is_and_nothing_else(self):
        page = "<script>let a = \"&quot;&lt;\" + '</script>' && \u2028</script></iframe><b onclick='x'>"
        found = []

        class Parser(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                found.append((tag, dict(attributes)))

            def handle_data(self, data):
                found.append(data)

        Parser().feed(report.frame(page))
        self.assertEqual(len(found), 1, found)
        self.assertEqual(found[0][0], "iframe")
        self.assertEqual(found[0][1]["srcdoc"], page)
        self.assertEqual(found[0][1]["sandbox"], "allow-scripts")

    def test_a_page_without_data(self):
        self.assertIn("page", report.bundle("<p>")["text/plain"])


if __name__ == "__main__":
    unittest.main()
