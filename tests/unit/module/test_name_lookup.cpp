#include "module/name_lookup.hpp"

#include "message_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace name_lookup_test {

using kiln::test::contains;

namespace {

using Indices = std::vector<std::size_t>;

kiln::KernelInfo kernel(const std::string& name, const std::string& readable_name) {
  kiln::KernelInfo info;
  info.name = name;
  info.readable_name = readable_name;
  return info;
}

struct Kernels {
  std::vector<kiln::KernelInfo> all;

  Kernels() {
    for (const char* symbol : {
             "plain",              // 0: extern "C"
             "_Z5scalePfi",        // 1: scale(float*, int)
             "_Z5scalePdi",        // 2: scale(double*, int)
             "_ZN2ns4moveEPf",     // 3: ns::move(float*)
             "_Z4movePf",          // 4: move(float*)
             "_ZN1a4turnEPf",      // 5: a::turn(float*)
             "_ZN1b4turnEPf",      // 6: b::turn(float*)
             "_Z3fitILi4EfEvPT0_"  // 7: void fit<4, float>(float*)
         })
      all.push_back(kernel(symbol, {}));
  }
  Indices find(std::string_view wanted) const {
    Indices indices;
    for (const kiln::KernelInfo* found : kiln::find_kernels(wanted, all))
      indices.push_back(static_cast<std::size_t>(found - all.data()));
    return indices;
  }
};

}  // namespace

TEST_CASE("a symbol names itself, mangled or not") {
  const Kernels kernels;
  CHECK(kernels.find("plain") == Indices{0});
  CHECK(kernels.find("_Z5scalePdi") == Indices{2});
}

TEST_CASE("a C++ name is found by its whole name, its last component and its parameters") {
  const Kernels kernels;
  CHECK(kernels.find("scale") == Indices{1, 2});
  CHECK(kernels.find("scale(double*,int)") == Indices{2});
  CHECK(kernels.find("ns::move") == Indices{3});
  CHECK(kernels.find("turn") == Indices{5, 6});
  CHECK(kernels.find("b::turn") == Indices{6});
  CHECK(kernels.find("fit") == Indices{7});
  CHECK(kernels.find("fit< 4,float >") == Indices{7});
  CHECK(kernels.find("fit<5, float>").empty());
  CHECK(kernels.find("nothing").empty());
}

TEST_CASE("a whole name goes before a last component") {
  const Kernels kernels;
  CHECK(kernels.find("move") == Indices{4});
  CHECK(kernels.find("move(float*)") == Indices{4});
  CHECK(kernels.find("::move") == Indices{4});
  CHECK(kernels.find("::ns::move") == Indices{3});
  CHECK(kernels.find("::turn").empty());
}

TEST_CASE("variables are found by symbol, whole name and last component") {
  using Names = std::vector<std::string>;
  const Names globals = {"plain", "_ZN2ns5tableE", "_ZN5other5tableE", "_ZL6hidden", "_ZN2ns5plainE"};
  CHECK(kiln::find_globals("plain", globals) == Names{"plain"});
  CHECK(kiln::find_globals("ns::plain", globals) == Names{"_ZN2ns5plainE"});
  CHECK(kiln::find_globals("table", globals) == Names{"_ZN2ns5tableE", "_ZN5other5tableE"});
  CHECK(kiln::find_globals("other::table", globals) == Names{"_ZN5other5tableE"});
  CHECK(kiln::find_globals("hidden", globals) == Names{"_ZL6hidden"});
  CHECK(kiln::find_globals("able", globals).empty());
  CHECK(kiln::find_globals("::table", globals).empty());
}

TEST_CASE("names of instances are distinguished from types with arguments") {
  CHECK(kiln::names_instance("scale<float, 4>"));
  CHECK(kiln::names_instance("ns::scale<float>(float*)"));
  CHECK_FALSE(kiln::names_instance("scale(vec<float>*)"));
  CHECK_FALSE(kiln::names_instance("scale"));
}

TEST_CASE("an ambiguous name lists its candidates and the way out") {
  const kiln::KernelInfo one = kernel("_Z5scalePfi", "scale(float*, int)");
  const kiln::KernelInfo two = kernel("_Z5scalePdi", "scale(double*, int)");
  const kiln::ArgumentError error = kiln::ambiguous_kernel("scale", {&one, &two});
  const std::string text = error.what();
  CHECK_MESSAGE(contains(text, "\n  scale(double*, int)\n  scale(float*, int)"), text);
  CHECK_MESSAGE(contains(text, "get_function(\"scale(double*, int)\")"), text);
  CHECK_MESSAGE(contains(text, "get_function<void(...)>(\"scale\")"), text);
  CHECK(error.kernel() == "scale");
}

TEST_CASE("an error is the same in whatever order the compiler put the names") {
  std::vector<kiln::KernelInfo> kernels = {kernel("_Z5scalePfi", "scale(float*, int)"),
                                           kernel("_Z5scalePdi", "scale(double*, int)"),
                                           kernel("_Z5scalePii", "scale(int*, int)")};
  std::vector<std::string> globals = {"_ZN2ns5tableE", "_ZN5other5tableE"};
  const auto errors = [&] {
    const std::vector<const kiln::KernelInfo*> candidates = {&kernels[0], &kernels[1], &kernels[2]};
    return std::vector<std::string>{kiln::ambiguous_kernel("scale", candidates).what(),
                                    kiln::no_kernel_takes("scale", candidates).what(),
                                    kiln::unknown_kernel("scale(char*)", kernels, {}, "").what(),
                                    kiln::unknown_kernel("scal", kernels, {}, "").what(),
                                    kiln::ambiguous_global("table", globals).what(),
                                    kiln::unknown_global("tables", globals, {}, "").what()};
  };
  const std::vector<std::string> first = errors();
  std::swap(kernels[0], kernels[2]);
  std::swap(globals[0], globals[1]);
  const std::vector<std::string> second = errors();
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i] == second[i]);
  CHECK_MESSAGE(contains(first[1], "\n  scale(double*, int)\n  scale(float*, int)\n  scale(int*, int)\n"), first[1]);
}

