#include "toolkit/locate/component_finder.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include <filesystem>

#include "made_up_machine.hpp"
#include "message_of.hpp"

namespace component_finder_test {

namespace fs = std::filesystem;
using kiln::ComponentSearch;
using kiln::Toolkit;
using kiln::ToolkitSearch;
using kiln::test::contains;
using kiln::test::message_of;

namespace {

struct Machine : kiln::test::MadeUpMachine {
  Toolkit toolkit() const { return kiln::find_toolkit(search); }
  std::string nvjitlink() const { return found(kiln::look_for_nvjitlink(toolkit(), search)); }
  std::string nvvm() const { return found(kiln::look_for_nvvm(toolkit(), search)); }
  std::string libdevice() const { return found(kiln::look_for_libdevice(toolkit(), search)); }
  std::string cudadevrt() const { return found(kiln::look_for_device_library("cudadevrt", toolkit(), search)); }

 private:
  // Below the machine, or empty.
  std::string found(const ComponentSearch& result) const {
    return result.path ? fs::path(*result.path).lexically_relative(scratch.path()).string() : std::string();
  }
};

}  // namespace

TEST_CASE("components: nothing anywhere, and every place is listed") {
  const Machine machine;
  CHECK(machine.nvvm().empty());
  CHECK(machine.libdevice().empty());
  CHECK(machine.cudadevrt().empty());
  const ComponentSearch linker = kiln::look_for_nvjitlink(machine.toolkit(), machine.search);
  CHECK_FALSE(linker.path);
  REQUIRE(linker.searched.size() > 8);
  CHECK(linker.searched.front() == "CUDA_HOME: not set");
  CHECK(contains(linker.searched.back(), "the loader's folder"));
  // libdevice is no library, so the loader's folders are none of its places.
  const ComponentSearch libdevice = kiln::look_for_libdevice(machine.toolkit(), machine.search);
  CHECK_FALSE(contains(libdevice.searched.back(), "the loader's folder"));
}

TEST_CASE("components of a toolkit as NVIDIA's installer makes it") {
  Machine machine;
  const std::string lib = "usr/local/cuda-13.0/targets/x86_64-linux/lib";
  machine.add(lib + "/libnvrtc.so.13");
  machine.add(lib + "/libnvJitLink.so.13");
  machine.add(lib + "/libcudadevrt.a");
  machine.add("usr/local/cuda-13.0/nvvm/lib64/libnvvm.so.4");
  machine.add("usr/local/cuda-13.0/nvvm/libdevice/libdevice.10.bc");
  fs::create_directory_symlink("targets/x86_64-linux/lib", machine.scratch / "usr/local/cuda-13.0/lib64");
  fs::create_directory_symlink("cuda-13.0", machine.scratch / "usr/local/cuda");
  // What stands beside a toolkit is none of it.
  machine.add("usr/local/lib/libcudadevrt.a");
  CHECK(machine.nvjitlink() == "usr/local/cuda-13.0/lib64/libnvJitLink.so.13");
  CHECK(machine.nvvm() == "usr/local/cuda-13.0/nvvm/lib64/libnvvm.so.4");
  CHECK(machine.libdevice() == "usr/local/cuda-13.0/nvvm/libdevice/libdevice.10.bc");
  CHECK(machine.cudadevrt() == "usr/local/cuda-13.0/lib64/libcudadevrt.a");
}

TEST_CASE("components beside NVRTC come before those of another toolkit that is named first") {
  Machine machine;
  machine.add("opt/headers/include/cuda.h");
  machine.add("opt/headers/lib64/libnvJitLink.so.12");
  machine.add("usr/local/cuda/lib64/libnvrtc.so.13");
  machine.add("usr/local/cuda/lib64/libnvJitLink.so.13");
  machine.search.cuda_home = machine.scratch / "opt/headers";
  CHECK(machine.nvjitlink() == "usr/local/cuda/lib64/libnvJitLink.so.13");
  // And what stands there only is found all the same.
  machine.add("opt/headers/nvvm/libdevice/libdevice.10.bc");
  CHECK(machine.libdevice() == "opt/headers/nvvm/libdevice/libdevice.10.bc");
}

TEST_CASE("of two linkers in one folder that of NVRTC's version") {
  Machine machine;
  machine.add("usr/lib/x86_64-linux-gnu/libnvJitLink.so.12");
  machine.add("usr/lib/x86_64-linux-gnu/libnvJitLink.so.13");
  machine.add("usr/lib/x86_64-linux-gnu/libnvrtc.so.12");
  CHECK(machine.nvjitlink() == "usr/lib/x86_64-linux-gnu/libnvJitLink.so.12");
  machine.add("usr/lib/x86_64-linux-gnu/libnvrtc.so.13");
  CHECK(machine.nvjitlink() == "usr/lib/x86_64-linux-gnu/libnvJitLink.so.13");
}

TEST_CASE("components of NVIDIA's wheels") {
  Machine machine;
  const std::string site = "venv/lib/python3.12/site-packages/nvidia";
  machine.search.virtual_env = machine.scratch / "venv";
  SUBCASE("CUDA 12: a folder a component") {
    machine.add(site + "/cuda_nvrtc/lib/libnvrtc.so.12");
    machine.add(site + "/nvjitlink/lib/libnvJitLink.so.12");
    machine.add(site + "/cuda_nvcc/nvvm/lib64/libnvvm.so");
    machine.add(site + "/cuda_nvcc/nvvm/libdevice/libdevice.10.bc");
    machine.add(site + "/cuda_runtime/lib/libcudadevrt.a");
    CHECK(machine.nvjitlink() == site + "/nvjitlink/lib/libnvJitLink.so.12");
    CHECK(machine.nvvm() == site + "/cuda_nvcc/nvvm/lib64/libnvvm.so");
    CHECK(machine.libdevice() == site + "/cuda_nvcc/nvvm/libdevice/libdevice.10.bc");
    CHECK(machine.cudadevrt() == site + "/cuda_runtime/lib/libcudadevrt.a");
  }
  SUBCASE("CUDA 13: one folder") {
    machine.add(site + "/cu13/lib/libnvrtc.so.13");
    machine.add(site + "/cu13/lib/libnvJitLink.so.13");
    machine.add(site + "/cu13/lib/libnvvm.so.4");
    machine.add(site + "/cu13/nvvm/libdevice/libdevice.10.bc");
    machine.add(site + "/cu13/lib/libcudadevrt.a");
    CHECK(machine.nvjitlink() == site + "/cu13/lib/libnvJitLink.so.13");
    CHECK(machine.nvvm() == site + "/cu13/lib/libnvvm.so.4");
    CHECK(machine.libdevice() == site + "/cu13/nvvm/libdevice/libdevice.10.bc");
    CHECK(machine.cudadevrt() == site + "/cu13/lib/libcudadevrt.a");
  }
  SUBCASE("where NVRTC is not from a wheel") {
    machine.add("usr/local/cuda/lib64/libnvrtc.so.13");
    machine.add("usr/local/cuda/include/cuda.h");
    machine.add(site + "/cu13/lib/libnvJitLink.so.13");
    CHECK(machine.nvjitlink() == site + "/cu13/lib/libnvJitLink.so.13");
  }
}

TEST_CASE("components of a distribution's packages") {
  Machine machine;
  machine.add("usr/lib/x86_64-linux-gnu/libnvrtc.so.12");
  machine.add("usr/lib/x86_64-linux-gnu/libnvvm.so.4");
  machine.add("usr/lib/x86_64-linux-gnu/libcudadevrt.a");
  machine.add("usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc");
  CHECK(machine.nvvm() == "usr/lib/x86_64-linux-gnu/libnvvm.so.4");
  CHECK(machine.cudadevrt() == "usr/lib/x86_64-linux-gnu/libcudadevrt.a");
  CHECK(machine.libdevice() == "usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc");
}

TEST_CASE("a link to a library leads to its file") {
  const Machine machine;
  machine.add("usr/local/cuda/lib64/libnvJitLink.so.12.9.86");
  fs::create_symlink("libnvJitLink.so.12.9.86", machine.scratch / "usr/local/cuda/lib64/libnvJitLink.so.12");
  CHECK(machine.nvjitlink() == "usr/local/cuda/lib64/libnvJitLink.so.12.9.86");
}

TEST_CASE("a device library is named without folder, prefix and suffix") {
  CHECK(contains(message_of<kiln::Error>([] { kiln::find_device_library("../x"); }), "\"../x\""));
  CHECK_THROWS_AS(kiln::find_device_library(""), kiln::Error);
  const std::string message =
      message_of<kiln::ToolkitError>([] { kiln::require_device_library("no_such_library_of_cuda"); });
  CHECK(contains(message, "libno_such_library_of_cuda.a"));
  CHECK(contains(message, "Searched, in order:"));
  CHECK(contains(message, "pip install"));
}

}  // namespace component_finder_test
