// Two jobs of one worker give the same results as in two workers, whether or not the first succeeds.
#include "compile/link/link.hpp"
#include "compile/nvjitlink/link_outcome.hpp"
#include "compile/worker/worker_pool.hpp"
#include "fake_worker.hpp"
#include "fatbin_bytes.hpp"
#include "ir_texts.hpp"
#include "job_in_worker.hpp"
#include "link_bench.hpp"
#include "loop_step.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace two_jobs_test {

using namespace kiln;
using namespace kiln::test;

/// A job's result: its code and errors, as text.
using Job = std::function<std::string()>;
using Jobs = std::map<std::string, Job>;

/// Each later job in a worker of its own, and then all of them after each first one, in turns.
void check_sequences(const Jobs& first, const Jobs& later) {
  Turns turns(later.size() % 3 == 0 ? 5 : 3);
  std::map<std::string, std::string> alone;
  for (const auto& [name, run] : later) {
    WorkerPool::get().clear();
    alone[name] = run();
  }
  for (const auto& [before, spoil] : first) {
    CAPTURE(before);
    WorkerPool::get().clear();
    spoil();
    for (const auto& [name, run] : later) {
      CAPTURE(name);
      if (turns.next()) CHECK(run() == alone[name]);
    }
  }
}

// --- NVRTC

std::string compiled(const CompilerJob& made) {
  try {
    return std::string(compile_there(made).code->bytes);
  } catch (const Error& error) {
    return error.what();
  }
}

CompilerJob job_with(std::string source, std::vector<std::string> arguments) {
  CompilerJob made = job(std::move(source));
  made.arguments = std::move(arguments);
  return made;
}

const char* const good_source =
    "template <class T> __global__ void twice(T* p) { *p *= 2; }\n"
    "__constant__ int c[3] = {1, 2, 3};\n"
    "extern \"C\" __global__ void k(float* p, int n) { __shared__ float s[32]; s[n & 31] = sinf(*p) + c[n % 3];\n"
    "  __syncthreads(); *p = s[n / 2 & 31]; }\n";

/// The value of each feature-test macro, and of some macros that options change.
CompilerJob macros_job(std::vector<std::string> arguments) {
  std::string source = "#define TEXT_OF(...) #__VA_ARGS__\n#define TEXT(...) TEXT_OF(__VA_ARGS__)\nextern \"C\" {\n";
  for (const char* const name : {"aggregate_bases",
                                 "aggregate_nsdmi",
                                 "alias_templates",
                                 "aligned_new",
                                 "attributes",
                                 "capture_star_this",
                                 "char8_t",
                                 "concepts",
                                 "conditional_explicit",
                                 "consteval",
                                 "constexpr",
                                 "constinit",
                                 "decltype",
                                 "decltype_auto",
                                 "deduction_guides",
                                 "delegating_constructors",
                                 "designated_initializers",
                                 "enumerator_attributes",
                                 "exceptions",
                                 "fold_expressions",
                                 "generic_lambdas",
                                 "guaranteed_copy_elision",
                                 "if_constexpr",
                                 "impl_three_way_comparison",
                                 "inheriting_constructors",
                                 "init_captures",
                                 "initializer_lists",
                                 "inline_variables",
                                 "lambdas",
                                 "namespace_attributes",
                                 "noexcept_function_type",
                                 "nontype_template_args",
                                 "nsdmi",
                                 "range_based_for",
                                 "raw_strings",
                                 "ref_qualifiers",
                                 "return_type_deduction",
                                 "rtti",
                                 "rvalue_references",
                                 "sized_deallocation",
                                 "static_assert",
                                 "structured_bindings",
                                 "template_template_args",
                                 "threadsafe_static_init",
                                 "unicode_literals",
                                 "user_defined_literals",
                                 "using_enum",
                                 "variable_templates",
                                 "variadic_templates",
                                 "variadic_using"})
    source += std::string("#ifdef __cpp_") + name + "\n__device__ char v_" + name + "[] = TEXT(__cpp_" + name +
              ");\n#endif\n";
  for (const char* const name : {"__cplusplus", "__CUDACC_DEBUG__", "__CUDACC_RDC__", "__CUDA_ARCH__", "__CUDA_FTZ",
                                 "__USE_FAST_MATH__", "__CUDACC_RTC_INT128__", "NAME"})
    source += std::string("#ifdef ") + name + "\n__device__ char v_" + name + "[] = TEXT(" + name + ");\n#endif\n";
  CompilerJob made = job_with(source + "}\n", std::move(arguments));
  made.target = Target::ptx;
  return made;
}

