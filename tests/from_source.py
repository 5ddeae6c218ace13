#!/usr/bin/env python3
"""Programs that build Kiln as a part of their own build, by CMake's FetchContent and as a Meson subproject, each run on
the emulator. Kiln is compiled for each, which takes many minutes: tests/run.sh does not run this.

    tests/from_source.py [cmake] [meson]    KILN_FROM_SOURCE is a folder to build in, which stays
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = REPOSITORY / "tests/package/consumer/on_emulator.cpp"


def run(*command):
    subprocess.run(command, check=True)


def check(program, driver="emulator"):
    done = subprocess.run([program], env={**os.environ, "KILN_DRIVER": driver}, capture_output=True, text=True)
    print(f"{program.name}: {done.stdout}{done.stderr}".strip())
    if done.returncode != 0 or 'device 0 is "Kiln PTX emulator"' not in done.stdout:
        sys.exit(f"{program}: exit status {done.returncode}")


def by_cmake(scratch):
    build = scratch / "cmake"
    run("cmake", "-G", "Ninja", "-S", REPOSITORY / "tests/from_source/cmake", "-B", build,
        f"-DFETCHCONTENT_SOURCE_DIR_KILN={REPOSITORY}")
    run("cmake", "--build", build)
    check(build / "with_kiln")
    # Nothing lies beside a static library's program.
    check(build / "with_kiln_static", next(build.glob("_deps/kiln-build/build/emulator/libkiln_emulator.so")))


def by_meson(scratch):
    project = scratch / "meson"
    shutil.copytree(REPOSITORY / "tests/from_source/meson", project, dirs_exist_ok=True)
    shutil.copy(PROGRAM, project)
    (project / "subprojects").mkdir(exist_ok=True)
    if not (project / "subprojects/kiln").exists():
        (project / "subprojects/kiln").symlink_to(REPOSITORY)
    run("meson", "setup", project / "build", project, "--unity=subprojects", "--unity-size=30", "-Ddebug=false",
        "-Doptimization=0")
    run("ninja", "-C", project / "build", "with_kiln", "subprojects/kiln/emulator/libkiln_emulator.so")
    check(project / "build/with_kiln")


def main(ways):
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(os.environ.get("KILN_FROM_SOURCE") or name)
        for way in ways or ["cmake", "meson"]:
            {"cmake": by_cmake, "meson": by_meson}[way](scratch)


if __name__ == "__main__":
    main(sys.argv[1:])
