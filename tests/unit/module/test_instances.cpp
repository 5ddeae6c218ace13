// Template instances that are asked for by name, from real compiles: overloads, misspelt names, deep ones.
#include "fake_cuda.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"
#include "small_stack.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <string>

namespace instances_test {

using kiln::ArgumentError;
using kiln::CompileOptions;
using kiln::SourceModule;
using kiln::test::contains;
using kiln::test::message_of;
using kiln::test::on_small_stack;
using kiln::test::repeated;
using kiln::test::ScratchFolder;

namespace {

const char* const source = R"(
template <class T> __global__ void over(T* out) { *out = 1; }
template <class T> __global__ void over(T* out, int n) { *out = n; }
template <class T> __global__ void __launch_bounds__(64) saxpy(T* out) { *out = 2; }
namespace ns { template <class T> __global__ void inner(T* out) { *out = 3; } }
__global__ void plain(int* out) { *out = 4; }
)";

CompileOptions in(const ScratchFolder& cache) { return CompileOptions{}.with_caching({cache.path()}); }

std::uint64_t compiles(const ScratchFolder& cache) { return kiln::Cache(cache.path()).stats().compiles; }

std::string refusal(const SourceModule& module, const std::string& name) {
  return message_of<ArgumentError>([&] { (void)module.get_function(name); });
}

}  // namespace

TEST_CASE("one of several templates of a name is picked by its types, stated either way") {
  const ScratchFolder cache;
  const SourceModule module(source, in(cache));
  CHECK(module.get_function<void(float*, int)>("over<float>").name() == "_Z4overIfEvPT_i");
  CHECK(module.get_function<void(float*)>("over<float>").name() == "_Z4overIfEvPT_");
  CHECK(module.get_function("over<int>(int*)").name() == "_Z4overIiEvPT_");
  CHECK(module.get_function("over< int >( int *, int )").name() == "_Z4overIiEvPT_i");
  const std::uint64_t made = compiles(cache);
  CHECK(module.get_function<void(int*)>("over<int>").name() == "_Z4overIiEvPT_");
  CHECK(compiles(cache) == made);

  // The cache knows the choice: nothing is compiled, not even in vain.
  const SourceModule again(source, in(cache));
  CHECK(again.get_function<void(float*, int)>("over<float>").name() == "_Z4overIfEvPT_i");
  CHECK(again.get_function("over<int>(int*)").name() == "_Z4overIiEvPT_");
  CHECK(compiles(cache) == made);

  const std::string ambiguous = refusal(module, "over<float>");
  CHECK_MESSAGE(contains(ambiguous, "\"over<float>\" is ambiguous"), ambiguous);
  CHECK_MESSAGE(contains(ambiguous, "get_function<void(float*, int)>(\"over<float>\")"), ambiguous);
  CHECK_MESSAGE(contains(refusal(module, "over<int>(float*)"), "none takes (float*)"),
                refusal(module, "over<int>(float*)"));
}

TEST_CASE("an unknown kernel's error lists the instances that were compiled later") {
  const ScratchFolder cache;
  const SourceModule module("template <class T> __global__ void f(T* out) { *out = 1; }", in(cache));
  CHECK_MESSAGE(contains(refusal(module, "f"), "the code holds no kernels"), refusal(module, "f"));
  (void)module.get_function("f<int>");
  CHECK_MESSAGE(contains(refusal(module, "f"), "these kernels:\n  f<int>(int*)"), refusal(module, "f"));
}

TEST_CASE("types pick an overloaded template though another one of the name is in the code") {
  const ScratchFolder cache;
  const SourceModule module(std::string(source) + "template __global__ void over<float>(float*);", in(cache));
  CHECK(module.get_function("over<float>(float*)").name() == "_Z4overIfEvPT_");
  CHECK(module.get_function<void(float*, int)>("over<float>").name() == "_Z4overIfEvPT_i");
  CHECK(module.get_function("over<float>(float*, int)").name() == "_Z4overIfEvPT_i");
}

TEST_CASE("instances in an unnamed namespace are refused where they would split a variable, by both compilers") {
  const ScratchFolder cache;
  const char* const counting =
      "namespace { __device__ int counter; template <int n> __global__ void add(int* out) { *out = counter += n; } }\n"
      "template <int n> __global__ void bare(int* out) { *out = n; }\n";
  for (const kiln::Backend backend : {kiln::Backend::nvrtc, kiln::Backend::nvcc}) {
    const SourceModule module(counting, in(cache).with_backend(backend));
    (void)module.get_function("add<1>");
    CHECK_MESSAGE(contains(refusal(module, "<unnamed>::add<2>"), "counter"), refusal(module, "<unnamed>::add<2>"));
    CHECK_NOTHROW((void)module.get_function("bare<2>"));
  }
}

