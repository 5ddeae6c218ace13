// A CodeObject with all that belongs to it, as bytes and as a file; and what it says about its compile.
#include "compile_bench.hpp"
#include "ir_texts.hpp"
#include "real_nvcc.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/error.hpp>
#include <kiln/linker.hpp>

#include "base/files.hpp"
#include "base/passkey.hpp"
#include "compile/code/code_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace saved_code_test {

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr const char* source =
    "template <int N> __global__ void scale(float *x) { x[threadIdx.x] *= N; }\n"
    "extern \"C\" __global__ void add(float *x, float y, int n) { x[n] += y; }\n";

template <class Kind, class Action>
std::string error_text(const Action& action) {
  try {
    action();
  } catch (const Kind& error) {
    return error.what();
  }
  return "nothing was thrown";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// Every member has another value than its default; nothing is compiled with these.
CompileOptions all_members() {
  CompileOptions options;
  options.options = {"-lineinfo", "--use_fast_math"};
  options.include_dirs = {"/first", "/second folder"};
  options.defines = {{"A", 1}, {"TEXT", "a b"}};
  options.late_defines = {{"TILE", 4}};
  options.arch = "sm_90a";
  options.target = Target::ptx;
  options.backend = Backend::nvrtc;
  options.name = "folder/all.cu";
  options.headers = {{"h.h", "int h;"}, {"k.h", ""}};
  options.name_expressions = {"scale<2>"};
  options.cache = false;
  options.caching = {"/cache", {"/read", "/only"}, {"root"}, {}, {}, true, true, true};
  options.keep = true;
  options.keep_ptx = true;
  options.no_extern_c = false;
  options.nvcc = {"/nvcc", "sm_80"};
  options.language = Language::nvvm_ir;
  options.timeout = std::chrono::milliseconds(1500);
  return options;
}

void check_equal(const CompileOptions& one, const CompileOptions& other) {
  CHECK(one.options == other.options);
  CHECK(one.include_dirs == other.include_dirs);
  for (const auto member : {&CompileOptions::defines, &CompileOptions::late_defines}) {
    REQUIRE((one.*member).size() == (other.*member).size());
    for (std::size_t i = 0; i < (one.*member).size(); ++i) {
      CHECK((one.*member)[i].name == (other.*member)[i].name);
      CHECK((one.*member)[i].value == (other.*member)[i].value);
    }
  }
  CHECK(one.arch == other.arch);
  CHECK(one.target == other.target);
  CHECK(one.backend == other.backend);
  CHECK(one.name == other.name);
  CHECK(one.headers == other.headers);
  CHECK(one.name_expressions == other.name_expressions);
  CHECK(one.cache == other.cache);
  CHECK(one.caching.dir == other.caching.dir);
  CHECK(one.caching.read_only_dirs == other.caching.read_only_dirs);
  CHECK(one.caching.trusted_owners == other.caching.trusted_owners);
  CHECK(one.caching.strict_headers == other.caching.strict_headers);
  CHECK(one.caching.require_hit == other.caching.require_hit);
  CHECK(one.caching.durable == other.caching.durable);
  CHECK(one.keep == other.keep);
  CHECK(one.keep_ptx == other.keep_ptx);
  CHECK(one.no_extern_c == other.no_extern_c);
  CHECK(one.nvcc.path == other.nvcc.path);
  CHECK(one.nvcc.code == other.nvcc.code);
  CHECK(one.language == other.language);
  CHECK(one.timeout == other.timeout);
}

void check_equal(const CodeObject& one, const CodeObject& other) {
  CHECK(one.bytes() == other.bytes());
  CHECK(one.target() == other.target());
  CHECK(one.arch() == other.arch());
  CHECK(one.backend() == other.backend());
  CHECK(one.log() == other.log());
  CHECK(one.name() == other.name());
  CHECK(one.effective_options() == other.effective_options());
  REQUIRE(one.kernels().size() == other.kernels().size());
  for (std::size_t i = 0; i < one.kernels().size(); ++i) {
    CHECK(one.kernels()[i].name == other.kernels()[i].name);
    REQUIRE(one.kernels()[i].parameters.size() == other.kernels()[i].parameters.size());
    for (std::size_t p = 0; p < one.kernels()[i].parameters.size(); ++p)
      CHECK(one.kernels()[i].parameters[p].kind == other.kernels()[i].parameters[p].kind);
  }
}

/// Code that no compiler is needed for, with a recipe that has all members.
CodeObject made_by_hand() {
  auto code = std::make_shared<CodeData>();
  code->own(
      std::string("\n.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry add(\n.param .u64 add_param_0"
                  ",\n.param .f32 add_param_1\n)\n{\nret;\n}\n"));
  code->target = Target::ptx;
  code->arch = "compute_90";
  code->log = "a warning\n";
  code->lowered_names = {{"scale<2>", "_Z5scaleILi2EEvPf"}};
  code->effective_options = {"-lineinfo", "-arch=compute_90"};
  code->name = "folder/all.cu";
  code->recipe = std::make_shared<const Recipe>(Recipe{source, all_members()});
  return CodeObject(passkey, std::move(code), false);
}

std::string golden() { return GOLDEN_DIR "/saved_code/3.kilncode"; }

std::string with_byte(std::string bytes, std::size_t at) {
  bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
  return bytes;
}

}  // namespace

