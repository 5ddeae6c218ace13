"""Installs Kiln, builds programs with embedded kernels by CMake and by Meson, and runs them on the installed emulator:
no compile, no cache folder, no toolkit; an older device compiles, an edit builds again.

    embedding.py BUILD SOURCES"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
EXAMPLE = SOURCES.parents[2] / "examples/18_embedded"
HIDING = SOURCES.parents[1] / "support/without_toolkit.sh"
OWN = "131 260 1001 111 20\n"
# The library and its folder are the loader's business here.
LEFT_OUT = ("KILN_", "PYCUDA_", "NVCC_")


def run(*command, status=0, **options):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + (done.stderr if status != 0 else "")


class Embedding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = pathlib.Path(scratch.name) / "tö embed"
        # Meson reads a pkg-config file whose path has blanks or other letters wrongly.
        image = pathlib.Path(scratch.name) / "image"
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", image)
        cls.prefix = next(image.rglob("include/kiln/kiln.hpp")).parents[2]
        cls.libraries = next(cls.prefix.rglob("libkiln.a")).parent
        cls.tool = cls.prefix / "bin/kiln"
        cls.environment = {k: v for k, v in os.environ.items() if not k.startswith(LEFT_OUT)}
        cls.environment["LD_LIBRARY_PATH"] = str(cls.libraries)
        cls.environment["PKG_CONFIG_PATH"] = str(cls.libraries / "pkgconfig")
        report = run(cls.tool, "doctor", status=None, env=cls.environment)
        if not re.search(r"(?m)^NVRTC +\d", report):
            raise unittest.SkipTest("no NVRTC to embed code with:\n" + report)
        root = re.search(r"(?m)^toolkit +(/.*)$", report)
        cls.toolkit = os.path.realpath(root[1]) if root else "/nonexistent"
        cls.sources = cls.scratch / "sources"
        shutil.copytree(SOURCES, cls.sources)
        cls.folder = cls.scratch / "build"
        if (cls.prefix / "share/cmake/kiln").is_dir():
            run("cmake", "-G", "Ninja", "-S", cls.sources, "-B", cls.folder, f"-DCMAKE_PREFIX_PATH={cls.prefix}",
                "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF", env=cls.environment)
            cls.build()

    @classmethod
    def build(cls, *targets, **options):
        return run("ninja", "-C", cls.folder, *targets, env=cls.environment, **options)

    def setUp(self):
        self.cache = self.scratch / "cache"
        shutil.rmtree(self.cache, ignore_errors=True)
        if not self.folder.is_dir():
            self.skipTest("no CMake package: Meson found no cmake")

    def variables(self, arch="9.0", **more):
        return {**self.environment, "KILN_DRIVER": "emulator", "KILN_EMULATOR_ARCH": arch, "HOME": "/nonexistent",
                "KILN_CACHE_DIR": str(self.cache), "KILN_PCH": "off", **more}

    def stats(self):
        return json.loads(run(self.tool, "cache", "stats", "--json", env=self.variables()))

    def check_not_compiled(self):
        self.assertFalse(self.cache.exists())

    def test_found_without_a_cache_and_a_compile(self):
        for arch in ["8.0", "9.0", "12.0"]:  # PTX serves newer ones
            out = run(self.folder / "program", env=self.variables(arch, KILN_REQUIRE_CACHED="1"))
            self.assertTrue(out.startswith(OWN), out)
        self.assertIn("number.cu sm_80 compute_80 compute_90", out)
        self.assertIn('nothing is embedded as "numbr.cu"', out)
        self.assertIn('did you mean "number.cu"', out)
        self.check_not_compiled()

    def test_with_the_static_library_and_in_a_unity_build(self):
        driver = {"KILN_DRIVER": str(next(self.prefix.rglob("libkiln_emulator.so")))}
        self.assertEqual(run(self.folder / "alone", env=self.variables(**driver)), "40 280\n")
        self.check_not_compiled()

    def test_without_a_toolkit(self):
        program = [HIDING, self.toolkit, self.folder / "program"]
        if "unshare" in run(HIDING, self.toolkit, "true", status=None):
            self.skipTest("no mount namespaces here")
        variables = {k: v for k, v in self.variables().items() if not k.startswith(("CUDA_", "VIRTUAL_ENV", "CONDA_"))}
        variables["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
        told = run(HIDING, self.toolkit, self.tool, "doctor", status=None, env=variables)
        if re.search(r"(?m)^NVRTC +\d", told):
            self.skipTest("NVRTC is found still")
        self.assertTrue(run(*program, env=variables).startswith(OWN))
        self.check_not_compiled()
        told = run(*program, status=1, env={**variables, "KILN_EMULATOR_ARCH": "7.5"})
        self.assertIn('the embedded "number.cu" has code for sm_80, compute_80, compute_90', told)
        self.assertIn("(sm_75) can run none", told)

    def test_in_a_folder_as_root_that_holds_nothing_else(self):
        if os.geteuid() != 0:
            self.skipTest("only root may chroot")
        root = self.scratch / "root"
        shutil.rmtree(root, ignore_errors=True)
        emulator = next(self.prefix.rglob("libkiln_emulator.so"))
        needed = {str(self.folder / "program"), str(self.folder / "libplug.so"), str(emulator)}
        for file in sorted(needed):
            needed |= set(re.findall(r"(/\S.*?) \(0x", run("ldd", file, env=self.environment)))
        for file in needed:
            (root / file[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, root / file[1:])
        (root / "tmp").mkdir(exist_ok=True)
        out = run("chroot", root, self.folder / "program", env=self.variables())
        self.assertTrue(out.startswith(OWN), out)
        self.assertFalse((root / str(self.cache)[1:]).exists())

    def test_a_device_without_code_compiles_with_the_same_headers_and_options(self):
        before = self.variables("7.5")
        for _ in range(2):
            self.assertTrue(run(self.folder / "program", env=before, cwd="/").startswith(OWN))
            self.assertEqual(self.stats()["compiles"], 4)
        told = run(self.folder / "program", status=1, env={**before, "KILN_REQUIRE_CACHED": "1",
                                                          "KILN_CACHE_DIR": str(self.scratch / "empty")})
        self.assertIn('"number.cu" with scaled<2> for sm_75 is not in the cache', told)

    def test_an_edit_builds_again(self):
        self.assertIn("no work to do", self.build())
        deeper = self.sources / "own headers/deep/deeper.h"
        text = deeper.read_text()
        deeper.write_text(text.replace("100", "200"))
        try:
            self.build()
            self.assertIn("231 460 1001 211 20", run(self.folder / "program", env=self.variables()))
        finally:
            deeper.write_text(text)
            self.build()
        self.assertIn("no work to do", self.build())

    def test_one_name_twice_in_a_program_is_the_linkers_error(self):
        self.assertIn("multiple definition of `kiln_embedded_part_2ecu'", self.build("twice", status=1))

    def test_what_cannot_be_embedded_says_why(self):
        source = self.scratch / "bad.cu"

        def embed(text, *more, status=1):
            source.write_text(text)
            return run(self.tool, "embed", source, "-o", self.scratch / "bad.cpp", "--arch", "80", *more,
                       status=status, env=self.environment)
        self.assertIn("bad.cu", embed("no C++"))
        (self.scratch / "named.h").write_text("\n")
        self.assertIn("what a macro names is not", embed('#define NAMED "named.h"\n#include NAMED\n'))
        self.assertIn("give folders of headers by -I", embed("", "--option=-I/x", status=2))
        self.assertIn("absolute path", embed(f'#include "{self.scratch / "named.h"}"\n'))
        (self.scratch / "other").mkdir(exist_ok=True)
        (self.scratch / "other/named.h").write_text("int other;\n")
        self.assertIn("with another text", embed("#include <named.h>\n", "-I", self.scratch / "other"))
        self.assertFalse((self.scratch / "bad.cpp").exists())
        kernel = '#include "named.h"\n__global__ void k() {}\n'
        embed(kernel, "--arch", "80,compute_80,80-real", "--depfile", self.scratch / "bad.d", status=0)
        self.assertEqual((self.scratch / "bad.cpp").read_text().count('{"compute_80", {'), 1)
        self.assertIn(str(self.scratch / "named.h").replace(" ", "\\ "), (self.scratch / "bad.d").read_text())

    def test_the_example_by_cmake_and_by_meson(self):
        sources, folder = self.scratch / "example", self.scratch / "example build"
        shutil.rmtree(sources, ignore_errors=True)
        shutil.copytree(EXAMPLE, sources)
        for setup in [["cmake", "-G", "Ninja", "-S", sources, "-B", folder, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                       "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF"],
                      ["meson", "setup", folder, sources]]:
            shutil.rmtree(folder, ignore_errors=True)
            run(*setup, env=self.environment)
            for factor in [3, 5]:
                (sources / "factor.h").write_text(f"#define FACTOR {factor}\n")
                run("ninja", "-C", folder, env=self.environment)
                out = run(folder / "embedded", env=self.variables(KILN_REQUIRE_CACHED="1"))
                self.assertEqual(out, f"embedded: sm_80 compute_80 sm_90 compute_90\n{2 * factor + 1}\n")
            self.assertIn("no work to do", run("ninja", "-C", folder, env=self.environment))
        self.check_not_compiled()


if __name__ == "__main__":
    unittest.main()
