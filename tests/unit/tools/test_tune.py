"""`kiln tune` on the emulator: what is found, what is left out and why, log files, and command lines that are wrong."""
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

KILN = os.path.abspath(sys.argv.pop(1))
EMULATOR = os.path.abspath(sys.argv.pop(1))

SCALE = """__global__ void scale(const float* in, float* out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if BAD == 1
  out = (float*)8;
#elif BAD == 2
  while (*(volatile float*)out == *(volatile float*)out);
#elif BAD == 3
  factor += 1;
#elif BAD == 4
#error "not this one"
#elif BAD == 5
factor +=
#include "deep.h"
  ;
#endif
  if (i < n) out[i] = in[i] * factor;
}
"""
CALL = ["--problem", "1000", "--block", "BLOCK", "--strategy", "exhaustive", "--repetitions", "2",
        "float[1000]=arange", "out:float[1000]", "1.5", "1000"]


class Tune(unittest.TestCase):
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
        (self.folder / "scale.cu").write_text(SCALE)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("KILN_", "PYCUDA_"))}
        self.environment["KILN_CACHE_DIR"] = self.cache.name
        self.environment["KILN_WISDOM_DIR"] = str(self.folder / "wisdom")
        self.environment["KILN_PCH"] = "off"
        self.environment["KILN_DRIVER"] = EMULATOR

    def tune(self, *arguments, status=0, call=CALL, **environment):
        run = subprocess.run([KILN, "tune", "scale.cu", "scale", *map(str, arguments), *call], capture_output=True,
                             cwd=self.folder, env={**self.environment, **environment}, timeout=120)
        self.out, self.err = run.stdout.decode(), run.stderr.decode()
        if status is not None:
            self.assertEqual(run.returncode, status, f"{arguments}\n{self.out}\n{self.err}")
        return self.out

    def test_arrays_that_are_shorter_than_the_problem(self):
        (self.folder / "plain.cu").write_text(
            'extern "C" __global__ void plain(const float* in, float* out) {\n'
            "  int i = blockIdx.x * BLOCK + threadIdx.x;\n  out[i] = in[i];\n}\n")

        def run(in_size, out_size, *more, problem="1000"):
            call = ["plain.cu", "plain", f"float[{in_size}]=1", f"out:float[{out_size}]", "--param", "BLOCK=32,64", "--block",
                    "BLOCK", "--problem", problem, *more]
            done = subprocess.run([KILN, "tune", *call], capture_output=True, cwd=self.folder, env=self.environment,
                                  text=True, timeout=120)
            self.assertEqual(done.returncode, 1, done.stderr)
            return done.stderr

        said = run(4, 1024)
        self.assertIn("For --problem 1000 an array may be too short: argument 0 has 4 elements. Give each "
                      "as many as the kernel uses, or a smaller --problem", said)
        self.assertIn("argument 1 has 12 elements", run(2000, "3x4", problem="10x100"))
        self.assertIn("argument 0 has 4 elements", run(4, 1024, "--isolate", "--log", "log.jsonl"))
        self.assertIn("argument 0 has 4 elements, argument 1 has 8 elements. Give", run(4, 8))
        said = run(1000, 1000)
        self.assertIn("for the last block's threads beyond the problem the kernel needs a condition (if (i < n))", said)

    def report(self, *arguments, **more):
        return json.loads(self.tune("--json", *arguments, **more))

    def count(self, report, status):
        return sum(each["status"] == status for each in report["candidates"])

    def test_the_fastest_values_are_told(self):
        text = self.tune("--param", "BLOCK=32,64,128", "--param", "BAD=0", "--plot")
        self.assertIn("3 of 3 configurations tried (all tried)", text)
        self.assertIn("default: ", text)
        self.assertIn("BLOCK, the best time with each value:", text)
        self.assertRegex(self.err, r"3/3 BLOCK=\d+ BAD=0 [0-9.]+ [num]?s\n")

    def test_a_default_that_is_the_best_is_said_to_be(self):
        self.assertRegex(self.tune("--param", "BLOCK=32", "--param", "BAD=0"),
                         r"default: [0-9.]+ [num]?s  BLOCK=32 BAD=0; which is the best\n")

    def test_an_expression_and_a_parameter_that_differ_by_a_letter_may_both_be_wrong(self):
        self.tune("--param", "BLOK=32,64", "--param", "BAD=0", status=2)
        self.assertIn("the unknown name BLOCK; did you mean BLOK, or is BLOK the misspelt one? There are: ", self.err)

    def test_a_default_that_cannot_be_launched_is_refused(self):
        parameters = "--param", "BLOCK=64,2048", "--param", "BAD=0,1"
        self.tune(*parameters, "--default", "BLOCK=2048", status=2)
        self.assertIn("kiln: --default: no configuration with these values can be launched: where BLOCK = 2048, BAD = 0 the block "
                      "(--block) is 2048 x 1 x 1 threads: expected 1 to 1024 in x, given 2048\n", self.err)
        self.tune(*parameters, "--restrict", "BAD == 0", "--default", "BAD=1", status=2)
        self.assertIn("'BAD == 0' is not true", self.err)
        self.assertIn("default: ", self.tune(*parameters, "--restrict", "BAD == 0", "--default", "BLOCK=64"))

    def test_json_has_every_candidate(self):
        report = self.report("--param", "BLOCK=32,64", "--param", "BAD=0", "--param", "MODE=fast,slow",
                             "--restrict", 'MODE == "fast" || MODE == "slow"')
        self.assertEqual(report["problem"], [1000])
        self.assertEqual(report["valid"], 4)
        self.assertEqual(len(report["candidates"]), 4)
        self.assertEqual(report["default"]["configuration"], {"BLOCK": 32, "BAD": 0, "MODE": "fast"})
        self.assertEqual(min(each["seconds"] for each in report["candidates"]), report["best"]["seconds"])
        self.assertTrue(report["emulator"])

    def test_what_fails_is_counted_and_never_the_best(self):
        report = self.report("--param", "BLOCK=32,64", "--param", "BAD=0,3,4")
        self.assertEqual(self.count(report, "ok"), 2)
        self.assertEqual(self.count(report, "wrong result"), 2)
        self.assertEqual(self.count(report, "not compiled"), 2)
        self.assertEqual(report["best"]["configuration"]["BAD"], 0)
        text = self.tune("--param", "BLOCK=32", "--param", "BAD=0,3,4")
        self.assertIn("wrong result: 1\n  BLOCK=32 BAD=3: ", text)

    def write_expected(self, factor):
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }"
        header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
        values = struct.pack("<1000f", *(factor * i for i in range(1000)))
        (self.folder / "right.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + values)

    def test_a_file_says_what_is_right(self):
        self.write_expected(2.5)
        report = self.report("--param", "BLOCK=32", "--param", "BAD=0,3", "--expect", "right.npy")
        self.assertEqual(report["best"]["configuration"]["BAD"], 3)
        self.assertEqual(report["default"]["status"], "wrong result")
        report = self.report("--param", "BLOCK=32", "--param", "BAD=0", "--expect", "right.npy", status=1)
        self.assertIsNone(report["best"])

    def test_restrictions_defaults_options_and_shared_memory(self):
        report = self.report("--param", "BLOCK=32,64,128", "--param", "BAD=0", "--restrict", "BLOCK > 32",
                             "--option-param", "FAST=,--use_fast_math", "--default", "BLOCK=128,BAD=0,FAST=--use_fast_math",
                             "--shared", "BLOCK * 4", "--grid", "ceil_div(problem_x, min(BLOCK, 1024))")
        self.assertEqual(report["valid"], 4)
        self.assertEqual(report["default"]["configuration"], {"BLOCK": 128, "BAD": 0, "FAST": "--use_fast_math"})

    def test_a_name_that_nothing_uses_is_refused(self):
        self.tune("--param", "BLOKC=32,64", "--param", "BAD=0", "--restrict", "BAD < 5", status=2,
                  call=["--block", "64", *(word for word in CALL if word not in ("--block", "BLOCK"))])
        self.assertIn("a parameter: expected a name that the source, a size or a restriction has, given BLOKC, which "
                      "changes neither code nor launch; name it in the source or in a size (block_size, --block BLOKC), or "
                      "leave it out\n", self.err)
        self.assertEqual((self.out, self.wisdom("list")), ("", ""))
        self.tune("--param", "BLOCK=32", "--param", "BOD=0,3", status=2)
        self.assertIn("given BOD, which changes neither code nor launch; did you mean BAD?\n", self.err)
        (self.folder / "scale.cu").write_text(SCALE.replace("in[i] * factor", "in[i] * factor + SHIFT"))
        self.tune("--param", "BLOCK=32", "--param", "SHITF=0,1", status=2)  # and SHIFT is not defined
        self.assertIn("given SHITF, which changes neither code nor launch; did you mean SHIFT?\n", self.err)
        self.tune(status=2, call=[word if word != "BLOCK" else "32" for word in CALL])
        self.assertIn("expected a parameter to tune, given none", self.err)

    def test_a_name_that_is_pasted_together_is_used(self):
        (self.folder / "scale.cu").write_text(
            "#define PASTE(a, b) PASTE_(a, b)\n#define PASTE_(a, b) a##b\n"
            + SCALE.replace("in[i] * factor", "in[i] * factor + PASTE(AD, DED)"))
        report = self.report("--param", "BLOCK=32", "--param", "ADDED=0,1")
        self.assertEqual((self.count(report, "ok"), self.count(report, "wrong result")), (1, 1))

    def test_a_parameter_of_another_text_is_used(self):
        for more in [["--param", "BAD=0,WORSE", "--param", "WORSE=3"], ["--param", "WORSE=0,3", "-D", "BAD=WORSE"]]:
            report = self.report("--param", "BLOCK=32", *more)
            self.assertEqual((self.count(report, "ok"), self.count(report, "wrong result")), (1, 1))

    def test_a_configuration_without_a_size_is_left_out_with_the_reason(self):
        grid = ["--grid", "ceil_div(problem_x, BLOCK * PER_THREAD)"]
        report = self.report("--param", "PER_THREAD=0,1", "--param", "BLOCK=32,64", "--param", "BAD=0", *grid)
        self.assertEqual((report["valid"], self.count(report, "ok")), (2, 2))
        self.assertEqual(report["best"]["configuration"]["PER_THREAD"], 1)
        self.assertIn("configurations are left out", self.err)
        self.assertIn("of grid_size (--grid) divides by 0 where PER_THREAD = 0, BLOCK = 32", self.err)
        self.report("--param", "PER_THREAD=0,1", "--param", "BLOCK=32", "--param", "BAD=0", "--restrict",
                    "BLOCK / PER_THREAD > 3")
        self.assertIn("'BLOCK / PER_THREAD > 3' of restriction (--restrict) divides by 0", self.err)
        self.tune("--param", "PER_THREAD=0", "--param", "BLOCK=32", "--param", "BAD=0", *grid, status=2)
        self.assertIn("given none among 1; the expression 'ceil_div(problem_x, BLOCK * PER_THREAD)' of grid_size (--grid) "
                      "divides by 0", self.err)
        self.tune("--param", "BLOCK=0", "--param", "BAD=0", status=2)
        self.assertIn("where BLOCK = 0, BAD = 0 the block (--block) is 0 x 1 x 1 threads: expected 1 to 1024 in x, given 0\n",
                      self.err)

    def test_a_size_that_no_launch_can_have_is_named_alone(self):
        for option, text, fault in [
                ("--grid", "BAD", "the grid (--grid) is 0 x 1 x 1 blocks: expected 1 to 2147483647 in x, given 0"),
                ("--grid", "BLOCK,65536", "the grid (--grid) is 32 x 65536 x 1 blocks: expected 1 to 65535 in y, given 65536"),
                ("--grid", "BAD - BLOCK", "the grid (--grid) is -32 x 1 x 1 blocks: expected 1 to 2147483647 in x, given -32"),
                ("--block", "BLOCK,BLOCK,2", "the block (--block) is 32 x 32 x 2 threads: expected at most 1024 in all, given 2048"),
                ("--shared", "BLOCK - 33", "a block has -1 bytes of dynamic shared memory (--shared): expected 0 to 232448"),
                ("--restrict", "BAD > 0", "'BAD > 0' is not true")]:
            self.tune("--param", "BLOCK=32", "--param", "BAD=0", option, text, status=2,
                      call=[word for word in CALL if option != "--block" or word not in ("--block", "BLOCK")])
            self.assertTrue(self.err.endswith(f"given none among 1; where BLOCK = 32, BAD = 0 {fault}\n"), self.err)

    def test_expressions_name_their_option_and_a_parameter_its_text(self):
        for option, text in ("--block", "NONE"), ("--grid", "NONE"), ("--shared", "NONE"), ("--restrict", "NONE > 1"):
            self.tune("--param", "BLOCK=32", "--param", "BAD=0", option, text, status=2,
                      call=[word for word in CALL if option != "--block" or word not in ("--block", "BLOCK")])
            self.assertIn(f"the expression '{text}' of ", self.err)
            self.assertIn(f"({option}) has the unknown name NONE; there are: BLOCK, BAD, problem_x, problem_y, problem_z "
                          "and ", self.err)
        self.tune("--param", "BLOCK=64x128", "--param", "BAD=0", status=2)
        self.assertIn("of block_size (--block): expected a number", self.err)
        self.assertIn("given BLOCK, which has texts, such as '64x128'", self.err)

    def test_elements_that_the_default_leaves(self):
        arguments = ["--param", "BLOCK=32", "--param", "BAD=0"]
        self.tune(*arguments, "--grid", "1")
        self.assertIn("kiln: the default configuration: argument 1: 968 of 1000 elements have all bits set, as before the "
                      "launch, which may never have written them, the first is [32]; is --grid or --problem too small?",
                      self.err)
        for more in ([], ["--check", "init"]):
            self.tune(*arguments, *more)
            self.assertNotIn("argument 1", self.err)

    def test_a_parameter_that_is_left_out(self):
        (self.folder / "scale.cu").write_text(SCALE.replace(
            "if (i < n)", "if (i < n * ITEMS)"))
        self.tune("--param", "BLOCK=32", "--param", "BAD=0", status=1)
        self.assertIn("If ITEMS is a parameter, give its values with --param ITEMS=...; if it is a macro, its value with "
                      "-D ITEMS=...", self.err)

    def test_a_cache_file_of_kernel_tuner_that_cannot_be_written_is_known_before_the_run(self):
        self.tune("--param", "BLOCK=32", "--param", "BAD=0", "--kernel-tuner-cache", "none/x.json", status=1)
        self.assertIn("cannot write none/x.json: there is no folder none", self.err)
        self.assertNotIn("1/1", self.err)

    def test_lists_of_values_as_other_tools_write_them(self):
        for values in "", "64,,128", "64,128,", "64..256", "64:256", "64:256:64", "64-256", "[64,128]", "64,64":
            self.tune("--param", f"BLOCK={values}", "--param", "BAD=0", status=2)
            self.assertRegex(self.err, r'^kiln: --param: "BLOCK=[^"]*" has ')
            self.assertIn("write each value, with commas between, such as BLOCK=64,128,256", self.err)
        self.tune("--param", "BLOCK=32", "--param", "BAD=0", "--param", "MORE=,__restrict__", status=None)
        self.assertNotIn("write each value", self.err)  # an empty text among texts is one

    def test_a_default_that_writes_nothing_is_told(self):
        self.tune("--param", "BLOCK=32,64", "--param", "BAD=0", call=[*CALL[:-1], "0"])
        self.assertIn("the default configuration's launch changed nothing of what it may write", self.err)
        self.tune("--param", "BLOCK=32,64", "--param", "BAD=0")
        self.assertNotIn("changed nothing", self.err)

    def test_configurations_that_are_one_program_are_told(self):
        (self.folder / "scale.cu").write_text(SCALE.replace("if (i < n)", "if (UNROLL < 0) factor = 0;\n  if (i < n)"))
        space = ["--param", "UNROLL=1,2,4"]
        call = [word if word != "BLOCK" else "1000" for word in CALL]
        report = self.report(*space, "--keep-emulator-wisdom", call=call)
        self.assertEqual(report["best"]["configuration"], {"UNROLL": 1})
        self.assertEqual({each["seconds"] for each in report["candidates"]}, {report["best"]["seconds"]})
        self.assertIn("all configurations that were tried are the same code, launched alike", self.err)
        self.assertEqual(self.wisdom("list"), "")

    def test_a_search_without_time_measures_nothing(self):
        text = self.tune("--param", "BLOCK=32,64", "--param", "BAD=0", "--max-seconds", "1e-9", status=1)
        self.assertIn("0 of 2 configurations tried (max seconds); nothing was measured\n", text)

    def test_a_run_goes_on_from_its_log_file(self):
        first = self.report("--param", "BLOCK=32,64,128", "--param", "BAD=0", "--log", "log", "--max-variants", "2")
        self.assertEqual((first["end"], len(first["candidates"])), ("max variants", 2))
        second = self.report("--param", "BLOCK=32,64,128", "--param", "BAD=0", "--log", "log")
        self.assertEqual((second["resumed"], len(second["candidates"])), (2, 3))
        self.tune("--param", "BLOCK=32,64", "--param", "BAD=0", "--log", "log", status=1)
        self.assertIn("not of this tuning", self.err)

    def test_a_crash_ends_the_run_or_one_process_of_it(self):
        space = ["--param", "BLOCK=32,64", "--param", "BAD=0,1"]
        self.tune(*space, status=1)
        self.assertIn("the same log_file", self.err)
        report = self.report(*space, "--isolate", "--log", "log")
        self.assertEqual((self.count(report, "ok"), self.count(report, "crashed")), (2, 2))

    def test_the_isolated_process_ends_with_its_parent(self):
        with subprocess.Popen([KILN, "tune", "scale.cu", "scale", "--param", "BLOCK=32", "--param", "BAD=0,2",
                               "--launch-seconds", "1000", "--isolate", "--log", "log", *CALL], bufsize=0,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, env=self.environment,
                              start_new_session=True) as parent:
            try:
                self.assertIn(b"PTX emulator", parent.stderr.readline())  # the child is there; its BAD=2 does not end
                parent.kill()
                out, err = parent.communicate(timeout=60)  # until the child, too, has closed them
                self.assertEqual((out, err), (b"", b""))
            except BaseException:
                os.killpg(parent.pid, signal.SIGKILL)
                raise

    def test_a_source_from_standard_input(self):
        command = [KILN, "tune", "-", "scale", "--param", "BLOCK=32,64", "--param", "BAD=0,1", "--json", *CALL]
        run = subprocess.run([*command, "--isolate", "--log", "log"], input=SCALE.encode(), capture_output=True,
                             cwd=self.folder, env=self.environment, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr.decode())
        report = json.loads(run.stdout)
        self.assertEqual((report["file"], self.count(report, "ok"), self.count(report, "crashed")),
                         ("standard input", 2, 2))

    def test_compiled_code_is_refused(self):
        code = "//\n.version 8.0\n.target sm_80\n.address_size 64\n"
        (self.folder / "scale.ptx").write_text(code)
        for file in ["scale.ptx", "-"]:
            run = subprocess.run([KILN, "tune", file, "scale", "--param", "BLOCK=32", *CALL], input=code.encode(),
                                 capture_output=True, cwd=self.folder, env=self.environment, timeout=120)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"{'standard input' if file == '-' else file} is compiled code, and a source is needed",
                          run.stderr.decode())

    def test_wisdom_that_tuning_replaces_is_no_warning(self):
        self.tune("--param", "BLOCK=32", "--param", "BAD=0", "--keep-emulator-wisdom")
        (self.folder / "scale.cu").write_text(SCALE + "// edited\n")
        self.tune("--param", "BLOCK=64", "--param", "BAD=0")
        self.assertNotIn("wisdom", self.err)

    def test_another_expectation_is_another_tuning(self):
        space = ["--param", "BLOCK=32", "--param", "BAD=0,3", "--log", "log", "--expect", "right.npy"]
        self.write_expected(2.5)
        self.report(*space)
        self.assertEqual(self.report(*space)["resumed"], 2)
        self.write_expected(1.5)
        self.tune(*space, status=1)
        self.assertIn("not of this tuning", self.err)

    def test_a_compiler_that_crashes_ends_one_candidate(self):
        depth = 3_000_000  # more than NVRTC's stack has room for
        (self.folder / "deep.h").write_text("(" * depth + "1" + ")" * depth)
        report = self.report("--param", "BLOCK=32", "--param", "BAD=0,5,3", "-I", ".")
        self.assertEqual({each["configuration"]["BAD"]: each["status"] for each in report["candidates"]},
                         {0: "ok", 5: "not compiled", 3: "wrong result"})
        failed = next(each for each in report["candidates"] if each["configuration"]["BAD"] == 5)
        self.assertRegex(failed["error"], "the compiler crashed|deep.h")  # a later NVRTC may have a limit

    def test_a_launch_that_does_not_end_is_given_up(self):
        space = ["--param", "BLOCK=32,64", "--param", "BAD=0,2", "--launch-seconds", "0.5"]
        self.tune(*space, status=1)
        self.assertIn("did not end", self.err)
        report = self.report(*space, "--isolate", "--log", "log")
        self.assertEqual((self.count(report, "ok"), self.count(report, "timed out")), (2, 2))
        (self.folder / "log").unlink()
        report = self.report("--param", "BLOCK=32", "--param", "BAD=0,2", "--isolate", "--log", "log",
                             KILN_EMULATOR_TIME_LIMIT="1")
        self.assertEqual((self.count(report, "ok"), self.count(report, "timed out")), (1, 1))

    def test_a_cache_file_of_kernel_tuner_has_every_candidate(self):
        report = self.report("--param", "BLOCK=32,64", "--param", "BAD=0,3,4", "--kernel-tuner-cache", "a cache.json")
        text = (self.folder / "a cache.json").read_text()
        self.assertEqual(text.strip()[-3:], "}\n}")  # what kernel_tuner takes for the end of a whole file
        cache = json.loads(text)
        entries = cache.pop("cache")
        self.assertEqual(cache, {
            "schema_version": "1.1.0", "device_name": report["device"], "kernel_name": "scale", "problem_size": 1000,
            "tune_params_keys": ["BLOCK", "BAD"], "tune_params": {"BLOCK": [32, 64], "BAD": [0, 3, 4]},
            "objective": "time"})
        self.assertEqual(len(entries), 6)
        for candidate in report["candidates"]:
            values = candidate["configuration"]
            entry = entries[f"{values['BLOCK']},{values['BAD']}"]
            self.assertEqual({name: entry[name] for name in values}, values)
            time = {"wrong result": "RuntimeFailedConfig", "not compiled": "CompilationFailedConfig"}.get(
                candidate["status"]) or candidate["seconds"] * 1000
            self.assertEqual(entry["time"], time)
            for field in ("compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"):
                self.assertIsInstance(entry[field], (int, float))
            self.assertRegex(entry["timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertAlmostEqual(sum(each["benchmark_time"] for each in entries.values()),
                               report["measure_seconds"] * 1000)

    def test_a_cache_file_that_cannot_be_is_refused(self):
        self.tune("--param", "BLOCK=32", "--param", "BAD=0", "--param", "time=1", "--restrict", "time",
                  "--kernel-tuner-cache", "cache.json", status=2)
        self.assertIn('"time"', self.err)
        self.assertFalse((self.folder / "cache.json").exists())
        self.tune("--param", "BLOCK=32", "--param", "BAD=0", "--kernel-tuner-cache", "/dev/full", status=1)
        self.assertIn("/dev/full", self.err)
        self.assertIn("1 of 1 configurations tried", self.out)

    def wisdom(self, *arguments, status=0, stdin=b"", **environment):
        run = subprocess.run([KILN, "wisdom", *arguments], input=stdin, capture_output=True, cwd=self.folder,
                             env={**self.environment, **environment})
        self.out, self.err = run.stdout.decode(), run.stderr.decode()
        if status is not None:
            self.assertEqual(run.returncode, status, f"{arguments}\n{self.out}\n{self.err}")
        return self.out

    def test_the_best_is_kept_and_taken_elsewhere(self):
        keep = "--keep-emulator-wisdom"
        self.tune("--param", "BLOCK=32,64", "--param", "BAD=0", keep, "--no-wisdom", status=2)
        self.tune("--param", "BLOCK=32,64", "--param", "BAD=0", "--no-wisdom")
        self.assertNotIn("wisdom", self.out)
        self.assertEqual(self.wisdom("list"), "")
        # The emulator's times are not those of a GPU.
        self.tune("--param", "BLOCK=32,64", "--param", "BAD=0")
        self.assertIn(f"not kept in wisdom: the emulator is no measure of a GPU ({keep} keeps it)", self.out)
        self.assertEqual(self.wisdom("list"), "")
        best = self.report("--param", "BLOCK=32,64", "--param", "BAD=0", "--key", "a/key", keep)["best"]
        self.assertEqual(self.wisdom("list"), "a/key  1 record, 1 device, 1 problem size\n")
        self.assertEqual(json.loads(self.wisdom("list", "--json"))[0]["problems"], ["1000"])
        record = json.loads(self.wisdom("show", "a/key", "--json"))[0]
        self.assertEqual(record["configuration"], best["configuration"])
        self.assertIn("BLOCK=", self.wisdom("show", "a/key"))
        self.assertTrue(self.wisdom("best", "a/key", "--problem", "1000").startswith("exact: "))
        self.assertEqual(json.loads(self.wisdom("best", "a/key", "--problem", "7", "--json"))["match"], "device")
        other = ["--arch", record["arch"], "--device", "another"]
        self.assertEqual(json.loads(self.wisdom("best", "a/key", "--problem", "7", "--json", *other))["match"], "arch")
        lines = self.wisdom("export")
        self.assertEqual(self.wisdom("export", "a/key"), lines)
        there = str(self.folder / "there")
        self.assertEqual(self.wisdom("import", "-", stdin=lines.encode(), KILN_WISDOM_DIR=there), "1 record added\n")
        self.assertEqual(self.wisdom("export", KILN_WISDOM_DIR=there), lines)
        self.assertEqual(self.wisdom("merge", there), "0 records added\n")
        self.report("--param", "BLOCK=32,64", "--param", "BAD=0", "--key", "a/key", keep)
        self.assertEqual(self.wisdom("prune"), "1 record removed\n")

    def test_a_list_without_wisdom_says_where_it_looked(self):
        self.assertEqual(self.wisdom("list"), "")
        self.assertIn(f"kiln: there is no wisdom in {self.folder}/wisdom: \"kiln tune\" keeps", self.err)
        self.assertEqual(json.loads(self.wisdom("list", "--json")), [])
        self.assertEqual(self.err, "")

    def test_wisdom_that_is_not_there_or_is_none(self):
        for arguments, status, text in [(["show", "none"], 1, "nor of any other key"), (["best", "none", "--problem", "1"], 1, "none"),
                                        (["import", "missing"], 1, "missing"), (["merge", "missing"], 1, "no folder"),
                                        (["import", "scale.cu"], 1, "nothing of it was added"), ([], 2, "list"),
                                        (["best", "none"], 2, "--problem"), (["show"], 2, "KEY")]:
            self.wisdom(*arguments, status=status)
            self.assertIn(text, self.err)
            self.assertEqual(self.out, "")
        self.assertFalse((self.folder / "wisdom").exists())

    def test_command_lines_that_are_wrong(self):
        block = ["--param", "BLOCK=32", "--param", "BAD=0"]
        for arguments, call, text in [
                (["--param", "BLOCK"], CALL, "is no parameter"),
                (block, CALL[2:], "--problem is required"),
                (block + ["--problem", "0x"], CALL[2:], "is no size"),
                (block + ["--param", "BLOCK=64"], CALL, "the parameter BLOCK is given twice"),
                (block + ["--option-param", "BLOCK=,-G"], CALL, "the parameter BLOCK is given twice"),
                (block + ["--isolate"], CALL, "--log"),
                (block + ["--default", "BLOCK=33,BAD=0"], CALL, "one of the values"),
                (block + ["--default", "BLOK=32"], CALL, "name of a --param"),
                (block + ["--restrict", "BLOK > 1"], CALL, "BLOCK"),
                (block + ["--restrict", "BLOCK > 32"], CALL, "BLOCK > 32"),
                (block + ["--grid", "1,1,1,1"], CALL, "more than three"),
                (["--param", "BAD=0"], CALL, "BLOCK")]:
            self.tune(*arguments, call=call, status=2)
            self.assertIn(text, self.err)
            self.assertEqual(self.out, "")


if __name__ == "__main__":
    unittest.main()