TEST_CASE("a variable is no kernel, and a kernel no variable: each is asked for by its own function") {
  const ScratchFolder cache;
  const SourceModule module(
      "__device__ float factor = 2;\n__device__ int unused;\n__global__ void scale(float* p) { *p *= factor; }\n"
      "template <class T> __global__ void fill(T* p) { *p = 1; }",
      in(cache));
  CHECK_MESSAGE(contains(refusal(module, "factor"), "call get_global(\"factor\")"), refusal(module, "factor"));
  CHECK_MESSAGE(contains(refusal(module, "unused"), "get_global(\"unused\")"), refusal(module, "unused"));
  for (const char* kernel : {"scale", "fill"})
    CHECK_THROWS_WITH_AS((void)module.get_global(kernel),
                         doctest::Contains(("call get_function(\"" + std::string(kernel) + "\")").c_str()),
                         kiln::ArgumentError);
}

TEST_CASE("of several templates none is said not to fit") {
  const ScratchFolder cache;
  CompileOptions options = in(cache);
  options.name_expressions = {"over<float>"};
  const std::string text = message_of<kiln::CompileError>([&] { (void)kiln::compile(source, options); });
  CHECK_MESSAGE(contains(text, "cannot determine which instance of overloaded function"), text);
  CHECK_MESSAGE(!contains(text, "do not fit"), text);
}

TEST_CASE("a misspelt template is said to be one") {
  const ScratchFolder cache;
  for (const kiln::Backend backend : {kiln::Backend::nvrtc, kiln::Backend::nvcc}) {
    const SourceModule module(source, in(cache).with_backend(backend));
    const std::string misspelt = refusal(module, "sapxy<float>");
    CHECK_MESSAGE(contains(misspelt, "did you mean \"saxpy<float>\"?"), misspelt);
    CHECK_MESSAGE(!contains(misspelt, "__nv_name_map"), misspelt);
    const std::string in_namespace = refusal(module, "ns::iner<float>");
    CHECK_MESSAGE(contains(in_namespace, "did you mean \"ns::inner<float>\"?"), in_namespace);
    const std::string bare = refusal(module, "inner<float>");
    CHECK_MESSAGE(contains(bare, "did you mean \"ns::inner<float>\"?"), bare);
    const std::string misspelt_namespace = refusal(module, "sn::inner<float>");
    CHECK_MESSAGE(contains(misspelt_namespace, "did you mean \"ns::inner<float>\"?"), misspelt_namespace);
    const std::string arguments = message_of<kiln::CompileError>([&] { (void)module.get_function("saxpy<flot>"); });
    CHECK_MESSAGE(contains(arguments, "\"saxpy<flot>\" do not fit its template: template <class T> saxpy."), arguments);
    CHECK_MESSAGE(contains(arguments, "for example, \"saxpy<float>\""), arguments);
    CHECK_MESSAGE(contains(refusal(module, "unheard<float>"), "no template \"unheard\""), misspelt);
    CHECK_MESSAGE(contains(refusal(module, "plian"), "Did you mean \"plain\"?"), misspelt);
    for (const char* instance : {"saxpy<float>", "saxpy<double>"}) (void)module.get_function(instance);
    const std::string listed = refusal(module, "plian");  // the kernel is in each image
    CHECK_MESSAGE(listed.find("\n  plain(") == listed.rfind("\n  plain("), listed);
  }
}

TEST_CASE("names that are nested too deep are refused by what is too deep, on a small stack") {
  const ScratchFolder cache;
  const SourceModule module(source, in(cache));
  const std::uint64_t made = compiles(cache);
  on_small_stack([&] {
    for (const char* text : {"<", "t<", "(", "t<(", "t<t<["})
      for (const int count : {102, 500, 10000}) {
        const std::string message = refusal(module, repeated(text, count));
        CHECK_MESSAGE(contains(message, "deep: at most 100"), message.substr(0, 200));
        CHECK_MESSAGE(message.size() < 1000, message.size());
        CHECK_THROWS_AS((void)module.get_global(repeated(text, count)), ArgumentError);
        CHECK_THROWS_AS((void)module.get_texref(repeated(text, count)), ArgumentError);
        CHECK_THROWS_AS((void)module.get_function<void(int*)>(repeated(text, count)), ArgumentError);
      }
    CHECK_THROWS_AS((void)module.get_global(repeated("t<", 99)), ArgumentError);
    CHECK_THROWS_AS((void)module.get_function("f(" + repeated("t<", 98)), ArgumentError);
    CHECK_THROWS_AS((void)module.get_function(repeated("a::", 10000) + "b"), ArgumentError);
  });
  CHECK(compiles(cache) == made);
}

}  // namespace instances_test
