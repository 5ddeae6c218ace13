"""`kiln run` on the emulator: arguments of every type, NumPy's files, results for people and for programs, errors."""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

KILN = os.path.abspath(sys.argv.pop(1))
EMULATOR = os.path.abspath(sys.argv.pop(1))

SCALE = """__global__ void scale(const float* in, float* out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * factor;
}
"""
COPY = """extern "C" __global__ void copy(const void* in, void* out, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) ((char*)out)[i] = ((const char*)in)[i];
}
"""


def npy(descr, shape, data, version=1, fortran="False"):
    """As numpy.save writes it; the first test compares it with bytes that it wrote."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    start = 10 if version == 1 else 12
    header += b" " * (63 - (start + len(header)) % 64) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + data


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def mersenne_twister(seed):
    """The standard's std::mt19937_64, by its definition."""
    mask = (1 << 64) - 1
    state = [seed & mask]
    for i in range(1, 312):
        state.append((6364136223846793005 * (state[-1] ^ state[-1] >> 62) + i) & mask)
    while True:
        for i in range(312):
            y = state[i] & ~0x7fffffff & mask | state[(i + 1) % 312] & 0x7fffffff
            state[i] = state[(i + 156) % 312] ^ y >> 1 ^ (0xb5026f5aa96619e9 if y & 1 else 0)
        for x in state:
            x ^= x >> 29 & 0x5555555555555555
            x ^= x << 17 & 0x71d67fffeda60000
            x ^= x << 37 & 0xfff7eee000000000
            yield (x ^ x >> 43) & mask


