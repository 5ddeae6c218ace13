"""`kiln trace` on the emulator, and with it the ranges that NVTX gets of the library: which there are, how they lie
within each other, and that each ends."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
KILN = os.path.abspath(sys.argv.pop(1))
EMULATOR = os.path.abspath(sys.argv.pop(1))
RECORDER = os.path.abspath(sys.argv.pop(1))
if not os.path.exists(RECORDER):
    print("skipped: Kiln was built without nvtx3/nvToolsExt.h")
    sys.exit(77)


class Tracing(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "a földer"
        self.folder.mkdir()
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("KILN_", "PYCUDA_", "NVTX_"))}
        self.environment |= {"KILN_CACHE_DIR": str(self.folder / "cache"), "KILN_PCH": "off", "KILN_DRIVER": EMULATOR,
                             "TMPDIR": str(self.folder)}

    def call(self, command, status=0, **environment):
        run = subprocess.run(list(map(str, command)), capture_output=True, cwd=self.folder, text=True,
                             env={**self.environment, **environment}, timeout=120)
        self.out, self.err = run.stdout, run.stderr
        self.assertEqual(run.returncode, status, f"{command}\n{self.out}\n{self.err}")

    def trace(self, *command, options=(), status=0, **environment):
        """The events of a run; names are those of ranges and marks."""
        self.call([KILN, "trace", "-o", "trace.json", *options, *command], status, **environment)
        everything = json.loads((self.folder / "trace.json").read_text())["traceEvents"]
        self.processes = {each["pid"]: each["args"]["name"] for each in everything if each["ph"] == "M"}
        events = [each for each in everything if each["ph"] != "M"]
        self.assertFalse([each for each in events if "args" in each], "ranges that did not end")
        self.assertEqual(list(self.folder.glob("kiln-tmp-trace-*")), [])
        return events

    def tree(self, events):
        """ "look-up: a.cu(miss) compile: a.cu(...)": what lies in what, by the times of each thread."""
        self.assertEqual({each["ph"] for each in events} - {"X", "i"}, set())

        def text(events):
            parts, rest = [], sorted(events, key=lambda each: (each["ts"], -each.get("dur", 0)))
            while rest:
                first = rest.pop(0)
                end = first["ts"] + first.get("dur", 0)
                inner = [each for each in rest if each["ts"] < end]
                for each in inner:
                    self.assertLessEqual(each["ts"] + each.get("dur", 0), end, (first, each))
                parts.append(first["name"] + (f"({text(inner)})" if inner else ""))
                rest = rest[len(inner):]
            return " ".join(parts)

        threads = sorted({(each["pid"], each["tid"]) for each in events})
        return [text([each for each in events if (each["pid"], each["tid"]) == thread]) for thread in threads]

    def names(self, events, kind):
        return [each["name"] for each in events if each["cat"] == kind]

    def test_a_cold_compile_and_a_warm_start(self):
        self.assertEqual(self.tree(self.trace(PROGRAM, "compile")), [
            "look-up: scale.cu(miss) "
            "compile: scale.cu(stage: start kiln-worker stage: NVRTC stage: dependencies) store: scale.cu"])
        self.assertEqual(self.out, "done\n")
        self.assertEqual(self.tree(self.trace(PROGRAM, "compile")), ["look-up: scale.cu(hit: disk)"])
        self.assertEqual(self.tree(self.trace(PROGRAM, "compile", "compile")),
                         ["look-up: scale.cu(hit: disk) look-up: scale.cu(hit: memory)"])

    def test_code_of_a_read_only_folder(self):
        self.call([PROGRAM, "compile"])
        events = self.trace(PROGRAM, "compile", KILN_CACHE_DIR=str(self.folder / "other"),
                            KILN_CACHE_READ_ONLY_DIRS=self.environment["KILN_CACHE_DIR"])
        self.assertEqual(self.tree(events), ["look-up: scale.cu(hit: read-only)"])

    def test_a_compile_that_fails(self):
        self.assertEqual(self.tree(self.trace(PROGRAM, "fail")), [
            "look-up: bad.cu(miss) compile: bad.cu(stage: start kiln-worker stage: NVRTC failed: bad.cu)"])
        self.assertRegex(self.err, r" compile\n.* bad\.cu\n +1 +failed: bad\.cu\n")

    def test_a_link(self):
        events = self.trace(PROGRAM, "link")
        self.assertEqual(self.names(events, "compile"), ["compile: k.cu", "compile: two.cu"])
        self.assertEqual(self.names(events, "link"), ["link: both"])
        self.assertIn("store: both", self.names(events, "store"))
        self.assertEqual(self.names(self.trace(PROGRAM, "link"), "link"), [])

    def test_launches(self):
        events = self.trace(PROGRAM, "launch")
        launches = self.names(events, "launch")
        scale = "launch: scale(float*, float, int)"
        self.assertEqual(launches.count(scale), 4)
        self.assertEqual(sum("clear<float>" in name for name in launches), 1, launches)
        self.assertEqual(self.names(events, "load")[0], "load: scale.cu")
        rest = [name for name in launches if name != scale and "clear<float>" not in name]
        self.assertEqual(rest, ["launch: a graph"])
        self.assertRegex(self.err, r" 4 +[0-9.]+ +[0-9.]+ +scale\(float\*, float, int\)\n")
        events = self.trace(PROGRAM, "launch", options=["--no-launches"])
        self.assertEqual(self.names(events, "launch"), [])
        self.assertEqual(self.names(events, "load")[0], "load: scale.cu")

    def test_the_variable(self):
        """As another tool has it, which sets no more than the library that NVTX opens."""
        def parts(**environment):
            folder = self.folder / "parts"
            folder.mkdir()
            self.call([PROGRAM, "launch"], NVTX_INJECTION64_PATH=RECORDER, KILN_TRACE_FOLDER=str(folder), **environment)
            text = "".join(part.read_text() for part in folder.iterdir())
            for part in folder.iterdir():
                part.unlink()
            folder.rmdir()
            return text

        self.assertEqual(parts(KILN_NVTX="off"), "")
        for value in ["on", ""]:
            text = parts(KILN_NVTX=value)
            self.assertIn(" load: scale.cu\n", text)
            self.assertNotIn(" launch: ", text)
            self.assertEqual(self.err, "")
        self.assertIn(" launch: scale(float*, float, int)\n", parts(KILN_NVTX="launches"))
        self.assertNotIn(" launch: ", parts(KILN_NVTX="launch"))
        self.assertEqual(self.err.count("KILN_NVTX"), 1, self.err)

    def test_programs_that_a_program_starts(self):
        events = self.trace("sh", "-c", '"$0" compile && "$0" compile', PROGRAM)
        self.assertEqual(sorted(self.processes.values()), ["traced_program"] * 2)
        self.assertEqual(len(self.names(events, "compile")), 1)
        self.assertIn("kiln trace: 2 processes\n", self.err)

    def test_the_exit_status_is_the_programs(self):
        self.trace("sh", "-c", "exit 7", status=7)
        self.assertIn("did nothing that Kiln has ranges for", self.err)
        self.trace("sh", "-c", "kill -9 $$", status=128 + 9)
        self.call([KILN, "trace", "./no-such-program"], status=127)
        self.assertIn("cannot start ./no-such-program", self.err)
        self.call([KILN, "trace"], status=2)

    def test_wrong_use_is_noticed_before_the_program_runs(self):
        (self.folder / "file").write_text("")
        (self.folder / "folder").mkdir()
        for output, why in (("no/such/folder/trace.json", "there is no folder no/such/folder"),
                            ("file/trace.json", "file is no folder"), ("folder", "it is a folder")):
            self.call([KILN, "trace", "-o", output, "echo", "ran"], status=2)
            self.assertIn(f"kiln: trace: --output: cannot write {output}: {why}\n", self.err)
            self.assertEqual(self.out, "")
        self.call([KILN, "trace", "--nolaunches", "echo", "ran"], status=2)
        self.assertIn("--nolaunches; did you mean --no-launches?", self.err)
        self.call([KILN, "trace", "-x", "echo", "ran"], status=2)
        self.assertIn("no option -x; there are --output and --no-launches", self.err)

    def test_a_signal_ends_the_program_and_its_ranges_are_shown(self):
        script = '"$0" compile; trap "exit 9" TERM; echo ready; read line'
        with subprocess.Popen([KILN, "trace", "-o", "trace.json", "sh", "-c", script, PROGRAM], cwd=self.folder,
                              env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as run:
            while run.stdout.readline() != "ready\n":
                self.assertIsNone(run.poll())
            run.terminate()
            self.assertEqual(run.wait(60), 9)
            self.assertIn("compile", run.stderr.read())
        self.assertIn("compile: scale.cu", (self.folder / "trace.json").read_text())
        self.assertEqual(list(self.folder.glob("kiln-tmp-trace-*")), [])

    def test_a_crash_loses_nothing(self):
        events = self.trace(PROGRAM, "crash", status=128 + 6)
        self.assertEqual(self.names(events, "store"), ["store: scale.cu"])

    def test_options_after_the_program_are_its_own(self):
        self.trace("sh", "-c", 'echo "$@"', "-o", "--no-launches", "compile", "-o", "x")
        self.assertEqual(self.out, "--no-launches compile -o x\n")
        self.call([KILN, "trace", "--", "sh", "-c", 'echo "$@"', "0", "--", "-o"])
        self.assertEqual(self.out, "-- -o\n")
        self.call([KILN, "trace", "--"], status=2)


if __name__ == "__main__":
    unittest.main()
