#include "compile/compiler/advice.hpp"

#include "base/path_text.hpp"
#include "base/similar_name.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// NVRTC's words for a header that is not there, and those of nvcc's host compiler.
bool lacks_header(std::string_view text) {
  return contains(text, "cannot open source file") || contains(text, "could not open source file") ||
         (contains(text, "fatal error: ") && contains(text, ": No such file or directory") &&
          !contains(text, "cannot execute"));
}

/// Headers that sources often include, of CUDA, C++ and PyCUDA.
constexpr std::string_view known_headers =
    "cuda_runtime.h cuda_runtime_api.h cuda.h cuda_fp16.h cuda_bf16.h cuda_fp8.h curand_kernel.h curand.h cuComplex.h "
    "cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h cooperative_groups/memcpy_async.h "
    "math_constants.h device_launch_parameters.h mma.h cuda_pipeline.h vector_types.h vector_functions.h "
    "device_functions.h sm_20_intrinsics.h cufft.h cub/cub.cuh cub/block/block_reduce.cuh cub/block/block_scan.cuh "
    "cub/warp/warp_reduce.cuh thrust/complex.h thrust/functional.h thrust/device_vector.h cuda/std/array "
    "cuda/std/complex cuda/std/utility cuda/std/tuple cuda/std/limits cuda/std/type_traits cuda/std/cstdint "
    "cuda/atomic cuda/barrier cuda/pipeline cuda/std/span cuda/std/optional pycuda-complex.hpp pycuda-helpers.hpp "
    "cupy/complex.cuh stdint.h stdio.h stdlib.h string.h math.h float.h limits.h assert.h cstdint cstdio cstdlib "
    "cstring cmath cfloat climits cassert cstddef algorithm array vector string complex utility type_traits limits "
    "numeric functional iostream memory tuple optional map";

/// NVRTC has the name in quotes, gcc before ": No such".
std::string missing_name(const Diagnostic& error) {
  const auto words = quoted_words(error.text);
  std::string_view name = words.empty() ? std::string_view(error.text) : words.front();
  constexpr std::string_view before = "fatal error: ";
  if (words.empty() && contains(name, before)) name.remove_prefix(name.find(before) + before.size());
  return std::string(words.empty() ? name.substr(0, name.find(": ")) : name);
}

/// The one that was meant, among headers in memory, too.
std::string similar_header(const Diagnostic& error, const FailedCompile& failed) {
  const std::string name = missing_name(error);
  if (has_word(known_headers, name)) return {};
  std::vector<std::string> names;
  if (failed.headers != nullptr)
    for (const auto& header : *failed.headers) names.push_back(header.first);
  for (std::string& known : split(known_headers, ' ')) names.push_back(std::move(known));
  return similar_name(name, names);
}

/// Headers of other languages and of the host, by how their names begin.
std::string advice_for_foreign_header(const Diagnostic& error) {
  struct Foreign {
    std::string_view beginnings;
    const char* text;
  };
  constexpr Foreign all[] = {
      {"hip/", "is of HIP: leave it out, as CUDA C++ needs no header for kernels."},
      {"CL/", "is of OpenCL: leave it out, as CUDA C++ needs no header for kernels."},
      {"metal_", "is of Metal: leave it out, as CUDA C++ needs no header for kernels."},
      {"cupy/carray", "is of CuPy's own kernels: take pointers and sizes as parameters, such as float* x and int n."},
      {"torch/ ATen/ c10/ pybind11/ Python.h numpy/",
       "is for programs of the host: leave it out, and pass pointers and sizes to the kernel."},
  };
  const std::string name = missing_name(error);
  for (const Foreign& each : all)
    if (begins_with_any(name, each.beginnings)) return "\"" + name + "\" " + each.text;
  return {};
}

}  // namespace

std::string header_advice(const Diagnostic& error, const FailedCompile& failed) {
  if (!lacks_header(error.text)) return {};
  if (std::string foreign = advice_for_foreign_header(error); !foreign.empty()) return foreign;
  const std::string similar = similar_header(error, failed);
  return (similar.empty() ? "" : "Did you mean \"" + similar + "\"? ") +
         "Headers are found in the folders of include_dirs (-I) and the toolkit's, between quotes first in that of the "
         "source's name (" +
         folder_of_name(failed.name, working_folder()) + "), or as texts in CompileOptions::headers.";
}

}  // namespace kiln