TEST_CASE("code, by bytes and by a file, has all that it had") {
  const Bench bench;
  const CompileOptions options = bench.options().with_name("two.cu").with_name_expressions({"scale<2>"});
  const CodeObject code = compile(source, options.with(&CompileOptions::keep_ptx, true));
  for (const CodeObject& back : {CodeObject::deserialize(code.serialize()), [&] {
                                   code.save(bench.scratch / "saved code.kilncode");
                                   return CodeObject::load(bench.scratch / "saved code.kilncode");
                                 }()}) {
    check_equal(back, code);
    check_equal(back.options(), code.options());
    CHECK(back.ptx() == code.ptx());
    CHECK(back.lowered_name("scale<2>") == code.lowered_name("scale<2>"));
    CHECK_FALSE(back.from_cache());
  }
}

TEST_CASE("each member of the options is saved") {
  const CodeObject code = made_by_hand();
  const CodeObject back = CodeObject::deserialize(code.serialize());
  check_equal(back, code);
  check_equal(back.options(), all_members());
  CHECK(back.data()->recipe->source == source);
  CHECK(back.serialize() == code.serialize());
}

// KILN_WRITE_GOLDEN=1 writes the file anew, for another version alone: what is in this one must be readable, or
// refused.
TEST_CASE("the form of saved code is fixed by a file") {
  if (std::getenv("KILN_WRITE_GOLDEN") != nullptr) made_by_hand().save(golden());
  const CodeObject code = CodeObject::load(golden());
  check_equal(code, made_by_hand());
  check_equal(code.options(), all_members());
  CHECK(code.serialize() == read_named_file(golden()));
}

TEST_CASE("what is damaged, cut, longer, of another version or none at all is refused, each by its name") {
  const Bench bench;
  const std::string good = made_by_hand().serialize();
  const auto refusal = [&](const std::string& bytes) {
    bench.scratch.write("file", bytes);
    const std::string file = (bench.scratch / "file").string();
    const std::string of_file = error_text<Error>([&] { (void)CodeObject::load(file); });
    CHECK_MESSAGE(says(of_file, file), of_file);
    return error_text<Error>([&] { (void)CodeObject::deserialize(bytes); });
  };
  CHECK(says(refusal(""), "is no code that"));
  CHECK(says(refusal("\177ELF something"), "Module::from_file"));
  CHECK(says(refusal(good.substr(0, 10)), "damaged"));
  CHECK(says(refusal(good + "x"), "damaged"));
  std::string other = good;
  for (const char version : {char{2}, char{4}}) {
    other[8] = version;
    CHECK(says(refusal(other), "format " + std::to_string(int{version}) + ", and this Kiln reads format 3"));
  }
  for (std::size_t at = 12; at < good.size(); at += 7) {
    CAPTURE(at);
    CHECK(says(error_text<Error>([&] { (void)CodeObject::deserialize(with_byte(good, at)); }), "damaged"));
    CHECK(says(error_text<Error>([&] { (void)CodeObject::deserialize(good.substr(0, at)); }), "damaged"));
  }
  CHECK(says(error_text<Error>([&] { (void)CodeObject::load(bench.scratch / "none"); }), "none"));
}

TEST_CASE("save: nothing is left where it fails, and an earlier file is replaced") {
  const Bench bench;
  const CodeObject code = made_by_hand();
  const std::string message = error_text<Error>([&] { code.save(bench.scratch / "no folder/file"); });
  CHECK_MESSAGE(says(message, "no folder/file"), message);
  bench.scratch.write("file", "earlier");
  code.save(bench.scratch / "file");
  CHECK(bench.scratch.read("file") == code.serialize());
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(bench.scratch.path())) ++files;
  CHECK(files == 1);
}

