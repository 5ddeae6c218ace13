// What a message says about calls and operators for which no function fits, or several do.
#include "compile/compiler/advice.hpp"
#include "compile/compiler/compile_message.hpp"

#include <doctest/doctest.h>

#include <string>

namespace call_advice_test {

using namespace kiln;

/// The message about a call, or an operator, by a log in NVRTC's manner.
std::string message(const std::string& error, const std::string& types, const std::string& rows = {}) {
  const std::string log = "k.cu(1): error: " + error + "\n" + types + "  o = f(x);\n      ^\n" + rows;
  return compile_message({"NVRTC 13.0", "k.cu", "o = f(x);\n", nullptr, log, {}});
}

std::string refused(const std::string& name, const std::string& types) {
  return message("no instance of overloaded function \"" + name + "\" matches the argument list",
                 "            argument types are: (" + types + ")\n",
                 "Note #3326-D: function \"" + name +
                     "(int *, int)\" does not match because argument #1 does not match parameter\n");
}

std::string ambiguous(const std::string& name, const std::string& types) {
  return message("more than one instance of overloaded function \"" + name + "\" matches the argument list:",
                 "            function \"" + name + "(float)\" (declared implicitly)\n            function \"" + name +
                     "(double)\" (declared implicitly)\n            argument types are: (" + types + ")\n");
}

std::string ambiguous_operator(const std::string& sign, const std::string& types) {
  return message("more than one operator \"" + sign + "\" matches these operands:",
                 "            built-in operator \"arithmetic " + sign +
                     " arithmetic\"\n            function \"operator" + sign +
                     "(const __half &, const __half &)\" (declared at line 4942 of /cuda/cuda_fp16.h)\n"
                     "            operand types are: " +
                     types + "\n");
}

std::string no_operator(const std::string& sign, const std::string& types) {
  return message("no operator \"" + sign + "\" matches these operands",
                 "            operand types are: " + types + "\n");
}

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

#define CHECK_SAYS(text, words) CHECK_MESSAGE(says(text, words), text)
#define CHECK_SILENT(text, words) CHECK_MESSAGE(!says(text, words), text)

TEST_CASE("calls: the types of an ambiguous call, and the place of it") {
  const std::string text = ambiguous("abs", "unsigned int");
  CHECK_SAYS(text,
             "k.cu(1): error: more than one instance of overloaded function \"abs\" matches the argument list: "
             "argument types are: (unsigned int)\n");
  const std::string log = text.substr(text.find("log:\n") + 5);
  CHECK(errors_of(log).front().column == 5);
  // A line of the source may be indented as far.
  CHECK(errors_of("k.cu(1): error: text:\n            function();\n            ^\n").front().types.empty());
}

TEST_CASE("calls: atomic functions and types that they do not have") {
  CHECK_SAYS(refused("atomicAdd", "long *, long"),
             "atomicAdd has no long: cast the pointer and the value, as in "
             "atomicAdd((unsigned long long*)p, (unsigned long long)x)");
  CHECK_SAYS(refused("atomicAdd", "size_t *, int"), "atomicAdd has no size_t");
  CHECK_SAYS(refused("atomicMin", "long *, long"), "atomicMin((long long*)p, x)");
  CHECK_SAYS(refused("atomicMax", "unsigned long *, int"), "atomicMax((unsigned long long*)p, x)");
  CHECK_SAYS(refused("atomicSub", "long long *, long long"),
             "atomicAdd((unsigned long long*)p, (unsigned long long)-x)");
  CHECK_SAYS(refused("atomicSub", "float *, float"), "atomicAdd(p, -x)");
  for (const char* type : {"short", "char", "unsigned char", "int8_t", "__nv_bool"})
    CHECK_SAYS(refused("atomicAdd", std::string(type) + " *, int"), "cuda::atomic_ref of <cuda/atomic>");
  CHECK_SAYS(refused("atomicAdd", "__nv_bool *, int"), "atomicAdd has no bool");
  CHECK_SAYS(refused("atomicMax", "double *, double"), "__double_as_longlong");
  CHECK_SAYS(refused("atomicMin", "float *, float"), "__float_as_int");
  CHECK_SAYS(refused("atomicAdd", "S *, int"), "use one for each member");
  CHECK_SAYS(refused("atomicAdd", "const int *, int"), "cannot be a pointer to const int");
  CHECK_SAYS(refused("atomicAdd", "int, int"), "Argument 1 is to be a pointer: pass an address, such as &x.");
  CHECK_SILENT(refused("atomicAdd", "int *, S"), "atomicAdd has no");
  CHECK_SAYS(message("argument of type \"int *\" is incompatible with parameter of type \"unsigned int *\"", ""),
             "as in (unsigned int*)p.");
  CHECK_SAYS(message("argument of type \"const int *\" is incompatible with parameter of type \"int *\"", ""),
             "leave const out");
}

TEST_CASE("calls: __ldg and its like, and values of one type") {
  CHECK_SAYS(refused("__ldg", "const S *"), "__ldg is for CUDA's numbers and vectors of numbers, and not for const S");
  CHECK_SAYS(refused("__ldg", "__nv_bool *"), "const unsigned char*");
  CHECK_SAYS(refused("__stcs", "S *, int"), "__stcs is for");
  CHECK_SAYS(refused("std::max", "float, int"),
             "std::max takes values of one type: cast them, or name the type, as in "
             "std::max<float>(a, b).");
  CHECK_SAYS(refused("cuda::std::__4::min", "const int, double"), "min<double>(a, b)");
  CHECK_SAYS(refused("std::clamp", "float, int, int"), "std::clamp<float>(a, b, c)");
  CHECK_SAYS(refused("std::max", "int, unsigned long"), "std::max<unsigned long>(a, b)");
  CHECK_SAYS(refused("max", "float, float, float"), "as in max(max(a, b), c).");
  CHECK_SILENT(refused("mine", "float, int"), "takes values of one type");
  CHECK_SILENT(refused("std::max", "S, int"), "takes values of one type");
}

TEST_CASE("calls: several functions fit") {
  CHECK_SAYS(ambiguous("abs", "unsigned int"),
             "An unsigned number is never negative: leave abs out. For a distance "
             "subtract signed numbers, as in abs(int(a) - int(b)).");
  CHECK_SAYS(ambiguous("abs", "size_t"), "never negative");
  CHECK_SILENT(ambiguous("abs", "int"), "never negative");
  CHECK_SAYS(ambiguous("sqrt", "unsigned int"), "Cast the integer, as in sqrt(float(x)), or double(x).");
  CHECK_SAYS(ambiguous("fmod", "unsigned int, int"), "fmod(float(a), float(b))");
  CHECK_SAYS(ambiguous("max", "float, int"), "max(float(a), float(b))");
  CHECK_SAYS(ambiguous("min", "long long, size_t"), "min((long long)a, (long long)b)");
  CHECK_SILENT(ambiguous("f", "S, int"), "Cast");
}

TEST_CASE("calls: half and other numbers") {
  for (const char* types : {"__half + int", "float + __half", "__half + double"}) {
    const std::string text = ambiguous_operator("+", types);
    CHECK_SAYS(text, "matches these operands: operand types are: " + std::string(types) + "\n");
    CHECK_SAYS(text, "convert one side, as in __half(x), or compute in float, as in float(h) + x.");
  }
  CHECK_SAYS(ambiguous_operator("*", "__nv_bfloat16 * int"), "as in __nv_bfloat16(x)");
  CHECK_SAYS(ambiguous("__hadd", "__half, int"), "as in __half(x)");
  CHECK_SAYS(message("ambiguous \"?\" operation: second operand of type \"__half\" can be converted to third operand "
                     "type \"int\", and vice versa",
                     ""),
             "as in __half(x)");
  CHECK_SAYS(message("more than one conversion function from \"__half\" to a built-in type applies:", ""), "__half(x)");
  CHECK_SAYS(no_operator("+", "__half2 + float2"), "__float22half2_rn(v)");
  CHECK_SAYS(no_operator("*", "__nv_bfloat162 * float"), "__float2bfloat162_rn(x)");
  CHECK_SAYS(no_operator("+", "__nv_fp8_e4m3 + __nv_fp8_e4m3"), "__nv_fp8_e4m3(float(a) + float(b))");
  CHECK_SAYS(no_operator("=", "__nv_bfloat16 = int *"), "One side is a pointer: name an element, as in p[i] or *p.");
  CHECK_SAYS(no_operator("+", "float * + __half"), "One side is a pointer");
  CHECK_SILENT(no_operator("*", "Matrix * float"), "One side is a pointer");
  CHECK_SILENT(ambiguous_operator("+", "S + int"), "convert one side");
}

}  // namespace call_advice_test
