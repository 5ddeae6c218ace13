"""Each option of each command, as --help lists them: a value that is wrong is an error of use, which names the option
and the value. A new option fails here until WRONG has a wrong value of it, or ANY_TEXT says that it has none."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

KILN = os.path.abspath(sys.argv.pop(1))
EMULATOR = os.path.abspath(sys.argv.pop(1))

KERNEL = """extern "C" __global__ void scale(float* values) {
#ifdef A
  values[threadIdx.x] = A;
#endif
}
"""

# A command line of each command that is right.
COMMANDS = {
    "compile": ["a.cu"],
    "run": ["a.cu", "scale", "out:float[4]", "--grid", "1", "--block", "4"],
    "tune": ["a.cu", "scale", "out:float[4]", "--param", "A=1", "--block", "4", "--problem", "4"],
    "wisdom list": [], "wisdom show": ["scale"], "wisdom best": ["scale", "--problem", "4"], "wisdom export": [],
    "wisdom import": ["a.jsonl"], "wisdom merge": ["wisdom"], "wisdom prune": [],
    "inspect": ["a.cu"], "preprocess": ["a.cu"], "embed": ["a.cu", "-o", "a.cpp", "--arch", "80"], "doctor": [],
    "trace": [], "cache path": [], "cache stats": [], "cache list": [], "cache verify": [], "cache prune": [],
    "cache clear": [], "cache warm": ["list"], "cache export": ["a.bundle"], "cache import": ["a.bundle"],
    "cache keygen": ["name"], "cache sign": [], "cache remote": [], "cache push": [], "cache pull": [],
}

NUMBERS = ["x", "-1", "1.5", "99999999999999999999999999"]
REALS = ["x", "-1", "1e999"]
SIZES = ["x", "48Q", "-1", "1e3"]
ARCHS = ["wrong", "sm_75f", "sm_80 sm_90"]
WRONG = {
    "-D": ["4N=4", "N = 4", "=4"], "--late-define": ["4N=4", "N = 4"],
    "--option": ["-I/tmp -DN=4", "--use_fast_math -lineinfo"],
    "--arch": ARCHS, "compile --arch": ARCHS + ["sm_80,sm_90"], "embed --arch": ["80-unreal", "native"],
    "--code": ["wrong", "sm_80,wrong"], "--target": ["elf"], "--backend": ["clang"], "--timeout": REALS,
    "--jobs": NUMBERS + ["0"], "--seed": NUMBERS, "--max-variants": NUMBERS + ["0"], "--repetitions": NUMBERS + ["0"],
    "--check": ["races"], "--grid": ["x", "1x", "0"], "--block": ["x", "1x2x3x4", "0"], "--shared": SIZES,
    "tune --block": ["NONE", "4 +", "4096", "1,1,1,1", "0", "4,0"],
    "tune --grid": ["NONE", "4 +", "1,1,1,1", "0", "1,1,0"],
    "tune --shared": ["NONE", "48K"], "--print": NUMBERS + ["7"], "--save": ["7=y.npy"],
    "--expect": ["none.npy", "7=none.npy"], "--tolerance": REALS, "--bytes": REALS, "--flops": REALS,
    "--profile": ["--json"], "--param": ["B", "=1", "B=", "B=64,,128", "B=64..256", "B=[64,128]", "B=1,1"],
    "--option-param": ["FAST", "=1"], "--restrict": ["NONE > 1", "A >"], "--default": ["A", "A=7", "NONE=1"],
    "--problem": ["x", "1x2x3x4", "0"], "--strategy": ["best"], "--max-seconds": REALS + ["0"], "--launch-seconds": REALS + ["0"],
    "--anchor": ["a b"], "--newer-than": ["x"], "--max-size": ["x", "-1", "7Q"],
    "--remote": ["ftp://"],
}
# What is wrong with these is known only when they are used: paths, and names that may be of anything.
ANY_TEXT = {"-I", "--output", "--nvcc", "--name-expression", "--name", "--depfile", "--log", "--kernel-tuner-cache",
            "--key", "--device"}
# An option that needs another one.
WITH = {"--bytes": ["--bench"], "--flops": ["--bench"], "--code": ["--target", "fatbin"],
        "tune --default": ["--param", "B=1"]}


class Options(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "a földer"
        self.folder.mkdir()
        (self.folder / "a.cu").write_text(KERNEL)
        self.environment = {k: v for k, v in os.environ.items()
                            if not k.startswith(("KILN_", "PYCUDA_")) and k != "CUDA_VISIBLE_DEVICES"}
        self.environment.update(KILN_CACHE_DIR=str(self.folder / "cache"), KILN_WISDOM_DIR=str(self.folder / "wisdom"),
                                KILN_PCH="off", KILN_DRIVER=EMULATOR)

    def kiln(self, *arguments, status=0, **environment):
        run = subprocess.run([KILN, *map(str, arguments)], cwd=self.folder, env={**self.environment, **environment},
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        self.out, self.err = run.stdout.decode(), run.stderr.decode()
        if status is not None:
            self.assertEqual(run.returncode, status, f"{arguments}\n{self.out[:2000]}\n{self.err[:2000]}")
        return run.returncode

    def commands_of(self, *parents):
        self.kiln(*parents, "--help")
        listed = self.out.partition("\nSUBCOMMANDS:\n")[2] or self.out.partition("\nSubcommands:\n")[2]
        return re.findall(r"(?m)^  (\w+)", listed)

    def all_commands(self):
        for command in self.commands_of():
            inner = self.commands_of(command)
            yield from [f"{command} {one}" for one in inner] if inner else [command]

    def options_of(self, command):
        """Those with a value, by their longest name."""
        self.kiln(*command.split(), "--help")
        found = re.findall(r"(?m)^  (-\S+) (?:TEXT|UINT|INT|FLOAT)\b", self.out)
        return [max(names.split(","), key=len) for names in found]

    def test_each_command_is_known_here(self):
        self.assertEqual(sorted(self.all_commands()), sorted(COMMANDS))

    def test_a_wrong_value_names_the_option_and_itself(self):
        count = 0
        for command, line in COMMANDS.items():
            for option in self.options_of(command):
                if option in ANY_TEXT:
                    continue
                own = f"{command} {option}"
                for value in WRONG.get(own, WRONG.get(option, [])):
                    with self.subTest(f"{own} {value}"):
                        words = list(line)
                        if option in words:  # instead of the right one
                            at = words.index(option)
                            del words[at:at + 2]
                        words += WITH.get(own, WITH.get(option, []))
                        self.kiln(*command.split(), *words, option, value, status=2)
                        self.assertIn(option, self.err)
                        self.assertIn(value, self.err)
                        self.assertEqual(self.out, "")
                        count += 1
                self.assertTrue(own in WRONG or option in WRONG, f"{own}: name a wrong value in WRONG, or add it to "
                                "ANY_TEXT")
        self.assertGreater(count, 150)

    def test_no_option_is_listed_here_that_no_command_has(self):
        there = {option for command in COMMANDS for option in self.options_of(command)}
        self.assertEqual(ANY_TEXT - there, set())
        self.assertEqual({name.split()[-1] for name in [*WRONG, *WITH]} - there, set())

    # Outputs.

    def make_inputs(self):
        """Files for a command line of each command that does its work."""
        record = {"version": 1, "key": "scale", "source": "s", "device": "GPU", "arch": "sm_90", "driver": 13000,
                  "problem": [4], "configuration": {"BLOCK": 64}, "seconds": 1.0, "spread": 0.0, "objective": "time",
                  "value": 1.0, "largest_is_best": False, "date": "2026-01-01"}
        (self.folder / "wisdom").mkdir()
        (self.folder / "wisdom" / "scale.jsonl").write_text(json.dumps(record) + "\n")
        (self.folder / "a.jsonl").write_text(json.dumps(record) + "\n")
        self.kiln("compile", "a.cu", "--arch", "sm_90", "-o", "a.cubin", KILN_RECORD=str(self.folder / "list"))
        self.kiln("cache", "export", "a.bundle")
        self.kiln("cache", "keygen", "key")

    MORE = {"wisdom best": ["--arch", "sm_90", "--device", "GPU"], "compile": ["-o", "-"], "cache sign": ["--key", "key.key"]}
    # They print nothing, or need a server.
    SILENT = {"embed", "trace", "cache warm", "cache remote", "cache push", "cache pull"}

    def test_what_is_not_written_is_an_error_of_every_command(self):
        self.make_inputs()
        for command, line in COMMANDS.items():
            words = [*command.split(), *(line if command != "cache keygen" else ["other"]), *self.MORE.get(command, [])]
            for more in [], ["--json"]:
                if command in self.SILENT or (more and "--json" not in self.flags_of(command)):
                    continue
                with self.subTest(f"{words} {more}"), open("/dev/full", "wb") as full:
                    run = subprocess.run([KILN, *words, *more], cwd=self.folder, env=self.environment, stdout=full,
                                         stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120)
                    if command == "preprocess" and run.returncode == 3:
                        continue  # there is no nvcc here
                    self.assertEqual(run.returncode, 1, run.stderr)
                    self.assertIn(b"cannot write standard output", run.stderr)

    def flags_of(self, command):
        self.kiln(*command.split(), "--help")
        return re.findall(r"(?m)^  (--\S+)", self.out)

    def test_an_option_that_is_given_twice_or_without_its_value(self):
        self.kiln("compile", "a.cu", "--arch", "sm_80", "--arch", "sm_90", status=2)
        self.assertIn("kiln: --arch: give it once; it is given so often: 2\n", self.err)
        self.kiln("compile", "a.cu", "--option", status=2)
        self.assertIn("kiln: --option: its value is missing\n", self.err)

    # What is no option of Kiln's.

    def test_options_of_compilers_lead_to_kilns_own(self):
        for word in "-O3", "-lineinfo", "-std=c++17", "--use_fast_math", "-Xptxas":
            self.kiln("compile", "a.cu", word, status=2)
            self.assertIn(f"--option={word}", self.err)
        for word, arch in ("-arch=sm_80", "sm_80"), ("-arch", "sm_90"), ("--gpu-architecture=sm_86", "sm_86"):
            self.kiln("run", "a.cu", word, status=2)
            self.assertIn(f"write --arch {arch}\n", self.err)
        self.kiln("doctor", "-O3", status=2)
        self.assertNotIn("--option", self.err)

    def test_one_option_with_its_value_is_one(self):
        for option in ["-Xcompiler -DA=1", "-DB=a -b", "-I a", "--use_fast_math"]:
            self.kiln("compile", "a.cu", "--arch", "sm_90", "--option", option, "-o", "a.cubin", status=None)
            self.assertNotIn("more than one option", self.err)

    def test_a_value_in_two_words_is_written_as_one(self):
        (self.folder / "a b").mkdir()
        run = ["run", "a.cu", "scale", "--grid", "1", "--block", "4", "out:float[4]"]
        for words, advice in [
                (["compile", "a.cu", "-D", "A", "256"], "a definition is one word, -D A=256"),
                (["compile", "-DA", "256", "a.cu"], "a definition is one word, -D A=256"),
                (["compile", "a.cu", "-D", "A", "=", "256"], "a definition is one word, -D A=VALUE"),
                (["compile", "a.cu", "-D", "A=1", "+ 2"], '-D "A=1 + 2"'),
                (["compile", "a.cu", "--late-define", "A", "2"], "--late-define A=2"),
                (["compile", "a.cu", "--late-define=A", "2"], "--late-define A=2"),
                (["compile", "a.cu", "--option", "-maxrregcount", "32"], "--option=-maxrregcount=32"),
                (["compile", "a.cu", "--target", "fatbin", "--code", "sm_80", ",sm_90"], "a list is one word, sm_80,sm_90"),
                (["compile", "a.cu", "-I", "a", "b"], 'a path with blanks needs quotes, "a b"'),
                (["inspect", "a.cu", "-D", "A", "256"], "a definition is one word, -D A=256"),
                (["preprocess", "a.cu", "-D", "A", "256"], "a definition is one word, -D A=256"),
                (["embed", "a.cu", "-o", "a.cpp", "--arch", "80", "-D", "A", "256"], "a definition is one word, -D A=256"),
                ([*run, "-D", "A", "256"], 'argument 1 (counted from 0), "256": it stands apart from -D A: a definition'),
                (["run", "-D", "A", "256", *run[1:]], 'there is no file "256": it stands apart from -D A'),
                (["run", "a.cu", "-D", "A", "256", *run[2:]], 'KERNEL: "256" is no name: it stands apart from -D A'),
                (["tune", "a.cu", "scale", "out:float[4]", "--param", "B=1,2", "--problem", "4", "--block", "B", "-D", "A",
                  "256"], "a definition is one word, -D A=256")]:
            with self.subTest(words):
                self.kiln(*words, status=2)
                self.assertIn(advice, self.err)
                self.assertEqual(sorted({*os.listdir(self.folder)} - {"cache"}), ["a b", "a.cu"])
        # What stands behind such an option may be right there.
        self.kiln("compile", "-D", "B", "a.cu", "--arch", "sm_90", "-o", "a.cubin")
        self.kiln("run", "-D", "B", *run[1:])
        self.kiln("run", "a.cu", "-D", "B", *run[2:])

    def test_a_letter_leads_to_the_options_that_begin_with_it(self):
        run = ["run", "a.cu", "scale", "out:float[4]"]
        for words, advice in [
                ([*run, "-g", "1", "-b", "4"], "did you mean --grid?"),
                ([*run, "--grid", "1", "-b", "4"], "did you mean --block, --bench or --bytes?"),
                ([*run, "--grid", "1", "-b4"], "did you mean --block, --bench or --bytes?"),
                ([*run, "-grid", "1"], "did you mean --grid?"), ([*run, "-a", "sm_90"], "did you mean --arch?"),
                ([*run, "-n", "4"], "a kernel's arguments are given in its order, without their names"),
                (["tune", *run[1:], "-p", "B=1"], "did you mean --"),
                (["compile", "a.cu", "-a", "sm_90"], "did you mean --arch?"),
                (["compile", "a.cu", "-g"], "write --option=-g"), (["wisdom", "best", "scale", "-p", "4"], "--problem"),
                (["cache", "stats", "-j"], "did you mean --json?"), (["cache", "prune", "-max-size=4"], "--max-size")]:
            with self.subTest(words):
                self.kiln(*words, status=2)
                self.assertIn(advice, self.err)

    def test_values_are_written_as_numpys_files_alone(self):
        run = ["run", "a.cu", "scale", "--grid", "1", "--block", "4", "-D", "A=1", "out:float[4]"]
        for name in "y.txt", "0=y.csv", "y.npz", "y.bin":
            self.kiln(*run, "--save", name, status=2)
            self.assertIn(f'"{name}" is a file ending in {name[-4:]}: values are written as NumPy\'s .npy alone', self.err)
            self.assertFalse((self.folder / name[-5:]).exists())
        for name in "y.npy", "0=y", "/dev/null":
            self.kiln(*run, "--save", name)
        (self.folder / "y.txt").write_text("1 1 1 1")
        for words in ["--expect", "y.txt"], ["@y.txt"]:
            self.kiln(*(run if "--expect" in words else run[:-1]), *words, status=2)
            self.assertIn("y.txt", self.err)
            self.assertIn("NumPy", self.err)

    # On the emulator.

    def test_what_the_emulators_code_cannot_follow_is_said(self):
        for options in ["--code", "sm_80"], ["--option=-arch=sm_80"], ["--backend", "nvcc", "--code", "sm_80"]:
            if "nvcc" in options and self.kiln("preprocess", "a.cu", status=None) == 3:
                continue
            self.kiln("compile", "a.cu", *options)
            self.assertRegex(self.err, r"^a.cubin: (compiled|from the cache) for sm_80 ")
            self.assertNotIn("emulator", self.err)
        for options in ["-maxrregcount=32"], ["-Xptxas=-v"], ["--ptxas-options=-v", "-maxrregcount=32"]:
            words = [f"--option={option}" for option in options]
            self.kiln("compile", "a.cu", *words)
            self.assertIn(f"kiln: {', '.join(options)}: for ptxas, which makes machine code, and a.ptx is ptx: nothing "
                          "was changed by it; --arch sm_90", self.err)
            self.kiln("compile", "a.cu", *words, "-j", "1")
            self.assertIn("for ptxas", self.err)
            self.kiln("compile", "a.cu", *words, "--arch", "sm_90")
            self.assertNotIn("for ptxas", self.err)

    # The worker.

    def test_a_null_device_that_cannot_be_opened_is_named(self):
        # In a namespace of its own /dev/null lies on a file system without devices.
        if not shutil.which("unshare"):
            self.skipTest("there is no unshare")
        script = ("mount --bind /dev/null /dev/null && mount -o remount,bind,nodev /dev/null || exit 77; "
                  'exec "$0" "$@"')
        run = subprocess.run(["unshare", "-Ur", "-m", "sh", "-c", script, KILN, "compile", "a.cu", "--arch", "sm_90"],
                             cwd=self.folder, env=self.environment, stdin=subprocess.PIPE, capture_output=True, timeout=120)
        if b"unshare" in run.stderr or run.returncode == 77:
            self.skipTest("this user can make no namespace")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn(b"cannot open /dev/null: Permission denied", run.stderr)

    def test_several_architectures_lead_to_a_fatbin(self):
        self.kiln("compile", "a.cu", "--arch", "sm_80,sm_90", status=2)
        self.assertIn("--target fatbin --code sm_80,sm_90", self.err)

    def test_macros_of_every_kind(self):
        for define in "N", "N=4", "N=", "f(x)=x", "N=a b", "_1", "ä=1":
            self.kiln("compile", "a.cu", "--arch", "sm_90", "-D", define, "-o", "a.cubin")

    # Numbers that begin with a sign.

    def test_negative_arguments_of_a_kernel(self):
        (self.folder / "b.cu").write_text("__global__ void put(double* out, double x) { *out = x; }")
        for number, shown in ("-inf", "-inf"), ("-1", "-1"), ("-.5", "-0.5"), ("-1.5f", "-1.5"), ("-nan", "nan"):
            for more in [], ["--"]:
                self.kiln("run", "b.cu", "put", "--grid", "1", "--block", "1", *more, "out:double[1]", number)
                self.assertIn(f"double[1]: {shown}", self.out)
        self.kiln("run", "b.cu", "put", "--grid", "1", "--block", "1", "out:double[1]", "-x", status=2)
        self.assertIn("-x", self.err)

    def test_shared_memory_with_a_unit(self):
        (self.folder / "b.cu").write_text("""extern __shared__ int data[];
