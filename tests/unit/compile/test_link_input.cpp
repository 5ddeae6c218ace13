// What a linker's input is, by its bytes; and what it tells about itself.
#include "compile/nvjitlink/link_input.hpp"

#include "link_bench.hpp"
#include "real_nvcc.hpp"
#include "run_program.hpp"
#include "toolkit/locate/nvcc.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace link_input_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const std::string small_ptx = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .func f() { ret; }\n";

std::string refusal_of(std::string_view bytes, InputType given = InputType::detect) {
  try {
    detect_input(bytes, given, "the_input");
  } catch (const ArgumentError& error) {
    CHECK_MESSAGE(contains(error.what(), "the_input"), error.what());
    return error.what();
  }
  return "it was taken";
}

InputType type_of(std::string_view bytes) { return detect_input(bytes, InputType::detect, "the_input"); }

InputFacts facts(InputType type, std::string data) {
  LinkInput input{type, "the_input"};
  input.data = std::move(data);
  return facts_of(input);
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("link input: what the compilers make is known for what it is") {
  const LinkBench bench;
  CHECK(type_of(bench.plug_code(Target::cubin).bytes()) == InputType::cubin);
  CHECK(type_of(bench.plug_code(Target::ptx).bytes()) == InputType::ptx);
  CHECK(type_of(bench.plug_code(Target::ltoir).bytes()) == InputType::ltoir);
  CHECK(type_of(small_ptx) == InputType::ptx);
  CHECK(type_of("\n  // a comment\n/* and\nanother */ " + small_ptx) == InputType::ptx);
  CHECK(type_of(small_ptx + '\0') == InputType::ptx);
}

TEST_CASE("link input: NVVM IR") {
  CHECK(type_of("target triple = \"nvptx64-nvidia-cuda\"\ndefine void @f() {\n ret void\n}\n") == InputType::nvvm_ir);
  CHECK(type_of("; ModuleID = 'x'\n") == InputType::nvvm_ir);
  CHECK(type_of("BC\xc0\xde and more") == InputType::nvvm_ir);
  CHECK(type_of("\xde\xc0\x17\x0b and more") == InputType::nvvm_ir);
}

TEST_CASE("link input: what no linker takes is refused with the way out") {
  const LinkBench bench;
  const CodeObject whole = compile(plug_source, bench.options());
  struct Row {
    std::string bytes;
    const char* what;
  };
  const Row rows[] = {
      {"", "is empty"},
      {"hello\n", "neither PTX nor NVVM IR"},
      {main_source, "CUDA C++ source text"},
      {"#include <cuda_fp16.h>\nstruct S;\n", "compile it first"},
      {std::string("\x01\x02\x03\x04\x05", 5), "nothing that a linker takes"},
      {std::string(whole.bytes()), "-rdc=true"},
      {library_of({}), "without members"},
      {library_of({"text in a library"}), "without device code"},
      {"!<thin>\nx", "thin library"},
      {"!<arch>\nthat is cut", "damaged"},
      {"\x7f"
       "ELF",
       "damaged"},
      {std::string(bench.plug_code(Target::cubin).bytes().substr(0, 1500)), "damaged"},
      {std::string("\x50\xed\x55\xba", 4), "damaged"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const std::string refusal = refusal_of(row.bytes);
    CHECK_MESSAGE(contains(refusal, row.what), refusal);
  }
}

TEST_CASE("link input: a given type must be the bytes' own") {
  const LinkBench bench;
  CHECK(detect_input(small_ptx, InputType::ptx, "x") == InputType::ptx);
  CHECK(contains(refusal_of(small_ptx, InputType::cubin), "is PTX, and was given as a cubin"));
  CHECK(contains(refusal_of("text in a file named .o", InputType::object), "neither PTX nor NVVM IR"));
  CHECK(contains(refusal_of(bench.plug_code(Target::ltoir).bytes(), InputType::library), "is LTO-IR"));
}

TEST_CASE("link input: objects, libraries and fatbins of nvcc" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const LinkBench bench;
  const auto source = bench.scratch.write("plug.cu", plug_source);
  const auto made = [&](const std::string& name, const std::vector<std::string>& options) {
    const auto path = bench.scratch / name;
    std::vector<std::string> arguments = options;
    arguments.insert(arguments.end(), {"-arch=sm_90", source.string(), "-o", path.string()});
    const ProgramResult result = run_program(*nvcc, arguments);
    REQUIRE_MESSAGE(result.status == 0, result.output);
    return content(path);
  };
  const std::string object = made("plug.o", {"-dc"});
  CHECK(type_of(object) == InputType::object);
  CHECK(facts(InputType::object, object).archs == std::vector<std::string>{"sm_90", "compute_90"});
  CHECK_FALSE(facts(InputType::object, object).has_ltoir);
  CHECK(type_of(library_of({object})) == InputType::library);
  CHECK(type_of(library_of({"odd", object})) == InputType::library);
  CHECK(facts(InputType::library, library_of({object})).archs.size() == 2);
  const std::string lto_object = made("plug_lto.o", {"-dc", "-dlto"});
  CHECK(type_of(lto_object) == InputType::object);
  CHECK(facts(InputType::object, lto_object).has_ltoir);
  const std::string fatbin = made("plug.fatbin", {"-fatbin", "-rdc=true"});
  CHECK(type_of(fatbin) == InputType::fatbin);
  CHECK(facts(InputType::fatbin, fatbin).archs == std::vector<std::string>{"sm_90", "compute_90"});
  CHECK(contains(refusal_of(made("whole.o", {"-c"})), "nvcc -dc instead of -c"));
  // nvJitLink would take these, and leave their kernels out.
  for (const char* packed : {"-no-compress", "-compress-mode=size"})
    CHECK_THROWS_WITH_AS(
        Linker(bench.link_options()).add_data(made("whole.fatbin", {"-fatbin", packed}), InputType::detect, "whole"),
        doctest::Contains("whole is a fatbin of executable cubins"), ArgumentError);
  const auto host_source = bench.scratch.write("host.cpp", "int f() { return 1; }\n");
  const ProgramResult host =
      run_program(*nvcc, {"-c", host_source.string(), "-o", (bench.scratch / "host.o").string()});
  REQUIRE_MESSAGE(host.status == 0, host.output);
  CHECK(contains(refusal_of(content(bench.scratch / "host.o")), "without device code"));
}

TEST_CASE("link input: architecture and version are read") {
  const LinkBench bench;
  CHECK(facts(InputType::ptx, small_ptx).archs == std::vector<std::string>{"compute_90"});
  CHECK(facts(InputType::ptx, small_ptx).ptx == Version{9, 0});
  CHECK(facts(InputType::ptx, ".version 8.7 .target\n.target sm_90a, debug\n").archs ==
        std::vector<std::string>{"compute_90a"});
  const auto bytes = [&](Target target, const char* arch) {
    return std::string(bench.code(plug_source, target, "plug", arch).bytes());
  };
  CHECK(facts(InputType::cubin, bytes(Target::cubin, "sm_90")).archs == std::vector<std::string>{"sm_90"});
  CHECK(facts(InputType::ltoir, bytes(Target::ltoir, "sm_80")).archs == std::vector<std::string>{"lto_80"});
  CHECK(facts(InputType::ltoir, bytes(Target::ltoir, "sm_90a")).archs == std::vector<std::string>{"lto_90a"});
  CHECK(facts(InputType::ltoir, bytes(Target::ltoir, "sm_90a")).has_ltoir);
  CHECK(contains(ltoir_header(bytes(Target::ltoir, "sm_90"))->version, "NVVM IR "));
  CHECK_FALSE(ltoir_header("\xed\x43\x4e\x7f"));
}

TEST_CASE("link input: a program and a shared library of nvcc -rdc=true bring what they were linked from" *
          needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const LinkBench bench;
  const auto source = bench.scratch.write("plug.cu", std::string(plug_source) + "int main() { return 0; }\n");
  const auto other = bench.scratch.write("other.cu", "__global__ void other() {}\n");
  const auto made = [&](const std::string& name, const std::vector<std::string>& options) {
    const auto path = bench.scratch / name;
    std::vector<std::string> arguments = options;
    // NVIDIA's wheels have their libraries where nvcc does not look.
    const std::string libraries = "-L" + nvcc_root(*nvcc) + "/lib";
    arguments.insert(arguments.end(), {"-arch=sm_90", libraries, source.string(), other.string(), "-o", path.string()});
    const ProgramResult result = run_program(*nvcc, arguments);
    REQUIRE_MESSAGE(result.status == 0, result.output);
    return path;
  };
  const std::vector<std::string> shared = {"-rdc=true", "-shared", "-Xcompiler", "-fPIC"};
  for (const auto& file : {made("program", {"-rdc=true"}), made("library.so", shared)}) {
    CAPTURE(file);
    CHECK(type_of(content(file)) == InputType::object);
    Linker linker(bench.link_options());
    const CodeObject linked = linker.add(bench.main_code()).add_file(file).link();
    std::vector<std::string> names;
    for (const KernelInfo& one : linked.kernels()) names.push_back(one.name);
    CHECK(std::count(names.begin(), names.end(), "k") == 1);
    CHECK(std::count(names.begin(), names.end(), "_Z5otherv") == 1);
  }
  CHECK(contains(refusal_of(content(made("whole", {}))), "without device code that can be linked"));
}

}  // namespace link_input_test
