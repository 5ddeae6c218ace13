"""Programs with the shared and the static library, run on the emulator of the package, and the command `kiln`."""
import pathlib

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class TestPackage(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain", "CMakeDeps", "VirtualRunEnv"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        # Nothing lies beside a static library's program.
        emulator = pathlib.Path(self.dependencies["kiln"].cpp_info.libdirs[0]) / "libkiln_emulator.so"
        for program, driver in {"shared": "emulator", "static": emulator}.items():
            path = pathlib.Path(self.build_folder) / program
            self.run(f'env KILN_DRIVER="{driver}" "{path}"', env="conanrun")
        self.run("kiln --version", env="conanrun")
