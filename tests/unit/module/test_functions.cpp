// Kernels by name, from real compiles.
#include "fake_cuda.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <string>
#include <thread>
#include <vector>

namespace functions_test {

using kiln::ArgumentError;
using kiln::CompileOptions;
using kiln::SourceModule;
using kiln::test::contains;
using kiln::test::message_of;
using kiln::test::ScratchFolder;

namespace {

const char* const source = R"(
extern "C" __global__ void plain(int* out) { *out = 1; }
__global__ void scale(float* p, int n) { p[n] *= 2; }
__global__ void scale(double* p, int n) { p[n] *= 2; }
namespace ns {
struct Pair { float a; int b; };
__global__ void move(Pair pair, float* out) { *out = pair.a; }
template <class T, int N> __global__ void fill(T* out) { for (int i = 0; i < N; ++i) out[i] = T(i); }
}
)";

std::uint64_t compiles(const ScratchFolder& cache) { return kiln::Cache(cache.path()).stats().compiles; }

CompileOptions in(const ScratchFolder& cache) { return CompileOptions{}.with_caching({cache.path()}); }

}  // namespace

TEST_CASE("kernels are found by the names in the code, whether or not the source says extern C") {
  const ScratchFolder cache;
  const SourceModule module(source, in(cache));
  CHECK(module.get_function("plain").name() == "plain");
  CHECK(module.get_function("move").name() == "_ZN2ns4moveENS_4PairEPf");
  CHECK(module.get_function("ns::move").parameters().size() == 2);
  CHECK(module.get_function("_Z5scalePfi").name() == "_Z5scalePfi");
  CHECK(module.get_function("scale( double *, int )").name() == "_Z5scalePdi");
  CHECK(compiles(cache) == 1);

  std::vector<std::string> names = module.function_names();
  std::sort(names.begin(), names.end());
  CHECK(names ==
        std::vector<std::string>{"ns::move(ns::Pair, float*)", "plain", "scale(double*, int)", "scale(float*, int)"});
}

TEST_CASE("an ambiguous name lists its candidates, an unknown one the kernels there are") {
  const ScratchFolder cache;
  const SourceModule module(source, in(cache));
  const std::string ambiguous = message_of<ArgumentError>([&] { (void)module.get_function("scale"); });
  CHECK_MESSAGE(contains(ambiguous, "scale(float*, int)"), ambiguous);
  CHECK_MESSAGE(contains(ambiguous, "scale(double*, int)"), ambiguous);
  const std::string unknown = message_of<ArgumentError>([&] { (void)module.get_function("plane"); });
  CHECK_MESSAGE(contains(unknown, "\n  plain"), unknown);
  CHECK_MESSAGE(contains(unknown, "\n  ns::move(ns::Pair, float*)"), unknown);
  const std::string bare_template = message_of<ArgumentError>([&] { (void)module.get_function("fill"); });
  CHECK_MESSAGE(contains(bare_template, "fill<float, 4>"), bare_template);
}

TEST_CASE("stated types pick the overload, and are checked") {
  const ScratchFolder cache;
  const SourceModule module(source, in(cache));
  CHECK(module.get_function<void(float*, int)>("scale").name() == "_Z5scalePfi");
  CHECK(module.get_function<void(double*, int)>("scale").name() == "_Z5scalePdi");
  CHECK_THROWS_AS((module.get_function<void(double*, double)>("scale")), ArgumentError);
  CHECK_THROWS_AS((module.get_function<void(int*, int)>("plain")), ArgumentError);
}

TEST_CASE("an instance is compiled when first asked for, once whatever the spacing, and cached") {
  const ScratchFolder cache;
  {
    const SourceModule module(source, in(cache));
    CHECK(compiles(cache) == 1);
    const kiln::Function fill = module.get_function("ns::fill<float, 4>");
    CHECK(fill.name() == "_ZN2ns4fillIfLi4EEEvPT_");
    CHECK(compiles(cache) == 2);
    CHECK(module.get_function("ns::fill< float,4 >").name() == fill.name());
    CHECK(module.get_function("ns::fill<float,4>(float*)").name() == fill.name());
    CHECK(compiles(cache) == 2);
    CHECK(module.get_function("ns::fill<double, 2>").name() != fill.name());
    CHECK(compiles(cache) == 3);
  }
  const SourceModule again(source, in(cache));
  (void)again.get_function("ns::fill<float, 4>");
  CHECK(compiles(cache) == 3);
}

