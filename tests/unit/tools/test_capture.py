"""KILN_CAPTURE on the emulator: what a program's launches are captured as, `kiln run` and `kiln tune` of captures, and
captures that are damaged."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
KILN = os.path.abspath(sys.argv.pop(1))
EMULATOR = os.path.abspath(sys.argv.pop(1))


def values(path, letter="f"):
    data = path.read_bytes()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    return struct.unpack(f"<{(len(data) - begin) // struct.calcsize(letter)}{letter}", data[begin:])


class Captures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.cache.cleanup()

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "a földer"
        self.folder.mkdir()
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("KILN_", "PYCUDA_"))}
        self.environment["KILN_CACHE_DIR"] = self.cache.name
        self.environment["KILN_WISDOM_DIR"] = str(self.folder / "wisdom")
        self.environment["KILN_PCH"] = "off"
        self.environment["KILN_DRIVER"] = EMULATOR

    def call(self, command, status=0, **environment):
        run = subprocess.run(list(map(str, command)), capture_output=True, cwd=self.folder,
                             env={**self.environment, **environment}, timeout=120)
        self.out, self.err = run.stdout.decode(), run.stderr.decode()
        self.assertEqual(run.returncode, status, f"{command}\n{self.out}\n{self.err}")
        return self.out

    def captures(self):
        folder = self.folder / "kiln-captures"
        return sorted(folder.iterdir()) if folder.exists() else []

    def capture(self, *ways, pattern="*", count=1, **environment):
        """The captures that a run adds."""
        before = self.captures()
        self.call([PROGRAM, *ways], KILN_CAPTURE=pattern, **environment)
        added = [each for each in self.captures() if each not in before]
        self.assertEqual(len(added), count, f"{added}\n{self.err}")
        return added[0] if count == 1 else added

    def description(self, capture):
        return json.loads((capture / "capture.json").read_text())

    def run_capture(self, capture, *options, status=0):
        return self.call([KILN, "run", *options, capture], status=status)

    def equal(self, capture):
        self.assertIn(": equal to what the program computed", self.run_capture(capture))

    def test_nothing_is_captured_that_is_not_named(self):
        plain = self.call([PROGRAM, "scale"])
        self.capture("scale", pattern="other,sca", count=0)
        self.assertEqual((self.out, self.err), (plain, ""))
        self.assertEqual(self.captures(), [])

    def test_a_launch_is_captured_and_runs_again(self):
        capture = self.capture("scale", pattern="other,sc?le*")
        self.assertTrue(capture.name.startswith("scale-4x1x1-256x1x1-"), capture.name)
        self.assertEqual(sorted(each.name for each in capture.iterdir()),
                         ["capture.json", "memory-0.npy", "memory-1-after.npy", "memory-1.npy", "source.cu",
                          "variable-0.npy"])
        self.assertEqual(values(capture / "memory-0.npy"), tuple(range(1000)))
        self.assertEqual(values(capture / "memory-1-after.npy"), tuple(1.5 * i for i in range(1000)))
        text = self.run_capture(capture, "--check", "race,init", "--print", "1", "--save", "1=out.npy", "--time")
        self.assertIn("argument 1: equal to what the program computed", text)
        self.assertEqual(values(self.folder / "out.npy"), values(capture / "memory-1-after.npy"))
        report = json.loads(self.run_capture(capture, "--json", "--bench"))
        self.assertEqual((report["grid"], report["block"], report["passed"]), ([4, 1, 1], [256, 1, 1], True))
        self.assertEqual(report["kernel"], "scale(float const*, float*, float, int)")

    def test_each_problem_size_is_captured_once(self):
        self.capture("scale", "scale", "larger", "scale", pattern="scale", count=2)
        self.capture("scale", "larger", pattern="scale", count=0)
        self.assertEqual(self.err, "")

    def test_programs_side_by_side_leave_one_capture(self):
        environment = {**self.environment, "KILN_CAPTURE": "scale"}
        programs = [subprocess.Popen([PROGRAM, "scale"], cwd=self.folder, env=environment, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE) for _ in range(8)]
        self.assertEqual([(each.communicate()[1], each.returncode) for each in programs], [(b"", 0)] * 8)
        self.assertEqual(len(self.captures()), 1)
        self.equal(self.captures()[0])

    def test_every_way_of_launching(self):
        for way in ["prepared", "timed", "plan", "instance", "host", "plain", "constant"]:
            with self.subTest(way):
                shutil.rmtree(self.folder / "kiln-captures", ignore_errors=True)
                self.equal(self.capture(way))

    def test_several_pointers_into_one_allocation(self):
        capture = self.capture("alias")
        memories = self.description(capture)["memories"]
        self.assertEqual(len(memories), 1)
        self.assertEqual(values(capture / memories[0]["after"]), tuple(2.0 * i for i in range(1000)))
        self.equal(capture)
        interior = self.capture("interior")
        arguments = self.description(interior)["arguments"]
        self.assertEqual([each.get("offset") for each in arguments], [400, 2000, None, None])
        self.equal(interior)
        self.call([KILN, "tune", interior, "--param", "UNUSED=1,2", "--restrict", "UNUSED", "--repetitions", "2"])

    def test_kernels_whose_names_show_no_types(self):
        capture = self.capture("plain")
        self.assertEqual(values(capture / "memory-0.npy", "i"), (7,) * 1000)
        self.assertIn("int[1000]", self.run_capture(capture))

    def test_variables_have_what_the_program_set(self):
        capture = self.capture("constant")
        self.equal(capture)
        self.call([KILN, "tune", capture, "--param", "X=1,2"], status=1)
        self.assertIn("the program had set the variable factors", self.err)

    def test_what_cannot_be_captured_is_a_warning(self):
        for way, words in [("view", "argument 0 (counted from 0), View (16 bytes), is passed by value and holds a "),
                           ("lists", "leads to pointers"), ("graph", "its stream is being captured into a graph")]:
            with self.subTest(way):
                self.capture(way, way, count=0)
                self.assertEqual(self.err.count("KILN_CAPTURE: a launch of kernel"), 1, self.err)
                self.assertIn(words, self.err)

    def test_too_much_memory_is_a_warning(self):
        self.capture("scale", "larger", pattern="scale", count=0, KILN_CAPTURE_MAX_SIZE="4k")
        self.assertEqual(self.err.count("KILN_CAPTURE_MAX_SIZE allows 4096"), 1, self.err)
        self.capture("scale", KILN_CAPTURE_MAX_SIZE="0")

    def test_a_folder_that_cannot_be_written_is_a_warning(self):
        (self.folder / "file").write_text("")
        self.capture("scale", "larger", count=0, KILN_CAPTURE_DIR="file/x")
        self.assertEqual(self.err.count("Not a directory"), 1, self.err)

    def test_a_launch_that_fails_is_captured_without_results(self):
        self.call([PROGRAM, "crash"], status=1, KILN_CAPTURE="beyond")
        [capture] = self.captures()
        self.assertIn("fault", self.description(capture))
        self.assertFalse(list(capture.glob("*-after.npy")))
        self.run_capture(capture, status=1)
        self.assertIn("no result to compare with", self.err)

    def test_a_source_that_was_edited_is_what_runs(self):
        capture = self.capture("scale")
        source = capture / "source.cu"
        source.write_text(source.read_text().replace("in[index()] * factor", "in[index()] * factor + (index() == 7)"))
        text = self.run_capture(capture, status=1)
        self.assertIn("argument 1 and what the program computed: 1 of 1000 elements differ", text)
        self.assertIn("[7] is 11.5, expected 10.5", text)
        self.run_capture(capture, "--tolerance", "1")

    def test_grid_and_options_of_the_command_line(self):
        capture = self.capture("scale")
        self.assertIn("500 of 1000", self.run_capture(capture, "--grid", "2", "--block", "250", status=1))
        self.run_capture(capture, "-D", "float=broken", status=1)
        self.call([KILN, "run", capture, "scale", "1000"], status=2)
        self.assertIn("a capture has its own arguments", self.err)
        self.call([KILN, "run", self.folder, "scale"], status=1)
        self.assertIn("no capture: it has no capture.json", self.err)

    def test_files_replace_the_captured_result(self):
        capture = self.capture("tuned", pattern="scale tuned")
        source = capture / "source.cu"
        source.write_text(source.read_text().replace("in[i] * factor", "in[i] * factor + 1"))
        self.run_capture(capture, "--save", "1=new.npy", status=1)
        self.assertNotIn("what the program computed", self.run_capture(capture, "--expect", "new.npy"))
        tune = [KILN, "tune", capture, "--repetitions", "2", "--json", "--log", "log"]
        report = json.loads(self.call([*tune, "--expect", "1=new.npy"]))
        self.assertEqual({each["status"] for each in report["candidates"]}, {"ok"})
        self.call(tune, status=1)  # the captured result is another reference than the log's
        self.assertIn("not of this tuning", self.err)
        (self.folder / "log").unlink()
        report = json.loads(self.call(tune, status=1))
        self.assertEqual({each["status"] for each in report["candidates"]}, {"wrong result"})

    def test_a_file_replaces_the_result_that_a_fault_left_none_of(self):
        self.call([PROGRAM, "crash"], status=1, KILN_CAPTURE="beyond")
        [capture] = self.captures()
        shutil.copy(capture / "memory-0.npy", self.folder / "new.npy")
        self.run_capture(capture, "--expect", "0=new.npy", status=1)
        self.assertNotIn("no result to compare with", self.err)

    def test_names_of_captures(self):
        capture = self.capture("tuned", pattern="scale tuned")
        self.equal(capture / "capture.json")
        self.call([KILN, "run", "capture.json"], status=1)
        self.assertIn("no such file or folder: capture.json", self.err)
        report = json.loads(self.call([KILN, "tune", capture / "capture.json", "--repetitions", "2", "--json"]))
        self.assertEqual(report["valid"], 5)
        for command in ["run", "tune"]:
            self.call([KILN, command, f"{capture}x"], status=1)
            self.assertIn(f"no such file or folder: {capture}x", self.err)

    def test_a_captured_default_keeps_what_param_leaves(self):
        capture = self.capture("tuned", pattern="scale tuned")
        tune = [KILN, "tune", capture, "--repetitions", "2", "--json"]
        for options, default in [(["PER_THREAD=2"], {"BLOCK": 64, "PER_THREAD": 2}),
                                 (["BLOCK=32,128"], {"BLOCK": 32, "PER_THREAD": 1}),
                                 (["BLOCK=32,64", "--param", "NEW=a,b", "--restrict", 'NEW != ""'], {"BLOCK": 64, "PER_THREAD": 1, "NEW": "a"}),
                                 (["PER_THREAD=2", "--default", "BLOCK=32"], {"BLOCK": 32, "PER_THREAD": 2})]:
            with self.subTest(options):
                report = json.loads(self.call([*tune, "--param", *options]))
                self.assertEqual(report["default"]["configuration"], default)

    def test_tuning_a_tunable_kernel(self):
        capture = self.capture("tuned", pattern="scale tuned")
        self.assertTrue(capture.name.startswith("scale_tuned-1000-"), capture.name)
        self.equal(capture)
        report = json.loads(self.call([KILN, "tune", capture, "--strategy", "exhaustive", "--repetitions", "2",
                                       "--keep-emulator-wisdom", "--json"]))
        self.assertIn("1 of the program's restrictions are C++ callables", self.err)
        self.assertEqual((report["problem"], report["valid"], len(report["candidates"])), ([1000], 5, 5))
        self.assertEqual(report["default"]["configuration"], {"BLOCK": 64, "PER_THREAD": 1})
        self.assertTrue(all(each["status"] == "ok" for each in report["candidates"]))
        self.assertIn("scale tuned", self.call([KILN, "wisdom", "list"]))
        # The program launches what was found; its capture is there already.
        self.capture("tuned", pattern="scale*", count=0)
        wisdom = json.loads(self.call([KILN, "wisdom", "show", "scale tuned", "--json"]))
        self.assertEqual(len(wisdom), 1)

    def test_tuning_is_verified_by_the_captured_result(self):
        capture = self.capture("tuned", pattern="scale tuned")
        source = capture / "source.cu"
        source.write_text(source.read_text().replace("in[i] * factor", "in[i] * factor + (BLOCK == 128)"))
        tune = [KILN, "tune", capture, "--strategy", "exhaustive", "--repetitions", "2", "--json", "--default",
                "BLOCK=128,PER_THREAD=1"]
        report = json.loads(self.call(tune))
        status = {each["configuration"]["BLOCK"]: each["status"] for each in report["candidates"]}
        self.assertEqual(status, {32: "ok", 64: "ok", 128: "wrong result"})
        report = json.loads(self.call([*tune, "--param", "BLOCK=32,128", "--isolate", "--log", "log"]))
        self.assertEqual(report["best"]["configuration"]["BLOCK"], 32)

    def test_tuning_a_kernel_that_was_not_tunable(self):
        capture = self.capture("scale")
        self.call([KILN, "tune", capture], status=2)
        self.assertIn(f"{capture} is a capture of a kernel without tuning parameters: give --param NAME=VALUE", self.err)
        report = json.loads(self.call([KILN, "tune", capture, "--param", "BLOCK=64,256", "--block", "BLOCK",
                                       "--repetitions", "2", "--keep-emulator-wisdom", "--json"]))
        self.assertEqual((report["problem"], report["valid"]), ([1024], 2))
        self.assertTrue(all(each["status"] == "ok" for each in report["candidates"]))
        self.assertIn("scale", self.call([KILN, "wisdom", "list"]))

    def test_a_damaged_capture_is_refused(self):
        capture = self.capture("tuned", pattern="scale tuned")
        file = capture / "capture.json"
        text = file.read_bytes()
        whole = json.loads(text)
        cuts = [*range(0, len(text) - 2, 17), len(text) - 2]
        for cut in cuts:
            file.write_bytes(text[:cut])
            self.run_capture(capture, status=1)
            self.assertIn("capture.json", self.err)
            self.assertNotIn("terminate", self.err)
        wrong = [{"kiln_capture": 2}, {"grid": [1]}, {"memories": []}, {"arguments": [{"size": 8, "memory": 9, "offset": 0}]},
                 {"arguments": [{"size": 8, "bytes": "0g"}]}, {"code": {"file": "../source.cu"}},
                 {"problem": []}, {"tuning": 3}, {"block": "x"}, {"variables": [{}]}, {"attributes": []},
                 {"kiln_capture": 2**32 + 1}, {"grid": [1.5, 1, 1]}, {"shared_bytes": -1}, {"problem": 4096}]
        for each in wrong:
            with self.subTest(each):
                file.write_text(json.dumps({**whole, **each}))
                self.run_capture(capture, status=1)
                self.assertIn("capture.json", self.err)
        nested = json.dumps({**whole, "code": {"file": "source.cu", "request": 7}})
        file.write_text(nested.replace('"request": 7', '"request": ' + "[" * 100_000 + "]" * 100_000))
        self.run_capture(capture, status=1)
        self.assertIn("nested too deeply", self.err)
        file.write_text(json.dumps({**whole, "kiln_capture": 2}))
        self.run_capture(capture, status=1)
        self.assertIn("use the Kiln that wrote it", self.err)
        file.write_bytes(text)
        memory = capture / "memory-0.npy"
        data = memory.read_bytes()
        memory.write_bytes(data[:-4])
        self.run_capture(capture, status=1)
        self.assertIn("memory-0.npy", self.err)
        memory.unlink()
        self.run_capture(capture, status=1)
        self.assertIn("memory-0.npy", self.err)


if __name__ == "__main__":
    unittest.main()