TEST_CASE("an unknown name lists the kernels there are, not more than one can read") {
  std::vector<kiln::KernelInfo> kernels;
  for (int i = 0; i < 25; ++i) {
    const std::string name = (i < 10 ? "k0" : "k") + std::to_string(i);
    kernels.push_back(kernel(name, name));
  }
  const std::string text = kiln::unknown_kernel("scale", kernels, {}, "").what();
  CHECK_MESSAGE(contains(text, "\"scale\""), text);
  CHECK_MESSAGE(contains(text, "\n  k00\n"), text);
  CHECK_MESSAGE(contains(text, "\n  k19\n  and 5 more"), text);
  CHECK_FALSE(contains(text, "template"));
}

TEST_CASE("a template named without its arguments is explained") {
  const std::string source = "template <class T> __global__ void scale(T* p) {}\n__global__ void rescaled() {}";
  const std::string text = kiln::unknown_kernel("ns::scale", {}, {}, source).what();
  CHECK_MESSAGE(contains(text, "with its arguments, <class T>: ask for an instance, such as \"scale<float>\""), text);
  CHECK_MESSAGE(contains(text, "no kernels"), text);
  CHECK_FALSE(contains(kiln::unknown_kernel("rescale", {}, {}, source).what(), "template"));
}

TEST_CASE("a kernel that is there with other parameters, or in another namespace, is no template") {
  const std::string source = "namespace ns { __global__ void scale(float*) {} }";
  const std::vector<kiln::KernelInfo> kernels = {kernel("_ZN2ns5scaleEPf", "ns::scale(float*)")};
  for (const char* wanted : {"ns::scale(double*)", "scale()", "other::scale"}) {
    const std::string text = kiln::unknown_kernel(wanted, kernels, {}, source).what();
    CHECK_MESSAGE(contains(text, "Did you mean \"ns::scale(float*)\"?"), text);
    CHECK_MESSAGE(!contains(text, "template"), text);
  }
}

TEST_CASE("a template's misspelt name is answered with an instance, as its bare name is no kernel") {
  const std::string source = "namespace ns { template <class T> __global__ void transform(T* p) {} }";
  const std::string text = kiln::unknown_kernel("transfrm", {}, {}, source).what();
  CHECK_MESSAGE(contains(text, "Did you mean \"ns::transform\"? It is a template"), text);
  CHECK_MESSAGE(contains(text, "\"ns::transform<float>\""), text);
}

TEST_CASE("a variable asked for as a kernel, and a kernel as a variable, are what they are") {
  const std::string source =
      "namespace ns { __device__ float factor; }\n__device__ int unused;\n"
      "__global__ void scale(float* p) { *p = ns::factor; }\ntemplate <class T> __global__ void fill(T* p) {}";
  const std::vector<kiln::KernelInfo> kernels = {kernel("_Z5scalePf", "scale(float*)")};
  const std::vector<std::string> globals = {"_ZN2ns6factorE"};
  for (const char* wanted : {"factor", "ns::factor"}) {
    const std::string text = kiln::unknown_kernel(wanted, kernels, globals, source).what();
    CHECK_MESSAGE(contains(text, "is a variable: call get_global(\"" + std::string(wanted) + "\")"), text);
    CHECK_MESSAGE(!contains(text, "template"), text);
  }
  const std::string dropped = kiln::unknown_kernel("unused", kernels, globals, source).what();
  CHECK_MESSAGE(contains(dropped, "get_global(\"unused\")"), dropped);
  CHECK_MESSAGE(!contains(dropped, "becomes a kernel"), dropped);
  for (const char* wanted : {"scale", "fill"}) {
    const std::string text = kiln::unknown_global(wanted, globals, kernels, source).what();
    CHECK_MESSAGE(contains(text, "is a kernel: call get_function(\"" + std::string(wanted) + "\")"), text);
  }
}

TEST_CASE("a misspelt variable is answered with the one that was meant") {
  const std::vector<std::string> globals = {"_ZN2ns5tableE", "_ZN12_GLOBAL__N_16hiddenE", "factor"};
  const auto text = [&](const char* wanted) {
    return std::string(kiln::unknown_global(wanted, globals, {}, "").what());
  };
  CHECK_MESSAGE(contains(text("tabel"), "Did you mean \"ns::table\"?"), text("tabel"));
  CHECK_MESSAGE(contains(text("other::table"), "Did you mean \"ns::table\"?"), text("other::table"));
  CHECK_MESSAGE(contains(text("facter"), "Did you mean \"factor\"?"), text("facter"));
  CHECK_MESSAGE(contains(text("hiden"), "::hidden\"?"), text("hiden"));
  CHECK_FALSE(contains(text("velocity"), "Did you mean"));
  CHECK_FALSE(contains(kiln::unknown_global("table", {}, {}, "").what(), "Did you mean"));
}

}  // namespace name_lookup_test
