"""Kiln as a package of Conan 2, made of the checkout or release that this lies in:

    conan create packaging/conan        add `-c tools.system.package_manager:mode=install` to install what is missing

Kiln's own dependencies are Debian's packages: they go into libkiln.so, or into nothing but the build.
"""
import pathlib
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, rmdir
from conan.tools.layout import basic_layout
from conan.tools.meson import Meson, MesonToolchain
from conan.tools.system.package_manager import Apt

required_conan_version = ">=2.0"

SOURCES = ["LICENSE", "meson.build", "meson_options.txt", "include/*", "lib/*", "worker/*", "emulator/*",
           "packaging/third-party.txt", "subprojects/*", "tools/*"]


class Kiln(ConanFile):
    name = "kiln"
    description = "Compiles CUDA C++ at run time, keeps the code on disk, and launches it with checked arguments"
    license = "MIT"
    topics = ("cuda", "gpu", "nvrtc", "ptx", "run-time compilation")
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"

    @property
    def repository(self):
        return pathlib.Path(self.recipe_folder).parents[1]

    def set_version(self):
        text = (self.repository / "meson.build").read_text(encoding="utf-8")
        self.version = re.search(r"^  version: '(.*)',$", text, re.MULTILINE).group(1)

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, self.repository, self.export_sources_folder)

    def layout(self):
        basic_layout(self)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("Kiln runs on Linux")

    def package_id(self):
        # Kiln is C++20 inside, and its headers are C++17, whatever a program is.
        del self.info.settings.compiler.cppstd

    def system_requirements(self):
        apt = Apt(self)
        # Debian 12 calls the Boost that Kiln needs by its version.
        for name in "libboost{}-dev", "libboost-filesystem{}-dev":
            apt.install_substitutes([name.format("1.81")], [name.format("")])
        apt.install(["cmake", "libcli11-dev", "libcurl4-openssl-dev", "libhiredis-dev",
                     "libssl-dev", "libxxhash-dev", "meson", "ninja-build", "nlohmann-json3-dev", "pkg-config",
                     "python3"])

    def generate(self):
        toolchain = MesonToolchain(self)
        toolchain.cpp_std = "c++20"
        toolchain.default_library = "both"
        # Conan's own libexecdir is bin, where kiln-worker's folder would have the command's name.
        toolchain.project_options.update({"tests": False, "examples": False, "libexecdir": "libexec"})
        toolchain.generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build()

    def package(self):
        Meson(self).install()
        # Conan writes its own for pkg-config.
        rmdir(self, pathlib.Path(self.package_folder) / "lib/pkgconfig")
        licenses = pathlib.Path(self.package_folder) / "licenses"
        copy(self, "LICENSE", self.source_folder, licenses)
        copy(self, "third-party.txt", pathlib.Path(self.source_folder) / "packaging", licenses)

    def package_info(self):
        self.cpp_info.libs = ["kiln"]
        # Kiln's own package for CMake has kiln::kiln_static, kiln::tool and kiln_embed, too.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["share/cmake/kiln"]
