#include "compile/options/target_name.hpp"

#include <array>

namespace kiln {

namespace {

struct TargetName {
  Target target;
  std::string_view name;
};
constexpr std::array<TargetName, 5> target_names = {{{Target::cubin, "cubin"},
                                                     {Target::ptx, "ptx"},
                                                     {Target::fatbin, "fatbin"},
                                                     {Target::ltoir, "ltoir"},
                                                     {Target::optixir, "optixir"}}};

struct BackendName {
  Backend backend;
  std::string_view name;
};
constexpr std::array<BackendName, 5> backend_names = {{{Backend::nvrtc, "nvrtc"},
                                                       {Backend::nvcc, "nvcc"},
                                                       {Backend::nvvm, "nvvm"},
                                                       {Backend::nvjitlink, "nvjitlink"},
                                                       {Backend::driver, "driver"}}};

}  // namespace

std::string target_name(Target target) {
  for (const TargetName& known : target_names)
    if (known.target == target) return std::string(known.name);
  return "unknown";
}

std::optional<Target> target_of(std::string_view name) {
  for (const TargetName& known : target_names)
    if (known.name == name) return known.target;
  return std::nullopt;
}

std::string backend_name(Backend backend) {
  for (const BackendName& known : backend_names)
    if (known.backend == backend) return std::string(known.name);
  return "unknown";
}

Backend backend_of(std::string_view name) {
  for (const BackendName& known : backend_names)
    if (known.name == name) return known.backend;
  return Backend::automatic;
}

}  // namespace kiln
