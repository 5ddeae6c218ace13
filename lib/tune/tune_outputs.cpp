#include "tune/tune_outputs.hpp"

#include "base/argument_error.hpp"
#include "memory/pointer_info.hpp"

#include <kiln/detail/template_value.hpp>
#include <kiln/event.hpp>
#include <kiln/memcpy.hpp>
#include <kiln/memset.hpp>
#include <kiln/source_module.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
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

namespace {

bool is_read_only(const detail::TunedMemory& memory, const std::vector<Parameter>& parameters) {
  if (memory.is_const) return true;
  if (memory.index >= parameters.size()) return false;
  return parameters[memory.index].type.ends_with("const*");
}

/// Nothing where it is a number or null.
std::optional<MemoryRange> range_of(const detail::TunedMemory& memory) {
  if (memory.address == 0 || memory.bytes == 0) return std::nullopt;
  if (memory.bytes != detail::unknown_count) return MemoryRange{memory.address, memory.bytes};
  const std::optional<MemoryRange> allocation = allocation_of(memory.address);
  if (!allocation && memory.pointee.levels != 0)
    refuse("tune: argument " + std::to_string(memory.index), "memory whose size is known",
           "a pointer that is in no allocation of the driver", "; pass a kiln::DeviceBuffer or a std::span");
  return allocation;
}

}  // namespace

TuneOutputs::TuneOutputs(const std::vector<detail::TunedMemory>& memory, const std::vector<Parameter>& parameters,
                         CUstream stream)
    : stream_(stream) {
  for (const detail::TunedMemory& one : memory) {
    if (is_read_only(one, parameters)) continue;
    const std::optional<MemoryRange> range = range_of(one);
    if (!range) continue;
    Output output{one.index, range->begin, range->bytes, one.pointee, DeviceBuffer<std::byte>(range->bytes)};
    memcpy_dtod_async(output.kept.device_pointer(), output.address, output.bytes, stream_);
    outputs_.push_back(std::move(output));
  }
}

void TuneOutputs::restore() {
  for (const Output& output : outputs_)
    memcpy_dtod_async(output.address, output.kept.device_pointer(), output.bytes, stream_);
}

bool TuneOutputs::make_reference() {
  if (!comparison_) comparison_.emplace(stream_);
  bool is_changed = outputs_.empty();
  for (Output& output : outputs_) {
    const CUdeviceptr kept = output.kept.device_pointer();
    is_changed = is_changed || comparison_->differ(output.address, kept, output.bytes, output.pointee, 0);
    output.reference.emplace(output.bytes);
    memcpy_dtod_async(output.reference->device_pointer(), output.address, output.bytes, stream_);
  }
  Event().record(stream_).synchronize();
  return is_changed;
}

/// Only what differs is copied to the host, which says where.
std::optional<std::string> TuneOutputs::difference(double tolerance) {
  if (!comparison_) comparison_.emplace(stream_);
  for (const Output& output : outputs_) {
    const CUdeviceptr reference = output.reference->device_pointer();
    if (!comparison_->differ(output.address, reference, output.bytes, output.pointee, tolerance)) continue;
    const auto given = content(output.address, output.bytes), wanted = content(reference, output.bytes);
    const auto text = element_difference(given, wanted, output.pointee, tolerance);
    return "argument " + std::to_string(output.index) + ", " + text.value_or("which changes by itself");
  }
  return std::nullopt;
}

std::vector<std::byte> TuneOutputs::content(CUdeviceptr address, std::size_t size) const {
  std::vector<std::byte> bytes(size);
  memcpy_dtoh_async(bytes, address, stream_);
  Event().record(stream_).synchronize();
  return bytes;
}

namespace {

template <class Real>
struct Reals {
  const std::vector<std::byte>& given;
  const std::vector<std::byte>& wanted;
  const double tolerance;

  static Real at(const std::vector<std::byte>& bytes, std::size_t place) {
    Real value;
    std::memcpy(&value, bytes.data() + place * sizeof value, sizeof value);
    return value;
  }
  bool differ(std::size_t place) const {
    const double a = at(given, place), b = at(wanted, place);
    if (a == b || (std::isnan(a) && std::isnan(b))) return false;
    return !(std::abs(a - b) <= tolerance + tolerance * std::abs(b)) || std::isinf(b);
  }
  std::string text(std::size_t place) const {
    return std::to_string(at(given, place)) + " is not " + std::to_string(at(wanted, place));
  }
};

struct Bytes {
  const std::vector<std::byte>& given;
  const std::vector<std::byte>& wanted;
  const std::size_t size;

  bool differ(std::size_t place) const {
    const std::size_t begin = place * size, count = std::min(size, given.size() - begin);
    return std::memcmp(given.data() + begin, wanted.data() + begin, count) != 0;
  }
  static std::string text(std::size_t /*place*/) { return "other bytes"; }
};

template <class Elements>
std::optional<std::string> first_of(const Elements& elements, std::size_t count) {
  std::size_t first = count, differing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!elements.differ(i)) continue;
    first = std::min(first, i);
    ++differing;
  }
  if (differing == 0) return std::nullopt;
  return "element " + std::to_string(first) + ": " + elements.text(first) + "; " + std::to_string(differing) + " of " +
         std::to_string(count) + " differ";
}

}  // namespace

std::optional<std::string> element_difference(const std::vector<std::byte>& given, const std::vector<std::byte>& wanted,
                                              const detail::Pointee& element, double tolerance) {
  const bool is_real = element.levels == 1 && element.kind == detail::Pointee::Kind::floating;
  if (is_real && element.size == sizeof(float))
    return first_of(Reals<float>{given, wanted, tolerance}, given.size() / sizeof(float));
  if (is_real && element.size == sizeof(double))
    return first_of(Reals<double>{given, wanted, tolerance}, given.size() / sizeof(double));
  const std::size_t size = element.levels == 1 && element.size != 0 ? element.size : 1;
  return first_of(Bytes{given, wanted, size}, (given.size() + size - 1) / size);
}

}  // namespace kiln
