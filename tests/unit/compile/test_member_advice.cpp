// What a message says about members of classes and of namespaces that are not there.
#include "compile/compiler/class_member.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/compiler/namespace_member.hpp"

#include <doctest/doctest.h>

#include <string>

namespace member_advice_test {

using namespace kiln;

std::string of_class(const std::string& error, const std::string& source = {}) {
  return class_member_advice({"k.cu", 1, "error: " + error}, source);
}

std::string lacks(const std::string& type, const std::string& member, const std::string& source = {}) {
  return of_class("class \"" + type + "\" has no member \"" + member + "\"", source);
}

TEST_CASE("members: of CUDA's vector types") {
  CHECK(lacks("uint3", "X") == "uint3 has the members x, y and z. Did you mean \"x\"?");
  CHECK(lacks("dim3", "w") == "dim3 has the members x, y and z.");
  CHECK(lacks("float4", "r") == "float4 has the members x, y, z and w.");
  CHECK(lacks("double4_16a", "r") == "double4_16a has the members x, y, z and w.");
  CHECK(lacks("int2", "z") == "int2 has the members x and y.");
  CHECK(lacks("uchar1", "y") == "uchar1 has the member x.");
  CHECK(lacks("Matrix3", "X").empty());
}

TEST_CASE("members: of classes of CUDA's libraries, without their versions") {
  CHECK(lacks("cooperative_groups::__v1::thread_block", "synch").ends_with("Did you mean \"sync\"?"));
  CHECK(lacks("cooperative_groups::__v1::thread_block_tile<32U, cooperative_groups::__v1::thread_block>", "shuffle")
            .find("has the members sync(), thread_rank()") != std::string::npos);
  CHECK(lacks("cuda::__4::atomic_ref<int, cuda::std::__4::thread_scope_device>", "fetch_addd")
            .ends_with("Did you mean \"fetch_add\"?"));
  CHECK(lacks("pycuda::complex<float>", "re") == "pycuda::complex has the members real() and imag().");
  CHECK(lacks("__half2", "z") == "__half2 has the members x and y.");
}

TEST_CASE("members: of a class of the source, and how they are reached") {
  const std::string source = "struct P { float mass; };\n__global__ void k(P* p) { p->mas = 1; } // maas\n";
  CHECK(lacks("P", "mas", source) == "Did you mean \"mass\"?");
  CHECK(lacks("P", "speed", source).empty());
  CHECK(of_class("expression must have class type but it has type \"float4 *\"").find("->") != std::string::npos);
  CHECK(of_class("expression must have class type but it has type \"int\"").empty());
  CHECK(of_class("expression must have pointer-to-class type but it has type \"P\"").find("dot") != std::string::npos);
  CHECK(of_class("a pointer to a bound function may only be used to call the function").find("call it") !=
        std::string::npos);
  CHECK(of_class("identifier \"x\" is undefined").empty());
}

TEST_CASE("members: which header of NVIDIA's libraries has a name") {
  const auto header = [](const std::string& name, const std::string& declaring, const std::string& source = {}) {
    CHECK(namespace_member_advice(name, source) ==
          "\"" + name + "\" is declared by a header: #include " + declaring + ".");
  };
  header("cuda::atomic", "<cuda/atomic>");
  header("cuda::atomic", "<cuda/atomic>", "#include <cuda/std/atomic>");
  header("cuda::thread_scope_block", "<cuda/atomic>");
  header("cuda::barrier", "<cuda/barrier>", "#include <cuda/atomic>");
  header("cuda::std::tuple", "<cuda/std/tuple>", "#include <cuda/std/array>");
  header("cooperative_groups::reduce", "<cooperative_groups/reduce.h>", "#include <cooperative_groups.h>");
  header("cooperative_groups::inclusive_scan", "<cooperative_groups/scan.h>");
  header("cooperative_groups::memcpy_async", "<cooperative_groups/memcpy_async.h>");
  header("thrust::complex", "<thrust/complex.h>", "#include <thrust/functional.h>");
  header("reduce", "<cooperative_groups/reduce.h>",
         "#include <cooperative_groups.h>\nusing namespace cooperative_groups;\n");
  CHECK(namespace_member_advice("cuda::atomic", "#include <cuda/atomic>\n").empty());
  CHECK(namespace_member_advice("reduce", "").empty());
  CHECK(namespace_member_advice("mine::atomic", "").empty());
}

TEST_CASE("members: a name of NVIDIA's libraries that is misspelt") {
  const auto meant = [](const std::string& name, const std::string& similar, const std::string& source = {}) {
    CHECK(namespace_member_advice(name, source) == "Did you mean \"" + similar + "\" instead of \"" + name + "\"?");
  };
  meant("cuda::std::aray", "cuda::std::array");
  meant("cuda::atomc", "cuda::atomic");
  meant("cuda::memory_order_relax", "cuda::memory_order_relaxed");
  meant("cooperative_groups::this_thread_blok", "cooperative_groups::this_thread_block");
  meant("cub::BlockRedce", "cub::BlockReduce");
  meant("nvcuda::wmma::fragmnt", "nvcuda::wmma::fragment");
  meant("pycuda::complx", "pycuda::complex");
  meant("this_thread_blok", "this_thread_block", "using namespace cooperative_groups;");
  CHECK(namespace_member_advice("cuda::something_else", "").empty());
}

TEST_CASE("members: what CUDA 13 removed, and its functions that are in no namespace") {
  const auto removed = [](const std::string& name, const std::string& instead, const std::string& source = {}) {
    const std::string text = namespace_member_advice(name, source);
    CHECK_MESSAGE(text.find(" removed ") != std::string::npos, text);
    CHECK_MESSAGE(text.find(": write " + instead) != std::string::npos, text);
  };
  removed("cub::Max", "cuda::maximum<> of <cuda/functional>.");
  removed("cub::Sum", "cuda::std::plus<> of <cuda/std/functional>.");
  removed("cub::CountingInputIterator", "thrust::counting_iterator<T> of <thrust/iterator/counting_iterator.h>.");
  removed("cub::CTA_SYNC", "__syncthreads().");
  removed("cub::LaneId", "cuda::ptx::get_sreg_laneid() of <cuda/ptx>.");
  removed("thrust::unary_function", "the struct without that base");
  removed("cooperative_groups::this_multi_grid", "this_grid()");
  removed("Equality", "cuda::std::equal_to<>", "using namespace cub;");
  CHECK(namespace_member_advice("cub::BlockReduce", "#include <cub/cub.cuh>\n").empty());
  for (const char* name :
       {"rsqrt", "rsqrtf", "sincos", "erfinv", "normcdf", "__fdividef", "fma", "atomicAdd", "printf"})
    for (const char* scope : {"cuda::std::", "std::"}) {
      CHECK(namespace_member_advice(scope + std::string(name), "") ==
            "CUDA's " + std::string(name) + " is in no namespace: write " + name + ", without " + scope + ".");
      CHECK(is_of_no_namespace(scope + std::string(name)));
    }
  CHECK_FALSE(is_of_no_namespace("cuda::std::sqrt"));
  CHECK_FALSE(is_of_no_namespace("mine::rsqrt"));
}

TEST_CASE("members: in a message, of a namespace, a class that is only declared, and a namespace without its header") {
  const auto message = [](const std::string& line, const std::string& error, const std::string& at) {
    const std::string log =
        "k.cu(1): error: " + error + "\n  " + line + "\n  " + std::string(line.find(at), ' ') + "^\n";
    return compile_message({"NVRTC 13.0", "k.cu", line + "\n", nullptr, log, {}});
  };
  const auto says = [](const std::string& text, const std::string& words) {
    CHECK_MESSAGE(text.find(words) != std::string::npos, text);
  };
  says(message("cuda::std::aray<int, 3> a;", "namespace \"cuda::std\" has no member \"aray\"", "aray"),
       "\nDid you mean \"cuda::std::array\"");
  says(message("cuda::std::tuple<int> a;", "incomplete type \"cuda::std::__4::tuple<int>\" is not allowed", "a;"),
       "error: incomplete type \"cuda::std::tuple<int>\" is not allowed\n");
  says(message("cuda::std::tuple<int> a;", "incomplete type \"cuda::std::__4::tuple<int>\" is not allowed", "a;"),
       "#include <cuda/std/tuple>.");
  constexpr const char* no_scope = "name followed by \"::\" must be a class or namespace name";
  says(message("cuda::atomic<int> a;", no_scope, "cuda"), "\"cuda::atomic\" is declared by a header");
  says(message("cooperative_groups::this_grid().sync();", no_scope, "coop"),
       "\"cooperative_groups\" is declared by a header: #include <cooperative_groups.h>.");
  says(message("cooperative_groups::this_thread_blok();", no_scope, "coop"),
       "\"cooperative_groups\" is declared by a header: #include <cooperative_groups.h>.");
  says(message("cooperative_groups::reduce(t, 1);", no_scope, "coop"), "#include <cooperative_groups/reduce.h>.");
  says(message("x = cuda::std::max(a, b);", no_scope, "std"), "#include <cuda/std/functional>");
  says(message("x = cuda::std::rsqrt(y);", no_scope, "cuda"), "\nCUDA's rsqrt is in no namespace: write rsqrt,");
  says(message("__global__ void k(thrust::device_vector<float> v) {}", no_scope, "thrust"),
       "\"thrust::device_vector\" is of Thrust for the host, and not for kernels: pass a pointer, "
       "thrust::raw_pointer_cast(v.data()), and the size.");
  says(message("o = f.X;", "class \"float3\" has no member \"X\"", "X"), "\nfloat3 has the members x, y and z.");
}

}  // namespace member_advice_test
