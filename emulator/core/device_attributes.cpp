#include "emulator/core/device_attributes.hpp"

#include "base/environment.hpp"
#include "base/text_parts.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/core/read_number.hpp"
#include "emulator/core/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace kiln::emulator {

namespace {

int read_count() {
  const auto text = environment("KILN_EMULATOR_DEVICES");
  if (!text) return 1;
  const auto count = read_number<unsigned>(*text);
  if (count && *count <= 64) return static_cast<int>(*count);
  log("KILN_EMULATOR_DEVICES=" + *text + " is no number from 0 to 64: there is one device");
  return 1;
}

// By their numbers on the machine, in the order in which the process sees them.
const std::vector<int>& devices() {
  static const std::vector<int> all = [] {
    const char* const variable = "CUDA_VISIBLE_DEVICES";
    std::optional<std::string> list;
    if (environment_has(variable)) list = environment(variable).value_or("");
    return visible_devices(list, read_count());
  }();
  return all;
}

// 7.5, 75 or sm_75.
unsigned read_arch() {
  constexpr unsigned usual = 90;
  const auto text = environment("KILN_EMULATOR_ARCH");
  if (!text) return usual;
  std::string digits = text->rfind("sm_", 0) == 0 ? text->substr(3) : *text;
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  const auto arch = read_number<unsigned>(digits);
  if (arch && *arch >= 50 && *arch <= 129) return *arch;
  log("KILN_EMULATOR_ARCH=" + *text + " is no compute capability such as 7.5 or 90: the devices have 9.0");
  return usual;
}

// What differs between compute capabilities, in KiB where it is memory.
struct ArchLimits {
  unsigned from;  // first compute capability of the row
  int threads_per_multiprocessor, blocks_per_multiprocessor, shared_per_multiprocessor, shared_opt_in;
};
constexpr ArchLimits arch_limits[] = {
    {50, 2048, 32, 64, 48},   {52, 2048, 32, 96, 48},    {53, 2048, 32, 64, 48},    {61, 2048, 32, 96, 48},
    {62, 2048, 32, 64, 48},   {70, 2048, 32, 96, 96},    {75, 1024, 16, 64, 64},    {80, 2048, 32, 164, 163},
    {86, 1536, 16, 100, 99},  {87, 1536, 16, 164, 163},  {88, 1536, 16, 100, 99},   {89, 1536, 24, 100, 99},
    {90, 2048, 32, 228, 227}, {101, 1536, 24, 228, 227}, {103, 2048, 32, 228, 227}, {110, 1536, 24, 228, 227},
    {120, 1536, 24, 100, 99},
};

const ArchLimits& limits() {
  const ArchLimits* found = arch_limits;
  for (const ArchLimits& row : arch_limits)
    if (row.from <= device_arch()) found = &row;
  return *found;
}

constexpr int kib = 1024;
constexpr int l2_size = 4096 * kib;

int by_arch(CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return static_cast<int>(device_arch() / 10);
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return static_cast<int>(device_arch() % 10);
    case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
      return device_arch() >= 90 ? 1 : 0;
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED:
      return device_arch() >= 60 ? 1 : 0;
    case CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT:
      return device_arch() >= 90 ? 4 : 1;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
      return device_arch() == 53 || device_arch() == 62 ? 32 * kib : 64 * kib;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return limits().threads_per_multiprocessor;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
      return limits().blocks_per_multiprocessor;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      return limits().shared_per_multiprocessor * kib;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      return limits().shared_opt_in * kib;
    case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK:
      return device_arch() >= 80 ? kib : 0;
    // Limits of hints, which the emulator accepts and ignores.
    case CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE:
      return device_arch() >= 80 ? l2_size / 4 * 3 : 0;
    case CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE:
      return device_arch() >= 80 ? l2_size : 0;
    default:
      return -1;
  }
}

struct Fixed {
  CUdevice_attribute attribute;
  int value;
};

// Attributes that are not listed are 0: IPC, compression, pageable memory, MPS and the like.
constexpr Fixed fixed_attributes[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 48 * kib},
    {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 64 * kib},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {CU_DEVICE_ATTRIBUTE_MAX_PITCH, 2147483647},
    {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 64 * kib},
    {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000000},         // kHz
    {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1000000},  // kHz
    {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 64},
    {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, l2_size},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 512},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 32},
    {CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT, 512},
    {CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 1},
    {CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 1},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT},
    {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1},
    {CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 1},
    {CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1},
    {CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 1},
    {CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 1},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 268435456},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, 65000},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH, 2097120},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, 8192},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, 8192},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, 2046},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, 2046},
};

}  // namespace

int device_count() { return static_cast<int>(devices().size()); }

int number_on_machine(int device) {
  check_device(device);
  return devices()[static_cast<std::size_t>(device)];
}

int device_with_number(int number) {
  const auto found = std::find(devices().begin(), devices().end(), number);
  if (found == devices().end()) throw CallError(CUDA_ERROR_INVALID_DEVICE, "");
  return static_cast<int>(found - devices().begin());
}

CUuuid device_uuid(int number) {
  CUuuid made = {};
  std::memcpy(made.bytes, "kiln-emulator", 13);
  made.bytes[15] = static_cast<char>(number);
  return made;
}

unsigned device_arch() {
  static const unsigned arch = read_arch();
  return arch;
}

void check_device(int device) {
  if (device < 0 || device >= device_count()) throw CallError(CUDA_ERROR_INVALID_DEVICE, "");
}

int device_attribute(int device, CUdevice_attribute attribute) {
  check_device(device);
  if (attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) return static_cast<int>(Settings::get().cores);
  if (attribute == CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID) return number_on_machine(device);
  if (const int value = by_arch(attribute); value >= 0) return value;
  for (const Fixed& row : fixed_attributes)
    if (row.attribute == attribute) return row.value;
  return 0;
}

namespace {

// A driver reads digits as far as they go: "1st" is 1.
std::optional<int> index_in(std::string_view text, int on_machine) {
  text = trimmed(text);
  if (text.substr(0, 1) == "+") text.remove_prefix(1);
  int index = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || index < 0 || index >= on_machine) return std::nullopt;
  return index;
}

std::optional<int> device_of_uuid(std::string_view beginning, int on_machine) {
  std::optional<int> found;
  for (int number = 0; number < on_machine; ++number) {
    if (!uuid_text(number).starts_with(beginning)) continue;
    if (found) return std::nullopt;  // it is the beginning of several
    found = number;
  }
  return found;
}

}  // namespace

std::string uuid_text(int number) {
  constexpr const char* digits = "0123456789abcdef";
  const CUuuid uuid = device_uuid(number);
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    (text += digits[byte / 16]) += digits[byte % 16];
  }
  return text;
}

std::vector<int> visible_devices(const std::optional<std::string>& list, int on_machine) {
  std::vector<int> devices;
  if (!list) {
    devices.resize(static_cast<std::size_t>(on_machine));
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
  }
  constexpr std::string_view uuid_prefix = "GPU-";
  const bool are_uuids = list->starts_with(uuid_prefix);
  for (std::string_view rest = *list; !rest.empty();) {
    const std::string_view part = next_part(rest, ',');
    const bool is_uuid = part.starts_with(uuid_prefix);
    if (is_uuid != are_uuids) break;  // the first one says how all are named
    const auto device = is_uuid ? device_of_uuid(part, on_machine) : index_in(part, on_machine);
    if (!device) break;
    if (std::find(devices.begin(), devices.end(), *device) != devices.end()) return {};
    devices.push_back(*device);
  }
  return devices;
}

}  // namespace kiln::emulator
