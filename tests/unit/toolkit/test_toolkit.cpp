#include "toolkit/locate/toolkit.hpp"
#include "toolkit/locate/toolkit_places.hpp"

#include <doctest/doctest.h>

#include "made_up_machine.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

#include <utility>
#include <vector>

namespace toolkit_test {

namespace fs = std::filesystem;
using kiln::find_toolkit;
using kiln::Toolkit;
using kiln::ToolkitSearch;
using kiln::test::contains;
using kiln::test::ScratchFolder;

namespace {

struct Machine : kiln::test::MadeUpMachine {
  void add_program(const std::string& relative) const { fs::permissions(add(relative), fs::perms::owner_all); }
  fs::path link(const std::string& relative, const fs::path& target) const {
    fs::create_directories((scratch / relative).parent_path());
    fs::create_symlink(target, scratch / relative);
    return scratch / relative;
  }
  // A toolkit as NVIDIA's installer makes it.
  void add_toolkit(const std::string& root, const std::string& version = "13.0.88") const {
    const std::string major = version.substr(0, 2);
    const std::string minor = version.substr(0, 4);
    add(root + "/include/cuda.h");
    add(root + "/targets/x86_64-linux/lib/libnvrtc.so." + version);
    add(root + "/targets/x86_64-linux/lib/libnvrtc-builtins.so." + version);
    link(root + "/targets/x86_64-linux/lib/libnvrtc.so." + major, "libnvrtc.so." + version);
    link(root + "/targets/x86_64-linux/lib/libnvrtc-builtins.so." + minor, "libnvrtc-builtins.so." + version);
    link(root + "/lib64", "targets/x86_64-linux/lib");
  }
  fs::path real(const std::string& relative) const { return fs::canonical(scratch / relative); }
  Toolkit find() const { return find_toolkit(search); }
};

}  // namespace

TEST_CASE("nothing anywhere: every place is listed, in order") {
  Machine machine;
  machine.search.cuda_path = machine.scratch / "absent";
  const Toolkit toolkit = machine.find();
  CHECK_FALSE(toolkit.root);
  CHECK_FALSE(toolkit.nvrtc);
  CHECK(toolkit.include_dirs.empty());
  REQUIRE(toolkit.searched.size() > 8);
  CHECK(toolkit.searched[0] == "CUDA_HOME: not set");
  CHECK(toolkit.searched[1] == "CUDA_PATH: " + machine.search.cuda_path);
  CHECK(toolkit.warning ==
        "CUDA_PATH is " + machine.search.cuda_path + ", which is not there; the toolkit used is none");
  CHECK(toolkit.searched[2] == "the nvcc on PATH: none");
  CHECK(contains(toolkit.searched[3], "usr/local/cuda"));
  const std::string text = kiln::searched_text(toolkit);
  CHECK(contains(text, "dist-packages"));
  CHECK(contains(text, "usr/lib64"));
  CHECK(contains(kiln::installation_advice(), "pip install"));
}

TEST_CASE("NVRTC's own headers are for where no others are found") {
  const std::vector<std::pair<std::string, bool>> cases = {
      {"13.5.37", true}, {"13.3.10", true}, {"13.2.9", false}, {"12.9.86", false}};
  for (const auto& one : cases) {
    const std::string& version = one.first;
    CAPTURE(version);
    Machine machine;
    machine.add_toolkit("usr/local/cuda", version);
    CHECK_FALSE(machine.find().uses_bundled_headers);
    fs::remove(machine.scratch / "usr/local/cuda/include/cuda.h");
    CHECK(machine.find().include_dirs.empty());
    CHECK(machine.find().uses_bundled_headers == one.second);
    machine.add("usr/include/cuda.h");
    CHECK_FALSE(machine.find().uses_bundled_headers);
  }
}

TEST_CASE("an NVRTC whose builtins are not beside it brings no headers") {
  Machine machine;
  machine.add("usr/local/cuda/lib64/libnvrtc.so.13");
  CHECK_FALSE(machine.find().uses_bundled_headers);
  machine.add("usr/local/cuda/lib64/libnvrtc-builtins.so.13.5");
  CHECK(machine.find().uses_bundled_headers);
}

TEST_CASE("a CUDA_HOME without a toolkit is not used, and said to be so") {
  Machine machine;
  machine.add_toolkit("usr/local/cuda");
  CHECK(machine.find().warning.empty());
  const std::string used = "; the toolkit used is " + machine.real("usr/local/cuda").string();
  machine.search.cuda_home = machine.scratch / "absent";
  CHECK(machine.find().warning == "CUDA_HOME is " + machine.search.cuda_home + ", which is not there" + used);
  machine.search.cuda_home = (machine.scratch / "usr").string() + "/";
  CHECK(machine.find().warning ==
        "CUDA_HOME is " + machine.search.cuda_home + ", which has neither NVRTC nor CUDA's headers" + used);
  machine.search.cuda_home = (machine.scratch / "usr/local/cuda/").string();
  CHECK(machine.find().warning.empty());
}

TEST_CASE("CUDA_HOME is taken, and nothing else is looked at") {
  Machine machine;
  machine.add_toolkit("home/cuda");
  machine.add_toolkit("usr/local/cuda");
  machine.add("home/cuda/include/cccl/cub/cub.cuh");
  machine.search.cuda_home = machine.scratch / "home/cuda";
  const Toolkit toolkit = machine.find();
  CHECK(*toolkit.root == fs::path(machine.search.cuda_home));
  CHECK(fs::canonical(*toolkit.nvrtc) == machine.real("home/cuda/targets/x86_64-linux/lib/libnvrtc.so.13.0.88"));
  CHECK(fs::canonical(*toolkit.nvrtc_builtins) ==
        machine.real("home/cuda/targets/x86_64-linux/lib/libnvrtc-builtins.so.13.0.88"));
  CHECK(toolkit.include_dirs == std::vector<std::string>{(machine.scratch / "home/cuda/include").string(),
                                                         (machine.scratch / "home/cuda/include/cccl").string()});
  CHECK(toolkit.searched.size() == 1);
}

TEST_CASE("a toolkit folder that is a link is followed once") {
  Machine machine;
  machine.add_toolkit("usr/local/cuda-13.0");
  fs::create_symlink("cuda-13.0", machine.scratch / "usr/local/cuda");
  machine.search.cuda_home = (machine.scratch / "usr/local/cuda/").string();
  const Toolkit toolkit = machine.find();
  CHECK(toolkit.include_dirs.at(0) == (machine.scratch / "usr/local/cuda-13.0/include").string());
}

TEST_CASE("CUDA_PATH, the nvcc on PATH, the default folder, in that order") {
  Machine machine;
  machine.add_toolkit("usr/local/cuda");
  CHECK(*machine.find().root == machine.scratch / "usr/local/cuda");

  machine.add_toolkit("opt/nvcc-cuda");
  machine.add_program("opt/nvcc-cuda/bin/nvcc");
  machine.link("bin/nvcc", machine.scratch / "opt/nvcc-cuda/bin/nvcc");
  machine.search.path = "/absent:" + (machine.scratch / "bin").string();
  CHECK(*machine.find().root == machine.real("opt/nvcc-cuda"));

  machine.add_toolkit("opt/path-cuda");
  machine.search.cuda_path = machine.scratch / "opt/path-cuda";
  CHECK(*machine.find().root == machine.scratch / "opt/path-cuda");
}

TEST_CASE("the newest of several versions, by number") {
  Machine machine;
  machine.add_toolkit("usr/local/cuda-12.9", "12.9.86");
  machine.add_toolkit("usr/local/cuda-12.10", "12.9.99");
  machine.add_toolkit("usr/local/cuda-9.2", "12.0.10");
  CHECK(*machine.find().root == machine.scratch / "usr/local/cuda-12.10");
}

TEST_CASE("headers and NVRTC from different places") {
  Machine machine;
  machine.add("opt/headers/include/cuda.h");
  machine.add("usr/local/cuda/lib64/libnvrtc.so.13");
  machine.add("usr/local/cuda/lib64/libnvrtc-builtins.so.13.2");
  machine.search.cuda_home = machine.scratch / "opt/headers";
  const Toolkit toolkit = machine.find();
  CHECK(*toolkit.root == machine.scratch / "opt/headers");
  CHECK(toolkit.include_dirs == std::vector<std::string>{(machine.scratch / "opt/headers/include").string()});
  CHECK(fs::canonical(*toolkit.nvrtc) == machine.real("usr/local/cuda/lib64/libnvrtc.so.13"));
  CHECK(fs::canonical(*toolkit.nvrtc_builtins) == machine.real("usr/local/cuda/lib64/libnvrtc-builtins.so.13.2"));
}

TEST_CASE("CUDA 13's wheels") {
  Machine machine;
  const std::string site = "venv/lib/python3.12/site-packages/nvidia/cu13";
  machine.add(site + "/include/cuda.h");
  machine.add(site + "/include/cccl/cub/cub.cuh");
  machine.add(site + "/lib/libnvrtc.so.13");
  machine.add(site + "/lib/libnvrtc.alt.so.13");
  machine.add(site + "/lib/libnvrtc-builtins.so.13.0");
  machine.search.virtual_env = machine.scratch / "venv";
  const Toolkit toolkit = machine.find();
  CHECK(*toolkit.root == machine.scratch / site);
  CHECK(fs::canonical(*toolkit.nvrtc) == machine.real(site + "/lib/libnvrtc.so.13"));
  CHECK(fs::path(*toolkit.nvrtc_builtins).filename() == "libnvrtc-builtins.so.13.0");
  CHECK(toolkit.include_dirs.size() == 2);
}

TEST_CASE("CUDA 12's wheels have one folder a component") {
  Machine machine;
  const std::string site = "home/.local/lib/python3.9/site-packages/nvidia";
  machine.add(site + "/cuda_runtime/include/cuda.h");
  machine.add(site + "/cuda_cccl/include/cub/cub.cuh");
  machine.add(site + "/cuda_nvrtc/include/nvrtc.h");
  machine.add(site + "/cuda_nvrtc/lib/libnvrtc.so.12");
  machine.add(site + "/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4");
  machine.search.home = machine.scratch / "home";
  const Toolkit toolkit = machine.find();
  CHECK(fs::canonical(*toolkit.nvrtc) == machine.real(site + "/cuda_nvrtc/lib/libnvrtc.so.12"));
  CHECK(fs::path(*toolkit.nvrtc_builtins).filename() == "libnvrtc-builtins.so.12.4");
  CHECK(toolkit.include_dirs == std::vector<std::string>{(machine.scratch / (site + "/cuda_runtime/include")).string(),
                                                         (machine.scratch / (site + "/cuda_nvrtc/include")).string(),
                                                         (machine.scratch / (site + "/cuda_cccl/include")).string()});
}

TEST_CASE("the wheels of the python on PATH, and of the distribution") {
  Machine machine;
  machine.add_program("opt/python/bin/python3.13");
  machine.link("opt/python/bin/python3", "python3.13");
  machine.add("usr/lib/python3/dist-packages/nvidia/cu13/lib/libnvrtc.so.13");
  CHECK(machine.find().nvrtc->find("dist-packages") != std::string::npos);
  machine.add("opt/python/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  machine.search.path = (machine.scratch / "opt/python/bin");
  CHECK(machine.find().nvrtc->find("opt/python") != std::string::npos);
}

TEST_CASE("Fedora's places: libraries in lib64, wheels that root installed in site-packages") {
  Machine machine;
  machine.add("usr/lib64/libnvrtc.so.13");
  CHECK(*machine.find().nvrtc == machine.real("usr/lib64/libnvrtc.so.13"));
  machine.add("usr/local/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  CHECK(machine.find().nvrtc->find("site-packages") != std::string::npos);
}

TEST_CASE("the wheels of a virtual environment that is on PATH and not activated") {
  Machine machine;
  machine.add_program("opt/python/bin/python3.13");
  machine.add("opt/python/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  machine.link("venv/bin/python3", "../../opt/python/bin/python3.13");
  machine.add("venv/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  machine.search.path = machine.scratch / "venv/bin";
  CHECK(*machine.find().nvrtc ==
        machine.real("opt/python/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13"));
  machine.scratch.write("venv/pyvenv.cfg", "home = /opt/python/bin\n");
  CHECK(*machine.find().nvrtc == machine.real("venv/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13"));
}

TEST_CASE("the loader's path comes last: LD_LIBRARY_PATH, its configuration, the system's folders") {
  Machine machine;
  machine.add("usr/lib64/libnvrtc.so.12");
  CHECK(*machine.find().nvrtc == machine.real("usr/lib64/libnvrtc.so.12"));
  machine.scratch.write("etc/ld.so.conf", "# a comment\ninclude /etc/ld.so.conf.d/*.conf\n");
  machine.scratch.write("etc/ld.so.conf.d/cuda.conf", "/opt/somewhere/lib # its lib\n");
  machine.scratch.write("etc/ld.so.conf.d/ignored.txt", "/opt/ignored/lib\n");
  machine.add("opt/somewhere/lib/libnvrtc.so.13");
  machine.add("opt/ignored/lib/libnvrtc.so.13");
  CHECK(*machine.find().nvrtc == machine.real("opt/somewhere/lib/libnvrtc.so.13"));
  machine.add("own/libnvrtc.so.12");
  machine.search.library_path = ":" + (machine.scratch / "own").string() + ":/absent";
  CHECK(*machine.find().nvrtc == machine.real("own/libnvrtc.so.12"));
}

TEST_CASE("an unversioned link counts where it leads to a known version; the .alt build never does") {
  Machine machine;
  machine.search.library_path = (machine.scratch / "lib").string();
  machine.add("lib/libnvrtc.alt.so.13");
  machine.link("lib/libnvrtc.so", "libnvrtc.alt.so.13");
  CHECK_FALSE(machine.find().nvrtc);
  fs::remove(machine.scratch / "lib/libnvrtc.so");
  machine.add("lib/libnvrtc.so.11.2");
  machine.link("lib/libnvrtc.so", "libnvrtc.so.11.2");
  CHECK_FALSE(machine.find().nvrtc);
  fs::remove(machine.scratch / "lib/libnvrtc.so");
  machine.add("lib/libnvrtc.so.12.3.107");
  machine.link("lib/libnvrtc.so", "libnvrtc.so.12.3.107");
  CHECK(*machine.find().nvrtc == machine.real("lib/libnvrtc.so.12.3.107"));
}

TEST_CASE("a missing builtins library is seen") {
  Machine machine;
  machine.search.library_path = (machine.scratch / "lib").string();
  machine.add("lib/libnvrtc.so.13.1.4");
  machine.link("lib/libnvrtc.so.13", "libnvrtc.so.13.1.4");
  machine.add("lib/libnvrtc-builtins.so.13.0");
  CHECK(machine.find().nvrtc);
  CHECK_FALSE(machine.find().nvrtc_builtins);
  machine.add("lib/libnvrtc-builtins.so.13.1");
  CHECK(machine.find().nvrtc_builtins);
}

TEST_CASE("the process's toolkit is searched for once") {
  const Toolkit& first = kiln::current_toolkit();
  CHECK(&kiln::current_toolkit() == &first);
}

TEST_CASE("a program is not taken from a relative folder of the PATH") {
  const ScratchFolder folder;
  const auto program = folder.write("bin/nvcc", "");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  CHECK_FALSE(kiln::find_program("bin:.", "nvcc"));
  CHECK(kiln::find_program("bin:" + (folder / "bin").string(), "nvcc") == std::filesystem::canonical(program));
  std::filesystem::current_path(before);
}

TEST_CASE("a program is a file that may be run, and no folder") {
  const Machine machine;
  machine.add_program("bin/nvcc");
  machine.add("bin/text");
  const std::string bin = (machine.scratch / "bin").string();
  CHECK(kiln::is_program(bin + "/nvcc"));
  CHECK_FALSE(kiln::is_program(bin + "/text"));
  CHECK_FALSE(kiln::is_program(bin));
  CHECK_FALSE(kiln::is_program(bin + "/none"));
  CHECK(kiln::exists(bin));
  CHECK_FALSE(kiln::exists(bin + "/none"));
}

}  // namespace toolkit_test
