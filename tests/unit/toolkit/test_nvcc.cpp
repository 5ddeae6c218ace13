#include "toolkit/locate/nvcc.hpp"

#include "toolkit/locate/host_compiler.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include "environment_guard.hpp"
#include "scratch_folder.hpp"

namespace nvcc_test {

namespace fs = std::filesystem;
using namespace kiln;
using kiln::test::EnvironmentGuard;
using kiln::test::ScratchFolder;

namespace {

using List = std::vector<std::string>;

struct Machine {
  ScratchFolder scratch;
  Toolkit toolkit;
  ToolkitSearch search;

  Machine() { search.system_root = scratch.path(); }
  std::string place(const std::string& relative) const { return (scratch / relative).string(); }
  std::string program(const std::string& relative, const std::string& text = "") const {
    fs::permissions(scratch.write(relative, text), fs::perms::owner_all);
    return place(relative);
  }
  std::string link(const std::string& relative, const std::string& target) const {
    fs::create_directories((scratch / relative).parent_path());
    fs::create_symlink(target, scratch / relative);
    return place(relative);
  }
  /// A toolkit as NVIDIA's installer makes it; its nvcc.
  std::string add_toolkit(const std::string& root) const {
    for (const char* part : {"/bin/ptxas", "/bin/cudafe++", "/bin/fatbinary", "/bin/nvlink", "/nvvm/bin/cicc"})
      program(root + part);
    scratch.write(root + "/bin/nvcc.profile", "");
    scratch.write(root + "/nvvm/libdevice/libdevice.10.bc", "");
    return program(root + "/bin/nvcc");
  }
  std::optional<std::string> look(const std::string& wanted = "") const {
    return look_for_nvcc(wanted, toolkit, search);
  }
  std::string fault(const std::string& wanted) const {
    try {
      require_nvcc(wanted, toolkit, search);
    } catch (const ToolkitError& error) {
      CHECK_FALSE(error.searched().empty());
      return error.what();
    }
    FAIL("found");
    return {};
  }
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the toolkit's nvcc, then the one on PATH, then those of the default folders") {
  Machine machine;
  CHECK_FALSE(machine.look());
  const std::string usual = machine.add_toolkit("usr/local/cuda-13.0");
  CHECK(*machine.look() == usual);
  const std::string on_path = machine.program("opt/bin/nvcc");
  machine.search.path = "relative::/absent:" + machine.place("opt/bin");
  CHECK(*machine.look() == on_path);
  machine.toolkit.root = machine.place("other");
  CHECK(*machine.look() == on_path);
  const std::string own = machine.add_toolkit("other");
  CHECK(*machine.look() == own);
}

TEST_CASE("links to an nvcc are followed, as it looks for its parts beside its name; others are not") {
  const Machine machine;
  const std::string nvcc = machine.add_toolkit("cuda");
  CHECK(*machine.look(machine.link("alternatives/nvcc", nvcc)) == nvcc);
  const std::string cache = machine.program("usr/bin/ccache");
  const std::string masked = machine.link("masked/nvcc", cache);
  CHECK(*machine.look(masked) == masked);
  CHECK(contains(machine.fault(machine.link("dangling/nvcc", "/absent/nvcc")), "is not there"));
}

TEST_CASE("an nvcc that cannot be run is reported for what it is") {
  Machine machine;
  machine.search.path = machine.place("bin");
  CHECK(contains(machine.fault(""), machine.place("bin")));
  CHECK(contains(machine.fault("my-nvcc"), "no my-nvcc was found"));
  CHECK(contains(machine.fault(machine.place("absent/nvcc")), "is not there"));
  fs::create_directories(machine.scratch / "folder");
  CHECK(contains(machine.fault(machine.place("folder")), "is a folder"));
  machine.scratch.write("file", "");
  CHECK(contains(machine.fault(machine.place("file")), "is not executable"));
  CHECK(contains(machine.fault(""), "Install a CUDA toolkit"));
  machine.scratch.write("bin/nvcc", "");  // neither is it taken from PATH
  CHECK_FALSE(machine.look());
}

TEST_CASE("the parts of a toolkit, in their order") {
  const Machine machine;
  const EnvironmentGuard guard({{"PATH", ""}, {"NVCC_CCBIN", std::nullopt}});
  const std::string nvcc = machine.add_toolkit("cuda");
  const auto at = [&](const char* part) { return machine.place("cuda") + part; };
  CHECK(nvcc_parts(nvcc, {}) == List{nvcc, at("/bin/nvcc.profile"), at("/nvvm/bin/cicc"), at("/bin/ptxas"),
                                     at("/bin/cudafe++"), at("/bin/fatbinary"), at("/bin/nvlink"),
                                     at("/nvvm/libdevice/libdevice.10.bc")});
}

TEST_CASE("a script that calls the nvcc of a folder, as distributions have it") {
  const Machine machine;
  const EnvironmentGuard guard({{"PATH", ""}, {"NVCC_CCBIN", std::nullopt}});
  const std::string real = machine.program("lib/toolkit-dir/bin/nvcc");
  const std::string cicc = machine.program("lib/toolkit-dir/bin/cicc");
  // Scripts name folders without blanks.
  const fs::path plain = fs::temp_directory_path() / ("kiln-test-nvcc-script-" + std::to_string(::getpid()));
  fs::remove(plain);
  fs::create_directory_symlink(machine.scratch.path(), plain);
  const std::string script =
      machine.program("usr/bin/nvcc", "#!/bin/sh\nexec " + plain.string() + "/lib/toolkit-dir/bin/nvcc \"$@\"\n");
  CHECK(nvcc_parts(script, {}) == List{script, real, cicc});
  CHECK(nvcc_root(script) == machine.place("lib/toolkit-dir"));
  fs::remove(plain);
}

TEST_CASE("the host compiler of -ccbin, of NVCC_CCBIN, of PATH; and its cc1plus") {
  const Machine machine;
  const std::string gcc12 = machine.program("usr/bin/x86_64-linux-gnu-gcc-12");
  machine.program("usr/bin/clang-14");
  machine.link("usr/bin/gcc", "x86_64-linux-gnu-gcc-12");
  machine.link("usr/bin/clang++", "clang-14");
  const std::string cc1plus = machine.program("usr/lib/gcc/x86_64-linux-gnu/12/cc1plus");
  machine.program("usr/lib/gcc/x86_64-linux-gnu/11/cc1plus");
  const std::string bin = machine.place("usr/bin");
  CHECK(host_compiler_files({"", bin}) == List{gcc12, cc1plus});
  CHECK(host_compiler_files({bin, ""}) == List{gcc12, cc1plus});
  CHECK(host_compiler_files({bin + "/gcc", ""}) == List{gcc12, cc1plus});
  const List clang = host_compiler_files({"clang++", bin});
  CHECK(clang == List{bin + "/clang-14"});
  CHECK(is_clang(clang));
  CHECK_FALSE(is_clang({"/opt/clang/bin/gcc"}));
  CHECK(host_compiler_files({"absent", bin}).empty());
  // A compiler cache before it on PATH.
  const std::string cache = machine.program("usr/lib/ccache/ccache");
  machine.link("usr/lib/ccache/gcc", "ccache");
  CHECK(host_compiler_files({"", machine.place("usr/lib/ccache") + ":" + bin}) == List{cache, gcc12, cc1plus});

  EnvironmentGuard guard({{"NVCC_CCBIN", "g++-13"}, {"PATH", "/p"}});
  CHECK(host_compiler_search({"-O2"}).wanted == "g++-13");
  CHECK(host_compiler_search({"-ccbin", "a", "--compiler-bindir=b"}).wanted == "b");
  CHECK(host_compiler_search({"-ccbin=a", "-ccbinx"}).wanted == "a");
  CHECK(host_compiler_search({}).path == "/p");
}

TEST_CASE("parts are looked for again where another host compiler is meant") {
  const Machine machine;
  const std::string nvcc = machine.add_toolkit("cuda");
  const std::string gcc = machine.program("one/gcc");
  const std::string other = machine.program("two/other");
  EnvironmentGuard guard({{"PATH", machine.place("one")}, {"NVCC_CCBIN", std::nullopt}});
  CHECK(nvcc_parts(nvcc, {}).back() == gcc);
  CHECK(nvcc_parts(nvcc, {"-ccbin", other}).back() == other);
  guard.set("NVCC_CCBIN", other);
  CHECK(nvcc_parts(nvcc, {}).back() == other);
}

TEST_CASE("where a toolkit's headers are") {
  const Machine machine;
  const std::string nvcc = machine.add_toolkit("cuda");
  CHECK(nvcc_include_dirs(nvcc_root(nvcc)).empty());
  machine.scratch.write("cuda/include/cuda_runtime.h", "");
  CHECK(nvcc_include_dirs(nvcc_root(nvcc)) == List{machine.place("cuda/include")});
  machine.scratch.write("cuda/targets/x86_64-linux/include/cuda_runtime.h", "");
  machine.scratch.write("cuda/targets/x86_64-linux/include/cccl/x", "");
  const std::string include = machine.place("cuda/targets/x86_64-linux/include");
  CHECK(nvcc_include_dirs(nvcc_root(nvcc)) == List{include, include + "/cccl"});
}

}  // namespace nvcc_test
