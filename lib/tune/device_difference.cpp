#include "tune/device_difference.hpp"

#include <kiln/event.hpp>
#include <kiln/memcpy.hpp>
#include <kiln/memset.hpp>
#include <kiln/source_module.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kiln {

namespace {

// Macros of KILN_DEFAULT_OPTIONS do not affect it.
const char* const difference_source = R"(
#undef Real
#undef differs
#undef a
#undef b
#undef i
#undef tolerance
#undef difference
#undef allowed
#undef look
#undef given
#undef wanted
#undef count
#undef found
#undef stride
#undef differ_float
#undef differ_double
#undef differ_bytes
template <class Real>
__device__ bool differs(Real a, Real b, double tolerance) {
  if (a == b || (a != a && b != b)) return false;
  const double difference = fabs(double(a) - double(b)), allowed = tolerance + tolerance * fabs(double(b));
  return !(difference <= allowed) || isinf(double(b));
}

template <class Real>
__device__ void look(const Real* given, const Real* wanted, unsigned long long count, double tolerance, int* found) {
  const unsigned long long stride = 1ull * gridDim.x * blockDim.x;
  for (unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    if (differs(given[i], wanted[i], tolerance)) atomicOr(found, 1);
}

extern "C" __global__ void differ_float(const float* given, const float* wanted, unsigned long long count,
                                        double tolerance, int* found) {
  look(given, wanted, count, tolerance, found);
}

extern "C" __global__ void differ_double(const double* given, const double* wanted, unsigned long long count,
                                         double tolerance, int* found) {
  look(given, wanted, count, tolerance, found);
}

extern "C" __global__ void differ_bytes(const unsigned char* given, const unsigned char* wanted,
                                        unsigned long long count, double, int* found) {
  const unsigned long long stride = 1ull * gridDim.x * blockDim.x;
  for (unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    if (given[i] != wanted[i]) atomicOr(found, 1);
}
)";

}  // namespace

DeviceDifference::DeviceDifference(CUstream stream)
    : stream_(stream),
      module_(SourceModule(difference_source, CompileOptions{.name = "tune_difference.cu"})),
      found_(std::vector<int>{0}) {}

bool DeviceDifference::differ(CUdeviceptr given, CUdeviceptr wanted, std::size_t bytes, const detail::Pointee& element,
                              double tolerance) {
  const bool is_real = element.levels == 1 && element.kind == detail::Pointee::Kind::floating;
  const bool is_float = is_real && element.size == sizeof(float) && given % sizeof(float) == 0;
  const bool is_double = is_real && element.size == sizeof(double) && given % sizeof(double) == 0;
  const std::uint64_t count = bytes / (is_float ? sizeof(float) : is_double ? sizeof(double) : 1);
  if (count == 0) return false;
  constexpr std::uint64_t threads = 256, most_blocks = 4096;
  LaunchConfig config;
  config.grid = Dim3(std::min((count + threads - 1) / threads, most_blocks));
  config.block = Dim3(threads);
  config.stream = stream_;
  memset_d32_async(found_.device_pointer(), 0, 1, stream_);
  const Function kernel = module_.get_function(is_float    ? "differ_float"
                                               : is_double ? "differ_double"
                                                           : "differ_bytes");
  kernel(config, given, wanted, count, tolerance, found_);
  int found = 0;
  memcpy_dtoh_async(&found, found_.device_pointer(), sizeof found, stream_);
  Event().record(stream_).synchronize();
  return found != 0;
}

}  // namespace kiln
