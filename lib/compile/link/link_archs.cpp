#include "compile/link/link.hpp"

#include "base/argument_error.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/link_options.hpp"
#include "toolkit/driver/driver.hpp"

#include <optional>
#include <utility>

namespace kiln {

namespace {

/// The newest architecture among the inputs; nothing where no input names one.
std::optional<Arch> newest_arch(const LinkInputs& inputs) {
  std::optional<Arch> newest;
  for (const auto& input : inputs)
    for (const std::string& name : facts_of(*input).archs) {
      Arch arch = parse_arch(name.substr(name.find('_') + 1));
      if (!newest || std::pair(arch.number, arch.suffix) > std::pair(newest->number, newest->suffix))
        newest = std::move(arch);
    }
  return newest;
}

/// A device of sm_90 runs what an input has for sm_90a, and only a link for that takes it.
std::string with_suffix_of_inputs(const std::string& device_arch, const LinkInputs& inputs) {
  Arch arch = parse_arch(device_arch);
  arch.real = true;
  const auto newest = arch.suffix.empty() ? newest_arch(inputs) : std::nullopt;
  if (newest && newest->number == arch.number) arch.suffix = newest->suffix;
  return arch.text();
}

std::string arch_of_initialised_device() {
  const auto number = initialised_device_arch();
  return number ? "sm_" + std::to_string(*number) : std::string();
}

}  // namespace

std::string name_of(const LinkJob& job) { return job.options.name.empty() ? "linked" : job.options.name; }

std::vector<std::string> archs_for(const LinkJob& job, const std::string& device_arch) {
  const auto real = [](const std::string& text) {
    Arch arch = parse_arch(text);
    arch.real = true;
    return arch.text();
  };
  if (!is_for_device(job.options)) return {real(job.options.arch)};
  const std::string device = device_arch.empty() ? arch_of_initialised_device() : device_arch;
  if (device.empty() && !job.options.arch.empty()) refuse_native(job.options.arch);
  if (!job.options.arch.empty()) return {with_suffix_of_inputs(native_arch(job.options.arch, device), job.inputs)};
  if (!device.empty()) return {with_suffix_of_inputs(device, job.inputs)};
  std::vector<std::string> archs = archs_of_environment();
  for (std::string& arch : archs) arch = real(arch);
  if (!archs.empty()) return archs;
  if (const auto newest = newest_arch(job.inputs)) return {real(newest->text())};
  throw_argument_error("linking \"" + name_of(job) +
                           "\": no input names an architecture, and no device is in use: set LinkOptions::arch",
                       "an architecture, such as sm_90", "none");
}

std::vector<std::string> devices_of(const LinkJob& job, const std::string& device_arch) {
  if (!is_for_device(job.options) || !device_arch.empty()) return {device_arch};
  std::vector<std::string> archs;
  if (std::string device = arch_of_initialised_device(); !device.empty()) archs.push_back(std::move(device));
  if (archs.empty() && job.options.arch.empty())
    for (const std::string& arch : archs_of_environment()) archs.push_back(parse_arch(arch).text());
  return archs.empty() ? std::vector<std::string>{""} : archs;
}

}  // namespace kiln
