// What a statement's words say of its vectors. Where a vector may go through registers and must not, the kernel is
// wrong.
#include "generate/element_use.hpp"

#include <doctest/doctest.h>

namespace element_use_test {

using namespace kiln;
using Store = ElementUse::Store;

namespace {

/// Of "const float* x, float* y, float* z".
struct Uses {
  ElementUse x, y, z;
};

Uses uses(std::string_view statement, const OperationContext& context = {}) {
  const auto all =
      element_uses(parse_parameters("const float* x, float* y, float* z, int k", "test"), statement, context);
  return {all[0], all[1], all[2]};
}

bool any_staged(std::string_view statement, const OperationContext& context = {}) {
  const Uses all = uses(statement, context);
  return all.x.can_be_staged || all.y.can_be_staged || all.z.can_be_staged;
}

}  // namespace

TEST_CASE("vectors at [i] alone are staged, loaded and stored as far as needed") {
  const Uses set = uses("y[i] = 2 * x[i]");
  CHECK(set.x.can_be_staged);
  CHECK(set.x.is_loaded);
  CHECK(set.x.store == Store::never);
  CHECK(set.y.can_be_staged);
  CHECK(!set.y.is_loaded);
  CHECK(set.y.store == Store::always);
  CHECK(!set.z.only_at_i);

  const Uses itself = uses("y[i] = k * x[i] + y[i]");
  CHECK(itself.y.is_loaded);
  CHECK(itself.y.store == Store::always);
  const Uses changed = uses("y[i] += x[i]; if (x[i] > 3) y[i] = 0");
  CHECK(changed.y.can_be_staged);
  CHECK(changed.y.is_loaded);
  CHECK(changed.y.store == Store::where_changed);
  const Uses read = uses("float t = y[i]; z[i] = y[i] * t");
  CHECK(read.y.can_be_staged);
  CHECK(read.y.store == Store::never);
}

TEST_CASE("comments and members of a vector's name are no use of it") {
  const Uses all = uses("p.x = q->x + N::x + 1; y[i] = 3; // x[i + 1]\n /* z[2] */");
  CHECK(!all.x.only_at_i);
  CHECK(all.y.can_be_staged);
  CHECK(!all.z.only_at_i);
  CHECK(!uses("while (k --> x[i + 1]) ; y[i] = x[i]").x.only_at_i);
}

TEST_CASE("other elements, and the vector itself") {
  for (const char* statement :
       {"y[i] = x[i] + x[i + 1]", "y[i] = x[n - 1 - i]", "y[i] = *(x + i)", "y[i] = f(x, i)", "y[i] = i[x]"}) {
    CAPTURE(statement);
    CHECK(!uses(statement).x.only_at_i);
    CHECK(!uses(statement).x.can_be_staged);
  }
}

TEST_CASE("an element's address is one of memory") {
  for (const char* statement : {"y[i] = __ldg(&x[i])", "y[i] = (x[i] > 0) + *(&x[i] + 1)", "y[i] = f(k, &x[i])",
                                "auto p = &x[i]; y[i] = p[1]", "y[i] = *(const int*)&x[i]", "return_to = &x[i]"}) {
    CAPTURE(statement);
    CHECK(!uses(statement).x.can_be_staged);
    CHECK(uses(statement).x.only_at_i);
  }
  CHECK(!uses("y[i] = 0; atomicAdd(&y[i], x[i])").y.can_be_staged);
  for (const char* statement : {"y[i] = k & x[i]", "y[i] = 3 & x[i]", "y[i] = z[i] & x[i]", "y[i] = k && x[i]"}) {
    CAPTURE(statement);
    CHECK(uses(statement).x.can_be_staged);
  }
}

TEST_CASE("what may be written through another name is stored") {
  for (const char* statement : {"y[i] += 1; float& r = y[i]; r = 2", "float t = y[i] + 1; auto& r = y[i]; r = t",
                                "float t = y[i] + 1; Ref r = y[i]; r = t", "float t = y[i] + 1; auto&& r = y[i]; r = t",
                                "float t = -y[i]; float& r{y[i]}; r = t", "float t = -y[i]; float& r(y[i]); r = t",
                                "float t = -y[i]; set(y[i], t)", "float t = -y[i]; (k ? y[i] : z[i]) = t",
                                "float t = -y[i]; (y[i]) = t", "float t = y[i] + 1; y[i].set(t)",
                                "float t = y[i] + 1; y[i](t)", "float t = y[i] + 1; auto& [a, b] = y[i]; a = t",
                                "float t = y[i] + 1; ++y[i]", "float t = y[i] + 1; y[i] <<= 1"}) {
    CAPTURE(statement);
    const ElementUse y = uses(statement).y;
    CHECK((!y.can_be_staged || y.store != Store::never));
  }
  for (const char* statement : {"z[i] = y[i]", "float t = y[i]; z[i] = t", "const auto t = y[i]; z[i] = t",
                                "z[i] += y[i]", "t.part = y[i]", "z[i] = k ? 1 : -y[i]", "z[i] = table[y[i]]"}) {
    CAPTURE(statement);
    CHECK(uses(statement).y.store == Store::never);
  }
}

TEST_CASE("what CUDA's functions and conversions take as a value is read") {
  for (const char* statement : {"y[i] = sqrtf(z[i])", "y[i] = k * std::fmax(z[i], x[i]) + 1", "y[i] = powf(x[i], z[i])",
                                "y[i] = fmaf(x[i], (k + 1), z[i])", "y[i] = ::exp(z[i])", "y[i] = __expf(z[i])",
                                "y[i] = float(z[i])", "y[i] = (int)z[i]", "y[i] = (unsigned char)z[i] + 1",
                                "y[i] = sin(z[i]) + cos(z[i])", "y[i] = f(sqrtf(z[i]))"}) {
    CAPTURE(statement);
    CHECK(uses(statement).z.can_be_staged);
    CHECK(uses(statement).z.is_loaded);
    CHECK(uses(statement).z.store == Store::never);
  }
  // What may take it by reference, perhaps to write it only.
  for (const char* statement :
       {"y[i] = square(z[i])", "y[i] = mine::sqrtf(z[i])", "y[i] = p.exp(z[i])", "y[i] = p->exp(z[i])",
        "auto exp = [](float& v) { return v = 1; }; y[i] = exp(z[i])", "y[i] = g[k](z[i])", "y[i] = (g)(z[i])",
        "y[i] = exp<float>(z[i])", "y[i] = (float&)z[i]", "y[i] = (Ref)z[i]", "y[i] = sqrtf({z[i]})",
        "y[i] = set(k, z[i])", "y[i] = sqrtf(k, (g, z[i]))"}) {
    CAPTURE(statement);
    CHECK((!uses(statement).z.can_be_staged || uses(statement).z.store != Store::never));
  }
  const char* const known = "y[i] = expf(z[i])";
  CHECK(!uses(known, {"__device__ float expf(float& v) { return v = 1; }"}).z.can_be_staged);
  CHECK(!uses(known, {"", "#define expf(v) mine(v)\n"}).z.can_be_staged);
  CHECK(!uses(known, {"", "", "auto expf = [](float& v) { return v = 1; }"}).z.can_be_staged);
  CHECK(uses(known, {"__device__ float square(float v) { return v * v; }"}).z.can_be_staged);
}

TEST_CASE("what may be left alone is not touched") {
  for (const char* statement :
       {"if (x[i] > 0) y[i] = 1", "for (int k = 0; k < 3; ++k) y[i] = k", "x[i] > 0 && (y[i] = 1)", "k || f(y[i])",
        "{ y[i] = 3; }", "CASE(k) y[i] = 1", "f(x[i], y[i])"}) {
    CAPTURE(statement);
    CHECK(!uses(statement).y.can_be_staged);
  }
  CHECK(uses("y[i] = ({ float t = 1; t + y[i]; })").y.is_loaded);
}

TEST_CASE("statements that end the turn of an element, or need each thread at its own") {
  for (const char* statement : {"if (x[i] < 0) continue; y[i] = x[i]", "if (x[i] < 0) return; y[i] = x[i]",
                                "y[i] = x[i]; break", "asm(\"\" : : ); y[i] = x[i]", "__syncthreads(); y[i] = x[i]",
                                "__syncthreads_or(k); y[i] = x[i]", "y[i] = __shfl_down_sync(0xffffffff, x[i], 1)",
                                "y[i] = x[i] + threadIdx.x", "y[i] = x[i];\n#ifdef A\n#endif\n"}) {
    CAPTURE(statement);
    CHECK(!any_staged(statement));
  }
  CHECK(!any_staged("y[i] = sum(x[i])", {"__device__ float sum(float v) { return __shfl_xor_sync(~0u, v, 1); }"}));
  CHECK(!any_staged("y[i] = x[i] + t", {"", "", "int t = threadIdx.x"}));
}

TEST_CASE("an i of the statement's own") {
  for (const char* statement : {"for (int i = 0; i < 3; ++i) y[i] = x[i]", "int k = 0, i = 1; y[i] = x[i]",
                                "int a, i; y[i] = x[i]", "auto f = [](int i) { return 0; }; y[i] = x[i]",
                                "i += 1; y[i] = x[i]", "y[i] = x[i]; i++", "auto [i, j] = p; y[i] = 0"}) {
    CAPTURE(statement);
    CHECK(!any_staged(statement));
    CHECK(!uses(statement).y.only_at_i);
  }
  CHECK(any_staged("y[i] = i == 3 ? x[i] : x[i] + i"));
  CHECK(any_staged("y[i] = x[i] * (i <= k) + (i > 2)"));
}

TEST_CASE("macros that the program defines") {
  CHECK(!uses("y[i] = x[i] + NEXT", {"#define NEXT x[i + 1]\n"}).x.can_be_staged);
  CHECK(!uses("y[i] = x[i] + NEXT", {"", "#define NEXT x[i + 1]\n"}).x.can_be_staged);
  CHECK(!uses("y[i] = x[i] + OTHER", {"#define OTHER NEXT\n#define NEXT \\\n  x[i + 1]"}).x.can_be_staged);
  CHECK(!any_staged("y[i] = x[i]; only(k)", {"#define only(c) if (!(c)) continue\n"}));
  CHECK(!any_staged("y[i] = at(x[i])", {"#define at(v) *(&v + 1)\n"}));
  CHECK(any_staged("y[i] = square(x[i]) + N", {"#define square(x) ((x) * (x))\n#define N 3\n"}));
  CHECK(any_staged("y[i] = x[i]", {"#define only(c) if (!(c)) continue\n"}));
  // Parameters of functions are other things.
  CHECK(any_staged("y[i] = square(x[i])", {"__device__ float square(float x) { return x * x; }"}));
  // A header's, perhaps.
  CHECK(!any_staged("CHECK(x[i] > 0); y[i] = x[i]"));
  CHECK(any_staged("y[i] = MAX(x[i], 0)"));
}

TEST_CASE("vectors that have another name before the loop, and volatile ones") {
  CHECK(!uses("y[i] = 2; z[i] = p[i]", {"", "", "const float* p = y"}).y.can_be_staged);
  CHECK(uses("y[i] = x[i] + first", {"", "", "float first = x[0]"}).x.can_be_staged);
  const auto flags = parse_parameters("volatile int* f, int* y", "test");
  CHECK(!element_uses(flags, "y[i] = f[i]", {})[0].can_be_staged);
}

TEST_CASE("one assignment reads before it writes, once") {
  for (const char* statement :
       {"y[i] = 2 * x[i]", "y[i] += x[i];", "y[i] = a == b ? f(x[i], 2) : 3", "if (k) y[i] = x[i]"}) {
    CAPTURE(statement);
    CHECK(is_one_assignment(statement));
  }
  for (const char* statement :
       {"y[i] = 1; z[i] = x[i]", "y[i] = z[i] = 2", "y[i] = x[i], z[i] = 2", "y[i] = z[i]++", "f(&y[i])", "x[i] == 2",
        "while (x[i] > 3) y[i] -= 1", "for (;x[i] > 3;) y[i] -= 1", "y[i] = f(&z[i])", "{ y[i] = x[i]; }", ""}) {
    CAPTURE(statement);
    CHECK(!is_one_assignment(statement));
  }
}

TEST_CASE("whether elements may come in any order") {
  const auto any_order = [](const char* statement, const OperationContext& context = {}) {
    const auto parameters = kiln::parse_parameters("const float* x, float* y", "");
    return kiln::is_any_order(parameters, kiln::element_uses(parameters, statement, context), statement, context);
  };
  CHECK(any_order("y[i] = 2 * x[i]"));
  CHECK(any_order("float v = x[i]; if (v > p.i) y[i] = v"));
  CHECK_FALSE(any_order("y[i] = i * x[i]"));
  CHECK_FALSE(any_order("y[i] = x[i] + x[i + 1]"));
  CHECK_FALSE(any_order("y[i] = other[i]"));
  CHECK_FALSE(any_order("for (int i = 0; i < 2; ++i) y[i] = x[i]"));
  CHECK_FALSE(any_order("y[i] = AT * x[i]", {"#define AT i\n"}));
  CHECK(any_order("y[i] = square(x[i])", {"__device__ float square(float i) { return i * i; }"}));
}

}  // namespace element_use_test