class Run(unittest.TestCase):
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
        self.environment["KILN_PCH"] = "off"
        self.environment["KILN_DRIVER"] = EMULATOR

    def kiln(self, *arguments, status=0, stdin=b"", **environment):
        run = subprocess.run([KILN, *map(str, arguments)], input=stdin, capture_output=True, cwd=self.folder,
                             env={**self.environment, **environment})
        self.out, self.err = run.stdout.decode(), run.stderr.decode()
        self.assertEqual(run.returncode, status, f"{arguments}\n{self.out}\n{self.err}")
        return self.out

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def scale(self, *arguments, **more):
        self.write("scale.cu", SCALE)
        return self.kiln("run", "scale.cu", "scale", "--grid", 4, "--block", 256, "--emulator", *arguments, **more)

    def launch(self, source, kernel, *arguments, block=1, **more):
        self.write("k.cu", source)
        return self.kiln("run", "k.cu", kernel, "--grid", 1, "--block", block, "--emulator", *arguments, **more)

    def values(self, *arguments, **more):
        """The values of the last vector of that launch."""
        report = json.loads(self.launch(*arguments, "--json", **more))
        return report["vectors"][-1]["values"]

    # results

    def test_what_is_printed(self):
        self.assertEqual(self.scale("float[1000]=arange", "out:float[1000]", "2", "1000"),
                         "argument 1: float[1000]: 0 2 4 6 ... 1996 1998; min 0, max 1998, mean 999\n")
        # What was never written has all bits set.
        self.assertEqual(self.scale("float[8]=ones", "out:float[8]", "1.5f", "3"),
                         "argument 1: float[8]: 1.5 1.5 1.5 nan nan nan nan nan; min 1.5, max 1.5, mean 1.5; 5 NaN\n"
                         "argument 1: 5 of 8 elements were never written, the first is [3]\n")
        self.assertEqual(self.scale("float[2x2]=0.1", "float[2x2]=7", "1", "3", "--print", "1"),
                         "argument 1: float[2x2]:\n0.1 0.1\n0.1 7\n")
        self.assertEqual(self.scale("float[2]=-2", "float[2]=0", "1", "2", "--print", 0, "--print", 1),
                         "argument 0: float[2]:\n-2\n-2\nargument 1: float[2]:\n-2\n-2\n")
        self.assertEqual(self.launch("__global__ void nothing() {}", "nothing"),
                         "nothing() ran, and can write none of its arguments\n")
        self.assertEqual(self.err, "")

    def test_which_vectors_are_outputs(self):
        kernel = 'extern "C" __global__ void twice(int* in, int* out) { *out = 2 * *in; }'
        both = self.launch(kernel, "twice", "int[1]=4", "int[1]=0")
        self.assertEqual(re.findall(r"argument (\d): int\[1\]: (\d)", both), [("0", "4"), ("1", "8")])
        marked = self.launch(kernel, "twice", "int[1]=4", "out:int[1]")
        self.assertEqual(re.findall(r"argument (\d): int\[1\]: (\d)", marked), [("1", "8")])
        self.scale("out:float[1]", "float[1]=0", "1", "1", status=2)
        self.assertIn("argument 0 (counted from 0): expected float const* (pointer, 8 bytes), which the kernel only "
                      "reads, given out:float[1]", self.err)

    EVERY_OTHER = """template <class T> __global__ void some(T* out, T value, int n) {
      for (int i = 0; i < n; i += 2) out[i] = value;
    }"""

    def test_a_number_of_another_type_is_named_as_it_is_written(self):
        halves = "#include <cuda_fp16.h>\n__global__ void one(__half* out, __half x) { *out = x; }\n"
        for given, hint in (("half:1.5", "half (2 bytes); write 1.5"), ("bfloat16:1.5", "bfloat16 (2 bytes); write 1.5"),
                            ("double:1.5", "double (floating, 8 bytes); write 1.5"), ("int:1", "int (integer, 4 bytes); write 1")):
            self.scale("float[4]=0", "out:float[4]", given, "4", status=2)
            self.assertIn("expected float (floating, 4 bytes), given " + hint + "\n", self.err)
        self.scale("half:1.5", "out:float[4]", "1", "4", status=2)
        self.assertIn("given half (2 bytes); a vector is written float[1000]=zeros", self.err)
        self.launch('extern "C" __global__ void one(float* out, float x) { *out = x; }', "one", "out:float[1]", "half:1", status=2)
        self.assertIn("expected floating, 4 bytes, given half (2 bytes); write 1\n", self.err)
        self.launch(halves, "one", "out:half[1]", "bfloat16:1.5", status=2)
        self.assertIn("given bfloat16 (2 bytes); write 1.5\n", self.err)
        self.assertEqual(self.values(halves, "one", "out:half[1]", "half:1.5", "--print", 0), [1.5])

    def test_a_program_of_the_host_is_no_code(self):
        for program in KILN, EMULATOR:
            self.kiln("run", program, "scale", "--grid", 1, "--block", 1, status=1)
            self.assertIn(program + " is a program, a library or an object of the host, and no code for a GPU", self.err)

    def test_an_argument_in_the_place_of_the_kernel_is_no_name(self):
        for argument in "float[4]=arange", "out:float[4]", "half:1.5", "@x.npy", "null", "1000":
            self.write("scale.cu", SCALE)
            self.kiln("run", "scale.cu", argument, "4", "--grid", 1, "--block", 1, status=2)
            self.assertIn(f'KERNEL: "{argument}" is no name: the kernel\'s name comes behind FILE', self.err)

    def test_what_was_never_written_is_told(self):
        for checks in [[], ["--check", "init"], ["--check", "race"], ["--profile", "-"], ["--time"]]:
            some = lambda *rest: self.launch(self.EVERY_OTHER, *rest, *checks)
            half = some("some<float>", "out:float[1000]", "1.5", "1000")
            self.assertIn("argument 0: float[1000]: 1.5 nan 1.5 nan ... 1.5 nan; min 1.5, max 1.5, mean 1.5; 500 NaN\n"
                          "argument 0: 500 of 1000 elements were never written, the first is [1]\n", half)
            for name, shown in [("int", "-1"), ("unsigned char", "255"), ("short", "-1")]:
                # The kernel writes the bits that the memory already has.
                text = some(f"some<{name}>", f"out:{name}[2x2]", shown, "3")
                self.assertIn(f": {shown} {shown} {shown} {shown};", text)
                self.assertIn("argument 0: 2 of 4 elements were never written, the first is [0, 1]\n", text)
            self.assertIn("argument 0: its only element was never written\n", some("some<double>", "out:double[1]", "1", "0"))
            self.assertIn("argument 0: none of its 3 elements was written\n", some("some<double>", "out:double[3]", "1", "0"))
            # An argument with values is never reported as unwritten.
            self.assertNotIn("never", some("some<int>", "out:int[4]=7", "1", "0"))
            self.assertNotIn("never", some("some<int>", "int[4]=7", "1", "0"))

    def test_what_was_never_written_of_several_and_in_part(self):
        kernel = """extern "C" __global__ void parts(char* a, float4* b, int* c) {
          a[0] = a[1] = a[5] = 1; b[1].y = 2; atomicExch(c + 1, 3); memset(c + 2, 0, 4);
        }"""
        text = self.launch(kernel, "parts", "out:short[4]", "out:float[2x4]", "out:int[4]")
        self.assertIn("argument 0: 2 of 4 elements were never written, the first is [1]; 1 in part, the first is [2]\n",
                      text)
        self.assertIn("argument 1: 7 of 8 elements were never written, the first is [0, 0]\n", text)
        self.assertIn("argument 2: 2 of 4 elements were never written, the first is [0]\n", text)
        report = json.loads(self.launch(kernel, "parts", "out:short[4]", "out:float[2x4]", "out:int[4]", "--json"))
        self.assertEqual(report["vectors"][0]["never_written"],
                         {"count": 2, "first": 1, "in_part": 1, "first_in_part": 2, "certain": True})
        self.assertEqual(report["vectors"][1]["never_written"]["count"], 7)
        report = json.loads(self.launch(kernel, "parts", "short[4]=0", "float[2x4]=0", "int[4]=0", "--json"))
        self.assertIsNone(report["vectors"][0]["never_written"])

    def test_json(self):
        report = json.loads(self.scale("float[4]=arange", "float[4]=zeros", "0.5", "4", "--json", "--time", "--print",
                                       1))
        self.assertGreater(report.pop("seconds"), 0)
        common = {"type": "float", "shape": [4], "min": 0, "nan": 0, "never_written": None}
        self.assertEqual(report, {
            "file": "scale.cu", "kernel": "scale(float const*, float*, float, int)", "device": "Kiln PTX emulator",
            "emulator": True, "grid": [4, 1, 1], "block": [256, 1, 1], "shared_bytes": 0,
            "vectors": [{"argument": 0, "output": False, "max": 3, "mean": 1.5, **common},
                        {"argument": 1, "output": True, "max": 1.5, "mean": 0.75, "values": [0, 0.5, 1, 1.5],
                         **common}],
            "benchmark": None, "expectations": [], "passed": True})
        report = json.loads(self.scale("float[1]=inf", "float[3]=nan", "-1", "1", "--json", "--print", 1))
        vector = report["vectors"][1]
        self.assertEqual((vector["values"], vector["min"], vector["nan"]), (["-inf", "nan", "nan"], "-inf", 2))
        report = json.loads(self.scale("float[1]=1", "float[1]=nan", "-1", "0", "--json"))
        self.assertEqual(report["vectors"][1]["mean"], None)

    def test_times(self):
        text = self.scale("float[4]=arange", "float[4]=zeros", "2", "4", "--time")
        self.assertRegex(text, r"\ntime: [0-9.]+ [num]?s \(the CPU's\)\n$")
        # However often it was launched for the table: the outputs are those of one launch on the first values.
        text = self.launch("__global__ void up(int* v) { ++*v; }", "up", "int[1]=5", "--bench", "--bytes", 8, "--flops",
                           "1e0")
        self.assertRegex(text, r"^argument 0: int\[1\]: 6; .*\ntime of a launch, of \d+ repetitions of \d+ launch.*\n"
                               r"  median     [0-9.]+ [num]?s\n  fastest    .*\n  quartiles  .*, .*\n"
                               r"  memory     \S+ GB/s\n  arithmetic \S+ GFLOP/s\n$")
        report = json.loads(self.launch("__global__ void up(int* v) { ++*v; }", "up", "int[1]=5", "--bench", "--json",
                                        "--bytes", "8"))["benchmark"]
        self.assertGreaterEqual(report["upper_quartile_seconds"], report["lower_quartile_seconds"])
        self.assertGreaterEqual(report["repetitions"], 20)
        self.assertAlmostEqual(report["bytes_per_second"] * report["median_seconds"], 8)
        self.assertIsNone(report["flops_per_second"])
        self.scale("float[4]=arange", "float[4]=zeros", "2", "4", "--bytes", 8, status=2)
        self.assertIn("--bench", self.err)

    # NumPy's files

    GOLDEN = (b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" + b" " * 58 + b"\n" +
              b"\x00\x00\x00\x00\x00\x00\x80?\x00\x00\x00@\x00\x00@@\x00\x00\x80@\x00\x00\xa0@")

    def test_files_are_as_numpy_writes_them(self):
        self.assertEqual(npy("<f4", "(2, 3)", floats(0, 1, 2, 3, 4, 5)), self.GOLDEN)
        self.scale("float[2x3]=arange", "out:float[2x3]", "1", "6", "--save", "größe.npy")
        self.assertEqual((self.folder / "größe.npy").read_bytes(), self.GOLDEN)
        self.assertEqual(self.scale("@größe.npy", "out:float[2x3]=@größe.npy", "2", "3"),
                         "argument 1: float[2x3]: 0 2 4 3 4 5; min 0, max 5, mean 3\n")

    def test_every_type_there_and_back(self):
        types = {"bool": "|b1", "int8": "|i1", "char": "|i1", "unsigned char": "|u1", "short": "<i2", "uint16": "<u2",
                 "int": "<i4", "unsigned": "<u4", "long long": "<i8", "unsigned long": "<u8", "half": "<f2",
                 "float": "<f4", "double": "<f8", "complex64": "<c8", "complex128": "<c16"}
        for name, descr in types.items():
            size = int(descr[2:])
            data = bytes(i % 2 if name == "bool" else i for i in range(4 * size))
            file = npy(descr, "(4,)", data)
            self.write("in.npy", file)
            self.launch(COPY, "copy", "@in.npy", f"out:{name}[4]", 4 * size, "--save", "1=out.npy", "--save",
                        "0=same.npy")
            self.assertEqual((self.folder / "out.npy").read_bytes(), file, name)
            self.assertEqual((self.folder / "same.npy").read_bytes(), file, name)
            self.launch(COPY, "copy", f"{name}[4]=@in.npy", f"out:{name}[4]", 4 * size)

    def test_bfloat16_is_saved_as_float(self):
        self.launch(COPY, "copy", "bfloat16[3]=1.5", "out:bfloat16[3]", 6, "--save", "b.npy")
        self.assertEqual((self.folder / "b.npy").read_bytes(), npy("<f4", "(3,)", floats(1.5, 1.5, 1.5)))
        self.assertEqual(self.values(COPY, "copy", "bfloat16[3]=@b.npy", "out:bfloat16[3]", 6, "--print", 1), [1.5] * 3)
        self.write("large.npy", npy("<f4", "(1,)", floats(3.4e38)))
        self.launch(COPY, "copy", "bfloat16[1]=@large.npy", "out:bfloat16[1]", 2, status=2)
        self.assertIn("3.4e+38 of the file is no bfloat16", self.err)

    def test_versions_and_shapes(self):
        for version in 1, 2, 3:
            self.write("x.npy", npy("<f4", "(2,)", floats(1, 2), version))
            self.assertIn("float[2]: 1 2;", self.scale("@x.npy", "float[2]=@x.npy", "1", "0"))
        self.write("x.npy", npy("<f4", "()", floats(3)))
        self.assertIn("float[]: 6;", self.scale("@x.npy", "float[1]=0", "2", "1", "--print", 0, "--save", "y.npy") and
                      self.scale("@x.npy", "@x.npy", "2", "1"))
        self.write("x.npy", npy("<f4", "(0, 3)", b""))
        self.assertIn("argument 1: float[0x3]:\n", self.scale("@x.npy", "@x.npy", "2", "0"))
        self.write("x.npy", npy("<f4", "(2,)", floats(1, 2), fortran="True"))  # of one dimension they are alike
        self.assertIn("float[2]: 1 2;", self.scale("@x.npy", "@x.npy", "1", "0"))

    def test_files_that_are_refused(self):
        data = floats(0, 1, 2, 3)
        for file, reason in (
                (npy("<f4", "(2, 2)", data, fortran="True"), "numpy.ascontiguousarray"),
                (npy(">f4", "(4,)", data), "big endian"),
                (npy("<U4", "(1,)", data), 'NumPy\'s type "<U4"; known are'),
                (npy("<f4", "(5,)", data), "behind its header are 16 bytes, which is not float[5]"),
                (npy("<f4", "(3,)", data), "behind its header are 16 bytes, which is not float[3]"),
                (npy("<f4", "(4611686018427387904, 8)", data), "behind its header are 16 bytes"),
                (npy("<f4", "(-4,)", data), "its header does not say"),
                (npy("<f4", "(4,)", data).replace(b"descr", b"dtype"), "its header does not say"),
                (npy("<f4", f"({'1, ' * 33})", floats(0)), "more than 32 dimensions"),
                (npy("<f4", "(4,)", data, version=3).replace(b"Y\x03", b"Y\x04"), "version 4"),
                (npy("<f4", "(4,)", data)[:70], "it is cut"), (b"\x93NUMPY\1", "no file of NumPy's"),
                (b"0 1 2 3\n", "no file of NumPy's"), (b"", "no file of NumPy's")):
            self.write("bad.npy", file)
            self.scale("@bad.npy", "out:float[4]", "1", "4", status=2)
            self.assertIn("kiln: bad.npy: ", self.err)
            self.assertIn(reason, self.err)
        self.write("bad.npy", npy("[('a', '<f4')]", "(4,)", data).replace(b"'[", b"[").replace(b"]'", b"]"))
        self.scale("@bad.npy", "out:float[4]", "1", "4", status=2)
        self.assertIn("records of several fields", self.err)
        self.scale("@missing.npy", "out:float[4]", "1", "4", status=2)
        self.assertIn("cannot read missing.npy: No such file", self.err)
        self.write("x.npy", npy("<f4", "(4,)", data))
        for stated in "double[4]=@x.npy", "float[5]=@x.npy", "int[4]=@x.npy":
            self.scale(stated, "out:float[4]", "1", "4", status=2)
            self.assertIn("the file has float[4]", self.err)

    # arguments

    def test_scalars_take_the_kernels_types(self):
        kernel = """#include <cuda_fp16.h>
        __global__ void all(bool a, char b, unsigned char c, short d, unsigned short e, int f, unsigned g, long h,
                            unsigned long i, long long j, float k, double l, __half m, double* out) {
          double values[] = {a, b, c, d, e, f, g, h, i, j, k, l, __half2float(m)};
          for (int n = 0; n < 13; ++n) out[n] = values[n];
        }"""
        def run(*scalars, **more):
            arguments = ["--", *scalars, "out:double[13]"]
            self.write("k.cu", kernel)
            return self.kiln("run", "k.cu", "all", "--grid=1", "--block=1", "--json", "--print=13", *arguments, **more)
        given = ["true", "-128", "255", "-32768", "0xffff", "-2147483648", "4294967295", "-3l", "1e6", "7ull", "0.1",
                 "0.1", "0.1"]
        values = json.loads(run(*given))["vectors"][0]["values"]
        single = struct.unpack("<f", floats(0.1))[0]
        half = struct.unpack("<e", struct.pack("<e", 0.1))[0]
        self.assertEqual(values, [1, -128, 255, -32768, 65535, -2147483648, 4294967295, -3, 1000000, 7, single, 0.1,
                                  half])
        values = json.loads(run(*given[:10], "3", "-inf", "0x10"))["vectors"][0]["values"]
        self.assertEqual(values[10:], [3, "-inf", 16])
        for position, wrong, expected in ((0, "2", "bool (1 byte) from 0 to 1"),
                                          (1, "128", "char (1 byte) from -128 to 127"),
                                          (2, "-1", "unsigned char (1 byte) from 0 to 255"),
                                          (4, "65536", "unsigned short (2 bytes) from 0 to 65535"),
                                          (5, "1.5", "int (4 bytes) from -2147483648 to 2147483647"),
                                          (5, "2147483648", "int (4 bytes)"), (5, "nan", "int (4 bytes)"),
                                          (9, "1e19", "long long (8 bytes)"),
                                          (10, "1e39", "a number that float (4 bytes) can hold"),
                                          (12, "65520", "a number that half (2 bytes) can hold")):
            run(*given[:position], wrong, *given[position + 1:], status=2)
            self.assertIn(f"argument {position} (counted from 0): expected {expected}", self.err)
            self.assertIn(f"given {wrong}", self.err)

    def test_scalars_of_a_plain_kernel(self):
        kernel = """extern "C" __global__ void plain(int* out, int a, unsigned b, unsigned char c, long d, double e) {
          *out = a == -5 && b == 4000000000u && c == 200 && d == -6 && e == 0.5;
        }"""
        self.assertIn("int[1]: 1;", self.launch(kernel, "plain", "out:int[1]", "-5", "4e9", "200", "-6", "0.5"))
        self.launch(kernel, "plain", "out:int[1]", "-5", "1", "256", "1", "1", status=2)
        self.assertIn("argument 3 (counted from 0): expected unsigned char (1 byte) from 0 to 255, given 256", self.err)

    def test_structs_halfs_and_null(self):
        kernel = """#include <cuda_fp16.h>
        struct Pair { int a; short b; };
        extern "C" __global__ void odd(Pair p, __half h, const float* none, float* out) {
          out[0] = p.a; out[1] = p.b; out[2] = __half2float(h); out[3] = none == nullptr;
        }"""
        values = self.values(kernel, "odd", "hex:0100000002000000", "half:1.5", "null", "out:float[4]", "--print", 3)
        self.assertEqual(values, [1, 2, 1.5, 1])
        for pair, half, reason in (("hex:01", "half:1", "expected 8 bytes, given hex:01 (1 bytes)"),
                                   ("hex:0", "half:1", "two hexadecimal digits"),
                                   ("hex:0100000002000000", "half:1e9", "half (2 bytes) can hold"),
                                   ("hex:0100000002000000", "1", "argument 1")):
            self.launch(kernel, "odd", pair, half, "null", "out:float[4]", status=2)
            self.assertIn(reason, self.err)

    def test_small_floats(self):
        kernel = """#include <cuda_fp16.h>
        #include <cuda_bf16.h>
        template <class T> __global__ void twice(const T* in, T* out, T by) { out[threadIdx.x] = in[threadIdx.x] * by; }
        """
        for name, type in ("half", "__half"), ("bfloat16", "__nv_bfloat16"):
            launch = [kernel, f"twice<{type}>", f"{name}[4]=arange", f"out:{name}[4]", "0.5"]
            self.assertEqual(self.values(*launch, "--print", 1, block=4), [0, 0.5, 1, 1.5])
            self.assertIn(": 0 0.5 1 1.5; min 0, max 1.5, mean 0.75\n", self.launch(*launch, block=4))
        self.launch(kernel, "twice<__half>", "bfloat16[4]=ones", "out:half[4]", "1", status=2)
        self.assertIn("argument 0 (counted from 0): expected __half const* (pointer, 8 bytes), given bfloat16* "
                      "(pointer, 8 bytes); write half[...]", self.err)
        self.launch(kernel, "twice<__half>", "float[4]=ones", "out:half[4]", "1", status=2)
        self.launch(kernel, "twice<float>", "half[4]=ones", "out:float[4]", "1", status=2)
        self.assertIn("given half* (pointer, 8 bytes); write float[...]", self.err)

    def test_values_of_vectors(self):
        def values(vector, bytes_):
            return self.values(COPY, "copy", vector, f"out:{vector.split('=')[0]}", bytes_, "--print", 1)
        self.assertEqual(values("int[5]=arange", 20), [0, 1, 2, 3, 4])
        self.assertEqual(values("short[2]=-7", 4), [-7, -7])
        self.assertEqual(values("bool[2]=ones", 2), [True, True])
        self.assertEqual(values("complex<float>[2]=arange", 16), [[0, 0], [1, 0]])
        self.assertEqual(values("uint64[1]=18446744073709551615", 8), [18446744073709551615])
        self.assertEqual(values("int64[1]=-9223372036854775808", 8), [-9223372036854775808])
        self.launch(COPY, "copy", "uchar[257]=arange", "out:uchar[257]", 257, status=2)
        self.assertIn('argument 0 (counted from 0), "uchar[257]=arange": the numbers go to 256; expected unsigned char',
                      self.err)

    def test_random_numbers_are_the_same_everywhere(self):
        def expected(seed, index, count, make):
            engine = mersenne_twister(seed + (index + 1) * 0x9e3779b97f4a7c15)
            return [make(next(engine)) for _ in range(count)]
        for vector, size, make in (("double[400]", 8, lambda x: (x >> 11) / 2**53),
                                   ("float[400]", 4, lambda x: (x >> 40) / 2**24),
                                   ("half[400]", 2, lambda x: (x >> 53) / 2**11),
                                   ("bfloat16[400]", 2, lambda x: (x >> 56) / 2**8),
                                   ("int[400]", 4, lambda x: x % 100), ("bool[400]", 1, lambda x: x % 2 == 1)):
            for seed in 0, 12345:
                values = self.values(COPY, "copy", vector + "=random", "out:" + vector, 400 * size, "--print", 1,
                                     "--seed", seed)
                self.assertEqual(values, expected(seed, 0, 400, make), vector)
        out = json.loads(self.scale("float[4]=random", "float[4]=random", "1", "0", "--json", "--print", 0, "--print",
                                    1))
        self.assertNotEqual(out["vectors"][0]["values"], out["vectors"][1]["values"])

    def test_numbers_do_not_depend_on_the_locale(self):
        names = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
        comma = [name for name in names if name.startswith(("de_", "fr_"))]
        text = self.scale("float[1]=0.5", "out:float[1]", "1.5", "1", "--tolerance", "1e-3",
                          LC_ALL=comma[0] if comma else "de_DE.UTF-8")
        self.assertEqual(text, "argument 1: float[1]: 0.75; min 0.75, max 0.75, mean 0.75\n")

    def test_arguments_that_make_no_sense(self):
        for argument, reason in (("many", "give a number (1000, 1.5f"), ("1.5x", "give a number"),
                                 ("", "give a number"),
                                 ("-3u", "give a number"), ("99999999999999999999", "give a number"),
                                 ("floot[4]=ones", '"floot" is no type that is known'),
                                 ("float4[4]=ones", "a float4[100] is written float[100x4]"),
                                 ("float[4]", "it has no values"), ("float[4", "a vector has its size in brackets"),
                                 ("out:float", "a vector has its size in brackets"),
                                 ("float[]=ones", "[] is no size"), ("float[4y2]=ones", "[4y2] is no size"),
                                 ("float[-4]=ones", "is no size"), ("float[4]ones", "stands where ="),
                                 ("float[4]=one", '"one" is no number, nor arange'),
                                 ("float[4]=1,2,3,4", "values of a list are in a file of NumPy's: =@file.npy"),
                                 ("uchar[4]=300", "from 0 to 255"),
                                 ("int[4]=0.5", "expected int (4 bytes)"),
                                 ("float[4294967296x4294967296x4]=ones", "no memory has so many elements"),
                                 ("float[1000000000000000]=ones", "this machine has no memory"),
                                 ("complex64:1", "hex:"), ("spam:1", '"spam" is no type')):
            self.scale(argument, "out:float[4]", "1", "4", status=2)
            self.assertIn(reason, self.err)
            self.assertIn(f'argument 0 (counted from 0), "{argument}": ', self.err)

    def test_arguments_that_do_not_fit_the_kernel(self):
        x = "float[4]=ones"
        for arguments, reason in (
                ([x, x, "1"], "scale(float const*, float*, float, int) takes 4 arguments: float const* (pointer, 8 "
                              "bytes), float* (pointer, 8 bytes), float (floating, 4 bytes), int (integer, 4 bytes); "
                              "given 3"),
                (["1", x, "1", "4"], "argument 0 (counted from 0): expected float const* (pointer, 8 bytes), given 1; "
                                     "a vector is written float[1000]=zeros"),
                (["double[4]=ones", x, "1", "4"], "given double* (pointer, 8 bytes); write float[...]"),
                ([x, x, x, "4"], "argument 2 (counted from 0): expected float (floating, 4 bytes), given float* ("),
                ([x, x, "null", "4"], "argument 2 (counted from 0): expected float (floating, 4 bytes), given void* ("),
                ([x, x, "double:1", "4"], "expected float (floating, 4 bytes), given double (floating, 8 bytes)")):
            self.scale(*arguments, status=2)
            self.assertIn(reason, self.err)
            self.assertNotIn("static_cast", self.err)

    # the source and the launch

    def test_sources_templates_and_macros(self):
        kernel = "template <class T, int k> __global__ void fill(T* v) { v[threadIdx.x] = k * FACTOR; }"
        text = self.launch(kernel, "fill<double, 4>", "out:double[2x3]", "-D", "FACTOR=2", block="2x3")
        self.assertIn("argument 0: double[2x3]: 8 8 nan nan nan nan; min 8", text)
        self.write("inc.h", "#define FACTOR 3\n")
        self.assertIn(": 12;", self.launch('#include "inc.h"\n' + kernel, "fill<float, 4>", "out:float[1]"))
        self.assertIn(": 20;", self.launch(kernel, "fill<float, 4>", "out:float[1]", "--late-define", "FACTOR=5"))
        out = self.kiln("run", "-", "k", "--grid=1", "--block=1", "out:int[1]",
                        stdin=b"__global__ void k(int* v) { *v = 9; }")
        self.assertEqual(out, "argument 0: int[1]: 9; min 9, max 9, mean 9\n")
        self.assertIn("Kiln's PTX emulator", self.err)  # as it was asked for by the environment

    def test_line_information_of_standard_input_finds_the_same_headers(self):
        self.write("which.h", "#define WHICH 1\n")
        (self.folder / "listed").mkdir()
        self.write("listed/which.h", "#define WHICH 2\n")
        source = b'#include "which.h"\n__global__ void k(int* v) { *v = WHICH; v[WHICH] = 0; }\n'
        for options in ([], ["--option", "-lineinfo"], ["--option", "-G"]):
            out = self.kiln("run", "-", "k", "--grid=1", "--block=1", "out:int[2]", "-I", "listed", *options, stdin=source)
            self.assertIn("argument 0: int[2]: 1 0;", out)
            # The emulator gets the text from the code.
            self.kiln("run", "-", "k", "--grid=1", "--block=1", "out:int[1]", "-I", "listed", *options, stdin=source,
                      status=1)
            self.assertIn("kernel.cu:2", self.err)

    def test_compiled_code(self):
        self.write("scale.cu", SCALE)
        self.kiln("compile", "scale.cu", "--target", "ptx", "--arch", "compute_80")
        arguments = ["float[2]=arange", "out:float[2]", "3", "2"]
        out = self.kiln("run", "scale.ptx", "scale", "--grid=1", "--block=2", *arguments)
        self.assertIn("float[2]: 0 3;", out)
        self.kiln("run", "scale.ptx", "scale", "--grid=1", "--block=2", *arguments, "-DX=1", status=2)
        self.assertIn("the file is compiled code", self.err)

    def test_a_file_that_is_compiled_code_by_its_name_only(self):
        self.write("junk.cubin", "hello\n")
        self.kiln("run", "junk.cubin", "k", "--grid=1", "--block=1", status=1)
        self.assertIn("junk.cubin (6 bytes) is no code that the driver loads", self.err)
        self.write("scale.cu", SCALE)
        self.kiln("compile", "scale.cu", "--target", "ltoir")
        self.kiln("run", "scale.ltoir", "scale", "--grid=1", "--block=1", status=2)
        self.assertIn("scale.ltoir is LTO-IR", self.err)

    def test_save_without_a_file(self):
        self.write("scale.cu", SCALE)
        call = ["run", "scale.cu", "scale", "--grid=1", "--block=2"]
        for word in "float[2]=arange", "out:float[2]", "@x.npy", "half:1.5", "1000", "null":
            self.kiln(*call, "--save", word, status=2)
            self.assertIn(f'--save: "{word}" is the next argument of the kernel: a file is needed', self.err)
        self.kiln(*call, "--save", "--time", status=2)
        self.assertIn("--save: ", self.err)
        arguments = ["float[2]=arange", "out:float[2]", "3", "2"]
        for word in "y[1].npy", "1=y[1].npy", "c:y.npy":
            self.kiln(*call, *arguments, "--save", word)
            self.assertTrue((self.folder / word.removeprefix("1=")).is_file())

    def test_a_report_that_cannot_be_written_is_known_before_the_run(self):
        self.write("scale.cu", SCALE)
        call = ["run", "scale.cu", "scale", "--grid=1", "--block=2", "float[2]=arange", "out:float[2]", "3", "2"]
        for option, file in ("--profile", "none/y.html"), ("--save", "none/y.npy"), ("--profile", "."):
            self.kiln(*call, option, file, status=1)
            self.assertIn(f"kiln: {option}: cannot write {file}: ", self.err)

    def test_the_shared_memory_is_named_as_the_option(self):
        self.write("scale.cu", SCALE)
        self.kiln("run", "scale.cu", "scale", "--grid=1", "--block=2", "float[2]=arange", "out:float[2]", "3", "2",
                  "--shared", "300K", status=2)
        self.assertIn(": --shared: expected at most ", self.err)

    def test_grid_and_block_are_named_as_the_options(self):
        self.write("scale.cu", SCALE)
        for grid, block, said in (("1", "4096", "--block, x: expected 1 to 1024, given 4096"),
                                  ("1", "1x4096", "--block, y: expected 1 to 1024, given 4096"),
                                  ("1", "1x1x65", "--block, z: expected 1 to 64, given 65"),
                                  ("1", "32x33", "--block, threads in a block: expected at most 1024, given 1056"),
                                  ("3000000000", "1", "--grid, x: expected 1 to 2147483647, given 3000000000"),
                                  ("1x70000", "1", "--grid, y: expected 1 to 65535, given 70000"),
                                  ("1x1x70000", "1", "--grid, z: expected 1 to 65535, given 70000")):
            self.kiln("run", "scale.cu", "scale", "--grid", grid, "--block", block, "float[2]=1", "out:float[2]", "3",
                      "2", status=2)
            self.assertIn(": " + said, self.err)

    def test_a_texture_without_memory_is_named_by_the_line_of_the_source(self):
        source = """texture<float, 1, cudaReadModeElementType> table;
surface<void, 2> board;
extern "C" __global__ void reference(float* y) {
  y[0] = tex1Dfetch(table, 0);
}
extern "C" __global__ void of_surface(float* y) {
  surf2Dread(y, board, 0, 0);
}
extern "C" __global__ void object(float* y, cudaTextureObject_t t) {
  y[0] = tex1Dfetch<float>(t, 0);
}
"""
        for kernel, line, arguments in ("reference", 4, []), ("of_surface", 7, []), ("object", 10, ["0"]):
            self.launch(source, kernel, "out:float[1]", *arguments, status=1)
            place = re.search(r"\n  at PTX line \d+ of .*\n    (.*)", self.err)[1]
            self.assertIn(f"k.cu:{line}: {source.splitlines()[line - 1].strip()}", place)
            self.assertNotIn("builtin", self.err)
            self.assertIn("nothing is bound to has the number 0", self.err)

    def test_local_memory_of_functions_that_are_called(self):
        source = """__device__ __noinline__ float inner(int n) {
  volatile float own[%(size)d];
  own[n] = 3;
  own[0] += 1;
  return own[n];
}
extern "C" __global__ void k(float* y, int n) { y[0] = inner(n); }
"""
        # What calls no function that is running already needs no larger stack on a GPU: its memory is known.
        out = self.launch(source % {"size": 50000}, "k", "out:float[1]", "7")
        self.assertIn("min 3, max 3", out)
        # A launch that would need too much for one function fails whether or not that is called.
        self.launch(source % {"size": 204800}, "k", "out:float[1]", "7", status=2)
        self.assertRegex(self.err, r"kernel k: local memory of a thread: expected at most 524288 bytes, given 819\d\d\d bytes, "
                         r"819\d\d\d of them for inner\(int\), which it calls; keep a thread's large arrays in a buffer")
        # What several have together is known when they are called.
        self.launch(source % {"size": 80000} + """__device__ __noinline__ float outer(int n) {
  volatile float own[80000];
  own[n] = inner(n);
  return own[n];
}
extern "C" __global__ void both(float* y, int n) { y[0] = outer(n); }
""", "both", "out:float[1]", "7", status=1)
        self.assertRegex(self.err, r"calls inner\(int\) at depth 2, with which the thread needs 640\d\d\d bytes of local memory, and "
                         "has 524288 at most: keep large arrays in a buffer of device memory")
        self.assertNotIn("recursion", self.err)
        self.launch("""__device__ __noinline__ int down(const int* x, int n) {
  int own[9000];
  for (int i = 0; i < 9000; ++i) own[i] = x[i & 3] + n;
  return n != 0 ? down(own, n - 1) + own[own[0] & 7] : own[1];
}
extern "C" __global__ void k(int* y, int n) { y[0] = down(y, n); }
""", "k", "out:int[4]", "-1", status=1)
        self.assertRegex(self.err, r"calls down\(int const\*, int\) at depth 2, with a stack of 72\d\d\d bytes, and the thread has 65536: "
                         r"a recursion without end, or a larger CU_LIMIT_STACK_SIZE is needed \(Limit::stack_size\)")

    def test_devices_that_are_hidden_from_the_emulator(self):
        self.write("scale.cu", SCALE)
        call = ["run", "scale.cu", "scale", "--grid=1", "--block=2", "float[2]=arange", "out:float[2]", "3", "2"]
        for driver in "emulator", EMULATOR:
            self.kiln(*call, status=3, CUDA_VISIBLE_DEVICES="3", KILN_DRIVER=driver)
            self.assertIn('the emulator shows no device: CUDA_VISIBLE_DEVICES is "3"', self.err)
            self.assertNotIn("there is no GPU", self.err)

    def test_faults_of_the_source_and_the_launch(self):
        self.launch("this is no CUDA", "k", status=1)
        self.assertIn("this is no CUDA", self.err)
        x = ["float[4]=ones", "float[4]=ones", "1", "4"]
        self.write("scale.cu", SCALE)
        launch = ["--grid=1", "--block=1", *x]
        self.kiln("run", "scale.cu", "scael", *launch, status=2)
        self.assertRegex(self.err, r'there is no kernel "scael"; the code holds(?s:.*)Did you mean "scale"\?')
        self.kiln("run", "nowhere.cu", "scale", *launch, status=1)
        self.assertIn("nowhere.cu", self.err)
        self.kiln("run", "scale.cu", "scale", "--grid=1", "--block=2000", *x, status=2)
        self.assertIn("--block, x: expected 1 to 1024, given 2000", self.err)
        self.kiln("run", "scale.cu", "scale", "--grid=1", "--block=1", "--shared=99999999", *x, status=2)
        for wrong in "--grid=0x4", "--grid=x", "--grid=1x1x1x1", "--grid=-1", "--grid=":
            self.kiln("run", "scale.cu", "scale", wrong, "--block=1", *x, status=2)
        self.kiln("run", "scale.cu", "scale", "--grid=1", *x, status=2)
        self.assertIn("--block", self.err)
        self.scale(*x, "--print", 2, status=2)
        self.assertIn("--print 2: argument 2 (counted from 0) is no vector; vectors are 0, 1", self.err)
        self.scale(*x, "--save", "no/such/folder.npy", status=1)
        self.assertIn("no/such/folder.npy", self.err)
        for option in "--tolerance=-1", "--tolerance=nan", "--tolerance=1,5", "--check=rice", "--seed=x":
            self.scale(*x, option, status=2)

    def test_shared_memory_and_larger_grids(self):
        kernel = """__global__ void sizes(int* out) {
          extern __shared__ int room[];
          int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
          room[100] = block + threadIdx.z;
          out[block] = gridDim.y * 100 + blockDim.z * 10 + room[100];
        }"""
        self.write("k.cu", kernel)
        self.kiln("run", "k.cu", "sizes", "--grid", "2,2", "--block", "1x1x3", "--shared", 404, "--check", "race",
                  "out:int[4]", status=1)
        self.assertIn("a race in shared memory", self.err)
        self.assertIn(", 400 bytes into the 404 bytes of dynamic shared memory, ", self.err)
        out = self.kiln("run", "k.cu", "sizes", "--grid", "2,2", "--block", "1x1x1", "--shared", 404, "out:int[4]")
        self.assertEqual(out, "argument 0: int[4]: 210 211 212 213; min 210, max 213, mean 211.5\n")

    def test_arrays_that_are_too_large_have_their_line_and_the_way_out(self):
        self.write("k.cu", """__global__ void tile(int* out) {
          __shared__ int all[15360];
          all[threadIdx.x] = threadIdx.x;
          __syncthreads();
          out[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
        }
        __global__ void deep(int* out, int n) {
          volatile int own[204800];
          for (int i = 0; i < n; ++i) own[i] = i;
          out[threadIdx.x] = own[n - 1];
        }""")
        self.kiln("run", "k.cu", "tile", "--grid", 1, "--block", 4, "out:int[4]", status=1)
        self.assertRegex(self.err, r"'tile\(int\*\)' uses too much shared data \(61440 bytes, 49152 max\)")
        self.assertRegex(self.err, r"k\.cu:3: all\[threadIdx\.x\] = threadIdx\.x;")
        self.assertIn("declare it as extern __shared__, and give its bytes at the launch", self.err)
        self.assertNotIn("ptxas` of a toolkit", self.err)
        source = (self.folder / "k.cu").read_text().replace("all[15360]", "all[64]")
        self.write("k.cu", source)
        self.kiln("run", "k.cu", "deep", "--grid", 1, "--block", 4, "out:int[4]", 5, status=2)
        self.assertRegex(self.err, r"kernel deep\(int\*, int\): local memory of a thread: expected at most 524288 bytes, given 8192\d\d")
        self.assertIn("keep a thread's large arrays in a buffer of device memory", self.err)
        self.assertIn("cuLaunchKernel: a thread of deep(int*, int) needs 819200 bytes", self.err)

    def test_an_option_that_is_missing_is_named_also_where_arguments_stand_behind_the_end_of_options(self):
        self.write("k.cu", "__global__ void k(int* o) { o[0] = 1; }")
        self.kiln("run", "k.cu", "k", "--block", 4, "--", "out:int[4]", status=2)
        self.assertIn("--grid is required", self.err)

    def test_the_report_of_a_fault_is_printed_once(self):
        self.write("k.cu", """__global__ void turned(int* out) {
          extern __shared__ int room[];
          room[threadIdx.x] = threadIdx.x;
          out[threadIdx.x] = room[threadIdx.x];
        }""")
        command = ["run", "k.cu", "turned", "--grid", 1, "--block", 4, "out:int[4]"]
        self.kiln(*command, status=1)
        self.assertEqual(self.err.count("writes 4 bytes at 0x0 of shared memory"), 1, self.err)
        self.assertIn("the launch gave it 0 bytes: give its size in bytes at the launch", self.err)
        self.assertIn("the kernel turned(int*) failed (CUDA_ERROR_ILLEGAL_ADDRESS): the emulator's report above", self.err)
        self.kiln(*command, status=1, KILN_LOG="off")
        self.assertEqual(self.err.count("writes 4 bytes at 0x0 of shared memory"), 1, self.err)

    def test_a_race_names_the_shared_variable(self):
        turned = """__global__ void turned(int* out) {
          __shared__ int tile[64];
          tile[threadIdx.x] = threadIdx.x;
          out[threadIdx.x] = tile[63 - threadIdx.x];
        }"""
        self.launch(turned, "turned", "out:int[64]", "--check", "race", block=64, status=1)
        self.assertRegex(self.err, r"a race in shared memory: writes 4 bytes at offset \d+, \d+ bytes into the "
                                   r"variable turned\(int\*\)::tile of 256 bytes, which thread ")

    def test_what_the_emulator_finds(self):
        self.launch("__global__ void beyond(float* v) { v[1000] = 1; }", "beyond", "out:float[4]", status=1)
        self.assertIn("past the end of the allocation of 16 bytes", self.err)
        self.assertEqual(self.out, "")
        adds = "__global__ void adds(float* v) { v[threadIdx.x] += 1; }"
        self.launch(adds, "adds", "out:float[4]")
        self.launch(adds, "adds", "out:float[4]", "--check", "race,init", status=1)
        self.assertIn("which nothing has written", self.err)
        self.launch(adds, "adds", "float[4]=0", "--check", "init,divergence")
        branch = "__global__ void branch(int* v) { if (threadIdx.x < 3) __syncthreads(); *v = 1; }"
        self.launch(branch, "branch", "out:int[1]", "--check", "divergence", block=32, status=1)
        self.assertIn("branch", self.err)

    def test_what_the_emulator_counts(self):
        adds = "__global__ void adds(float* v) { v[32 * threadIdx.x] += 1; }"
        self.launch(adds, "adds", "float[1024]=0", "--profile", "a report.json", block=32)
        report = json.loads((self.folder / "a report.json").read_text())
        totals = report["launches"][0]["totals"]
        self.assertEqual((totals["global_load_requests"], totals["global_load_sectors"]), (1, 32))
        self.launch(adds, "adds", "float[1024]=0", "--profile", "report.html", block=32)
        self.assertIn("<html", (self.folder / "report.html").read_text())
        self.launch(adds, "adds", "float[1024]=0", "--profile", "-", block=32)
        self.assertIn("profile of adds(float*)", self.err)

    def test_a_profile_without_a_file(self):
        self.write("k.cu", "__global__ void k() {}")
        self.kiln("run", "k.cu", "k", "--emulator", "--profile", "--grid", "2", "--block", "32", status=2)
        self.assertIn('--profile: "--grid" is the next option: a file is needed, such as report.html', self.err)

    def test_without_a_device(self):
        self.write("k.cu", "__global__ void k() {}")
        self.kiln("run", "k.cu", "k", "--grid=1", "--block=1", status=3, KILN_DRIVER=str(self.folder / "no-driver.so"))
        self.assertTrue(self.err.startswith("kiln: cannot open the driver library that KILN_DRIVER names"), self.err)
        if not any(map(os.path.exists, ["/dev/nvidiactl", "/dev/dxg"])):
            self.kiln("run", "k.cu", "k", "--grid=1", "--block=1", status=3, KILN_DRIVER="")
            self.assertTrue(self.err.startswith('kiln: there is no GPU; "kiln run --emulator" runs the kernel on'), self.err)
        for hidden in ["", "3", "NoDevFiles"]:
            self.kiln("run", "k.cu", "k", "--emulator", "--grid=1", "--block=1", status=3, CUDA_VISIBLE_DEVICES=hidden)
            self.assertTrue(self.err.startswith("kiln: the emulator shows no device: CUDA_VISIBLE_DEVICES is "
                                                f'"{hidden}"; unset'), self.err)
        fake = os.environ["KILN_FAKE_DRIVER"]
        self.kiln("run", "k.cu", "k", "--grid=1", "--block=1", "--check=race", status=2, KILN_DRIVER=fake)
        self.assertIn("--check is what the emulator does", self.err)
        self.kiln("run", "k.cu", "k", "--grid=1", "--block=1", "--profile=-", status=2, KILN_DRIVER=fake)
        self.assertIn("--profile is what the emulator does", self.err)
        # --emulator goes before what the environment names.
        self.kiln("run", "k.cu", "k", "--grid=1", "--block=1", "--check=race", "--emulator", KILN_DRIVER=fake)

    # a grader's use

    def test_expectations(self):
        self.write("ref.npy", npy("<f8", "(4,)", struct.pack("<4d", 0, 0.1, 0.2, 0.3)))
        launch = ["float[4]=arange", "out:float[4]", "0.1", "4"]
        self.assertIn("argument 1 and ref.npy: as expected\n", self.scale(*launch, "--expect", "ref.npy"))
        self.scale(*launch, "--expect", "1=ref.npy", "--tolerance", 0, status=1)
        wrong = ["float[4]=arange", "out:float[4]", "0.5", "4", "--expect", "ref.npy"]
        text = self.scale(*wrong, status=1)
        self.assertIn("argument 1 and ref.npy: 3 of 4 elements differ, by 1.2 at most\n  [1] is 0.5, expected 0.1\n"
                      "  [2] is 1, expected 0.2\n  [3] is 1.5, expected 0.3\n", text)
        report = json.loads(self.scale(*wrong, "--json", status=1))
        self.assertEqual((report["passed"], report["expectations"][0]["different"]), (False, 3))
        self.assertEqual(report["expectations"][0]["first"][0], {"element": 1, "value": "0.5", "expected": "0.1"})
        self.assertAlmostEqual(report["expectations"][0]["largest_difference"], 1.2, 6)
        # |value - expected| <= tolerance + tolerance * |expected|: 1.2 and 0.3 are 0.9 apart, 0.9 / 1.3 is 0.692.
        self.scale(*wrong, "--tolerance", "0.93")
        self.scale(*wrong, "--tolerance", "0.92", status=1)

    def test_expected_whole_numbers_are_exact(self):
        self.write("ref.npy", npy("<i8", "(1,)", struct.pack("<q", 9007199254740993)))
        copy = lambda number, status: self.launch(COPY, "copy", f"int64[1]={number}", "out:int64[1]", 8, "--expect",
                                                  "ref.npy", "--tolerance", "1", status=status)
        copy("9007199254740993", 0)
        copy("9007199254740992", 1)
        self.assertIn("[0] is 9007199254740992, expected 9007199254740993", self.out)

    def test_expected_nan_and_infinity(self):
        nan, inf = float("nan"), float("inf")
        self.write("ref.npy", npy("<f4", "(2, 2)", floats(nan, inf, -inf, 1)))
        self.scale("@ref.npy", "out:float[2x2]", "1", "4", "--expect", "ref.npy")
        text = self.scale("@ref.npy", "out:float[2x2]", "-1", "4", "--expect", "ref.npy", status=1)
        self.assertIn("3 of 4 elements differ\n  [0, 1] is -inf, expected inf\n  [1, 0] is inf, expected -inf\n"
                      "  [1, 1] is -1, expected 1\n", text)

    def test_expectations_that_make_no_sense(self):
        self.write("ref.npy", npy("<f4", "(2, 2)", floats(0, 1, 2, 3)))
        launch = ["float[4]=arange", "out:float[4]", "1", "4"]
        self.scale(*launch, "--expect", "ref.npy", status=2)
        self.assertIn("the file has float[2x2], the argument is float[4]", self.err)
        self.scale(*launch, "--expect", "missing.npy", status=2)
        self.scale(*launch, "--expect", "3=ref.npy", status=2)
        self.assertIn("argument 3 (counted from 0) is no vector", self.err)
        kernel = "__global__ void two(int* a, int* b) {}"
        self.launch(kernel, "two", "int[1]=0", "int[1]=0", "--save", "x.npy", status=2)
        self.assertIn("the outputs are 0, 1, and not one alone", self.err)
        self.launch("__global__ void none(const int* a) {}", "none", "int[1]=0", "--save", "x.npy", status=2)
        self.assertIn("the outputs are none", self.err)


if __name__ == "__main__":
    unittest.main()