TEST_CASE("linked code is saved without a source") {
  const Bench bench;
  const CodeObject part =
      compile("__device__ int f() { return 1; } extern \"C\" __global__ void k(int *x) { *x = f(); }",
              bench.options().with_options({"-rdc=true"}).with_name("part.cu"));
  LinkOptions options;
  options.arch = "sm_80";
  options.name = "program";
  options.caching = {bench.scratch / "cache"};
  REQUIRE(in_new_process([&] { return !Linker(options).add(part).link().from_cache(); }));
  const CodeObject code = Linker(options).add(part).link();
  CHECK(code.from_cache());
  CHECK(code.name() == "program");
  CHECK(code.effective_options().empty());
  CHECK(says(error_text<ArgumentError>([&] { (void)code.options(); }), "\"program\": it was linked"));
  CHECK(says(error_text<ArgumentError>([&] { (void)code.ptx(); }), "LinkOptions::target ptx"));
  const CodeObject back = CodeObject::deserialize(code.serialize());
  check_equal(back, code);
  CHECK_THROWS_AS((void)back.options(), ArgumentError);
}

TEST_CASE("name, options and effective options: what was asked for, and what the compiler was given") {
  const Bench bench;
  const EnvironmentGuard environment({{"KILN_DEFAULT_OPTIONS", "-DFROM_ENVIRONMENT=1"}});
  CHECK(compile(source, bench.options()).name() == "kernel.cu");
  const CompileOptions options = bench.options().with_name("asked.cu").with_options({"--use_fast_math"});
  const auto has_all = [](const CodeObject& code) {
    CHECK(code.name() == "asked.cu");
    CHECK(code.options().options == std::vector<std::string>{"--use_fast_math"});
    CHECK(code.options().arch == "sm_80");
    CHECK(has(code.effective_options(), "--use_fast_math"));
    CHECK(has(code.effective_options(), "-DFROM_ENVIRONMENT=1"));
    CHECK(has(code.effective_options(), "-arch=sm_80"));
  };
  REQUIRE(in_new_process([&] { return !compile(source, options).from_cache(); }));
  const CodeObject from_disk = compile(source, options);
  CHECK(from_disk.from_cache());
  has_all(from_disk);
  has_all(compile(source, options));
  const CodeObject anew = compile(source, options.with_cache(false));
  has_all(anew);
  CHECK(anew.effective_options() == from_disk.effective_options());
}

TEST_CASE(
    "the PTX of a cubin's own compile, where it is asked for; in memory, on disk, and apart from the cubin alone") {
  const Bench bench;
  const CodeObject without = compile(source, bench.options());
  CHECK(says(error_text<ArgumentError>([&] { (void)without.ptx(); }), "keep_ptx"));
  const CompileOptions options = bench.options().with(&CompileOptions::keep_ptx, true);
  REQUIRE(in_new_process([&] { return !compile(source, options).from_cache(); }));
  const CodeObject code = compile(source, options);  // on disk
  CHECK(code.from_cache());
  CHECK(code.target() == Target::cubin);
  CHECK(says(std::string(code.ptx()), ".entry add("));
  CHECK(code.bytes() == without.bytes());
  CHECK(compile(source, options).ptx() == code.ptx());
  CHECK(compile(source, options.with_cache(false)).ptx() == code.ptx());
  const CodeObject ptx = compile(source, bench.options().with_target(Target::ptx));
  CHECK(ptx.ptx() == ptx.bytes());
  for (const Target target : {Target::ltoir, Target::optixir})
    CHECK(says(error_text<ArgumentError>([&] { (void)compile(source, options.with_target(target)); }), "keep_ptx"));
}

TEST_CASE("a fatbin has PTX of its own, and keeps no other" * needs_nvcc()) {
  const Bench bench;
  const CompileOptions options = bench.options().with(&CompileOptions::keep_ptx, true).with_target(Target::fatbin);
  CHECK(says(error_text<ArgumentError>([&] { (void)compile(source, options); }), "keep_ptx"));
}

TEST_CASE("the PTX of NVVM IR's cubin") {
  const Bench bench;
  CompileOptions options = bench.options().with(&CompileOptions::keep_ptx, true);
  options.language = Language::nvvm_ir;
  const CodeObject code = compile(sine_ir, options);
  CHECK(code.name() == "kernel.ll");
  CHECK(says(std::string(code.ptx()), ".entry sine"));
  CHECK(has(code.effective_options(), "-arch=compute_80"));
}

TEST_CASE("the PTX of nvcc's cubin, and its command" * needs_nvcc()) {
  const Bench bench;
  CompileOptions options = bench.options().with_backend(Backend::nvcc).with_name_expressions({"scale<2>"});
  options.keep_ptx = true;
  const CodeObject code = compile(source, options);
  const std::string ptx(code.ptx());
  CHECK(says(ptx, ".entry add("));
  CHECK(says(ptx, ".entry " + code.lowered_name("scale<2>")));
  CHECK(has(code.effective_options(), "-arch=sm_80"));
  const CodeObject plain =
      compile_plain(source, bench.options().with_arch("sm_80").with(&CompileOptions::keep_ptx, true));
  CHECK(says(std::string(plain.ptx()), ".entry add("));
}

}  // namespace saved_code_test
