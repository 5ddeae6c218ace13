"""The command line as a script meets it: exit statuses, what is written where, and what is not."""
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

KILN = os.path.abspath(sys.argv.pop(1))
KERNEL = '__global__ void scale(float* values, int n) { if (threadIdx.x < n) values[threadIdx.x] *= FACTOR; }\n'
ELF = b"\x7fELF"


class CommandLine(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("KILN_", "PYCUDA_"))}
        self.environment["KILN_CACHE_DIR"] = str(self.folder / "cache")
        # No driver, so that every machine compiles for the same architecture.
        self.environment["KILN_DRIVER"] = str(self.folder / "no-driver.so")

    def kiln(self, *arguments, status=0, stdin=b"", **environment):
        run = subprocess.run([KILN, *map(str, arguments)], input=stdin, capture_output=True, cwd=self.folder,
                             env={**self.environment, **environment})
        self.out, self.err = run.stdout, run.stderr.decode()
        self.assertEqual(run.returncode, status, f"{arguments}\n{self.out!r}\n{self.err}")
        return self.out

    def source(self, name="scale.cu", text=KERNEL):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def stats(self):
        return json.loads(self.kiln("cache", "stats", "--json"))

    # compile

    def test_writes_beside_the_working_folder(self):
        self.kiln("compile", self.source("sub/scale.cu"), "-D", "FACTOR=2")
        self.assertEqual((self.folder / "scale.cubin").read_bytes()[:4], ELF)
        self.assertIn("scale.cubin: compiled for sm_", self.err)
        self.assertRegex(self.err, r"scale\(float ?\*, int\): \d+ registers, 0 bytes shared")
        self.assertEqual(len(self.err.splitlines()), 1)

    def test_second_call_is_served_by_the_cache(self):
        source = self.source()
        self.kiln("compile", source, "-DFACTOR=2")
        first = (self.folder / "scale.cubin").read_bytes()
        self.kiln("compile", source, "-DFACTOR=2")
        self.assertIn("scale.cubin: from the cache for sm_", self.err)
        self.assertEqual((self.folder / "scale.cubin").read_bytes(), first)
        stats = self.stats()
        self.assertEqual((stats["misses"], stats["hits"], stats["compiles"]), (1, 1, 1))

    def test_no_cache(self):
        source = self.source()
        for _ in range(2):
            self.kiln("compile", source, "-DFACTOR=2", "--no-cache")
            self.assertIn("compiled", self.err)
        self.assertEqual(self.stats()["entries"], 0)

    def test_standard_input_to_standard_output(self):
        self.kiln("compile", "-", "-o", "-", "--target", "ptx", "-DFACTOR=2", stdin=KERNEL.encode())
        self.assertIn(b".entry", self.out)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["cache"])

    def test_standard_input_without_output_name(self):
        self.kiln("compile", "-", "-DFACTOR=2", stdin=KERNEL.encode())
        self.assertEqual((self.folder / "kernel.cubin").read_bytes()[:4], ELF)

    def test_targets_and_arch(self):
        source = self.source()
        self.kiln("compile", source, "-DFACTOR=2", "--target", "ptx", "--arch", "compute_90")
        self.assertIn(".target sm_90", (self.folder / "scale.ptx").read_text())
        for target in "ltoir", "optixir":
            self.kiln("compile", source, "-DFACTOR=2", "--target", target)
            self.assertGreater((self.folder / f"scale.{target}").stat().st_size, 0)

    def test_path_with_spaces_and_other_letters(self):
        folder = self.folder / "dossier à côté"
        folder.mkdir()
        (folder / "größe.h").write_text("#define FACTOR 3\n")
        source = self.source("dossier à côté/mes noyaux.cu", '#include "größe.h"\n' + KERNEL)
        self.kiln("compile", source, "-o", folder / "sortie é.cubin")
        self.assertEqual((folder / "sortie é.cubin").read_bytes()[:4], ELF)

    def test_include_folder_define_option_and_name_expression(self):
        (self.folder / "inc").mkdir()
        (self.folder / "inc" / "factor.h").write_text("#define FACTOR AMOUNT\n")
        text = '#include <factor.h>\ntemplate <class T> __global__ void twice(T* p) { *p *= FACTOR; }\n'
        self.kiln("compile", self.source(text=text), "-I", self.folder / "inc", "-D", "AMOUNT=2", "--option", "-lineinfo",
                  "--name-expression", "twice<float>", "--name-expression", "twice<int>", "--backend", "nvrtc")
        self.assertIn("twice<float>", self.err)
        self.assertIn("twice<int>", self.err)

    def test_warnings_are_shown_from_the_cache_too(self):
        source = self.source(text="__global__ void unused() { int never_read = 1; }\n")
        for _ in range(2):
            self.kiln("compile", source)
            self.assertIn("never_read", self.err)

    def test_a_source_that_does_not_compile(self):
        self.kiln("compile", self.source(), status=1)
        self.assertIn("FACTOR", self.err)
        self.assertIn("scale.cu", self.err)
        self.assertFalse((self.folder / "scale.cubin").exists())

    def test_a_source_that_is_not_there(self):
        self.kiln("compile", "nowhere.cu", status=1)
        self.assertIn("nowhere.cu", self.err)

    def test_a_folder_as_output_and_one_that_is_missing(self):
        source = self.source()
        self.kiln("compile", source, "-DFACTOR=2", "-o", self.folder, status=1)
        self.assertIn(str(self.folder), self.err)
        self.kiln("compile", source, "-DFACTOR=2", "-o", self.folder / "missing" / "x.cubin", status=1)
        self.assertFalse((self.folder / "missing").exists())

    def test_a_failed_compile_keeps_the_old_output(self):
        output = self.folder / "out.cubin"
        output.write_text("old")
        self.kiln("compile", self.source(), "-o", output, status=1)
        self.assertEqual(output.read_text(), "old")

    def test_output_is_replaced_with_its_permissions_and_through_a_link(self):
        output, link = self.folder / "out.cubin", self.folder / "link.cubin"
        output.write_text("old")
        output.chmod(0o640)
        link.symlink_to(output)
        self.kiln("compile", self.source(), "-DFACTOR=2", "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(output.read_bytes()[:4], ELF)
        self.assertEqual(stat.S_IMODE(output.stat().st_mode), 0o640)

    def test_a_device_as_output_stays_one(self):
        self.kiln("compile", self.source(), "-DFACTOR=2", "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.kiln("compile", self.source(), "-DFACTOR=2", "-o", "/dev/full", status=1)
        self.assertIn("/dev/full", self.err)

    def test_usage(self):
        for arguments in ([], ["unknown"], ["compile"], ["compile", "a.cu", "--target", "elf"], ["cache"],
                          ["compile", "a.cu", "--backend", "clang"], ["compile", "a.cu", "--unknown"]):
            self.kiln(*arguments, status=2)
            self.assertTrue(self.err)
        self.kiln("--help")
        self.assertIn(b"compile", self.out)

    def test_a_missing_component(self):
        toolkit = self.folder / "toolkit"
        for name in "include/cuda.h", "include/nvrtc.h", "lib64/libnvrtc.so.13", "lib64/libnvrtc-builtins.so.13.0":
            (toolkit / name).parent.mkdir(parents=True, exist_ok=True)
            (toolkit / name).write_text("not what its name says")
        environment = {"CUDA_HOME": str(toolkit), "CUDA_PATH": str(toolkit)}
        self.kiln("compile", self.source(), "-DFACTOR=2", status=3, **environment)
        self.assertIn(str(toolkit), self.err)
        self.assertFalse((self.folder / "scale.cubin").exists())
        self.assertIn(str(toolkit).encode(), self.kiln("doctor", status=3, **environment))

    # cache

    def test_cache_path(self):
        self.assertEqual(self.kiln("cache", "path").decode().strip(), str(self.folder / "cache"))
        self.kiln("cache", "path", status=1, KILN_CACHE_DIR="", HOME="", XDG_CACHE_HOME="")

    def test_stats_of_no_folder_are_zeros(self):
        stats = self.stats()
        self.assertEqual(set(stats), {"hits", "misses", "compiles", "stores", "store_failures", "corrupt", "waits",
                                      "evictions", "refused", "entries", "bytes"})
        self.assertEqual(set(stats.values()), {0})
        self.assertFalse((self.folder / "cache").exists())

    def test_stats_and_clear(self):
        self.kiln("compile", self.source(), "-DFACTOR=2")
        stats = self.stats()
        self.assertEqual((stats["misses"], stats["compiles"], stats["stores"], stats["entries"]), (1, 1, 1, 1))
        self.assertGreater(stats["bytes"], 0)
        plain = dict(line.split() for line in self.kiln("cache", "stats").decode().splitlines())
        self.assertEqual({name: int(value) for name, value in plain.items()}, stats)
        self.assertIn(b"removed 1 entries", self.kiln("cache", "clear"))
        self.assertEqual(self.stats()["entries"], 0)
        self.assertEqual(self.stats()["compiles"], 1)
        self.kiln("compile", self.source(), "-DFACTOR=2")
        self.assertEqual(self.stats()["compiles"], 2)

    # doctor

    def test_doctor(self):
        report = self.kiln("doctor").decode()
        for title in "toolkit", "NVRTC", "driver", "devices", "cache":
            self.assertRegex(report, rf"(?m)^{title} +\S")
        self.assertIn("build-id:", report)
        self.assertIn("no-driver.so", report)
        self.assertIn(str(self.folder / "cache"), report)


if __name__ == "__main__":
    unittest.main()