/// Compiles that succeed, and whose options might affect later ones.
Jobs other_options() {
  const std::vector<std::vector<std::string>> all = {{"-std=c++11"},
                                                     {"-std=c++17"},
                                                     {"--std=c++20"},
                                                     {"-default-device"},
                                                     {"--device-int128"},
                                                     {"-DNAME=1"},
                                                     {"-rdc=true"},
                                                     {"--use_fast_math"},
                                                     {"--restrict"},
                                                     {"-w"},
                                                     {"-lineinfo"},
                                                     {"-U__cpp_lambdas"},
                                                     {}};
  Jobs jobs;
  for (const std::vector<std::string>& options : all) {
    std::string name = "options:";
    for (const std::string& option : options) name += " " + option;
    jobs[name] = [made = job_with(good_source, options)] { return compiled(made); };
  }
  return jobs;
}

Jobs nvrtc_failures() {
  const auto of = [](const char* source, std::vector<std::string> arguments = {}) {
    return [made = job_with(source, std::move(arguments))] { return compiled(made); };
  };
  CompilerJob no_such_kernel = job_with(good_source, {});
  no_such_kernel.name_expressions = {"twice<no_such_type>"};
  return {
      {"a syntax error", of("__global__ void q() { x y z }")},
      {"no such header", of("#include <no_such_header.h>\n")},
      {"no such option", of(good_source, {"--bogus"})},
      {"no such name", [no_such_kernel] { return compiled(no_such_kernel); }},
      {"bad assembly", of("__global__ void q() { asm(\"bogus.op;\"); }")},
      {"too much shared memory", of("__global__ void q(int* p) { __shared__ int a[20000]; a[*p] = 1; *p = a[p[1]]; }")},
      {"an undefined function", of("extern __device__ int f(); __global__ void q(int* p) { *p = f(); }")},
      {"endless templates", of("template <int N> struct R { static const int v = R<N + 1>::v; }; "
                               "__device__ int z = R<0>::v;")},
      {"a warning as an error", of("__global__ void q() { int unused; }", {"--diag-error=177"})},
      {"a wrong option of ptxas", of(good_source, {"-Xptxas=--bogus"})},
      {"debug information", of(good_source, {"-G"})},
      {"optimisation information", of(good_source, {"-opt-info=inline"})},
      {"precompiled headers", of("#include <cassert>\n__global__ void q(int* p) { assert(p); }", {"--pch"})},
  };
}

TEST_CASE("two jobs: NVRTC's second gives what it gives alone") {
  const Jobs failures = nvrtc_failures();
  Jobs later;
  for (const char* name : {"a syntax error", "bad assembly", "too much shared memory", "an undefined function"})
    later[name] = failures.at(name);
  CompilerJob instance = job_with(good_source, {});
  instance.name_expressions = {"twice<float>"};
  later["an instance"] = [instance] { return compiled(instance); };
  check_sequences(failures, later);
}

TEST_CASE("two jobs: macros are those of NVRTC's second one alone, whatever the options of the first") {
  Jobs later;
  for (const char* const dialect : {"c++11", "c++14", "c++17", "c++20"})
    later[dialect] = [made = macros_job({std::string("-std=") + dialect})] { return compiled(made); };
  later["the default"] = [made = macros_job({})] { return compiled(made); };
  Jobs first = other_options();
  first.merge(nvrtc_failures());
  check_sequences(first, later);
}

TEST_CASE("two jobs: code is that of NVRTC's second one alone, whatever the options of the first") {
  // Both pointers may be equal.
  const char* const source =
      "extern \"C\" __global__ void k(const float* a, float* b) {\n"
      "  int i = threadIdx.x; b[i] = a[i + 1] / 3; b[i + 1] = a[i + 1] * a[i] + 1; }\n";
  const auto of = [&](std::vector<std::string> options) -> Job {
    return [made = job_with(source, std::move(options))] { return compiled(made); };
  };
  const Jobs later = {{"plain", of({})}, {"fast", of({"--use_fast_math"})}, {"restricted", of({"-restrict"})}};
  CHECK(later.at("plain")() != later.at("restricted")());
  Jobs first = other_options();
  first["restricted, and fails"] = of({"--restrict", "-Xptxas=--bogus"});
  check_sequences(first, later);
}