__global__ void put(int* out) { data[48 * 256 - 1] = 7; *out = data[48 * 256 - 1]; }""")
        self.kiln("run", "b.cu", "put", "--grid", "1", "--block", "1", "--shared", "48K", "out:int[1]")
        self.assertIn("int[1]: 7", self.out)

    # The environment, and files.

    def test_a_quote_that_is_not_closed(self):
        self.kiln("compile", "a.cu", "--arch", "sm_90", status=2, KILN_DEFAULT_OPTIONS='"-DB=1')
        self.assertIn("KILN_DEFAULT_OPTIONS", self.err)
        self.assertIn('the quote " is not closed in: "-DB=1', self.err)
        self.assertFalse((self.folder / "a.cubin").exists())

    def test_an_architecture_of_the_environment(self):
        self.kiln("compile", "a.cu", status=2, KILN_ARCH="sm_80,wrong", CUDA_VISIBLE_DEVICES="")
        self.assertIn('KILN_ARCH: arch "wrong" is not an architecture', self.err)

    def test_no_device_that_a_variable_shows(self):
        self.kiln("compile", "a.cu", CUDA_VISIBLE_DEVICES="7")
        self.assertRegex(self.err, r'no device is visible \(CUDA_VISIBLE_DEVICES is "7"\), so the code is for sm_\d+; --arch')
        self.kiln("compile", "a.cu", "-j", "1", CUDA_VISIBLE_DEVICES="7")
        self.assertIn('CUDA_VISIBLE_DEVICES is "7"', self.err)
        self.kiln("compile", "a.cu", "--arch", "sm_90", CUDA_VISIBLE_DEVICES="7")
        self.assertNotIn("CUDA_VISIBLE_DEVICES", self.err)
        self.kiln("doctor", CUDA_VISIBLE_DEVICES="junk", status=None)
        self.assertIn('devices    none: CUDA_VISIBLE_DEVICES is "junk"', self.out)

    def test_an_nvcc_that_is_another_program(self):
        other = self.folder / "other"
        other.write_text('#!/bin/sh\ncase "$1" in --version) echo "other 12.2.0";; *) echo "what?" >&2; exit 1;; esac\n')
        other.chmod(0o755)
        for command in ["compile", "a.cu", "--arch", "sm_90", "--backend", "nvcc"], ["preprocess", "a.cu"]:
            self.kiln(*command, "--nvcc", other, status=3)
            self.assertIn(f'{other} is no nvcc: its --version says "other 12.2.0". Name an nvcc by --nvcc', self.err)

    def test_members_of_the_library_are_named_as_options(self):
        failing = self.folder / "nvcc"
        failing.write_text('#!/bin/sh\necho "what?" >&2; exit 1\n')
        failing.chmod(0o755)
        self.kiln("compile", "a.cu", "--arch", "sm_90", "--backend", "nvcc", "--nvcc", failing, status=1)
        self.assertIn("which is kept where --keep is set", self.err)
        self.kiln("preprocess", "a.cu", "--nvcc", failing, status=1)
        self.assertIn('which is kept where "kiln compile --keep" is set', self.err)
        for text in self.err, self.out:
            self.assertNotIn("CompileOptions::keep", text)

    def test_preprocess_names_the_source(self):
        failing = self.folder / "nvcc"
        failing.write_text('#!/bin/sh\nfor last; do :; done\ngrep -E "^#(line)? *[0-9]" "$last" >&2; exit 1\n')
        failing.chmod(0o755)
        self.kiln("preprocess", "a.cu", "--nvcc", failing, status=1)
        self.assertIn('nvcc could not compile "a.cu"', self.err)
        self.assertRegex(self.err, r'#(line)? *1 "[^"]*a\.cu"')
        self.assertNotIn('"kernel.cu"', self.err)

    def test_a_cache_folder_that_cannot_be_made(self):
        where = "/proc/kiln-has-none"  # nobody makes a folder there
        for command in "stats", "list", "verify", "prune", "clear", "export", "sign":
            with self.subTest(command):
                self.kiln("cache", command, *COMMANDS[f"cache {command}"], status=1, KILN_CACHE_DIR=where)
                self.assertIn(where, self.err)
                self.assertIn("KILN_CACHE_DIR", self.err)
                self.assertEqual(self.out, "")
        self.assertFalse((self.folder / "a.bundle").exists())
        self.kiln("cache", "path", KILN_CACHE_DIR=where)

    def test_damaged_files_are_named(self):
        (self.folder / "bad.cubin").write_bytes(b"\x7fELF damaged")
        self.kiln("run", "bad.cubin", "scale", "--grid", "1", "--block", "1", status=1)
        self.assertIn("bad.cubin: ", self.err)
        (self.folder / "bad.ptx").write_text(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry scale() { wrong; }\n")
        self.kiln("run", "bad.ptx", "scale", "--grid", "1", "--block", "1", status=1)
        self.assertIn('"bad.ptx" is for ', self.err)
        (self.folder / "wide.cu").write_text(KERNEL, encoding="utf-16")
        for command in ["compile"], ["tune", "--param", "B=1", "--problem", "1", "--block", "1"], ["preprocess"]:
            self.kiln(command[0], "wide.cu", *(["scale"] if "tune" in command else []), *command[1:], status=2)
            self.assertIn('the source "wide.cu" is not UTF-8: it seems to be UTF-16', self.err)
        (self.folder / "bad.jsonl").write_text("nonsense\n\n{}\n")
        self.kiln("wisdom", "import", "bad.jsonl", status=1)
        self.assertIn("bad.jsonl: lines that are no wisdom, or of a newer version: 2 (lines 1, 3)", self.err)
        self.kiln("wisdom", "show", "scale", status=1)
        self.assertIn("there is no wisdom of scale, nor of any other key", self.err)

    def test_why_a_compile_was_none_of_the_cache_in_words(self):
        (self.folder / "inc").mkdir()
        (self.folder / "inc" / "a.h").write_text("")
        (self.folder / "b.cu").write_text(f'#include "a.h"\n{KERNEL}')
        arguments = ["compile", "b.cu", "--arch", "sm_90", "--explain", "-I", "inc"]
        self.kiln(*arguments)
        (self.folder / "other").mkdir()
        self.kiln(*arguments, "-I", "other")
        self.assertRegex(self.err, r"the folders where headers are searched changed, or how they lie to each other; now "
                         r"they are \S.*földer.*/other")
        self.assertNotIn("layout", self.err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
