"""What reaches the terminal, and where it goes: texts of files that others made, values that are empty, outputs that
are full, closed, or no regular files."""
import json
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

KILN = os.path.abspath(sys.argv.pop(1))
EMULATOR = os.path.abspath(sys.argv.pop(1))

RED = "\x1b[31mred\x9b0m\x1b]0;title\x07\u202e"
LARGE = "x" * 3_000_000
KERNEL = 'extern "C" __global__ void scale(float* values) { values[threadIdx.x] = 7; }'
PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 values) { ret; }
"""


def npy(count, byte=b"\1", descr="<f4"):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count},), }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header + 4 * count * byte


def wisdom(**members):
    record = {"version": 1, "key": "scale", "source": "s", "device": "GPU", "arch": "sm_90", "driver": 13000,
              "problem": [7], "configuration": {"BLOCK": 64}, "seconds": 1.0, "spread": 0.0, "objective": "time",
              "value": 1.0, "largest_is_best": False, "date": "2026-01-01"}
    return json.dumps({**record, **members}) + "\n"


class Printed(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "a földer"
        self.folder.mkdir()
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("KILN_", "PYCUDA_"))}
        self.environment.update(KILN_CACHE_DIR=str(self.folder / "cache"), KILN_WISDOM_DIR=str(self.folder / "wisdom"),
                                KILN_PCH="off", KILN_DRIVER=EMULATOR)

    def start(self, *arguments, **how):
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        return subprocess.Popen([KILN, *map(str, arguments)], cwd=self.folder, env=self.environment, **how)

    def kiln(self, *arguments, status=0):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=120)
        self.out, self.err = out.decode(), err.decode()
        self.assertEqual(process.returncode, status, f"{arguments}\n{self.out[:2000]}\n{self.err[:2000]}")
        self.assert_harmless(self.out + self.err)
        return self.out

    def assert_harmless(self, text):
        self.assertIsNone(re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", text),
                          ascii(text[:2000]))
        self.assertNotIn("json.exception", text)

    def assert_short(self):
        self.assertLess(len(self.out) + len(self.err), 2000)

    # Texts of others.

    def test_wisdom(self):
        (self.folder / "wisdom").mkdir()
        forged = "scale\nkiln: nothing is wrong"
        (self.folder / "wisdom" / "a.jsonl").write_text(
            wisdom(key=RED) + wisdom(key=forged) +
            wisdom(device=RED, date=RED, arch=RED, configuration={RED: RED, "\n": "\n"}))
        self.assertEqual(len(self.kiln("wisdom", "list").splitlines()), 3)
        # Files are found by the key.
        (self.folder / "wisdom" / "scale.jsonl").write_text((self.folder / "wisdom" / "a.jsonl").read_text())
        self.assertEqual(len(self.kiln("wisdom", "show", "scale").splitlines()), 1)
        self.kiln("wisdom", "show", "nothing", status=1)
        self.assertIn("?[31mred", self.err)
        # JSON keeps its meaning.
        keys = {record["key"] for record in map(json.loads, self.kiln("wisdom", "export").splitlines())}
        self.assertEqual(keys, {RED, forged, "scale"})
        self.assertEqual({one["key"] for one in json.loads(self.kiln("wisdom", "list", "--json"))}, keys)

    def test_an_error_does_not_list_a_million_keys(self):
        (self.folder / "wisdom").mkdir()
        (self.folder / "wisdom" / "a.jsonl").write_text("".join(wisdom(key=f"{n}" * 99) for n in range(3000)))
        self.kiln("wisdom", "show", "nothing", status=1)
        self.assertLess(len(self.err), 6000)

    def capture(self, **members):
        folder = self.folder / "capture"
        folder.mkdir(exist_ok=True)
        (folder / "memory-0.npy").write_bytes(npy(4))
        (folder / "code.ptx").write_text(PTX)
        (folder / "source.cu").write_text(KERNEL)
        description = {"kiln_capture": 1, "kernel": "scale", "symbol": "scale", "grid": [1, 1, 1], "block": [4, 1, 1],
                       "shared_bytes": 0, "attributes": {}, "variables": [],
                       "memories": [{"element": "float", "bytes": 16, "file": "memory-0.npy"}],
                       "arguments": [{"size": 8, "memory": 0, "offset": 0}], "code": {"file": "code.ptx"}, **members}
        (folder / "capture.json").write_text(json.dumps(description))
        return folder

    def test_captures(self):
        self.kiln("run", self.capture())
        for members in [
                {"memories": [{"element": "float", "bytes": 16, "file": RED}]},
                {"memories": [{"element": "float", "bytes": 16, "file": LARGE}]},
                {"memories": [{"element": RED, "bytes": 16, "file": "memory-0.npy"}]},
                {"memories": [{"element": LARGE, "bytes": 16, "file": "memory-0.npy"}]},
                {"memories": [{"element": 7, "bytes": 16, "file": "memory-0.npy"}]},
                {"memories": [{"element": "float", "bytes": 16}]},
                {"memories": 7}, {"arguments": [7]}, {"arguments": [{"size": 8, "bytes": RED}]}, {"kernel": None},
                {"grid": [1, "x", 1]}, {"grid": [1]}, {"attributes": {"cooperative": "yes"}}, {"kiln_capture": "one"},
                {"code": {"file": "source.cu", "request": {"kiln_record": 1, "kind": RED}}},
                {"code": {"file": "source.cu", "request": {"kiln_record": 1, "kind": LARGE}}},
                {"code": {"file": "source.cu", "request": 7}},
                {"code": {"file": "source.cu",
                          "request": {"kiln_record": 1, "kind": "compile", "source": "", "options": ["-I", 7]}}}]:
            with self.subTest(str(members)[:200]):
                self.kiln("run", self.capture(**members), status=1)
                self.assertIn("capture/", self.err)
                self.assertIn("Capture the launch again", self.err)
                self.assert_short()
        self.capture()
        (self.folder / "capture" / "capture.json").write_text('{"kiln_capture": 1,\n "grid": nonsense}')
        self.kiln("run", self.folder / "capture", status=1)
        self.assertIn("it is no JSON: line 2, column", self.err)

    def test_options_and_sources_of_captures(self):
        for options in [[f"--{RED}"], [f"-D{RED}"]]:
            request = {"kiln_record": 1, "kind": "compile", "source": "", "name": RED, "options": options}
            self.kiln("run", self.capture(code={"file": "source.cu", "request": request}), status=1)
            self.assertIn("?[31mred", self.err)

    def test_a_capture_names_what_is_missing(self):
        self.kiln("run", self.capture(memories=[{"element": "float", "bytes": 16}]), status=1)
        self.assertIn('it has no "file"', self.err)
        self.kiln("run", self.capture(kernel=7), status=1)
        self.assertIn('"kernel": a text is expected, and there is 7', self.err)

    def test_no_file_of_a_capture_is_a_link(self):
        secret = self.folder / "secret"
        secret.write_text("#error the secret\n")
        request = {"kiln_record": 1, "kind": "compile", "source": ""}
        for name, code in [("source.cu", {"file": "source.cu", "request": request}),
                           ("code.ptx", {"file": "code.ptx"}), ("memory-0.npy", {"file": "code.ptx"}),
                           ("capture.json", {"file": "code.ptx"})]:
            with self.subTest(name):
                capture = self.capture(code=code)
                content = (capture / name).read_bytes()
                (capture / name).unlink()
                (capture / name).symlink_to(secret)
                if name != "source.cu":
                    secret.write_bytes(content)
                self.kiln("run", capture, status=1)
                self.assertIn(f"{name}: it is a link, which may lead to any file", self.err)
                self.assertNotIn("the secret", self.out + self.err)
                (capture / name).unlink()

    def test_lists_of_requests(self):
        lines = [{"kiln_record": 1, "kind": RED}, {"kiln_record": 1, "kind": LARGE}, {"kiln_record": RED}, 7,
                 {"kiln_record": 1, "kind": "compile", "source": 7}, {"kiln_record": 1, "kind": "compile"},
                 {"kiln_record": 1, "kind": "compile", "source": "", "target": RED},
                 {"kiln_record": 1, "kind": "compile", "source": "", "defines": [["A"]]},
                 {"kiln_record": 1, "kind": "compile", "source": "", "defines": [["A", {"base64": RED}]]},
                 {"kiln_record": 1, "kind": "compile", "source": "nonsense " + RED, "name": RED, "arch": "sm_90",
                  "folder": "/none/" + RED}]
        (self.folder / "list").write_text("\n".join(map(json.dumps, lines)) + "\n{nonsense\n")
        self.kiln("cache", "warm", "list", status=1)
        self.assertIn('list:5: "source": a text is expected, and there is 7', self.err)
        self.assertIn('list:6: it has no "source"', self.err)
        self.assertIn("list:11: it is no line that KILN_RECORD wrote", self.err)
        self.assertIn(", 11 failed", self.err)

    def test_code(self):
        (self.folder / "bad.ptx").write_text(PTX.replace("ret;", f"{RED} nonsense;"))
        self.kiln("run", "bad.ptx", "scale", "--grid", 1, "--block", 1, "out:float[4]", status=1)
        self.assertIn("line 4", self.err)
        (self.folder / "bad.cu").write_text(f"{KERNEL}\n{RED} nonsense;\r\n")
        self.kiln("compile", "bad.cu", "--arch", "sm_90", status=1)
        self.assertIn("?[31mred", self.err)
        (self.folder / "good.ptx").write_text(PTX)
        (self.folder / "bad.npy").write_bytes(npy(4, descr="<" + RED.replace("\x9b", "").replace("\u202e", "")))
        self.kiln("run", "good.ptx", "scale", "--grid", 1, "--block", 1, "@bad.npy", status=2)
        self.assertIn("?[31mred", self.err)

    def test_names_on_the_command_line(self):
        for arguments in [["compile", f"{RED}.cu"], ["cache", "import", RED], [RED], ["compile", f"--{RED}"],
                          ["run", "a.cu", "k", "--check", RED, "--grid", "1", "--block", "1"],
                          ["cache", "prune", "--max-size", RED]]:
            process = self.start(*arguments)
            out, err = process.communicate(timeout=60)
            self.assertNotEqual(process.returncode, 0)
            self.assert_harmless((out + err).decode())

    def test_nothing_goes_past_the_function_for_it(self):
        tool = pathlib.Path(__file__).resolve().parents[3] / "tools" / "kiln"
        prints = re.compile(r"\b(?:v?f?printf|fputs|fputc|puts|putchar|fwrite|perror)\s*\(|std::(?:cout|cerr|clog)\b")
        past = [path.name for path in sorted(tool.glob("*.[ch]pp")) if prints.search(path.read_text())]
        self.assertEqual(past, ["output_file.cpp", "progress.cpp"])  # progress erases its line

    # Empty values.

    def test_an_empty_value_is_wrong_usage(self):
        (self.folder / "a.cu").write_text(KERNEL)
        for command in [["compile", "a.cu"], ["inspect", "a.cu"], ["preprocess", "a.cu"],
                        ["embed", "a.cu", "-o", "a.cpp", "--arch", "80"],
                        ["run", "a.cu", "scale", "out:float[4]", "--grid", "1", "--block", "4"],
                        ["tune", "a.cu", "scale", "out:float[4]", "--param", "A=1", "--block", "4", "--problem", "4"],
                        ["wisdom", "best", "scale", "--problem", "4"], ["cache", "pull"], ["cache", "sign"],
                        ["cache", "warm", "a.cu"], ["cache", "export", "a.bundle"], ["cache", "remote"],
                        ["cache", "prune"], ["trace"]]:
            self.kiln(*[word for word in command[:2] if command[0] in ("cache", "wisdom") or word == command[0]],
                      "--help")
            with_value = re.findall(r"(?m)^  (-\S+) (?:TEXT|UINT|INT|FLOAT)\b", self.out)
            self.assertTrue(with_value, self.out)
            for option in with_value:
                for name in option.split(","):
                    with self.subTest(f"{command} {name}"):
                        self.kiln(*command, name, "", status=2)
                        self.assertIn("empty", self.err)
                        self.assertIn(option.split(",")[-1], self.err)
        self.assertFalse((self.folder / "a.cubin").exists())

    def test_an_empty_part_of_a_list_or_position_is_one_too(self):
        (self.folder / "a.cu").write_text(KERNEL)
        for arguments in [["compile", ""], ["compile", "a.cu", "--arch="], ["compile", "a.cu", "-I", ""],
                          ["compile", "a.cu", "--target", "fatbin", "--code", "sm_80,,sm_90"],
                          ["cache", "import", ""], ["run", "a.cu", "", "--grid", "1", "--block", "1"]]:
            with self.subTest(arguments):
                self.kiln(*arguments, status=2)
                self.assertRegex(self.err, 'the value is empty|arch ""')
        self.assertFalse((self.folder / "a.cubin").exists())

    # Outputs.

    COMMANDS = [["doctor"], ["cache", "list"], ["cache", "list", "--json"], ["cache", "stats"],
                ["cache", "stats", "--json"], ["cache", "path"], ["cache", "verify"], ["cache", "prune"],
                ["cache", "clear"], ["--version"], ["--help"], ["compile", "--help"], ["wisdom", "list", "--json"],
                ["wisdom", "export"]]

    def fill(self):
        (self.folder / "a.cu").write_text(KERNEL)
        (self.folder / "wisdom").mkdir(exist_ok=True)
        (self.folder / "wisdom" / "scale.jsonl").write_text(wisdom())
        self.kiln("compile", "a.cu", "--arch", "sm_90", "-o", "a.cubin")

    def assert_not_written(self, command, stdout):
        process = self.start(*command, stdout=stdout)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, (command, err))
        self.assertIn(b"cannot write standard output", err)

    def test_a_full_disk(self):
        for command in self.COMMANDS:
            self.fill()
            with self.subTest(command), open("/dev/full", "wb") as full:
                self.assert_not_written(command, full)

    def test_a_closed_pipe(self):
        for command in self.COMMANDS:
            self.fill()
            with self.subTest(command):
                reading, writing = os.pipe()
                os.close(reading)
                process = self.start(*command, stdout=writing, restore_signals=False,
                                     preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
                os.close(writing)
                _, err = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 1, (command, err))
                self.assertIn(b"cannot write standard output: Broken pipe", err)

    def test_standard_output_that_is_closed(self):
        self.fill()
        for command in self.COMMANDS:
            with self.subTest(command):
                process = self.start(*command, preexec_fn=lambda: os.close(1))
                _, err = process.communicate(timeout=60)
                self.assertNotEqual(process.returncode, 0, (command, err))
                self.assertIn(b"cannot write standard output", err)

    def test_what_a_kernel_prints(self):
        (self.folder / "a.cu").write_text('extern "C" __global__ void k(int* out) { printf("printed\\n"); out[0] = 1; }')
        arguments = ["run", "a.cu", "k", "--grid", "1", "--block", "1", "out:int[1]"]
        self.assertIn("printed", self.kiln(*arguments))
        with open("/dev/full", "wb") as full:
            self.assert_not_written(arguments, full)

    def test_counters_that_were_not_shown_are_not_reset(self):
        self.fill()
        before = self.kiln("cache", "stats")
        with open("/dev/full", "wb") as full:
            self.assert_not_written(["cache", "stats", "--reset"], full)
        self.assertEqual(self.kiln("cache", "stats"), before)

    # What is no regular file is written to, and not replaced.

    def make_null_device(self, path):
        """One of the test's own: a kiln that replaces devices must not replace the machine's."""
        try:
            os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
            path.write_bytes(b"x")
            return True
        except OSError:  # not root, or the file system has no devices
            path.unlink(missing_ok=True)
            return False

    def through(self, pipe, *command):
        """What the command writes to the pipe, which is one afterwards."""
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            got = []
            os.set_blocking(reader, True)
            writer = os.open(pipe, os.O_WRONLY)  # so that reading waits for the command, and not forever
            collect = threading.Thread(target=lambda: got.extend(iter(lambda: os.read(reader, 1 << 16), b"")))
            collect.start()
            try:
                self.kiln(*command)
            finally:
                os.close(writer)
                collect.join()
            self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
            return b"".join(got)
        finally:
            os.close(reader)

    def test_a_device_or_a_fifo_stays_one(self):
        (self.folder / "a.cu").write_text(KERNEL)
        run = ["run", "a.cu", "scale", "--grid", "1", "--block", "4", "out:float[4]"]
        outputs = [[*run, "--profile"], [*run, "--save"], ["compile", "a.cu", "--arch", "sm_90", "-o"],
                   ["embed", "a.cu", "--arch", "80-real", "-o"],
                   ["embed", "a.cu", "--arch", "80-real", "-o", "a.cpp", "--depfile"]]
        has_device = self.make_null_device(self.folder / "null")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        (self.folder / "link").symlink_to("null")
        for command in outputs:
            with self.subTest(command):
                if has_device:
                    self.kiln(*command, "link")
                    self.assertTrue(stat.S_ISCHR(os.stat(self.folder / "null").st_mode))
                    self.assertTrue((self.folder / "link").is_symlink())
                self.assertNotEqual(self.through(pipe, *command, "pipe"), b"")

    def test_a_profile_of_a_variable(self):
        (self.folder / "a.cu").write_text(KERNEL)
        run = ["run", "a.cu", "scale", "--grid", "1", "--block", "4", "out:float[4]"]
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.environment["KILN_EMULATOR_PROFILE"] = str(pipe)
        self.assertEqual(len(json.loads(self.through(pipe, *run))["launches"]), 1)
        self.environment["KILN_EMULATOR_PROFILE"] = "report.json"  # in the working folder
        self.kiln(*run)
        self.assertEqual(len(json.loads((self.folder / "report.json").read_text())["launches"]), 1)
        os.chmod(self.folder / "report.json", 0o640)
        (self.folder / "link").symlink_to("report.json")
        self.environment["KILN_EMULATOR_PROFILE"] = "link"
        self.kiln(*run)
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual((self.folder / "report.json").stat().st_mode & 0o777, 0o640)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
