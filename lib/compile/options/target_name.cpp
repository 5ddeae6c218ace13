#include "compile/options/target_name.hpp"

#include <array>

namespace kiln {

namespace {

template <class Value>
struct Named {
  Value value;
  std::string_view name;
};

constexpr std::array targets{Named<Target>{Target::cubin, "cubin"}, Named<Target>{Target::ptx, "ptx"},
                             Named<Target>{Target::fatbin, "fatbin"}, Named<Target>{Target::ltoir, "ltoir"},
                             Named<Target>{Target::optixir, "optixir"}};
constexpr std::array backends{Named<Backend>{Backend::nvrtc, "nvrtc"}, Named<Backend>{Backend::nvcc, "nvcc"},
                              Named<Backend>{Backend::nvvm, "nvvm"}, Named<Backend>{Backend::nvjitlink, "nvjitlink"},
                              Named<Backend>{Backend::driver, "driver"}};

template <class Value, std::size_t count>
std::string name_in(const std::array<Named<Value>, count>& all, Value value) {
  for (const auto& known : all)
    if (known.value == value) return std::string(known.name);
  return "unknown";
}

template <class Value, std::size_t count>
std::optional<Value> value_in(const std::array<Named<Value>, count>& all, std::string_view name) {
  for (const auto& known : all)
    if (known.name == name) return known.value;
  return std::nullopt;
}

}  // namespace

std::string target_name(Target target) { return name_in(targets, target); }
std::optional<Target> target_of(std::string_view name) { return value_in(targets, name); }
const char* compiler_title(Backend backend) {
  switch (backend) {
    case Backend::nvcc:
      return "nvcc";
    case Backend::nvvm:
      return "libnvvm";
    case Backend::nvjitlink:
      return "nvJitLink";
    case Backend::driver:
      return "the driver's linker";
    case Backend::automatic:
    case Backend::nvrtc:
      break;
  }
  return "NVRTC";
}
std::string backend_name(Backend backend) { return name_in(backends, backend); }
Backend backend_of(std::string_view name) { return value_in(backends, name).value_or(Backend::automatic); }

}  // namespace kiln
