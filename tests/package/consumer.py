"""Installs Kiln into a scratch folder and builds a program there with pkg-config and with CMake, and one that runs on the
installed emulator; then moves the folder and does it again."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

build, consumer = sys.argv[1:3]


def run(*command, **environment):
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def needs_kiln(program):
    return "libkiln.so" in run("readelf", "-d", str(program))


def check_program(program, libraries, expect_shared):
    if needs_kiln(program) != expect_shared:
        sys.exit(f"{program}: {'does not link' if expect_shared else 'links'} libkiln.so")
    print(program.name, run(str(program), LD_LIBRARY_PATH=str(libraries)).strip())


def with_pkg_config(libraries, scratch, static):
    path = str(libraries / "pkgconfig")
    flags = run("pkg-config", *(["--static"] if static else []), "--cflags", "--libs", "kiln", PKG_CONFIG_PATH=path)
    flags = shlex.split(flags)
    if static:  # pkg-config has no way to say which of two libraries of one name it means
        flags = [str(libraries / "libkiln.a") if flag == "-lkiln" else flag for flag in flags]
    program = scratch / ("pkg_config_static" if static else "pkg_config_shared")
    run("g++", "-std=c++17", f"{consumer}/main.cpp", "-o", str(program), *flags)
    check_program(program, libraries, not static)


def with_cmake(prefix, libraries, scratch):
    folder = scratch / "cmake"
    shutil.rmtree(folder, ignore_errors=True)
    # With Ninja, which has built Kiln: a bare system has no make.
    run("cmake", "-G", "Ninja", "-S", consumer, "-B", str(folder), f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
    if str(prefix) not in (folder / "CMakeCache.txt").read_text().split("kiln_DIR:PATH=")[1].splitlines()[0]:
        sys.exit("CMake found another Kiln")
    run("cmake", "--build", str(folder))
    check_program(folder / "shared", libraries, True)
    check_program(folder / "static", libraries, False)


# A distribution may leave the static library out: that is said by find_package, and not by the linker.
def check_missing_component(prefix, scratch):
    next(prefix.rglob("libkiln.a")).unlink()
    done = subprocess.run(["cmake", "-G", "Ninja", "-S", consumer, "-B", str(scratch / "without_static"),
                           f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF"],
                          capture_output=True, text=True)
    if done.returncode == 0 or "holds no libkiln.a" not in " ".join(done.stderr.split()):
        sys.exit(f"a missing component is not said:\n{done.stderr}")


# It must lie beside libkiln.so, where Kiln looks first: no path leads the loader to it.
def check_emulator(libraries, scratch):
    flags = run("pkg-config", "--cflags", "--libs", "kiln", PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
    program = scratch / "on_emulator"
    run("g++", "-std=c++17", f"{consumer}/on_emulator.cpp", "-o", str(program), *shlex.split(flags),
        f"-Wl,-rpath,{libraries}")
    told = run(str(program), KILN_DRIVER="emulator", LD_LIBRARY_PATH="")
    if 'device 0 is "Kiln PTX emulator"' not in told:
        sys.exit(f"the installed emulator is not used:\n{told}")
    print(program.name, told.strip())


def check_tree(prefix, scratch):
    libraries = next(prefix.rglob("libkiln.a")).parent
    with_pkg_config(libraries, scratch, static=False)
    with_pkg_config(libraries, scratch, static=True)
    check_emulator(libraries, scratch)
    if (prefix / "share/cmake/kiln").is_dir():
        with_cmake(prefix, libraries, scratch)
    else:
        print("no CMake package: Meson found no cmake")
    run(str(prefix / "bin" / "kiln"), "--version")
    # Where there is no compiler the status is another, but the worker is found all the same.
    doctor = subprocess.run([str(prefix / "bin" / "kiln"), "doctor"], capture_output=True, text=True,
                            env={k: v for k, v in os.environ.items() if k != "KILN_WORKER"}).stdout
    worker = str(next(prefix.rglob("kiln-worker")).resolve())
    if worker not in doctor:
        sys.exit(f"the installed program does not find {worker}:\n{doctor}")
    # Alone it has the one that it carries.
    alone = scratch / "kiln"
    shutil.copy(prefix / "bin" / "kiln", alone)
    doctor = subprocess.run([str(alone), "doctor"], capture_output=True, text=True,
                            env={k: v for k, v in os.environ.items() if k != "KILN_WORKER"}).stdout
    if "kiln-worker, which the library carries" not in doctor:
        sys.exit(f"the program alone has no worker:\n{doctor}")


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", str(scratch / "image"))
    # The installation prefix is the folder above the one that holds the public headers.
    prefix = next((scratch / "image").rglob("include/kiln/kiln.hpp")).parents[2]
    check_tree(prefix, scratch)
    moved = scratch / "moved here"
    prefix.rename(moved)
    check_tree(moved, scratch)
    if (moved / "share/cmake/kiln").is_dir():
        check_missing_component(moved, scratch)
