"""The command line as a script meets it: exit statuses, what is written where, and what is not."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

KILN = os.path.abspath(sys.argv.pop(1))
KERNEL = '__global__ void scale(float* values, int n) { if (threadIdx.x < n) values[threadIdx.x] *= FACTOR; }\n'
IR = """target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-\
v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define void @sine(float* %x) {
  %v = load float, float* %x
  %s = call float @__nv_sinf(float %v)
  store float %s, float* %x
  ret void
}
declare float @__nv_sinf(float)
!nvvm.annotations = !{!0}
!0 = !{void (float*)* @sine, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0}
"""
ELF = b"\x7fELF"


def typed_bitcode():
    """That of the C++ tests: the hexadecimal digits of the first function."""
    text = (pathlib.Path(__file__).parents[2] / "support/bitcode_bytes.hpp").read_text()
    body = text[text.index("typed_bitcode()"):]
    return bytes.fromhex("".join(re.findall(r'"([0-9a-f]+)"', body[:body.index("}")])))


NVCC = shutil.which("nvcc") or shutil.which((os.environ.get("CUDA_HOME") or "/usr/local/cuda") + "/bin/nvcc")


class CommandLine(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("KILN_", "PYCUDA_"))}
        self.environment["KILN_CACHE_DIR"] = str(self.folder / "cache")
        # No driver, so that every machine compiles for the same architecture.
        self.environment["KILN_DRIVER"] = str(self.folder / "no-driver.so")
        # Who makes one outlives the command, and would write into the folder while it is removed.
        self.environment["KILN_PCH"] = "off"

    def kiln(self, *arguments, status=0, stdin=b"", cwd=None, **environment):
        run = subprocess.run([KILN, *map(str, arguments)], input=stdin, capture_output=True, cwd=cwd or self.folder,
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

    @unittest.skipUnless(os.access("/dev/shm", os.W_OK) and os.stat("/dev/shm").st_dev != os.stat("/").st_dev,
                         "/dev/shm is no file system of its own")
    def test_writes_only_where_the_output_goes(self):
        # A temporary file in / could be written by root, but not renamed to another file system.
        source = self.source()
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            self.kiln("compile", source, "-DFACTOR=2", cwd=folder)
            self.assertEqual(os.listdir(folder), ["scale.cubin"])

    def test_second_call_is_served_by_the_cache(self):
        source = self.source()
        self.kiln("compile", source, "-DFACTOR=2")
        first = (self.folder / "scale.cubin").read_bytes()
        self.kiln("compile", source, "-DFACTOR=2")
        self.assertIn("scale.cubin: from the cache for sm_", self.err)
        self.assertEqual((self.folder / "scale.cubin").read_bytes(), first)
        stats = self.stats()
        self.assertEqual((stats["misses"], stats["hits"], stats["compiles"]), (1, 1, 1))

    def test_late_macros_make_the_code_of_early_ones(self):
        source = self.source(text="#include <cuda_fp16.h>\n" + KERNEL)
        codes = set()
        for option in "-D", "--late-define":
            self.kiln("compile", source, option, "FACTOR=2")
            self.assertIn("compiled", self.err)
            codes.add((self.folder / "scale.cubin").read_bytes())
        self.assertEqual(len(codes), 1)
        self.kiln("compile", source, "--late-define", "FACTOR=2", "-DFACTOR=2", status=2)
        self.assertIn('late_defines: "FACTOR" is defined twice, here and in defines', self.err)
        self.kiln("compile", source, "--late-define", "FACTOR=3", "--explain")
        self.assertIn("not in the cache: late define FACTOR changed from 2 to 3\n", self.err)
        self.assertNotIn("is gone", self.err)
        report = json.loads(self.kiln("inspect", source, "--late-define", "FACTOR=3", "--json"))
        self.assertEqual(report["bytes"], (self.folder / "scale.cubin").stat().st_size)

    def test_arch_native_with_the_devices_own_features(self):
        source = self.source()
        for devices, arch in ("90", "sm_90a"), ("80", "sm_80"):
            self.kiln("compile", source, "-DFACTOR=2", "--arch", "native-a",
                      KILN_DRIVER=os.environ["KILN_FAKE_DRIVER"], KILN_FAKE_DEVICES=devices)
            self.assertIn(f" for {arch} in ", self.err)
        self.kiln("compile", source, "-DFACTOR=2", "--arch", "native-a", status=2)
        self.assertIn("needs a device", self.err)

    def test_no_cache(self):
        source = self.source()
        for _ in range(2):
            self.kiln("compile", source, "-DFACTOR=2", "--no-cache")
            self.assertIn("compiled", self.err)
        self.assertEqual(self.stats()["entries"], 0)

    # compile --timing

    def test_timing_of_a_compile_and_of_a_hit(self):
        self.source("factor.h", "#define FACTOR 2\n")
        # Takes longer than the moment in which a header that was just written keeps code out of the cache.
        self.kiln("compile", *self.sources("before.cu"))
        source = self.source(text='#include "factor.h"\n' + KERNEL)
        self.kiln("compile", source, "--timing", "--backend", "nvrtc")
        self.assertIn("scale.cubin: compiled for sm_", self.err)
        # The page shows what is printed, but for the figures.
        page = (pathlib.Path(__file__).parents[3] / "docs/compile-time.md").read_text()
        shown = page[page.index("          ms\n"):page.index("    the headers that the source includes")]
        words = [line.split(maxsplit=1)[1:] for line in shown.splitlines()]
        self.assertEqual([line.split(maxsplit=1)[1:] for line in self.err.splitlines()[1:1 + len(words)]], words)
        self.assertRegex(self.err, r"\d+\.\d +front end\n|(?s:- +front end\n.*-: this compiler does not tell it)")
        first = (self.folder / "scale.cubin").read_bytes()
        self.kiln("compile", source, "--timing", "--backend", "nvrtc")
        self.assertIn("scale.cubin: from the cache for sm_", self.err)
        self.assertRegex(self.err, r"\n +\d+\.\d  look-up\nfound in the cache, .* --no-cache ")
        self.assertNotIn("front end", self.err)
        self.kiln("compile", source, "--no-cache", "--backend", "nvrtc")
        self.assertEqual((self.folder / "scale.cubin").read_bytes(), first)

    def test_timing_is_for_one_source(self):
        self.kiln("compile", *self.sources("a.cu", "b.cu"), "--timing", status=2)
        self.assertIn("--timing is for one source, and there are 2", self.err)

    def test_timing_with_jobs_and_one_source(self):
        self.kiln("compile", *self.sources("a.cu"), "--timing", "-j2")
        self.assertRegex(self.err, r"\d+\.\d  compile by nvrtc\n")
        self.assertIn("1 compiled", self.err)

    def test_timing_says_that_code_is_not_kept(self):
        source, = self.sources("a.cu")
        for more in (["--no-cache"], ["--keep"]):
            self.kiln("compile", source, "--timing", *more)
            self.assertRegex(self.err, r"(?m)^ +-  store: the code is not kept$")

    @unittest.skipUnless(NVCC, "no nvcc")
    def test_timing_of_nvcc_is_that_of_a_second_compile(self):
        self.kiln("compile", *self.sources("a.cu"), "--timing", "--backend", "nvcc", "--nvcc", NVCC)
        self.assertRegex(self.err, r"compile by nvcc\n +in a second compile, measured apart:\n.* front end\n")
        self.assertNotIn("the rest", self.err)
        self.assertRegex(self.err, r"\d  store\n")

    def test_timing_of_ir_is_refused(self):
        self.kiln("compile", self.source("sine.ll", IR), "--timing", status=2)
        self.assertIn("libnvvm tells no times", self.err)

    # compile --jobs

    def sources(self, *names):
        return [self.source(name, f'extern "C" __global__ void {pathlib.Path(name).stem}() {{}}\n') for name in names]

    def test_many_at_once(self):
        self.kiln("compile", "--jobs", 2, *self.sources("a.cu", "sub/b.cu", "c.cu"))
        for name in "abc":
            self.assertEqual((self.folder / f"{name}.cubin").read_bytes()[:4], ELF)
        lines = self.err.splitlines()  # no terminal: a line for each, and no bar
        self.assertEqual([line.split(" ")[0] for line in lines[:3]], ["1/3", "2/3", "3/3"])
        self.assertNotIn("\r", self.err)
        self.assertEqual(lines[3], "3 compiled, 0 from the cache, 0 failed")
        (self.folder / "out").mkdir()
        self.kiln("compile", *self.sources("a.cu", "d.cu"), "-o", "out")
        self.assertEqual(sorted(os.listdir(self.folder / "out")), ["a.cubin", "d.cubin"])
        self.assertIn("1 compiled, 1 from the cache, 0 failed", self.err)

    def read_terminal(self, descriptor):
        """All that was written to it: one read gives what one write or several did."""
        text = b""
        with open(descriptor, "rb", buffering=0) as terminal:
            try:
                while part := terminal.read(65536):
                    text += part
            except OSError:  # the end, as Linux tells it: EIO
                pass
        return text.decode()

    def test_a_bar_on_a_terminal(self):
        try:
            ours, theirs = os.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")
        done = subprocess.run([KILN, "compile", "-j1", *map(str, self.sources("a.cu", "b.cu"))], stderr=theirs,
                              cwd=self.folder, env=self.environment)
        os.close(theirs)
        text = self.read_terminal(ours)
        self.assertEqual(done.returncode, 0)
        self.assertIn("\r\x1b[K[###############...............] 1/2 ", text)
        self.assertIn("\r\x1b[K2 compiled", text)

    def test_failures_of_many_are_listed_and_hinder_no_other(self):
        good, = self.sources("good.cu")
        bad = self.source("bad.cu", "this is no CUDA\n")
        self.kiln("compile", "--jobs", 2, bad, self.folder / "missing.cu", good, status=1)
        self.assertTrue((self.folder / "good.cubin").exists())
        self.assertIn("kiln: " + str(bad), self.err)
        self.assertIn("this is no CUDA", self.err)
        self.assertIn("missing.cu", self.err)
        self.assertIn("1 compiled, 0 from the cache, 2 failed", self.err)

    def test_many_that_make_no_sense(self):
        one, = self.sources("one.cu")
        self.kiln("compile", one, "-", status=2)
        self.kiln("compile", one, self.source("sub/one.cu"), status=2)
        self.assertIn("same file", self.err)
        self.kiln("compile", one, self.source("two.cu"), "-o", "nowhere", status=2)
        self.assertIn("folder", self.err)
        self.kiln("compile", one, "--jobs", 0, status=2)
        self.assertFalse((self.folder / "one.cubin").exists())

    def test_standard_input_to_standard_output(self):
        self.kiln("compile", "-", "-o", "-", "--target", "ptx", "-DFACTOR=2", stdin=KERNEL.encode())
        self.assertIn(b".entry", self.out)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["cache"])

    def test_line_information_of_standard_input_finds_the_same_headers(self):
        for folder in (".", "listed"):
            self.source(f"{folder}/which.h", f'#define WHICH "// found {folder}"\n')
        source = b'#include "which.h"\n__global__ void k() { asm volatile(WHICH); }\n'
        for option in ("-restrict", "-lineinfo", "-G"):
            self.kiln("compile", "-", "-o", "-", "--target", "ptx", "-I", "listed", "--option", option, stdin=source)
            self.assertIn(b"// found .\n", self.out)
            copies = re.findall(rb'\.file\s+1 "([^"]+/entries/[^"]+\.cu)"', self.out)
            self.assertEqual([pathlib.Path(os.fsdecode(path)).read_bytes() for path in copies],
                             [] if option == "-restrict" else [source])

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

    def test_llvm_ir_is_known_by_its_extension(self):
        ir = self.source("sine.ll", IR)
        self.kiln("compile", ir, "--arch", "sm_90")
        self.assertEqual((self.folder / "sine.cubin").read_bytes()[:4], ELF)
        self.kiln("compile", ir, "--arch", "sm_90", "--target", "ptx", "--option=-opt=0")
        self.assertIn(b".entry sine", (self.folder / "sine.ptx").read_bytes())
        self.kiln("compile", ir, self.source("other.cu", "__global__ void k() {}"), "--arch", "sm_90")
        self.assertIn("1 compiled, 1 from the cache, 0 failed", self.err)
        self.kiln("compile", self.source("broken.ll", IR.replace("store", "stoer")), status=1)
        self.assertIn("expected instruction opcode", self.err)
        (self.folder / "bits.bc").write_bytes(typed_bitcode())
        self.kiln("compile", "bits.bc", "--arch", "sm_80")
        self.assertIn("bits.cubin: compiled for sm_80", self.err)
        (self.folder / "cut.bc").write_bytes(typed_bitcode()[:900])
        self.kiln("compile", "cut.bc", "--arch", "sm_80", status=1)
        self.assertIn('"cut.bc"', self.err)

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

    def test_after_a_long_log_its_head_is_said_again(self):
        lines = "".join(f"  values[{i}] = missing_{i};\n" for i in range(20))
        many = self.source("many.cu", "__global__ void k(float* values) {\n" + lines + "}\n")
        self.kiln("compile", many, "--arch", "sm_90", status=1)
        head, _, rest = self.err.partition("\nlog:\n")
        self.assertIn('identifier "missing_0" is undefined', head)
        self.assertTrue(rest.endswith("\nin short: " + head.removeprefix("kiln: ") + "\n"), self.err)
        one = self.source("one.cu", "__global__ void k(float* values) { values[0] = missing; }\n")
        self.kiln("compile", one, "--arch", "sm_90", status=1)
        self.assertNotIn("in short", self.err)

    def test_a_word_that_says_neither_yes_nor_no(self):
        said = 'KILN_REQUIRE_CACHED="perhaps" counts as 1: write 1 or 0\n'
        self.kiln("compile", self.source(), "-DFACTOR=2", "--arch", "sm_90", status=1, KILN_REQUIRE_CACHED="perhaps")
        self.assertEqual(self.err.count(said), 1, self.err)
        self.kiln("compile", self.source(), "-DFACTOR=2", "--arch", "sm_90", status=1, KILN_REQUIRE_CACHED="1")
        self.assertNotIn("counts as", self.err)

    def test_architectures_that_do_not_fit(self):
        source = self.source()
        for arch, code, said in (("sm_90", "sm_80", 'code "sm_80" cannot be made of arch "sm_90", which is newer'),
                                 ("90", "90,80", 'code "sm_80" cannot be made of arch "sm_90", which is newer'),
                                 ("sm_90a", "sm_100", 'code "sm_100" cannot be made of arch "sm_90a", which is for that'),
                                 ("sm_90a", "sm_90", 'code "sm_90" cannot be made of arch "sm_90a", which is for that'),
                                 ("sm_100f", "sm_120", 'code "sm_120" cannot be made of arch "sm_100f", which is for its')):
            self.kiln("compile", source, "-DFACTOR=2", "--target", "fatbin", "--arch", arch, "--code", code, status=2)
            self.assertIn(said, self.err)
            self.assertIn(": leave arch out, or give one that fits every code", self.err)
        self.kiln("embed", source, "-DFACTOR=2", "-o", "e.cpp", "--arch", "90-foo", status=2)
        self.assertIn("90 is machine code and PTX, 90-real machine code alone, 90-virtual PTX alone", self.err)

    @unittest.skipUnless(NVCC, "no nvcc on this machine")
    def test_code_by_its_numbers(self):
        self.kiln("compile", self.source(), "-DFACTOR=2", "--target", "fatbin", "--code", "80,90", "-o", "a.fatbin")
        images = json.loads(self.kiln("inspect", "a.fatbin", "--json"))["images"]
        self.assertEqual([image["arch"] for image in images], ["sm_80", "sm_90"])

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

    def test_a_command_that_is_missing_or_none(self):
        commands = "compile, run, tune, wisdom, inspect, preprocess, embed, doctor, trace, cache"
        for arguments, fault in (([], "a command is missing"), (["foo", "-x"], 'there is no command "foo"')):
            self.kiln(*arguments, status=2)
            self.assertIn(f"kiln: {fault}; there are: {commands}", self.err)
        self.kiln("cache", "foo", status=2)
        self.assertIn('there is no command "cache foo"; there are: path, stats, list,', self.err)
        self.kiln("compile", status=2)
        self.assertIn("kiln: FILE is required", self.err)

    def test_a_command_that_is_near_is_named(self):
        for arguments, meant in ((["compil", "a.cu"], "compile"), (["cache", "lst"], "list"), (["wisdom", "xport"], "export"),
                                 (["cache", "prun", "--max-size", "1k"], "prune"), (["docter"], "doctor")):
            self.kiln(*arguments, status=2)
            self.assertIn(f'"; did you mean "{meant}"? There are: ', self.err)
        for arguments in ["help", "compile"], ["frob", "compile"]:
            self.kiln(*arguments, status=2)
            self.assertIn(f'there is no command "{arguments[0]}"', self.err)

    def test_an_option_that_is_unknown_is_named_before_its_consequences(self):
        self.kiln("wisdom", "best", "scale", "--problm", "4", status=2)
        self.assertIn("--problm; did you mean --problem?", self.err)
        self.kiln("--verbose", "compile", self.source(), status=2)
        self.assertIn('not expected: --verbose\nRun "kiln --help"', self.err)
        self.kiln("help", "compile", self.source(), status=2)
        self.assertIn("not expected: help\n", self.err)
        self.kiln("compile", self.source(), "--std", "c++17", status=2)
        self.assertIn("write --option=--std=VALUE", self.err)
        self.kiln("preprocess", self.source(), "--name-expression", "k<1>", status=2)
        self.assertIn("k<1>; that is an option of kiln compile, kiln embed\n", self.err)
        self.kiln("cache", "list", "--reset", status=2)
        self.assertIn("--reset; that is an option of kiln cache stats\n", self.err)
        self.kiln("embed", self.source(), "--outptu", "a.cpp", "--arch", "80", status=2)
        self.assertIn("--outptu", self.err)

    def test_an_output_whose_ending_is_another_targets(self):
        source = self.source()
        for target, name, meant in (("cubin", "a.ptx", "--target ptx"), ("ptx", "a.cubin", "--target cubin"),
                                    ("ptx", "a.fatbin", "--target fatbin"), ("cubin", "a.ltoir", "--target ltoir"),
                                    ("cubin", "a.PTX", "--target ptx")):
            self.kiln("compile", source, "-DFACTOR=2", "--arch", "sm_90", "--target", target, "-o", name)
            self.assertIn(f"kiln: {name} is {target}, whatever its name says: {meant} makes what it is called\n", self.err)
            self.assertTrue((self.folder / name).exists())
        for target, name in (("cubin", "a.cubin"), ("ptx", "a.ptx"), ("cubin", "a.o"), ("ptx", "-"), ("cubin", "a.ptx.bin")):
            self.kiln("compile", source, "-DFACTOR=2", "--arch", "sm_90", "--target", target, "-o", name)
            self.assertNotIn("whatever its name says", self.err)

    @unittest.skipUnless(NVCC, "no nvcc on this machine")
    def test_files_of_options_and_their_lines(self):
        source = self.source()
        (self.folder / "bad.opt").write_text("-lineinfo\n-O3 --nonsense\n")
        (self.folder / "quote.opt").write_text("-lineinfo\n-DX=\"a\n")
        (self.folder / "outer.opt").write_text("--options-file=bad.opt\n")
        for option, said in (
                ("--options-file=none.opt", "/none.opt, of the option --options-file=.*none.opt, is not there"),
                ("-optf=none.opt", "/none.opt, of the option .*none.opt, is not there"),
                ("--options-file=bad.opt", "\\(line 2\\) has: -O3 --nonsense"),
                ("--options-file=quote.opt", "\\(line 2\\) has: -DX=\"a"),
                ("-Xptxas=--options-file=none.opt", "none.opt, of the option -Xptxas=--options-file=none.opt, is not found in "
                 "the folder where the compiler works: give its absolute path"),
                ("-Xptxas=--options-file=" + str(self.folder / "bad.opt"), "bad.opt\\(line 2\\) has: -O3 --nonsense")):
            self.kiln("compile", source, "-DFACTOR=2", "--arch", "sm_90", "--option", option, "--backend", "nvcc", "--nvcc", NVCC,
                      status=1)
            self.assertRegex(self.err.partition("\nlog:")[0], said)
        for name, said in ("none.opt", "none.opt=none.opt, is not there"), ("bad.opt", "bad.opt\\(line 2\\) has: -O3 --nonsense"):
            self.kiln("compile", source, "-DFACTOR=2", "--arch", "sm_90", "--option=--ptxas-options=--options-file=" + name,
                      status=1)
            self.assertRegex(self.err.partition("\nlog:")[0], said.replace("none.opt=none.opt", "--options-file=none.opt"))

    def test_each_usage_error_says_whose_it_is(self):
        for arguments in (["compile", "a.cu", "--frob"], ["compile", "a.cu", "-j", "0"], ["doctor", "more"],
                          ["compile", "a.cu", "--target", "elf"], ["compile", "a.cu", "--timeout", "0"],
                          ["cache", "prune", "--max-size", "x"], ["inspect"], ["cache", "frob"], []):
            self.kiln(*arguments, status=2)
            self.assertRegex(self.err, "^kiln: .", arguments)

    def test_a_misspelt_option_is_answered_with_the_right_one(self):
        for arguments, meant in ((["compile", "a.cu", "--expain"], "--explain"),
                                 (["compile", "a.cu", "--tagret=ptx"], "--target"),
                                 (["cache", "list", "--jsn"], "--json")):
            self.kiln(*arguments, status=2)
            self.assertIn(f"; did you mean {meant}?\n", self.err)
        self.assertIn('Run "kiln cache list --help" for its options.', self.err)
        for arguments in ["compile", "a.cu", "--frobnicate"], ["doctor", "more"]:
            self.kiln(*arguments, status=2)
            self.assertNotIn("did you mean", self.err)
            self.assertIn(f'Run "kiln {arguments[0]} --help" for its options.', self.err)

    def test_help_says_how_to_see_a_command_s_options(self):
        self.assertIn(b'"kiln SUBCOMMAND --help"', self.kiln("--help"))
        self.assertIn(b'"kiln cache SUBCOMMAND --help"', self.kiln("cache", "--help"))
        self.assertIn(b"--explain", self.kiln("compile", "--help"))

    def test_a_timeout_that_is_none(self):
        for time in "0", "-1", "nan", "1e99", "soon":
            self.kiln("compile", self.source(), f"--timeout={time}", status=2)
            self.assertIn(f'"{time}" is no time', self.err)
            self.assertLess(len(self.err), 200)

    def test_a_timeout_names_the_option(self):
        self.kiln("compile", self.source(), "-DFACTOR=2", "--timeout", "0.000001", status=1)
        self.assertIn("kiln compile --timeout", self.err)

    def test_a_cuda_home_that_is_not_there(self):
        missing = str(self.folder / "no-toolkit")
        report = subprocess.run([KILN, "doctor"], capture_output=True, cwd=self.folder,
                                env={**self.environment, "CUDA_HOME": missing})
        said = f"CUDA_HOME is {missing}, which is not there"
        self.assertIn(said, report.stdout.decode())
        self.assertEqual(report.stderr.decode().count(said), 1)

    def test_doctor_names_the_emulator_where_no_driver_is(self):
        said = self.kiln("doctor", KILN_DRIVER=str(self.folder / "no-driver.so")).decode()
        self.assertRegex(said, r"(?m)^emulator +/.*/libkiln_emulator\.so: KILN_DRIVER=emulator runs kernels on the CPU$")

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

    # a machine without CUDA

    def without_cuda(self, *arguments, **environment):
        """Kiln where nothing of CUDA is to be found: empty folders lie over those that it is in."""
        hidden = {"/usr/local", "/opt"}
        toolkit = re.search(r"(?m)^toolkit +(/.*)$", self.kiln("doctor").decode())
        if toolkit:
            hidden.add(os.path.realpath(toolkit[1]))
        needed = [os.path.realpath(KILN), os.path.realpath(self.folder)]
        hidden = [path for path in sorted(hidden) if os.path.isdir(path)]
        if any(path.startswith(folder + "/") for folder in hidden for path in needed):
            self.skipTest("Kiln itself is in one of " + " ".join(hidden))
        # One of them may be below another.
        script = """while [ "$1" != -- ]; do [ ! -d "$1" ] || mount -t tmpfs none "$1" || exit 99; shift; done
                    shift; exec "$@\""""
        left_out = {"CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH", "XDG_CACHE_HOME",
                    "KILN_CACHE_DIR"}
        environment = {**{k: v for k, v in self.environment.items() if k not in left_out},
                       "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.folder / "home"), **environment}
        return subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", *hidden, "--", KILN, *map(str, arguments)],
                              capture_output=True, cwd=self.folder, env=environment)

    def require_no_cuda(self):
        try:
            probe = self.without_cuda("doctor")
        except FileNotFoundError:
            self.skipTest("no unshare")
        if not probe.stdout:
            self.skipTest("no namespaces here: " + probe.stderr.decode().strip())
        if b"no NVRTC" not in probe.stdout:
            self.skipTest("NVRTC is found still: " + probe.stdout.decode())

    def assert_served(self, arguments, output, **environment):
        (self.folder / output).unlink()
        run = self.without_cuda("compile", *arguments, **environment)
        self.assertEqual(run.returncode, 0, run.stderr.decode())
        self.assertIn(f"{output}: from the cache for sm_80 ", run.stderr.decode())
        self.assertEqual((self.folder / output).read_bytes()[:4], ELF)

    def assert_not_served(self, arguments, **environment):
        held = f"no code for this request in the cache {self.folder / 'cache'}"
        if "KILN_CACHE_READ_ONLY_DIRS" in environment:
            held = f"no code for this request in the cache {self.folder / 'home/.cache/kiln'}, {self.folder / 'cache'}"
        run = self.without_cuda("compile", *arguments, **environment)
        self.assertEqual(run.returncode, 3, run.stderr.decode())
        for part in "no NVRTC", "pip install nvidia-cuda-nvrtc", held:
            self.assertIn(part, run.stderr.decode())

    def test_a_machine_without_cuda_is_served_by_the_cache(self):
        self.require_no_cuda()
        header = self.folder / "inc" / "factor.h"
        header.parent.mkdir()
        header.write_text("#define FACTOR 3\n")
        half = "#include <cuda_fp16.h>\n__global__ void twice(__half* p) { *p = __hadd(*p, *p); }\n"
        compiles = {  # the last one is compiled long enough after its header was written
            "sine.cubin": [self.source("sine.ll", IR), "--arch", "sm_80"],
            "plain.cubin": [self.source("plain.cu"), "-DFACTOR=2", "--arch", "sm_80"],
            "half.cubin": [self.source("half.cu", half), "--arch", "sm_80"],
            "own.cubin": [self.source("own.cu", "#include <factor.h>\n" + KERNEL), "-I", header.parent,
                          "--arch", "sm_80"],
        }
        for arguments in compiles.values():
            self.kiln("compile", *arguments)
            self.assertIn("compiled for sm_80", self.err)
        cache = self.environment["KILN_CACHE_DIR"]
        ways = [{"KILN_CACHE_DIR": cache}, {"KILN_CACHE_READ_ONLY_DIRS": cache}]
        for way in ways:
            for output, arguments in compiles.items():
                with self.subTest(output=output, way=list(way)):
                    self.assert_served(arguments, output, **way)
        header.write_text("#define FACTOR 4\n")
        for way in ways:
            with self.subTest(way=list(way)):
                self.assert_not_served(compiles["own.cubin"], **way)
                self.assert_not_served([self.folder / "plain.cu", "-DFACTOR=5", "--arch", "sm_80"], **way)
                self.assert_served(compiles["half.cubin"], "half.cubin", **way)
                missing = self.without_cuda("compile", self.folder / "sine.ll", "--arch", "sm_86", **way)
                self.assertEqual(missing.returncode, 3, missing.stderr.decode())
                for part in b"no libnvvm", b"pip install nvidia-nvvm":
                    self.assertIn(part, missing.stderr)

    def toolkit_of_nvvm(self, *parts):
        """A folder with libnvvm alone and those other parts, for where all of CUDA is hidden; None without libnvvm."""
        report = self.kiln("doctor").decode()
        found = {name: re.search(rf"(?m)^.*?(/\S*{name}\S*)", report) for name in ("libnvvm", "libdevice")}
        if not found["libnvvm"] or not found["libdevice"]:
            self.skipTest("libnvvm or libdevice is not here")
        root = self.folder / "toolkit"
        (root / "nvvm/lib64").mkdir(parents=True)
        shutil.copy(found["libnvvm"][1], root / "nvvm/lib64/libnvvm.so.4")
        if "libdevice" in parts:
            (root / "nvvm/libdevice").mkdir()
            shutil.copy(found["libdevice"][1], root / "nvvm/libdevice/libdevice.10.bc")
        return {"CUDA_HOME": str(root), "KILN_CACHE_DIR": self.environment["KILN_CACHE_DIR"]}

    def test_llvm_ir_where_libdevice_is_missing(self):
        self.require_no_cuda()
        way = self.toolkit_of_nvvm()
        ptx = ["--arch", "sm_80", "--target", "ptx"]
        run = self.without_cuda("compile", self.source("sine.ll", IR), *ptx, **way)
        self.assertEqual(run.returncode, 3, run.stderr.decode())
        for part in b'sine.ll" declares __nv_sinf, which libdevice has', b"no libdevice (libdevice.10.bc)", b"pip install nvidia-nvvm":
            self.assertIn(part, run.stderr)
        self.assertFalse((self.folder / "sine.ptx").exists())
        stats = self.stats()
        self.assertEqual((stats["stores"], stats["entries"], stats["compiles"]), (0, 0, 0))
        # What needs none of it is compiled.
        alone = IR.replace("call float @__nv_sinf(float %v)", "fadd float %v, %v").replace("declare float @__nv", ";")
        run = self.without_cuda("compile", self.source("sum.ll", alone), *ptx, **way)
        self.assertEqual(run.returncode, 0, run.stderr.decode())

    def test_llvm_ir_where_nvjitlink_is_missing(self):
        self.require_no_cuda()
        way = self.toolkit_of_nvvm("libdevice")
        run = self.without_cuda("compile", self.source("sine.ll", IR), "--arch", "sm_80", **way)
        self.assertEqual(run.returncode, 3, run.stderr.decode())
        for part in b"can become PTX here (target ptx)", b"no nvJitLink":
            self.assertIn(part, run.stderr)
        self.assertEqual(self.stats()["stores"], 0)
        # The driver links it: the fake one's code is the PTX that it was given.
        way["KILN_DRIVER"] = os.environ["KILN_FAKE_DRIVER"]
        way["KILN_FAKE_VERSION"] = "13090"  # as new as the newest toolkit, whose PTX it is to take
        for state in "compiled", "from the cache":
            run = self.without_cuda("compile", "sine.ll", "--arch", "sm_80", **way)
            self.assertEqual(run.returncode, 0, run.stderr.decode())
            self.assertIn(state, run.stderr.decode())
            self.assertIn(b".entry sine", (self.folder / "sine.cubin").read_bytes())
        self.assertEqual((self.stats()["compiles"], self.stats()["stores"]), (1, 1))

    # cache

    def test_cache_path(self):
        self.assertEqual(self.kiln("cache", "path").decode().strip(), str(self.folder / "cache"))
        self.kiln("cache", "path", status=1, KILN_CACHE_DIR="", HOME="", XDG_CACHE_HOME="")

    def test_stats_of_no_folder_are_zeros(self):
        stats = self.stats()
        self.assertEqual(set(stats), {"hits", "memory_hits", "misses", "compiles", "stores", "store_failures", "corrupt", "waits",
                                      "evictions", "refused", "refused_time", "refused_option",
                                      "refused_unknown_headers", "refused_young_header", "refused_untrusted",
                                      "refused_no_worker", "entries", "bytes", "pch_made", "pch_used", "pch_refused",
                                      "pch_refused_text", "pch_refused_options", "pch_refused_nvrtc",
                                      "pch_refused_address", "pch_refused_changed", "pch_refused_damaged",
                                      "pch_refused_small", "pch_files", "pch_bytes", "headers_unpacked",
                                      "header_folders", "header_bytes", "remotes"})
        self.assertEqual(stats.pop("remotes"), [])
        self.assertEqual(set(stats.values()), {0})
        self.assertFalse((self.folder / "cache").exists())

    def test_stats_and_clear(self):
        self.kiln("compile", self.source(), "-DFACTOR=2")
        stats = self.stats()
        self.assertEqual((stats["misses"], stats["compiles"], stats["stores"], stats["entries"]), (1, 1, 1, 1))
        self.assertGreater(stats["bytes"], 0)
        plain = dict(line.split() for line in self.kiln("cache", "stats").decode().splitlines())
        self.assertEqual(stats.pop("remotes"), [])
        self.assertEqual({name: int(value) for name, value in plain.items()}, stats)
        self.assertIn(b"removed 1 entry", self.kiln("cache", "clear"))
        self.assertEqual(self.stats()["entries"], 0)
        self.assertEqual(self.stats()["compiles"], 1)
        self.kiln("compile", self.source(), "-DFACTOR=2")
        self.assertEqual(self.stats()["compiles"], 2)

    def test_stats_reset(self):
        self.kiln("compile", self.source(), "-DFACTOR=2")
        stats = self.stats()
        shown = dict(line.split() for line in self.kiln("cache", "stats", "--reset").decode().splitlines())
        self.assertEqual(stats.pop("remotes"), [])
        self.assertEqual({name: int(value) for name, value in shown.items()}, stats)
        left = {name: value for name, value in self.stats().items() if value}
        self.assertEqual(left, {"entries": 1, "bytes": stats["bytes"]})

    def entries(self):
        return json.loads(self.kiln("cache", "list", "--json"))

    def entry_files(self, kind="code"):
        return sorted((self.folder / "cache").glob(f"v3/entries/*/*.{kind}"))

    def two_entries(self):
        """An older one with a manifest, and a newer one without."""
        (self.folder / "factor.h").write_text("#define FACTOR 3\n")
        # Takes longer than the moment in which a header that was just written keeps code out of the cache.
        self.kiln("compile", self.source("dir/plain.cu"), "-DFACTOR=2", "--target", "ptx", "--arch", "compute_90")
        newer = self.entry_files()
        self.kiln("compile", self.source("with.cu", '#include "factor.h"\n' + KERNEL), "--arch", "sm_90")
        [older] = set(self.entry_files()) - set(newer)
        os.utime(older, (1000, 1000))
        return older

    def test_list(self):
        self.assertEqual(self.kiln("cache", "list"), b"")
        self.assertEqual(self.entries(), [])
        self.assertFalse((self.folder / "cache").exists())
        older = self.two_entries()
        newer, listed = self.entries()
        self.assertEqual((newer["name"], newer["target"], newer["arch"]), ("plain.cu", "ptx", "compute_90"))
        self.assertEqual(listed, {"key": older.parent.name + older.stem, "name": "with.cu", "target": "cubin",
                                  "arch": "sm_90", "bytes": older.stat().st_size, "last_used": "1970-01-01T00:16:40Z",
                                  "damaged": False})
        first, second = self.kiln("cache", "list").decode().splitlines()
        self.assertEqual(first.split(), [newer["key"][:12], "ptx", "compute_90", str(newer["bytes"]),
                                         newer["last_used"], "plain.cu"])
        self.assertEqual(second.split()[0], listed["key"][:12])
        self.assertRegex(newer["last_used"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_list_of_a_damaged_entry_and_an_odd_name(self):
        self.kiln("compile", self.source("a\nb\x1bé.cu"), "-DFACTOR=2")
        [line] = self.kiln("cache", "list").decode().splitlines()
        self.assertTrue(line.endswith("  a?b?é.cu"), line)
        self.assertEqual(self.entries()[0]["name"], "a\nb\x1bé.cu")
        [file] = self.entry_files()
        file.write_bytes(b"short")
        self.assertIn(b"  damaged  ", self.kiln("cache", "list"))
        self.assertTrue(self.entries()[0]["damaged"])
        self.assertEqual(file.read_bytes(), b"short")

    def test_verify(self):
        self.assertEqual(self.kiln("cache", "verify"), b"0 good, 0 damaged (removed)\n")
        self.two_entries()
        good = int(self.kiln("cache", "verify").split()[0])
        self.assertGreaterEqual(good, 3)
        file = self.entry_files()[0]
        content = bytearray(file.read_bytes())
        content[-100] ^= 1
        file.write_bytes(content)
        lines = self.kiln("cache", "verify", status=1).decode().splitlines()
        self.assertEqual(lines, [str(file), f"{good - 1} good, 1 damaged (removed)"])
        self.assertFalse(file.exists())
        self.assertEqual(self.stats()["corrupt"], 1)
        self.kiln("cache", "verify")

    def test_verify_says_which_files_are_not_trusted(self):
        self.two_entries()
        files = self.entry_files()
        for file in files:
            file.chmod(0o666)
        lines = self.kiln("cache", "verify", status=1).decode().splitlines()
        expected = [f"{file}: is not used, because it can be written by other users (chmod go-w would end that)"
                    for file in files]
        self.assertEqual(sorted(lines[:-1]), sorted(expected))
        self.assertIn(f"0 damaged (removed), {len(files)} not trusted", lines[-1])
        for file in files:
            file.chmod(0o600)
        self.kiln("cache", "verify")

    def test_export_and_import(self):
        self.two_entries()
        bundle = self.folder / "kernels.kiln"
        self.assertEqual(self.kiln("cache", "export", bundle).decode(), f"{bundle}: 2 entries\n")
        other = {"KILN_CACHE_DIR": str(self.folder / "other")}
        self.assertIn(b"added 2 entries", self.kiln("cache", "import", bundle, **other))
        self.assertIn(b"added 0 entries", self.kiln("cache", "import", bundle, **other))
        self.kiln("compile", self.folder / "with.cu", "--arch", "sm_90", **other)
        self.assertIn("from the cache", self.err)
        (self.folder / "factor.h").write_text("#define FACTOR 4\n")
        self.kiln("compile", self.folder / "with.cu", "--arch", "sm_90", **other)
        self.assertIn("compiled", self.err)

    def test_a_damaged_bundle_adds_nothing(self):
        self.two_entries()
        self.kiln("cache", "export", "kernels.kiln")
        content = (self.folder / "kernels.kiln").read_bytes()
        (self.folder / "kernels.kiln").write_bytes(content[:-1])
        other = {"KILN_CACHE_DIR": str(self.folder / "other")}
        self.kiln("cache", "import", "kernels.kiln", status=1, **other)
        self.assertRegex(self.err, r"kernels\.kiln is damaged at byte \d+: export it again")
        self.assertFalse((self.folder / "other").exists())
        self.kiln("cache", "import", "nowhere.kiln", status=1)
        self.assertIn("nowhere.kiln", self.err)

    def make_keys(self, name):
        self.kiln("cache", "keygen", self.folder / name)
        return {"KILN_CACHE_SIGNING_KEY": str(self.folder / f"{name}.key")}, \
               {"KILN_CACHE_PUBLIC_KEYS": str(self.folder / f"{name}.pub")}

    def test_keygen_makes_a_pair_once(self):
        text = self.kiln("cache", "keygen", self.folder / "site").decode()
        private, public = self.folder / "site.key", self.folder / "site.pub"
        self.assertEqual(stat.S_IMODE(private.stat().st_mode), 0o600)
        self.assertIn(f"KILN_CACHE_SIGNING_KEY={private}\n", text)
        self.assertIn(f"KILN_CACHE_PUBLIC_KEYS={public}\n", text)
        before = private.read_bytes(), public.read_bytes()
        self.kiln("cache", "keygen", self.folder / "site", status=1)
        self.assertIn("site.key is there already", self.err)
        self.assertEqual((private.read_bytes(), public.read_bytes()), before)

    @unittest.skipUnless(shutil.which("openssl"), "no openssl")
    def test_keys_and_ids_are_those_of_openssl(self):
        text = self.kiln("cache", "keygen", self.folder / "site").decode()
        public = subprocess.run(["openssl", "pkey", "-in", self.folder / "site.key", "-pubout"], check=True,
                                capture_output=True).stdout
        self.assertEqual(public, (self.folder / "site.pub").read_bytes())
        raw = subprocess.run(["openssl", "pkey", "-in", self.folder / "site.key", "-pubout", "-outform", "DER"],
                             check=True, capture_output=True).stdout[-32:]
        self.assertIn(f"of id {hashlib.sha256(raw).hexdigest()[:16]}\n", text)

    def test_a_machine_without_openssl_says_what_to_install(self):
        (self.folder / "libcrypto.so.3").write_text("no library")
        self.kiln("cache", "keygen", self.folder / "site", status=3, LD_LIBRARY_PATH=str(self.folder))
        self.assertIn("signatures need OpenSSL 3: libcrypto.so.3", self.err)
        self.assertIn("libssl3", self.err)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["libcrypto.so.3"])

    def test_signed_bundles(self):
        self.two_entries()
        other = {"KILN_CACHE_DIR": str(self.folder / "other")}
        signs, takes = self.make_keys("site")
        bundle = self.folder / "kernels.kiln"
        self.kiln("cache", "export", bundle, "--sign", status=1)
        self.assertIn("no key to sign with", self.err)
        self.assertFalse(bundle.exists())
        self.kiln("cache", "export", bundle)
        self.kiln("cache", "import", bundle, status=1, **other, **takes)
        self.assertIn("kernels.kiln is not signed", self.err)
        self.assertFalse((self.folder / "other").exists())
        self.kiln("cache", "export", bundle, "--sign", **signs)
        self.assertIn(b"added 2 entries", self.kiln("cache", "import", bundle, **other, **takes))
        _, takes_others = self.make_keys("other")
        self.kiln("cache", "import", bundle, status=1, **other, **takes_others)
        self.assertIn("kernels.kiln is not signed by a key that is given", self.err)
        self.assertIn(b"added 0 entries", self.kiln("cache", "import", bundle, "--unsigned", **other, **takes_others))
        self.kiln("cache", "export", bundle, "--key", self.folder / "other.key")
        self.assertIn(b"added 0 entries", self.kiln("cache", "import", bundle, **other, **takes_others))
        (self.folder / "site.key").chmod(0o644)
        self.kiln("cache", "export", bundle, "--sign", status=1, **signs)
        self.assertIn("mode 0644", self.err)
        self.assertIn("chmod 600", self.err)

    def test_a_signed_folder_is_read_whoever_owns_it(self):
        self.two_entries()
        signs, takes = self.make_keys("site")
        self.kiln("cache", "sign", status=1)
        self.assertIn("no key to sign with", self.err)
        self.assertEqual(self.kiln("cache", "sign", **signs).decode(), f"signed 2 entries in {self.folder / 'cache'}\n")
        self.assertIn(b"signed 2 entries", self.kiln("cache", "sign", "--key", self.folder / "site.key"))
        for path in [self.folder / "cache", *(self.folder / "cache").rglob("*")]:
            path.chmod(0o777)
        reading = {"KILN_CACHE_DIR": str(self.folder / "other"), "KILN_CACHE_READ_ONLY_DIRS": str(self.folder / "cache")}
        command = ["compile", self.folder / "with.cu", "--arch", "sm_90"]
        self.kiln(*command, **reading, **takes)
        self.assertIn("from the cache", self.err)
        _, takes_others = self.make_keys("other")
        reading["KILN_CACHE_DIR"] = str(self.folder / "third")
        self.kiln(*command, **reading, **takes_others)
        self.assertNotIn("from the cache", self.err)
        doctor = self.kiln("doctor", **reading, **takes).decode()
        self.assertIn("files that a key of KILN_CACHE_PUBLIC_KEYS signed", doctor)

    def test_an_export_replaces_files_only_and_through_a_link(self):
        self.kiln("compile", self.source(), "-DFACTOR=2")
        self.kiln("cache", "export", "/dev/null", status=1)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.kiln("cache", "export", self.folder, status=1)
        self.kiln("cache", "export", "missing/kernels.kiln", status=1)
        (self.folder / "kernels.kiln").write_text("old")
        (self.folder / "link").symlink_to("kernels.kiln")
        self.kiln("cache", "export", "link")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual((self.folder / "kernels.kiln").read_bytes()[:8], b"kilnpack")

    def test_prune(self):
        self.assertIn(b"removed 0 entries", self.kiln("cache", "prune"))
        self.assertFalse((self.folder / "cache").exists())
        older = self.two_entries()
        newer = next(path for path in self.entry_files() if path != older)
        self.assertIn(b"removed 0 entries", self.kiln("cache", "prune", "--max-size", "1G"))
        left = self.stats()["bytes"] - older.stat().st_size
        self.assertIn(b"removed 1 entry, ", self.kiln("cache", "prune", "--max-size", left))
        self.assertEqual(self.entry_files(), [newer])
        self.assertIn(b"; 0 bytes are left", self.kiln("cache", "prune", "--max-size", "0"))
        self.assertEqual(self.stats()["bytes"], 0)

    def test_usage_of_cache_commands(self):
        for arguments in (["list", "more"], ["verify", "more"], ["export"], ["import"], ["prune", "--max-size"],
                          ["prune", "500"], ["unknown"], ["export", "a", "b"], ["stats", "--xml"]):
            self.kiln("cache", *arguments, status=2)
            self.assertTrue(self.err)
        for size in "5X", "-1", "1.5G", "99999999999G":
            self.kiln("cache", "prune", "--max-size", size, status=2)
            self.assertIn(f'"{size}" is no size', self.err)
        self.kiln("cache", "prune", "--max-size", "", status=2)
        self.assertIn("the value is empty", self.err)
        for command in "list", "verify", "prune", "clear", "export", "import", "path", "stats":
            self.assertIn(command.encode(), self.kiln("cache", "--help"))

    def test_explain_shows_what_the_cache_did(self):
        source = self.source()
        self.kiln("compile", source, "-DFACTOR=2")
        self.assertNotIn("kiln: info:", self.err)
        for level in None, "warn", "off":
            self.kiln("compile", source, "-DFACTOR=2", "--explain", **({"KILN_LOG": level} if level else {}))
            self.assertIn("kiln: info: ", self.err)
            self.assertIn("found in the cache", self.err)
        self.kiln("compile", source, "-DFACTOR=2", "--explain", "--no-cache")
        self.assertIn("scale.cu: not looked up in the cache: its options switch the cache off", self.err)
        self.kiln("compile", self.source("new.cu"), "-DFACTOR=2", "--explain")
        self.assertIn("new.cu: not in the cache: no earlier compile of that name is known", self.err)
        self.kiln("compile", source, "-DFACTOR=3", "--explain", KILN_LOG="debug")
        self.assertIn("kiln: debug: ", self.err)

    def test_a_difference_between_the_compilers_is_one_warning(self):
        source = self.source("k.cu", '#include "asks.h"\n__global__ void k(int* p) { *p = VALUE; }\n')
        self.source("asks.h", "#ifdef __GNUC__\n#define VALUE 1\n#else\n#define VALUE 2\n#endif\n")
        for origin in "compiled", "from the cache":
            self.kiln("compile", source, KILN_BACKEND="nvrtc")
            self.assertIn(origin, self.err)
            self.assertEqual(self.err.count("asks for __GNUC__ in asks.h"), 1, self.err)
            self.assertIn("KILN_BACKEND=nvcc", self.err)

    def test_explain_says_that_the_compilers_to_choose_from_changed(self):
        source = self.source()
        self.kiln("compile", source, "-DFACTOR=2", KILN_BACKEND="nvrtc")
        self.kiln("compile", source, "-DFACTOR=2", "--explain")
        self.assertIn("not in the cache: the rule that nvcc is not asked is gone\n", self.err)

    def test_explain_names_what_is_different(self):
        source = self.source("k.cu", '#include "value.h"\n#include "other.h"\n__global__ void k(int* p) { *p = VALUE; }\n')
        for name, text in ("value.h", "#define VALUE 1\n"), ("other.h", ""):
            self.source("late/" + name, text)
        folder = self.folder / "late"
        self.kiln("compile", source, "-I", folder)
        (folder / "value.h").write_text("#define VALUE 23\n")
        self.kiln("compile", source, "-I", folder, "--explain")
        self.assertIn(f"not in the cache: header {folder}/value.h changed", self.err)
        moved = self.folder / "elsewhere"
        folder.rename(moved)
        folder.mkdir()
        self.kiln("compile", source, "-I", folder, "--explain", status=1)
        self.assertIn(f"not in the cache: {folder}/", self.err)
        self.assertIn(".h is not there", self.err)

    # inspect

    INSPECTED = """__constant__ float table[5];
namespace n { template <class T> __global__ void scale(T* values, int count) { *values *= count * table[count]; } }
template __global__ void n::scale<double>(double*, int);
extern "C" __global__ void __launch_bounds__(96) plain(char c) { __shared__ volatile int tile[12]; tile[c] = c; }
"""

    def inspect(self, *arguments, **keywords):
        return json.loads(self.kiln("inspect", "--json", *arguments, **keywords))

    def inspected(self, target="cubin", arch="sm_80"):
        source = self.source("work.cu", self.INSPECTED)
        self.kiln("compile", source, "--target", target, "--arch", arch)
        return self.folder / f"work.{target}"

    def test_inspect_json_has_every_field(self):
        cubin = self.inspected()
        report = self.inspect(cubin)
        self.assertEqual((report["file"], report["kind"], report["bytes"]),
                         (str(cubin), "cubin", cubin.stat().st_size))
        self.assertEqual([(i["arch"], i["kind"], i["bytes"]) for i in report["images"]],
                         [("sm_80", "cubin", cubin.stat().st_size)])
        self.assertEqual(report["images"][0]["kernels"], report["kernels"])
        self.assertEqual(report["variables"], ["table"])
        kernels = {kernel["readable_name"]: kernel for kernel in report["kernels"]}
        scale, plain = kernels["n::scale<double>(double*, int)"], kernels["plain"]
        self.assertEqual(scale["name"], "_ZN1n5scaleIdEEvPT_i")
        self.assertEqual(scale["architectures"], ["sm_80"])
        self.assertEqual(scale["parameters"], [{"offset": 0, "size": 8, "type": "double*", "kind": "pointer"},
                                               {"offset": 8, "size": 4, "type": "int", "kind": "integer"}])
        self.assertGreater(scale["registers"], 0)
        self.assertEqual([plain[k] for k in ("shared_bytes", "local_bytes", "constant_bytes", "max_threads_per_block")],
                         [48, 0, 20, 96])
        self.assertEqual(plain["parameters"], [{"offset": 0, "size": 1, "type": None, "kind": None}])

    def test_inspect_of_ptx_says_null_for_what_ptx_does_not_tell(self):
        report = self.inspect(self.inspected("ptx", "compute_80"))
        self.assertEqual((report["kind"], report["images"][0]["arch"]), ("ptx", "compute_80"))
        kernels = {kernel["readable_name"]: kernel for kernel in report["kernels"]}
        self.assertEqual(kernels["plain"]["max_threads_per_block"], 96)
        self.assertEqual(kernels["plain"]["shared_bytes"], 48)
        self.assertIsNone(kernels["plain"]["registers"])
        self.assertIsNone(kernels["n::scale<double>(double*, int)"]["max_threads_per_block"])

    def test_inspect_table(self):
        lines = self.kiln("inspect", self.inspected()).decode().splitlines()
        head = next(line for line in lines if line.endswith("  kernel"))
        row = next(line for line in lines if line.endswith("  plain"))
        self.assertEqual(head.split(), ["registers", "shared", "local", "constant", "threads", "kernel"])
        self.assertEqual(row.split()[1:], ["48", "0", "20", "96", "plain"])
        self.assertEqual(head.index("kernel"), row.index("plain"))
        self.assertIn("  symbol _ZN1n5scaleIdEEvPT_i", lines)
        self.assertIn("       0     8  double*", lines)
        self.kiln("inspect", self.inspected("ptx", "compute_80"))
        self.assertRegex(self.out.decode(), r"(?m)^ +- +48 +0 +20 +96  plain$")

    def test_inspect_compiles_a_source_through_the_cache(self):
        source = self.source()
        for _ in range(2):
            report = self.inspect(source, "-DFACTOR=2", "--arch", "sm_90", "--option", "-lineinfo", "-I", self.folder)
            self.assertEqual([kernel["readable_name"] for kernel in report["kernels"]], ["scale(float*, int)"])
            self.assertEqual(report["images"][0]["arch"], "sm_90")
        self.assertEqual(report["file"], str(source))
        stats = self.stats()
        self.assertEqual((stats["compiles"], stats["hits"]), (1, 1))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["cache", "scale.cu"])

    def test_inspect_standard_input(self):
        self.assertEqual(self.inspect("-", "-DFACTOR=2", stdin=KERNEL.encode())["kind"], "cubin")
        report = self.inspect("-", stdin=self.inspected().read_bytes())
        self.assertEqual((report["file"], len(report["kernels"])), ("standard input", 2))

    def test_inspect_of_what_is_no_code(self):
        cubin = self.inspected().read_bytes()
        (self.folder / "cut.cubin").write_bytes(cubin[:len(cubin) // 2])
        (self.folder / "text.txt").write_text("nothing")
        (self.folder / "empty").write_bytes(b"")
        (self.folder / "cut.fatbin").write_bytes(b"\x50\xed\x55\xba\x01\x00\x10\x00" + b"\xff" * 8)
        for name, reason in (("cut.cubin", "damaged"), ("text.txt", "no code for a GPU"), ("empty", "no code for a GPU"),
                             ("cut.fatbin", "the fatbin is damaged"), ("nowhere.cubin", "No such file"),
                             (".", "Is a directory"), (sys.executable, "no CUDA code")):
            self.kiln("inspect", name, status=1)
            self.assertIn(reason, self.err)
            self.assertIn(name, self.err)
            self.assertEqual(self.out, b"")
        self.kiln("inspect", self.source(), status=1)  # without FACTOR
        self.assertIn("FACTOR", self.err)
        self.kiln("inspect", "-", stdin=b"", status=1)
        self.kiln("inspect", status=2)
        self.kiln("inspect", "a.cubin", "--josn", status=2)
        self.kiln("inspect", self.inspected(), "--arch", "sm_90", status=1)
        self.assertIn("no code for sm_90, only for sm_80", self.err)

    def test_inspect_leaves_the_terminal_alone(self):
        code = self.inspected("ptx", "compute_80").read_text().replace("plain", "pl$in")
        (self.folder / "odd\x1b[2J.ptx").write_text(code)
        self.kiln("inspect", "odd\x1b[2J.ptx")
        self.assertNotIn(b"\x1b", self.out)
        self.assertIn(b"pl$in", self.out)
        self.assertEqual(self.inspect("odd\x1b[2J.ptx")["file"], "odd\x1b[2J.ptx")

    @unittest.skipUnless(NVCC, "no nvcc on this machine")
    def test_inspect_fatbins_and_host_programs(self):
        source = self.source("work.cu", self.INSPECTED)
        images = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"]
        names = {"n::scale<double>(double*, int)", "plain"}
        for output, options, kind in (("plain.fatbin", ["-fatbin", "--no-compress"], "fatbin"),
                                      ("packed.fatbin", ["-fatbin"], "fatbin"),
                                      ("work.o", ["-c"], "elf")):
            subprocess.run([NVCC, *options, *images, "-o", output, source], cwd=self.folder, check=True)
            report = self.inspect(output)
            self.assertEqual(report["kind"], kind)
            self.assertEqual([image["arch"] for image in report["images"]], ["sm_80", "sm_90", "compute_90"])
            self.assertEqual({kernel["readable_name"] for kernel in report["kernels"]}, names)
            for kernel in report["kernels"]:
                self.assertEqual(kernel["architectures"], ["sm_80", "sm_90", "compute_90"])
            for image in report["images"]:
                self.assertEqual({kernel["readable_name"] for kernel in image["kernels"]}, names)
            picked = self.inspect(output, "--arch", "sm_90")
            self.assertEqual([kernel["architectures"] for kernel in picked["kernels"]], [["sm_90"]] * 2)
            self.assertEqual(self.kiln("inspect", output).decode().count("  kernel\n"), 3)

    # compiled code and unknown words

    def test_compiled_code_is_no_source(self):
        source = self.source()
        for target in "cubin", "fatbin", "ptx", "ltoir":
            self.kiln("compile", source, "-DFACTOR=2", "--target", target, "-o", f"ok.{target}")
        for file in "ok.cubin", "ok.fatbin", "ok.ptx":
            for command in ("compile", file), ("compile", file, "-j2"), ("preprocess", file), \
                    ("embed", file, "-o", "a.cpp", "--arch", "80"):
                self.kiln(*command, status=1 if "-j2" in command else 2)
                self.assertIn(f"{file} is compiled code, and a source is needed; kiln inspect and kiln run take it",
                              self.err)
        (self.folder / "renamed").write_bytes((self.folder / "ok.cubin").read_bytes())
        self.kiln("compile", "renamed", status=2)
        self.assertIn("renamed is compiled code", self.err)
        self.kiln("compile", "-", status=2, stdin=(self.folder / "ok.cubin").read_bytes())
        self.assertIn("standard input is compiled code", self.err)
        self.kiln("compile", "ok.ltoir", status=2)
        self.assertIn("ok.ltoir is LTO-IR", self.err)
        # A source that quotes PTX is a source.
        self.kiln("compile", self.source("quoted.txt", '// .version .target\nextern "C" __global__ void k() {}\n'))

    def test_a_name_of_compiled_code_that_holds_none(self):
        (self.folder / "junk.cubin").write_text("hello\n")
        for command in "compile", "preprocess":
            self.kiln(command, "junk.cubin", status=2)
            self.assertIn("junk.cubin is compiled code by its name, and holds none", self.err)

    def test_unexpected_words_are_in_the_order_of_the_command_line(self):
        self.kiln("preprocess", "a.cu", "-o", "a.i", status=2)
        self.assertIn("were not expected: -o a.i; preprocess writes to standard output: add > FILE", self.err)
        self.assertNotIn("--option", self.err)

    def test_options_of_nvcc_have_other_names(self):
        for words, advice in ((["--ptx"], "--target ptx"), (["-ptx"], "--target ptx"), (["-cubin"], "--target cubin"),
                              (["-c"], "it is not needed"),
                              (["-gencode", "arch=compute_80,code=sm_80"], "--arch sm_90, or --target fatbin --code"),
                              (["--generate-code=arch=compute_80"], "--arch sm_90, or --target fatbin --code")):
            self.kiln("compile", self.source(), *words, status=2)
            self.assertIn(f"not expected: {words[0]}; ", self.err)
            self.assertIn(advice, self.err)
            self.assertNotIn("--option", self.err)

    # what an error names

    def test_the_architecture_of_the_environment_is_named(self):
        self.kiln("compile", self.source(), "-DFACTOR=2", "--backend", "nvrtc", status=1, KILN_ARCH="30")
        self.assertIn("does not know the architecture sm_30 of KILN_ARCH nor any below it", self.err)
        self.assertNotIn("device", self.err)

    def test_an_option_of_the_environment_is_named(self):
        for backend in ("nvrtc", "nvcc") if NVCC else ("nvrtc",):
            for variable in "KILN_DEFAULT_OPTIONS", "PYCUDA_DEFAULT_NVCC_FLAGS":
                self.kiln("compile", self.source(), "-DFACTOR=2", "--backend", backend, status=1,
                          **{variable: "--bogus-words"})
                self.assertIn(f'The option "--bogus-words" is one of {variable}.', self.err)
            self.kiln("compile", self.source(), "-DFACTOR=2", "--backend", backend, "--option=--bogus-words", status=1,
                      KILN_DEFAULT_OPTIONS="-DA=1")
            self.assertNotIn("KILN_DEFAULT_OPTIONS", self.err)

    def test_the_whole_log_of_a_failed_compile(self):
        text = "".join(f"__global__ void k{i}() {{ undefined{i}(); }}\n" for i in range(20))
        source = self.source("wrong.cu", text)
        for more in ([], ["-j2"]):
            self.kiln("compile", source, *more, status=1)
            self.assertIn('"undefined19" is undefined', self.err)
            self.assertNotIn("log()", self.err)
        # A long one only where it is asked for.
        source = self.source("wrong.cu", "".join(f"__global__ void k{i}() {{ undefined{i}(); }}\n" for i in range(99)) +
                             "//" + "x" * 4000 + "\n" + "".join(
                                 f"__global__ void l{i}() {{ undefined_{'x' * 900}{i}(); }}\n" for i in range(30)))
        self.kiln("compile", source, status=1)
        self.assertIn("more errors: KILN_LOG=debug shows all", self.err)
        self.kiln("compile", source, status=1, KILN_LOG="debug")
        self.assertNotIn("shows all", self.err)
        self.assertIn('"undefined98" is undefined', self.err)

    def test_code_without_kernels(self):
        for text, words in (("", "the source is empty"), ("void scale(float* x) { *x = 1; }\n", "with __global__"),
                            ("template <class T, int N> __global__ void fill(T* x) { *x = N; }\n",
                             'fill is a template, of which --name-expression names an instance, such as "fill<')):
            source = self.source("none.cu", text)
            for more in ([], ["-j2"], ["--target", "ptx"]):
                self.kiln("compile", source, "--backend", "nvrtc", *more)
                self.assertIn("kiln: the code has no kernels: ", self.err)
                self.assertIn(words, self.err)
            self.kiln("compile", source, "--backend", "nvrtc", "--target", "ltoir")
            self.assertNotIn("no kernels", self.err)
        self.kiln("compile", source, "--backend", "nvrtc", "--name-expression", "fill<float, 2>")
        self.assertNotIn("no kernels", self.err)
        # What is to be linked.
        source = self.source("part.cu", "__device__ float part(float x) { return x; }\n")
        for target in "cubin", "ptx":
            self.kiln("compile", source, "--backend", "nvrtc", "--option=-rdc=true", "--target", target)
            self.assertNotIn("no kernels", self.err)

    # preprocess

    @unittest.skipUnless(NVCC, "no nvcc on this machine")
    def test_preprocess(self):
        (self.folder / "inc").mkdir()
        (self.folder / "inc" / "value.h").write_text("#define VALUE AMOUNT\n")
        (self.folder / "beside.h").write_text("#define BESIDE beside\n")
        text = '#include "beside.h"\n#include <value.h>\n__global__ void BESIDE(int* p) { *p = VALUE; }\n'
        source = self.source("work.cu", text)
        self.kiln("preprocess", source, "-I", self.folder / "inc", "-D", "AMOUNT=42", "--nvcc", NVCC, cwd="/")
        self.assertRegex(self.out.decode(), r"void beside\(int ?\* ?p\) *\{ *\*p = 42; *\}")
        self.kiln("preprocess", "-", "-DX=1", "--nvcc", NVCC, stdin=b"int i = X;")
        self.assertIn(b"int i = 1;", self.out)

    def test_preprocess_that_fails(self):
        self.kiln("preprocess", status=2)
        self.kiln("preprocess", "nowhere.cu", status=1)
        self.kiln("preprocess", self.source(), "--nvcc", self.folder / "no-nvcc", status=3)
        self.assertIn("no-nvcc", self.err)

    # doctor

    def test_doctor(self):
        report = self.kiln("doctor").decode()
        for title in "toolkit", "NVRTC", "nvJitLink", "NVVM", "libdevice", "cudadevrt", "driver", "devices", "cache":
            self.assertRegex(report, rf"(?m)^{title} +\S")
        self.assertRegex(report, r"(?m)^nvJitLink +1[23]\.\d+, /.*/libnvJitLink\.so")
        self.assertRegex(report, r"(?m)^NVVM +\d+\.\d+, /.*/libnvvm\.so")
        self.assertRegex(report, r"(?m)^libdevice +/.*/libdevice\.10\.bc$")
        self.assertRegex(report, r"(?m)^cudadevrt +/.*/libcudadevrt\.a$")
        self.assertIn("build-id:", report)
        self.assertIn("no-driver.so", report)
        self.assertIn(str(self.folder / "cache"), report)
        self.assertNotRegex(report, r"(?m)^read-only")

    def doctor_of_caches(self, **environment):
        report = self.kiln("doctor", **environment).decode()
        return report[report.index("\ncache "):]

    def test_doctor_names_the_fault_of_the_cache_folder(self):
        report = self.doctor_of_caches(KILN_CACHE_DIR="/proc/kiln")
        self.assertIn("not used: nothing can be written in /proc: ", report)
        self.assertIn("KILN_CACHE_DIR", report)
        home = str(self.folder / "nobody")
        left_out = {"KILN_CACHE_DIR": "", "PYCUDA_CACHE_DIR": "", "XDG_CACHE_HOME": ""}  # empty counts as unset
        self.assertIn(f"not used: HOME, {home}, is not there", self.doctor_of_caches(HOME=home, **left_out))
        self.assertFalse(os.path.exists(home))
        # One that is to be made is none, and is not made by looking.
        new = self.folder / "new"
        self.assertNotIn("not used", self.doctor_of_caches(KILN_CACHE_DIR=str(new)))
        self.assertFalse(new.exists())

    def test_doctor_names_the_folder_of_precompiled_headers(self):
        here = self.folder / "cache/pch"
        self.assertIn(f"precompiled headers: {here}, 0 files, 0 bytes\n", self.doctor_of_caches(KILN_PCH="on"))
        self.assertFalse(here.exists())
        self.assertIn("precompiled headers: off, by KILN_PCH\n", self.doctor_of_caches(KILN_PCH="off"))
        report = self.doctor_of_caches(KILN_PCH="on", KILN_PCH_DIR="/proc/kiln")
        self.assertIn("precompiled headers: not used: nothing can be written in /proc: ", report)
        self.assertIn("Set KILN_PCH_DIR to another folder", report)
        self.assertNotIn("precompiled", self.doctor_of_caches(KILN_PCH="on", KILN_DISABLE_CACHE="1"))

    def test_doctor_names_each_searched_place_once(self):
        self.require_no_cuda()
        report = self.without_cuda("doctor").stdout.decode()
        for place in "the nvcc on PATH", "the default install folder /usr/local/cuda":
            lines = [line for line in report.splitlines() if line.strip().split(":")[0] == place]
            self.assertEqual(len(lines), 1, report)
        self.assertEqual(report.count("  the places above\n"), 4)
        self.assertNotIn(", the nvcc on PATH", report)

    def test_doctor_lists_the_read_only_caches(self):
        self.kiln("compile", self.source(), "-DFACTOR=2")
        missing, full = self.folder / "missing", self.environment["KILN_CACHE_DIR"]
        report = self.doctor_of_caches(KILN_CACHE_DIR=str(self.folder / "own"), KILN_CACHE_TRUSTED_OWNERS="4242",
                                       KILN_CACHE_READ_ONLY_DIRS=f"{missing}:{full}")
        self.assertIn(f"\nread-only  {missing} is not used: {missing} is not there\n", report)
        self.assertRegex(report, rf"(?m)^ +{full}: 1 entry, \d+ bytes$")
        self.assertIn("trusted there: files of this user and of root, and of users 4242 ", report)
        os.chmod(full, 0o770)
        report = self.doctor_of_caches(KILN_CACHE_DIR=str(self.folder / "own"), KILN_CACHE_READ_ONLY_DIRS=full)
        self.assertIn("is not used: " + full + " can be written by other users (chmod go-w", report)
        os.chmod(full, 0o700)


if __name__ == "__main__":
    unittest.main()
