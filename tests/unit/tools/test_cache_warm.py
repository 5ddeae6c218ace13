"""KILN_RECORD lists the requests of real runs, and `kiln cache warm` compiles them elsewhere."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
KILN = os.path.abspath(sys.argv.pop(1))
KERNEL = "__global__ void scale(float* values, int n) { if (threadIdx.x < n) values[threadIdx.x] *= FACTOR; }\n"


class CacheWarm(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "a földer"
        self.folder.mkdir()
        self.list = self.folder / "the list"
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("KILN_", "PYCUDA_", "NVCC_"))}
        self.environment["KILN_DRIVER"] = str(self.folder / "no-driver.so")
        self.environment["KILN_PCH"] = "off"

    def run_program(self, *command, status=0, cache="real", **environment):
        run = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=self.folder,
                             env={**self.environment, "KILN_CACHE_DIR": str(self.folder / cache), **environment})
        self.out, self.err = run.stdout, run.stderr
        self.assertEqual(run.returncode, status, f"{command}\n{self.out}\n{self.err}")
        return self.out

    def record(self, *arguments, **more):
        return self.run_program(KILN, *arguments, KILN_RECORD=str(self.list), **more)

    def warm(self, *arguments, cache="warmed", **more):
        return self.run_program(KILN, "cache", "warm", self.list, *arguments, cache=cache, **more)

    def lines(self):
        return [json.loads(line) for line in self.list.read_text().splitlines()]

    def test_requests_of_each_kind_are_hits_elsewhere(self):
        self.assertEqual(self.run_program(PROGRAM, KILN_ARCH="sm_80", KILN_RECORD=str(self.list)), "6\n")
        self.assertEqual([line["kind"] for line in self.lines()], ["compile"] * 3 + ["link", "compile", "link", "link"])
        self.warm("--arch", "sm_80,sm_90")
        self.assertIn("14 compiled, 0 from the cache, 0 failed", self.err)
        for arch in ["sm_80", "sm_90"]:
            self.assertEqual(self.run_program(PROGRAM, cache="warmed", KILN_ARCH=arch, KILN_REQUIRE_CACHED="1"), "0\n")
        self.run_program(PROGRAM, cache="warmed", KILN_ARCH="sm_75", KILN_REQUIRE_CACHED="1", status=-6)
        self.assertIn("not in the cache", self.err)

    def test_a_hit_is_listed_and_an_equal_request_once(self):
        for _ in range(2):
            self.run_program(PROGRAM, KILN_ARCH="sm_80")
        self.assertFalse(self.list.exists())
        for _ in range(2):
            self.assertEqual(self.run_program(PROGRAM, KILN_ARCH="sm_80", KILN_RECORD="the list"), "0\n")
        self.assertEqual(len(self.lines()), 14)
        self.warm("-j", "1")
        self.assertIn("7 compiled, 0 from the cache, 0 failed", self.err)
        self.assertEqual(self.run_program(PROGRAM, cache="warmed", KILN_ARCH="sm_80", KILN_REQUIRE_CACHED="1"), "0\n")

    def test_what_would_have_been_compiled_is_listed_and_what_no_compiler_takes_is_not(self):
        (self.folder / "scale.cu").write_text(KERNEL)
        self.record("compile", "scale.cu", "--arch", "sm_80", status=1)  # FACTOR is no macro
        self.assertFalse(self.list.exists())
        arguments = ["compile", "scale.cu", "--arch", "sm_80", "-D", "FACTOR=2"]
        self.record(*arguments, status=1, KILN_REQUIRE_CACHED="1")
        self.assertIn("KILN_REQUIRE_CACHED", self.err)
        self.assertEqual(len(self.lines()), 1)
        self.warm()
        self.run_program(KILN, *arguments, cache="warmed", KILN_REQUIRE_CACHED="1")
        self.assertIn("from the cache", self.err)

    def test_all_that_decides_about_a_request(self):
        (self.folder / "below").mkdir()
        (self.folder / "below/factor.h").write_text("#define FACTOR 3\n")
        (self.folder / "scale.cu").write_bytes(b"#include <factor.h>\n// \xe4 is no UTF-8\n" + KERNEL.encode())
        arguments = ["compile", "scale.cu", "-I", "below", "--option", "--use_fast_math", "--target", "ptx"]
        variables = {"KILN_DEFAULT_OPTIONS": "-DUNUSED", "KILN_ARCH": "sm_80"}
        self.record(*arguments, **variables)
        self.assertIn("base64", self.lines()[0]["source"])
        run = subprocess.run([KILN, "cache", "warm", "-", "--arch", "sm_90"], input=self.list.read_bytes(), cwd="/",
                             capture_output=True,
                             env={**self.environment, "KILN_CACHE_DIR": str(self.folder / "warmed")})
        self.assertEqual(run.returncode, 0, run.stderr)
        self.run_program(KILN, *arguments, cache="warmed", KILN_REQUIRE_CACHED="1",
                         **{**variables, "KILN_ARCH": "sm_90"})

    def test_many_processes_write_whole_lines(self):
        for i in range(8):
            (self.folder / f"k{i}.cu").write_text(f"// {'x' * 100000}\n__global__ void k{i}() {{}}\n")
        self.run_program(KILN, "compile", "--arch", "sm_80", *(f"k{i}.cu" for i in range(8)))
        environment = {**self.environment, "KILN_CACHE_DIR": str(self.folder / "real"), "KILN_RECORD": str(self.list)}
        processes = [subprocess.Popen([KILN, "compile", "--arch", "sm_80", "-o", "-", f"k{i}.cu"], cwd=self.folder,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
                     for i in range(8)]
        self.assertEqual([process.wait() for process in processes], [0] * 8)
        self.assertEqual(sorted(line["name"] for line in self.lines()), [f"k{i}.cu" for i in range(8)])

    def test_a_bad_line_is_named_and_the_others_are_compiled(self):
        (self.folder / "scale.cu").write_text(KERNEL)
        self.record("compile", "scale.cu", "--arch", "sm_80", "-D", "FACTOR=2")
        good = self.list.read_text()
        wrong = json.loads(good)
        wrong["source"] = "this is no CUDA C++"
        newer = good.replace('"kiln_record":1', '"kiln_record":99')
        bent = json.dumps({**json.loads(good), "options": "-lineinfo"})
        self.list.write_text(good[:40] + "\n" + good + newer + json.dumps(wrong) + "\n" + bent + "\n")
        self.warm(status=1)
        self.assertIn(f"{self.list}:1: it is no line", self.err)
        self.assertIn(f"{self.list}:3: it is of form 99", self.err)
        self.assertIn("kiln: scale.cu: ", self.err)
        self.assertIn(f"{self.list}:5: \"options\": a list is expected", self.err)
        self.assertIn("1 compiled, 0 from the cache, 4 failed", self.err)

    def test_what_makes_no_sense_is_refused(self):
        self.warm(status=1)
        self.assertIn("the list", self.err)
        self.list.write_text("")
        self.warm("--arch", "nonsense", status=2)
        self.warm(status=1, KILN_DISABLE_CACHE="1")
        self.assertIn("KILN_DISABLE_CACHE", self.err)
        self.warm()
        self.assertIn("0 compiled, 0 from the cache, 0 failed", self.err)

    def test_a_list_that_cannot_be_written_is_a_warning(self):
        (self.folder / "scale.cu").write_text(KERNEL)
        self.run_program(KILN, "compile", "scale.cu", "-D", "FACTOR=2", "--arch", "sm_80", KILN_RECORD="no/such/list")
        self.assertIn("KILN_RECORD=no/such/list: requests are not recorded", self.err)


if __name__ == "__main__":
    unittest.main()