TEST_CASE("two jobs: a program of one dialect starts one worker, and one of several two, of --restrict one more") {
  const FakeWorker fake("compile");
  const auto started = [&, before = fake.started().size()] { return fake.started().size() - before; };
  const auto compile_by = [](std::vector<std::string> arguments) {
    CHECK(compiles_there(job_with(good_source, std::move(arguments))));
  };
  for (int i = 0; i < 2; ++i) {
    compile_by({});
    compile_by({"-std=c++17"});
    compile_by({"-std=c++20"});
  }
  CHECK(started() == 1);
  for (int i = 0; i < 3; ++i) {
    compile_by({"--std=c++14"});
    compile_by({});
    compile_by({"-std=c++11"});
    compile_by({"-std=c++20"});
  }
  CHECK(started() == 2);
  for (int i = 0; i < 3; ++i) {
    compile_by({"--restrict"});
    compile_by({});
  }
  CHECK(started() == 3);
}

TEST_CASE("two jobs: with the user's own precompiled headers a changed header is read") {
  if (!NvrtcLibrary::get().set_pch_heap_size) return;  // of CUDA 12.6
  const ScratchFolder scratch;
  const char* const source = "#include \"value.h\"\nextern \"C\" __global__ void k(int* p) { *p = VALUE; }\n";
  const auto text = [](const char* value) { return std::string("#pragma once\n#define VALUE ") + value + "\n"; };
  const std::vector<std::vector<std::string>> spellings = {{"--pch"},
                                                           {"-pch"},
                                                           {"--pch", "--pch-dir=" + scratch.path().string()},
                                                           {"--create-pch=" + (scratch / "made.pch").string()}};
  for (const std::vector<std::string>& options : spellings) {
    CAPTURE(options.back());
    const auto made_with = [&](const char* value, bool in_memory) {
      CompilerJob made = job_with(source, options);
      made.target = Target::ptx;
      if (in_memory)
        made.headers = {{"value.h", text(value)}};
      else
        made.arguments.push_back("-I" + scratch.write("value.h", text(value)).parent_path().string());
      return compiled(made);
    };
    for (const bool in_memory : {true, false}) {
      CAPTURE(in_memory);
      CHECK(made_with("4711", in_memory).find("4711") != std::string::npos);
      CHECK(made_with("4712", in_memory).find("4712") != std::string::npos);
    }
  }
}

// --- nvJitLink

std::string text_of(const LinkOutcome& outcome) {
  return outcome.failure + "\n" + outcome.error_log + "\n" + outcome.code;
}

struct Links {
  LinkBench bench;
  LinkOptions plain;
  LinkOptions optimised = LinkOptions{}.with(&LinkOptions::lto, true);

  CodeObject code(const char* source, Target target) const { return bench.code(source, target, "part"); }
  Job link(const std::vector<CodeObject>& codes, const LinkOptions& options) const {
    LinkJob made;
    for (const CodeObject& part : codes) made.add(part);
    return link(made.inputs, options);
  }
  Job link(const std::string& bytes, InputType type, const LinkOptions& options) const {
    LinkInput input{type, "part"};
    input.data = bytes;
    return link(LinkInputs{std::make_shared<LinkInput>(input)}, options);
  }
  Job link(LinkInputs inputs, LinkOptions options) const {
    return [inputs = std::move(inputs), options = std::move(options)] {
      return text_of(link_by_nvjitlink({"linked", inputs, &options, "sm_90", options.lto.value_or(false)}));
    };
  }
};

const char* const wants_source =
    "extern __device__ int there(); extern \"C\" __global__ void k(int* p) { *p = there(); }\n";
const char* const large_source =
    "extern \"C\" __global__ void k(int* p) { __shared__ int a[15000]; a[*p] = 1; __syncthreads(); *p = a[p[1]]; }\n";

