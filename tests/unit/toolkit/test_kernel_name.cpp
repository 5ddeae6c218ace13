#include "toolkit/names/kernel_name.hpp"

#include <doctest/doctest.h>

#include "toolkit/names/bracket_depth.hpp"
#include "toolkit/names/type_name.hpp"

namespace kernel_name_test {

using kiln::canonical_spacing;
using kiln::names_function;
using kiln::parameter_kind;
using kiln::ParameterKind;
using kiln::parse_demangled;

TEST_CASE("spacing is one for every way to write a name") {
  CHECK(canonical_spacing("scale< float,4 >") == "scale<float,4>");
  CHECK(canonical_spacing("scale<float, 4>") == "scale<float,4>");
  CHECK(canonical_spacing("  ns :: scale < unsigned   int > ") == "ns::scale<unsigned int>");
  CHECK(canonical_spacing("a<b<c> >") == "a<b<c>>");
  CHECK(canonical_spacing("f< 'a b' >") == "f<'a b'>");
  CHECK(canonical_spacing("f<' '>") == "f<' '>");
  CHECK(canonical_spacing("f<'\\''  , 1>") == "f<'\\'',1>");
  CHECK(canonical_spacing("f<1'000, ' '>") == "f<1'000,' '>");
  CHECK(canonical_spacing("f<1 - -1>") == "f<1- -1>");
  CHECK(canonical_spacing("& x").compare("&x") == 0);
  CHECK(canonical_spacing("").empty());
  CHECK(canonical_spacing("\t\n ").empty());
  CHECK(canonical_spacing("f<'unfinished  ") == "f<'unfinished  ");
}

TEST_CASE("canonical spacing stays as it is") {
  for (const char* name : {"scale< float,4 >", "a - - b", "a & & b", "f<'x'  ,\" y \" >", "operator < < int >",
                           "void (*) (int , const float *)", "1'0 + 'c'", "x > > y", "\xc3\xa4  \xc3\xb6"}) {
    const std::string once = canonical_spacing(name);
    CHECK(canonical_spacing(once) == once);
  }
}

TEST_CASE("brackets") {
  const auto parts = kiln::split_outside_brackets("a<b,c>,d(e,f),g", ",");
  REQUIRE(parts.size() == 3);
  CHECK(parts[0] == "a<b,c>");
  CHECK(parts[1] == "d(e,f)");
  CHECK(kiln::split_outside_brackets("f<((4)>(2)),x>,y", ",").size() == 2);
  CHECK(kiln::split_outside_brackets("f<((4)<(2)),x>,y", ",").size() == 2);
  CHECK(kiln::split_outside_brackets("operator<,operator>,operator->", ",").size() == 3);
  CHECK(kiln::split_outside_brackets("f<','>,g", ",").size() == 2);
  CHECK(kiln::split_outside_brackets(")>](,", ",").size() == 1);
}

TEST_CASE("a demangled name is taken apart") {
  SUBCASE("a template instance has a return type") {
    const auto name = parse_demangled("void ns::scale<float, 4>(float*, int)");
    CHECK(name.qualified_name == "ns::scale<float, 4>");
    CHECK(name.has_parameters);
    CHECK(name.parameters == std::vector<std::string>{"float*", "int"});
  }
  SUBCASE("a plain function has none") {
    const auto name = parse_demangled("scale(float const*, unsigned long)");
    CHECK(name.qualified_name == "scale");
    CHECK(name.parameters == std::vector<std::string>{"float const*", "unsigned long"});
  }
  SUBCASE("a symbol has no parameters") {
    const auto name = parse_demangled("scale");
    CHECK(name.qualified_name == "scale");
    CHECK_FALSE(name.has_parameters);
  }
  SUBCASE("an empty list") {
    CHECK(parse_demangled("k()").has_parameters);
    CHECK(parse_demangled("k()").parameters.empty());
    CHECK(parse_demangled("k(void)").parameters.empty());
  }
  SUBCASE("an anonymous namespace") {
    CHECK(parse_demangled("(anonymous namespace)::k(int*)").qualified_name == "(anonymous namespace)::k");
    CHECK(parse_demangled("void a::(anonymous namespace)::k<int>(int*)").qualified_name ==
          "a::(anonymous namespace)::k<int>");
    CHECK_FALSE(parse_demangled("(anonymous namespace)::k").has_parameters);
  }
  SUBCASE("functions as parameters and as template arguments") {
    const auto name = parse_demangled("void apply<void (*)(int, float)>(void (*)(int, float), std::pair<int, int>)");
    CHECK(name.qualified_name == "apply<void (*)(int, float)>");
    CHECK(name.parameters == std::vector<std::string>{"void (*)(int, float)", "std::pair<int, int>"});
  }
  SUBCASE("operators") {
    CHECK(parse_demangled("S::operator()(int) ").qualified_name == "S::operator()");
    CHECK(parse_demangled("S::operator()").qualified_name == "S::operator()");
    CHECK_FALSE(parse_demangled("S::operator()").has_parameters);
    CHECK(parse_demangled("bool operator< <int>(S<int>, int)").qualified_name == "operator< <int>");
    CHECK(parse_demangled("operator new(unsigned long)").qualified_name == "operator new");
    CHECK(parse_demangled("operator<<(A, B)").parameters.size() == 2);
  }
  SUBCASE("nonsense is no crash") {
    for (const char* text :
         {"", " ", ")", "(", "<", ">", "()", "a(", "a)", "<>()", "operator", "operator(", "'", "a('"})
      parse_demangled(text);
    CHECK(parse_demangled("").qualified_name.empty());
  }
}

TEST_CASE("the kind of a parameter") {
  for (const char* type : {"float*", "float const*", "void*", "int**", "float* const", "void (*)(int)", "int (*)[3]",
                           "S<int, float>*", "int&", "float* __restrict__"})
    CHECK_MESSAGE(parameter_kind(type) == ParameterKind::pointer, type);
  for (const char* type : {"int", "unsigned int", "unsigned", "bool", "char", "signed char", "unsigned char", "short",
                           "long", "unsigned long", "long long", "unsigned long long", "int const", "wchar_t",
                           "char16_t", "__int128", "unsigned __int128"})
    CHECK_MESSAGE(parameter_kind(type) == ParameterKind::integer, type);
  for (const char* type : {"float", "double", "float const"}) CHECK(parameter_kind(type) == ParameterKind::floating);
  for (const char* type :
       {"", "__half", "S", "ns::S<int*>", "S<float*>", "T::type", "decltype(f(1))", "int S::*x", "float4", "E"})
    CHECK_MESSAGE(parameter_kind(type) == ParameterKind::other, type);
}

TEST_CASE("types have one spelling") {
  using kiln::canonical_type;
  CHECK(canonical_type("const float *") == canonical_type("float const*"));
  CHECK(canonical_type("unsigned") == "unsigned int");
  CHECK(canonical_type("long unsigned int") == "unsigned long");
  CHECK(canonical_type("long long int") == "long long");
  CHECK(canonical_type("signed") == "int");
  CHECK(canonical_type("short int") == "short");
  CHECK(canonical_type("const struct S &") == canonical_type("S const&"));
  CHECK(canonical_type("float * __restrict__") == "float*");
  CHECK(canonical_type("std::pair<const int, unsigned>") == canonical_type("std::pair<int const, unsigned int>"));
  CHECK(canonical_type("char") != canonical_type("signed char"));
  CHECK(canonical_type("float* const*") != canonical_type("float const**"));
  CHECK(canonical_type("int*") != canonical_type("int**"));
}

TEST_CASE("template arguments are compared by value") {
  using kiln::canonical_template_argument;
  for (const char* four : {"4", "4u", "4UL", "4ull", "0x4", "04", "0b100", " 4 "})
    CHECK_MESSAGE(canonical_template_argument(four) == "4", four);
  CHECK(canonical_template_argument("1'000") == "1000");
  CHECK(canonical_template_argument("-4") == "-4");
  CHECK(canonical_template_argument("0xffffffffu") == "4294967295");
  CHECK(canonical_template_argument("true") == canonical_template_argument("1"));
  CHECK(canonical_template_argument("'c'") == canonical_template_argument("(char)99"));
  CHECK(canonical_template_argument("(E)1") == "(E)1");
  CHECK(canonical_template_argument("(E)1") != canonical_template_argument("(E)2"));
  CHECK(canonical_template_argument("4") != canonical_template_argument("5"));
  CHECK(canonical_template_argument("float") == "float");
}

TEST_CASE("a name that a person writes names the function") {
  // template <class T, int N> void ns::scale(T*, int)
  const std::string symbol = "_ZN2ns5scaleIfLi4EEEvPT_i";
  REQUIRE(kiln::demangle(symbol) == "void ns::scale<float, 4>(float*, int)");
  for (const char* name : {"_ZN2ns5scaleIfLi4EEEvPT_i", "scale", "ns::scale", "::ns::scale", "scale<float, 4>",
                           "ns::scale<float,4>", "ns :: scale< float , 4u >", "ns::scale<float, 0x4>",
                           "ns::scale<float, 4>(float*, int)", "scale(float *, int)", "ns::scale(float*,signed)"})
    CHECK_MESSAGE(names_function(name, symbol), name);
  for (const char* name : {"", "cale", "s::scale", "scale<float>", "scale<float, 5>", "scale<double, 4>", "::scale",
                           "ns", "a::ns::scale", "scale(float*)", "scale(float*, unsigned)", "scale()", "scal"})
    CHECK_MESSAGE(!names_function(name, symbol), name);
}

TEST_CASE("overloads, symbols, anonymous namespaces") {
  CHECK(names_function("f(int const *)", "_Z1fPKi"));
  CHECK(names_function("f(const int*)", "_Z1fPKi"));
  CHECK_FALSE(names_function("f(int*)", "_Z1fPKi"));
  CHECK(names_function("f", "f"));
  CHECK_FALSE(names_function("int", "i"));
  CHECK_FALSE(names_function("f", "_Z1gv"));
  const std::string hidden = "_ZN35_GLOBAL__N__00000000_4_k_cu_counter9anonymousEPi";
  CHECK(names_function("anonymous", hidden));
  CHECK(names_function("anonymous(int*)", hidden));
  CHECK(names_function("(anonymous namespace)::anonymous", hidden));
  CHECK_FALSE(names_function("other", hidden));
  // template <char C, bool B> void t()
  CHECK(names_function("t<'c', true>", "_Z1tILc99ELb1EEvv"));
  CHECK_FALSE(names_function("t<'d', true>", "_Z1tILc99ELb1EEvv"));
  // template <class T> void u(void (*)(T)), nested arguments: u<pair<int, pair<int, int>>>
  CHECK(names_function("u<pair<int,pair<int,int> > >", "_Z1uI4pairIiS0_IiiEEEvPFvT_E"));
}

TEST_CASE("a kernel's readable name and parameter types come from its symbol") {
  kiln::KernelInfo kernel;
  kernel.name = "_ZN2ns5scaleIfLi4EEEvPT_i";
  kernel.parameters.resize(2);
  kiln::add_readable_name(kernel);
  CHECK(kernel.readable_name == "ns::scale<float, 4>(float*, int)");
  CHECK(kernel.parameters[0].type == "float*");
  CHECK(kernel.parameters[0].kind == ParameterKind::pointer);
  CHECK(kernel.parameters[1].kind == ParameterKind::integer);

  kernel.name = "plain";
  kernel.parameters.assign(1, {});
  kiln::add_readable_name(kernel);
  CHECK(kernel.readable_name == "plain");
  CHECK(kernel.parameters[0].kind == ParameterKind::other);

  // A count that does not fit the name tells nothing.
  kernel.name = "_Z1fPKi";
  kernel.parameters.assign(2, {});
  kiln::add_readable_name(kernel);
  CHECK(kernel.parameters[0].type.empty());
}

TEST_CASE("variables of CUDA's own libraries are told apart") {
  for (const char* name : {"$str", "__cudart_i2opi_f", "_ZN4cuda3std3__417integral_constantIbLb0EE5valueE",
                           "_ZN3cub17CUB_300001_SM_9006detail11max_devicesE",
                           "_ZN29_INTERNAL_00000000_4_k_cu_red4cuda3std3__45__cpo5beginE",
                           "_ZN29_INTERNAL_00000000_4_k_cu_red6thrust6system6detail10sequential3seqE",
                           "_ZN18cooperative_groups4__v17details4tile13_tile_helpersILj32EE9tileCountE",
                           "_ZN15__cccl_internal30__is_non_narrowing_convertibleIffvE5valueE",
                           "_ZN12kiln_complex6widensIfdE5valueE", "cudartErrorTable", "__CNPRT_VERSION_NUMBER__"})
    CHECK_MESSAGE(kiln::is_library_variable(name), name);
  for (const char* name : {"counter", "_ZN2ns5totalE", "_ZZ5modedIL4Mode1EEvPfE5calls", "_ZN7cudamix1xE",
                           "_ZN4mine18cooperative_groups1xE", "cuda", "_ZN", "_ZN99", "_ZL6hidden", "",
                           "_ZN29_INTERNAL_00000000_4_k_cu_red2ns1xE"})
    CHECK_MESSAGE(!kiln::is_library_variable(name), name);
}

TEST_CASE("kernels of the device runtime are told apart, other static ones are not") {
  CHECK(kiln::is_library_kernel("__nv_static_52__f4510a67_22_cuda_device_runtime_cu_3ecce0c0_2317245__Z16memset_3dv"));
  for (const char* name : {"__nv_static_35__0a1b2c3d_9_kernel_cu_1f2e3d4c_123__Z4waitv", "_Z4waitv",
                           "my_cuda_device_runtime_cu_kernel", ""})
    CHECK_MESSAGE(!kiln::is_library_kernel(name), name);
}

TEST_CASE("a symbol that stands for an enormous name is left as it is") {
  // f(A, B<A, A>, B<the one before, the one before>, ...): each parameter twice the length of the one before.
  const auto doubling = [](int times) {
    std::string symbol = "_Z1f1A1BIS_S_E";
    const char* digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (int i = 0; i < times; ++i) {
      const std::string last = std::string("S") + digits[i + 1] + "_";
      symbol += "S0_I" + last + last + "E";
    }
    return symbol;
  };
  CHECK(kiln::demangle(doubling(1)) == "f(A, B<A, A>, B<B<A, A>, B<A, A> >)");
  for (const int times : {20, 30}) CHECK(kiln::demangle(doubling(times)) == doubling(times));

  // The same behind a pack, where nothing would be written but much looked through.
  const std::string pack = doubling(30).replace(0, 4, "_Z1fIJEEv") + "DpSU_IT_E";
  CHECK(kiln::demangle(pack) == pack);

  // Packs within packs: "DpT_I" anew is all of the pack within each of the pack's elements.
  const auto nested = [](int times) {
    std::string symbol = "_Z1fIJiiiiiiiiEEv";
    for (int i = 0; i < times; ++i) symbol += "DpT_I";
    return symbol + "T_" + std::string(static_cast<std::size_t>(times), 'E');
  };
  CHECK(kiln::demangle(nested(1)).substr(0, 54) == "void f<int, int, int, int, int, int, int, int>(int<int");
  for (const int times : {6, 7}) CHECK((kiln::demangle(nested(times)) == nested(times)));

  for (const std::string& symbol : {"_Z1f" + std::string(100000, 'P') + "i", "_Z1f1000" + std::string(1000, '<')}) {
    kiln::KernelInfo kernel;
    kernel.name = symbol;
    kernel.parameters.resize(1);
    kiln::add_readable_name(kernel);
    CHECK(kernel.readable_name == symbol);
  }
}

TEST_CASE("symbols that end early, or are none, are left as they are") {
  const std::string whole = "_ZN1a1bINS_1cILi3EEEJifEZ1gvEUliE_EEvT_DpRKT0_S1_A3_iPFvvES_";
  CHECK(kiln::demangle(whole) != whole);
  std::size_t left = 0;
  for (std::size_t size = 0; size < whole.size(); ++size)
    for (const char* end : {"", "S", "T", "L", "N", "I", "D", "A", "U", "9", "_"}) {
      const std::string symbol = whole.substr(0, size) + end;
      left += kiln::demangle(symbol) == symbol ? 1 : 0;
    }
  CHECK(left > 300);
}

TEST_CASE("long names of real kernels are still demangled") {
  const std::string symbol =
      "_ZN3cub17CUB_300001_SM_8006detail9transform16transform_kernelINS2_10policy_hubILb1EN4cuda3std3__"
      "45tupleIJN6thrust"
      "23THRUST_300001_SM_800_NS12zip_iteratorINS8_IJNSA_6detail15normal_iteratorINSA_10device_ptrIfEEEENSD_INSE_"
      "IiEEEEEEEEEEEEE10policy1000El1fSG_JSK_EEEvT0_iT1_T2_DpNS2_10kernel_argIT3_EE";
  const kiln::ReadableName name = kiln::parse_demangled(kiln::demangle(symbol));
  REQUIRE(name.parameters.size() == 5);
  CHECK(name.parameters[0] == "long");
  CHECK(name.parameters[2] == "f");
}

}  // namespace kernel_name_test
