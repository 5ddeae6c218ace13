#include "compile/options/target_name.hpp"

#include <array>

namespace kiln {

namespace {

template <class Value>
struct Named {
  Value value;
  std::string_view name;
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < target_table.size(); ++i)
    if (target_table[i].target != static_cast<Target>(i)) return false;
  return true;
}
static_assert(is_in_order());

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

std::string target_name(Target target) { return std::string(facts_of(target).name); }
std::optional<Target> target_of(std::string_view name) {
  for (const TargetFacts& known : target_table)
    if (known.name == name) return known.target;
  return std::nullopt;
}
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