TEST_CASE("an instance of the name expressions needs no other compile, under any spelling of it") {
  const ScratchFolder cache;
  const SourceModule module(source, in(cache).with_name_expressions({"ns::fill<unsigned, 4>"}));
  CHECK(module.get_function("ns::fill<unsigned,4>").name() == "_ZN2ns4fillIjLi4EEEvPT_");
  CHECK(module.get_function("fill<unsigned int, 4>").name() == "_ZN2ns4fillIjLi4EEEvPT_");
  CHECK(module.get_function("fill").name() == "_ZN2ns4fillIjLi4EEEvPT_");
  CHECK(compiles(cache) == 1);
  // Another spelling of an instance that is there: the compiler must be asked what it is, the image must not be loaded.
  const std::size_t loads = fake_cuda::calls("cuLibraryLoadData");
  CHECK(module.get_function("ns::fill<unsigned, 2 + 2>").name() == "_ZN2ns4fillIjLi4EEEvPT_");
  CHECK(fake_cuda::calls("cuLibraryLoadData") == loads);
}

TEST_CASE("an instance that does not compile says why, and the module goes on") {
  const ScratchFolder cache;
  const SourceModule module(source, in(cache));
  CHECK_THROWS_AS((void)module.get_function("ns::fill<nothing, 4>"), kiln::CompileError);
  CHECK_THROWS_AS((void)module.get_function("ns::fill<nothing, 4>"), kiln::CompileError);
  CHECK(module.get_function("ns::fill<int, 4>").name() == "_ZN2ns4fillIiLi4EEEvPT_");
}

TEST_CASE("threads that ask for instances get the right ones") {
  const ScratchFolder cache;
  const SourceModule module(source, in(cache));
  std::vector<std::string> names(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < names.size(); ++i)
    threads.emplace_back(
        [&, i] { names[i] = module.get_function("ns::fill<int, " + std::to_string(i % 4 + 1) + ">").name(); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < names.size(); ++i)
    CHECK(names[i] == "_ZN2ns4fillIiLi" + std::to_string(i % 4 + 1) + "EEEvPT_");
  CHECK(compiles(cache) == 1 + 4);
}

TEST_CASE("code without a source reports that an instance is missing") {
  const ScratchFolder cache;
  const SourceModule module(source, in(cache));
  const kiln::Module bare = kiln::Module::from_bytes(module.code().bytes());
  CHECK(bare.get_function("ns::move").name() == "_ZN2ns4moveENS_4PairEPf");
  CHECK_THROWS_AS((void)bare.get_function("ns::fill<float, 4>"), ArgumentError);
}

TEST_CASE("kernels of LLVM IR have no instances, and an error that does not speak of templates") {
  const ScratchFolder cache;
  const std::string ir =
      "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
      "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n"
      "define void @fill(i32* %out) {\n  store i32 1, i32* %out\n  ret void\n}\n"
      "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";
  const CompileOptions options = in(cache).with(&kiln::CompileOptions::language, kiln::Language::nvvm_ir);
  const SourceModule device_function_only(ir, options);
  for (const char* name : {"fill", "fill<4>"}) {
    const std::string message = message_of<ArgumentError>([&] { (void)device_function_only.get_function(name); });
    CHECK_MESSAGE(contains(message, "ptx_kernel"), message);
    CHECK_MESSAGE(!contains(message, "template"), message);
  }
  const std::string kernel = "!nvvm.annotations = !{!1}\n!1 = !{void (i32*)* @fill, !\"kernel\", i32 1}\n";
  const SourceModule module(ir + kernel, options);
  CHECK(module.function_names() == std::vector<std::string>{"fill"});
  CHECK(contains(message_of<ArgumentError>([&] { (void)module.get_function("fill<4>"); }), "these kernels:\n  fill"));
  CHECK(compiles(cache) == 2);
}

}  // namespace functions_test
