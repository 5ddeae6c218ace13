#include "worker/nvrtc/header_advice.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "base/word_list.hpp"
#include "worker/nvrtc/diagnosis.hpp"

#include <algorithm>
#include <string_view>

namespace kiln {

namespace {

/// Headers that are a wheel of their own.
struct Part {
  std::string_view beginnings;  // of their names
  std::string_view one;         // by which the part is known to be there
  const char* title;
  const char* wheel;  // "-cu12" behind it is that of CUDA 12
};
constexpr Part parts[] = {
    {"cub/ thrust/ cuda/ nv/", "cuda/std/version", "CCCL's (CUB, Thrust, libcu++)", "nvidia-cuda-cccl"},
    {"curand", "curand_kernel.h", "cuRAND's", "nvidia-curand"},
};

const Part* part_of(const std::string& header) {
  for (const Part& part : parts)
    if (begins_with_any(header, part.beginnings)) return &part;
  return nullptr;
}

bool is_there(const Part& part, const std::vector<std::string>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&part](const std::string& folder) {
    return is_regular_file(joined(folder, std::string(part.one)));
  });
}

/// Of a toolkit, or of wheels in its place.
std::string advice_for_part(const Part& part, const std::string& folder) {
  const std::string wheel = part.wheel;
  return "\nThe toolkit's headers in " + folder + " are without " + part.title + ": pip install " + wheel +
         " (CUDA 12: " + wheel + "-cu12), or CUDA_HOME=<a whole toolkit's folder>";
}

std::string advice_for_standard_header(const std::string& header, bool has_toolkit) {
  const char* const wheels = has_toolkit ? ""
                                         : " (pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-nvvm "
                                           "nvidia-cuda-runtime nvidia-cuda-cccl; CUDA 12: nvidia-cuda-nvcc-cu12 "
                                           "nvidia-cuda-runtime-cu12 nvidia-cuda-cccl-cu12)";
  return "\n<" + header +
         "> is of the host's C++ library, which NVRTC does not have and no wheel of NVIDIA's has: nvcc compiles such a "
         "source, with a host compiler such as g++" +
         wheels + ". What kernels can use of that library is in libcu++, such as <cuda/std/array>";
}

std::string advice_without_toolkit(const std::string& header, const Part* part, bool bundled,
                                   const std::string& title) {
  const bool is_bundled_part = part == nullptr || part == &parts[0];
  std::string text = "\nNo toolkit's headers were found on this machine, of which <" + header + "> may be one, and ";
  if (bundled)
    text += "those that " + title + " brings do not have it. ";
  else
    text += title + " brings none. ";
  if (!bundled && is_bundled_part) text += "pip install 'nvidia-cuda-nvrtc>=13.3' brings those for kernels. ";
  const bool is_extra = !is_bundled_part;
  const std::string extra = is_extra ? std::string(" ") + part->wheel : std::string();
  const std::string extra_12 = is_extra ? extra + "-cu12" : std::string();
  text += is_extra ? "It is in " + extra.substr(1) + ", which needs the others: " : "For all of them: ";
  return text + "pip install" + extra + " nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl (CUDA 12:" + extra_12 +
         " nvidia-cuda-runtime-cu12 nvidia-cuda-nvcc-cu12 nvidia-cuda-cccl-cu12), or CUDA_HOME=<a toolkit's folder>";
}

}  // namespace

std::string header_advice(const std::string& header, const Request& request, const std::string& nvrtc_title) {
  const bool bundled = request.compiler.uses_bundled_headers();
  const std::vector<std::string>& folders = request.search.toolkit;
  const Part* const part = part_of(header);
  const bool has_toolkit = !bundled && !folders.empty();
  if (has_toolkit && part != nullptr && !is_there(*part, folders)) return advice_for_part(*part, folders.front());
  if (is_standard_header(header)) return advice_for_standard_header(header, has_toolkit);
  return has_toolkit ? std::string() : advice_without_toolkit(header, part, bundled, nvrtc_title);
}

}  // namespace kiln
