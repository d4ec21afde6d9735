"""Conan: conan create share/packaging/conan. Builds this tree with CMake; needs re2c and lemon in the path."""
import os

from conan import ConanFile
from conan.tools.build import cross_building
from conan.tools.cmake import CMake, cmake_layout
from conan.tools.files import copy


class PktcConan(ConanFile):
    name = "pktc"
    version = "0.1.0"
    license = "MIT"
    description = "Compiler of packet schemas for games to C, and the runtime of the code it makes"
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain"

    def export_sources(self):
        top = os.path.join(self.recipe_folder, "..", "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "compiler/*", "runtime/*", "docs/pktc.1"):
            copy(self, pattern, src=top, dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def configure(self):
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # Programs use the files of pktc itself for CMake, with pktc_generate.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "pktc")]
        self.cpp_info.includedirs = [os.path.join("include", "pktc")]
        self.cpp_info.libs = ["pkt"]
        if not cross_building(self):
            self.buildenv_info.append_path("PATH", os.path.join(self.package_folder, "bin"))