std::string replaced_once(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

Jobs nvjitlink_failures(const Links& links) {
  const std::string ptx(links.bench.plug_code().bytes());
  const std::string newer = ptx.substr(0, ptx.find(".version")) + ".version 99.9" + ptx.substr(ptx.find("\n.target"));
  const std::string rotten = replaced_once(ptx, "ret;", "rot;");
  const CodeObject ltoir = links.bench.plug_code(Target::ltoir);
  std::string newer_ltoir(ltoir.bytes());
  ++newer_ltoir[7];
  const auto with = [](const LinkOptions& options, const char* option) {
    return options.with(&LinkOptions::options, {option});
  };
  return {
      {"PTX of a newer toolkit", links.link(newer, InputType::ptx, links.plain)},
      {"a fatbin of such PTX", links.link(fatbin_of({{1, 90, newer}}), InputType::fatbin, links.plain)},
      {"PTX with a fault", links.link(rotten, InputType::ptx, links.plain)},
      {"LTO-IR of a newer toolkit", links.link(newer_ltoir, InputType::ltoir, links.optimised)},
      {"half of some LTO-IR",
       links.link(std::string(ltoir.bytes().substr(0, ltoir.bytes().size() / 2)), InputType::ltoir, links.optimised)},
      {"an undefined function", links.link({links.code(wants_source, Target::cubin)}, links.plain)},
      {"an undefined function of LTO-IR", links.link({links.code(wants_source, Target::ltoir)}, links.optimised)},
      {"two definitions in LTO-IR", links.link({ltoir, ltoir}, links.optimised)},
      {"too much shared memory", links.link({links.code(large_source, Target::ptx)}, links.plain)},
      {"no LTO-IR", links.link({links.bench.plug_code()}, links.optimised)},
      {"no such option", links.link({ltoir}, with(links.optimised, "-bogus"))},
      {"no such option of ptxas", links.link({ltoir}, with(links.optimised, "-Xptxas=--bogus"))},
      {"a damaged library", links.link("!<arch>\nfoo", InputType::library, links.plain)},
  };
}

TEST_CASE("two jobs: nvJitLink's second gives what it gives alone") {
  const Links links;
  const Jobs failures = nvjitlink_failures(links);
  Jobs second = {
      {"a cubin",
       links.link({links.bench.main_code(Target::cubin), links.bench.plug_code(Target::cubin)}, links.plain)},
      {"LTO-IR",
       links.link({links.bench.main_code(Target::ltoir), links.bench.plug_code(Target::ltoir)}, links.optimised)},
  };
  for (const char* name : {"an undefined function", "an undefined function of LTO-IR", "too much shared memory"})
    second[name] = failures.at(name);
  check_sequences(failures, second);
}

TEST_CASE("two jobs: a link that failed is the last of its worker, one that succeeded is not") {
  const FakeWorker fake("compile");
  const Links links;
  const Job good = links.link({links.bench.main_code(), links.bench.plug_code()}, links.plain);
  const Job bad = links.link({links.bench.main_code()}, links.plain);
  WorkerPool::get().clear();
  const auto started = [&, before = fake.started().size()] { return fake.started().size() - before; };
  good();
  good();
  CHECK(started() == 1);
  bad();
  CHECK(started() == 1);
  good();
  CHECK(started() == 2);
}

// --- libnvvm

TEST_CASE("two jobs: libnvvm's second gives what it gives alone") {
  const auto of = [](const std::string& ir) -> Job {
    return [ir] {
      try {
        const CompileOptions options = CompileOptions{}.with_arch("compute_90").with_cache(false);
        return std::string(compile(ir, options.with(&CompileOptions::language, Language::nvvm_ir)).bytes());
      } catch (const Error& error) {
        return std::string(error.what());
      }
    };
  };
  const Jobs jobs = {
      {"a kernel", of(number_ir)},
      {"a damaged text", of(replaced(number_ir, "ret void", "ret i32 1"))},
      {"an undefined value", of(replaced(number_ir, "store i32 %t,", "store i32 %none,"))},
      {"another version", of(replaced(number_ir, "!{i32 2, i32 0}", "!{i32 1, i32 0}"))},
  };
  check_sequences(jobs, jobs);
}

}  // namespace two_jobs_test
