"""Kiln with NVRTC alone, as `pip install nvidia-cuda-nvrtc` gives it: from 13.3 on it brings headers; an older one's
error says how to have them. Runs where all of CUDA is hidden but for a copy of NVRTC's two libraries."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

KILN = os.path.abspath(sys.argv.pop(1))
HIDING = pathlib.Path(__file__).parents[2] / "support/without_toolkit.sh"
CUB = """#include <cub/block/block_reduce.cuh>
extern "C" __global__ void total(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) *out = sum;
}
"""
HALF = "#include <cuda_fp16.h>\n__global__ void twice(__half* p) { *p = __hadd(*p, *p); }\n"
PLAIN = "__global__ void scale(float* p) { *p *= 2; }\n"


class NvrtcAlone(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        report = subprocess.run([KILN, "doctor"], capture_output=True, text=True).stdout
        nvrtc = re.search(r"(?m)^NVRTC +(\d+)\.(\d+), (/.*)$", report)
        if not nvrtc:
            raise unittest.SkipTest("no NVRTC here")
        cls.version = int(nvrtc[1]), int(nvrtc[2])
        cls.brings_headers = cls.version >= (13, 3)
        cls.home = pathlib.Path(scratch.name) / "nvrtc alone"
        (cls.home / "lib").mkdir(parents=True)
        library = pathlib.Path(nvrtc[3])
        shutil.copy(library, cls.home / f"lib/libnvrtc.so.{nvrtc[1]}")
        for builtins in library.parent.glob(f"libnvrtc-builtins.so.{nvrtc[1]}.*"):
            shutil.copy(builtins, cls.home / "lib" / ".".join(builtins.name.split(".")[:4]))
        root = re.search(r"(?m)^toolkit +(/.*)$", report)
        cls.hidden = os.path.realpath(root[1]) if root else "/nonexistent"
        cls.require_hidden()

    @classmethod
    def require_hidden(cls):
        """Nothing but the copy is found, or there is nothing to test."""
        try:
            probe = subprocess.run([HIDING, cls.hidden, KILN, "doctor"], capture_output=True, text=True,
                                   env=cls.variables())
        except FileNotFoundError:
            raise unittest.SkipTest("no unshare")
        if not probe.stdout:
            raise unittest.SkipTest("no mount namespaces here: " + probe.stderr.strip())
        if str(cls.home) not in probe.stdout or " headers in /" in probe.stdout:
            raise unittest.SkipTest("other parts of CUDA are found still: " + probe.stdout)

    @classmethod
    def variables(cls, **more):
        left_out = ("KILN_", "PYCUDA_", "CUDA_", "VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH", "XDG_CACHE_HOME")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
        return {**kept, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent", "CUDA_HOME": str(cls.home),
                "KILN_DRIVER": "/nonexistent", "KILN_LOG": "info", **more}

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.cache = self.folder / "cache tä"

    def start(self, *arguments, **more):
        environment = self.variables(**{"KILN_CACHE_DIR": str(self.cache), **more})
        return subprocess.Popen([HIDING, self.hidden, KILN, *map(str, arguments)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, cwd=self.folder, env=environment)

    def kiln(self, *arguments, status=0, **more):
        process = self.start(*arguments, **more)
        self.out, self.err = process.communicate()
        self.assertEqual(process.returncode, status, self.out + self.err)
        return self.out

    def source(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def compile(self, name, text, *arguments, **more):
        return self.kiln("compile", self.source(name, text), "--arch", "sm_90", *arguments, **more)

    def stats(self):
        return json.loads(self.kiln("cache", "stats", "--json"))

    def tree(self):
        trees = list((self.cache / "v3/trees").iterdir())
        self.assertEqual(len(trees), 1)
        return trees[0]

    def assert_state(self, **expected):
        stats = self.stats()
        self.assertEqual({name: stats[name] for name in expected}, expected)


class NvrtcWithHeaders(NvrtcAlone):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not cls.brings_headers:
            raise unittest.SkipTest("NVRTC %d.%d brings no headers: this needs 13.3 or newer" % cls.version)

    def test_cub_is_compiled_and_found_again(self):
        self.compile("total.cu", CUB)
        self.assertIn("compiled for sm_90", self.err)
        self.assert_state(compiles=1, stores=1, refused=0, headers_unpacked=1, header_folders=1)
        self.assertGreater(self.stats()["header_bytes"], 10_000_000)
        self.compile("total.cu", CUB)
        self.assertIn("from the cache for sm_90", self.err)
        self.assert_state(compiles=1, hits=1, headers_unpacked=1)
        self.assertIn(f"NVRTC's own bundle, as no toolkit's are found: in {self.tree()}/include", self.kiln("doctor"))

    def test_nothing_is_unpacked_for_a_source_that_includes_nothing(self):
        self.compile("scale.cu", PLAIN)
        self.assert_state(compiles=1, headers_unpacked=0, header_folders=0)
        self.assertIn("to be unpacked by the first compile", self.kiln("doctor"))

    def test_eight_at_once_unpack_once(self):
        running = []
        for i in range(8):
            name = self.source(f"twice{i}.cu", HALF + f"// {i}\n")
            running.append(self.start("compile", name, "--arch", "sm_90"))
        for process in running:
            out, err = process.communicate()
            self.assertEqual(process.returncode, 0, err)
        self.assert_state(compiles=8, stores=8, refused=0, headers_unpacked=1, header_folders=1)

    def test_without_a_cache_each_worker_unpacks_for_itself_and_leaves_nothing(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        (self.folder / "no folder").write_text("")
        for more in {"KILN_DISABLE_CACHE": "1"}, {"KILN_CACHE_DIR": str(self.folder / "no folder")}:
            with self.subTest(**more):
                self.compile("twice.cu", HALF, TMPDIR=str(temporary), **more)
                self.assertIn("compiled for sm_90", self.err)
        self.assertFalse(self.cache.exists())
        # The worker ends behind the program.
        end = time.monotonic() + 60
        while os.listdir(temporary) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(os.listdir(temporary), [])

    def test_what_one_machine_compiled_another_reads_without_unpacking(self):
        self.compile("twice.cu", HALF)
        other = {"KILN_CACHE_DIR": str(self.folder / "other"), "KILN_CACHE_READ_ONLY_DIRS": str(self.cache)}
        self.compile("twice.cu", HALF, **other)
        self.assertIn("from the cache for sm_90", self.err)
        self.compile("twice.cu", HALF, CUDA_HOME="/nonexistent", **other)
        self.assertIn("from the cache for sm_90", self.err)
        self.assertFalse((self.folder / "other/v3/trees").exists())

    def test_a_replaced_header_is_noticed_as_a_toolkits_is(self):
        self.compile("twice.cu", HALF)
        header = self.tree() / "include/cuda_fp16.h"
        changed = self.folder / "changed.h"
        changed.write_text(header.read_text() + "\n#error replaced\n")
        time.sleep(0.05)  # older than what a compile refuses to keep
        changed.rename(header)
        # The compile fails, which has the headers looked at: they are unpacked again.
        self.compile("twice.cu", HALF)
        self.assertIn("were damaged, and are unpacked again", self.err)
        self.assertIn("compiled for sm_90", self.err)
        self.assertNotIn("#error", header.read_text())

    def test_headers_that_are_gone_or_empty_come_again(self):
        without = {"KILN_PCH": "off"}  # a precompiled header needs none of them
        self.compile("total.cu", CUB, **without)
        reduce = self.tree() / "include/cccl/cub/block/block_reduce.cuh"
        for i, damage in enumerate([reduce.unlink, lambda: reduce.write_text(""), (self.tree() / "contents").unlink]):
            damage()
            self.compile("total.cu", CUB + f"// {i}\n", **without)
            self.assertIn("compiled for sm_90", self.err)
            self.assertIn("BlockReduce", reduce.read_text())
        self.assert_state(compiles=4, headers_unpacked=4, header_folders=1)

    def test_late_macros_are_looked_for_in_the_bundle(self):
        for more in {}, {"KILN_DISABLE_CACHE": "1"}:
            with self.subTest(**more):
                self.kiln("compile", self.source("twice.cu", HALF), "--late-define", "__half2float=4", status=2, **more)
                self.assertRegex(self.err, r'"__half2float" is a word of the header .*cuda_fp16\.h')

    def test_a_toolkit_without_cccl_is_said_to_lack_it(self):
        home = self.folder / "wheels"
        shutil.copytree(self.home, home)
        (home / "include").mkdir()
        (home / "include/cuda.h").write_text("")
        self.compile("total.cu", CUB, status=1, CUDA_HOME=str(home))
        self.assertIn("are without CCCL's (CUB, Thrust, libcu++): pip install nvidia-cuda-cccl", self.err)
        self.assertIn("no CUB, Thrust and libcu++ there: pip install nvidia-cuda-cccl",
                      self.kiln("doctor", CUDA_HOME=str(home)))

    def test_an_error_of_the_source_is_an_error(self):
        self.compile("bad.cu", HALF + "__global__ void k() { no_such_name(); }\n", status=1)
        self.assertIn("no_such_name", self.err)
        self.assertNotIn("pip install", self.err)
        self.assert_state(compiles=0, headers_unpacked=1)

    def test_what_the_bundle_lacks_is_named_with_the_way_to_it(self):
        self.compile("host.cu", "#include <cuda_runtime.h>\n" + PLAIN, status=1)
        for part in "<cuda_runtime.h>", "do not have it", "pip install nvidia-cuda-runtime":
            self.assertIn(part, self.err)
        self.compile("random.cu", "#include <curand_kernel.h>\n" + PLAIN, status=1)
        for part in "do not have it", "It is in nvidia-curand", "pip install nvidia-curand nvidia-cuda-runtime":
            self.assertIn(part, self.err)
        self.compile("list.cu", "#include <vector>\n" + PLAIN, status=1)
        for part in "<vector> is of the host's C++ library", "pip install nvidia-cuda-nvcc", "<cuda/std/array>":
            self.assertIn(part, self.err)
        self.assertNotIn("do not have it", self.err)

    def test_clear_and_verify(self):
        self.compile("twice.cu", HALF)
        self.assertIn(" 0 damaged", self.kiln("cache", "verify"))
        (self.tree() / "include/cuda_fp16.h").write_text("")
        self.kiln("cache", "verify", status=1)
        self.assert_state(header_folders=0, corrupt=1)
        self.compile("twice.cu", HALF + "//\n")
        self.assert_state(header_folders=1)
        self.kiln("cache", "prune", "--max-size", "0")
        self.assert_state(header_folders=1, entries=0)
        self.kiln("cache", "clear")
        self.assert_state(header_folders=0, header_bytes=0)


class NvrtcWithoutHeaders(NvrtcAlone):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if cls.brings_headers:
            raise unittest.SkipTest("NVRTC %d.%d brings headers: this needs an older one" % cls.version)

    def test_the_error_says_what_to_install(self):
        self.compile("twice.cu", HALF, status=1)
        for part in "cuda_fp16.h", "No toolkit's headers were found", "'nvidia-cuda-nvrtc>=13.3'":
            self.assertIn(part, self.err)
        self.assert_state(headers_unpacked=0)
        self.assertIn("no headers: pip install", self.kiln("doctor"))
        self.compile("random.cu", "#include <curand_kernel.h>\n" + PLAIN, status=1)
        self.assertIn("It is in nvidia-curand", self.err)
        self.assertNotIn("nvidia-cuda-nvrtc>=13.3", self.err)

    def test_what_includes_nothing_is_compiled(self):
        self.compile("scale.cu", PLAIN)
        self.assertIn("compiled for sm_90", self.err)


if __name__ == "__main__":
    unittest.main()
