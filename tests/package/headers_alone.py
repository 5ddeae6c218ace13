"""Each public header compiles alone as C++17, warning-free, and opens no file of CUDA or Boost; all together do so with
the other compiler; and both ways beside cuda.h, before and after it, with the same handle types. Those for MPI do so
with each MPI that is installed, and that for DLPack where its header is."""
import os
import pathlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

root, cuda_include = pathlib.Path(sys.argv[1]), sys.argv[2]
include = root / "include"
every_header = sorted(path.relative_to(include).as_posix() for path in include.glob("kiln/**/*.hpp"))
for_mpi = [header for header in every_header if pathlib.PurePath(header).name.startswith("mpi")]
for_dlpack = [header for header in every_header if pathlib.PurePath(header).name.startswith("dlpack")]
headers = [header for header in every_header if header not in for_mpi + for_dlpack]
compilers = [name for name in ("g++", "clang++") if shutil.which(name)]
flags = ["-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only", f"-I{include}"]
# Variables that would add include folders behind our back.
environment = {k: v for k, v in os.environ.items() if k not in ("CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH")}

SAME_TYPES = """
#include <type_traits>
template <class Public, class Driver> void same() { static_assert(std::is_same_v<Public, Driver>); }
void handles(CUcontext context, CUkernel kernel, CUdeviceptr pointer, CUdevice device) {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  cuStreamCreate(&stream, 0);
  cuEventCreate(&event, 0);
  cuCtxGetCurrent(&context);
  cuKernelGetFunction(nullptr, kernel);
  cuMemFree(pointer);
  cuDeviceGet(&device, 0);
  same<decltype(kiln::LaunchConfig::stream), decltype(stream)>();
  same<decltype(kiln::GlobalVariable::pointer), decltype(pointer)>();
}
"""

faults = []


def compile_text(compiler, text, extra=()):
    """The files that the compiler opened, or None where it refused the text."""
    run = subprocess.run([compiler, *flags, *extra, "-x", "c++", "-", "-H"], input=text, capture_output=True, text=True,
                         env=environment)
    if run.returncode != 0:
        faults.append(f"{compiler} {' '.join(extra)}:\n{text}\n{run.stderr[-3000:]}")
        return None
    return [line.lstrip(". ") for line in run.stderr.splitlines() if line.startswith(".")]


def is_foreign(path):
    parts = pathlib.PurePath(path).parts
    return not path.startswith(str(include)) and any(
        part in ("boost", "nlohmann", "cuda.h", "nvrtc.h", "xxhash.h") or part.startswith("cuda") for part in parts)


def compile_alone(header):
    opened = compile_text(compilers[0], f"#include <{header}>\n")
    if opened is None:
        return
    if not any(path.endswith(header) for path in opened):
        faults.append(f"{compilers[0]}: the list of opened files lacks {header}: {opened[:5]}")
    faults.extend(f"{header} opens {path}" for path in opened if is_foreign(path))


# One compiler is enough for what a header lacks, as both have the same standard library; warnings are each one's own.
with ThreadPoolExecutor(os.cpu_count()) as pool:
    list(pool.map(compile_alone, headers))
for compiler in compilers:
    compile_text(compiler, "".join(f"#include <{header}>\n" for header in headers))
    cuda = [f"-isystem{cuda_include}"]
    compile_text(compiler, "#include <cuda.h>\n#include <kiln/kiln.hpp>\n" + SAME_TYPES, cuda)
    compile_text(compiler, "#include <kiln/kiln.hpp>\n#include <cuda.h>\n" + SAME_TYPES, cuda)



def flags_of(package):
    """Those of an installed MPI, whose own warnings are its own; None where it is not installed."""
    run = subprocess.run(["pkg-config", "--cflags-only-I", package], capture_output=True, text=True)
    return None if run.returncode != 0 else [flag.replace("-I", "-isystem", 1) for flag in run.stdout.split()]


for package in ("ompi-c", "mpich"):
    mpi_flags = flags_of(package) if shutil.which("pkg-config") else None
    for compiler in compilers if mpi_flags is not None else []:
        for header in for_mpi:
            compile_text(compiler, f"#include <{header}>\n", mpi_flags)

has_dlpack = subprocess.run([compilers[0], "-fsyntax-only", "-x", "c++", "-"], input="#include <dlpack/dlpack.h>\n",
                            capture_output=True, text=True, env=environment).returncode == 0
for compiler in compilers if has_dlpack else []:
    for header in for_dlpack:
        compile_text(compiler, f"#include <{header}>\n")

print("\n".join(faults) or f"{len(headers)} headers with {', '.join(compilers)}")
sys.exit(1 if faults or not headers or not compilers else 0)
