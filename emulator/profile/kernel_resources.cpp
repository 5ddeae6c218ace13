#include "emulator/profile/kernel_resources.hpp"

#include "base/text_parts.hpp"
#include "emulator/core/device_attributes.hpp"
#include "emulator/core/read_number.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>
#include <kiln/nvjitlink.hpp>

#include <algorithm>
#include <string_view>

namespace kiln::emulator {
namespace {

// ptxas takes a tenth of a second for a kernel: texts with many would make the first launch wait.
constexpr std::ptrdiff_t most_kernels = 32;

// Code for sm_90a runs on nothing else; other code is compiled for the device that it runs on.
std::string architecture_for(const ptx::Module& module) {
  const bool is_bound = !module.target.empty() && (module.target.back() < '0' || module.target.back() > '9');
  return is_bound ? std::string(module.target) : "sm_" + std::to_string(device_arch());
}

ProgramResources compiled(const ptx::Module& module) {
  nvjitlink::Linker linker({"-arch=" + architecture_for(module), "-verbose"});
  linker.add_data(nvjitlink::InputKind::ptx, *module.text, "kernel.ptx");
  linker.complete();
  const std::string log = linker.info_log();
  ProgramResources resources;
  for (const KernelInfo& kernel : read_cubin(linker.cubin()).kernels)
    if (kernel.registers > 0)
      resources.kernels[kernel.name] = {static_cast<std::uint32_t>(kernel.registers), spill_bytes_in(log, kernel.name)};
  return resources;
}

}  // namespace

std::optional<std::uint64_t> spill_bytes_in(const std::string& log, const std::string& kernel) {
  constexpr std::string_view unit = " bytes spill stores";
  const std::size_t start = log.find("Function properties for " + kernel + "\n");
  if (start == log.npos) return std::nullopt;
  std::string_view rest = std::string_view(log).substr(start);
  next_line(rest);
  const std::string_view line = next_line(rest);
  const std::size_t end = line.find(unit);
  if (end == line.npos) return std::nullopt;
  const std::size_t before = line.find_last_not_of("0123456789", end - 1);
  return read_number<std::uint64_t>(line.substr(before == line.npos ? 0 : before + 1, end - before - 1));
}

ProgramResources program_resources(const ptx::Module& module) {
  const auto kernels = std::count_if(module.functions.begin(), module.functions.end(),
                                     [](const ptx::Function& each) { return each.is_entry && each.has_body; });
  if (kernels > most_kernels) return {{}, "the PTX text has more than " + std::to_string(most_kernels) + " kernels"};
  try {
    if (!find_nvjitlink()) return {{}, "no libnvJitLink was found, which compiles PTX to machine code"};
    return compiled(module);
  } catch (const Error& error) {
    std::string_view text = error.what();
    return {{}, std::string(next_line(text))};
  }
}

}  // namespace kiln::emulator
