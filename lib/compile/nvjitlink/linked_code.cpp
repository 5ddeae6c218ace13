// Checks that code which a linker reported as linked can be loaded.
#include "compile/compiler/error_advice.hpp"
#include "compile/nvjitlink/link_outcome.hpp"
#include "compile/nvjitlink/link_symbols.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"

#include <elf.h>
#include <kiln/error.hpp>

#include <algorithm>
#include <cstdint>

namespace kiln {

namespace {

/// "error   : Multiple definition of ..."; lines of other kinds begin with "Info" or "warning".
bool reports_error(const std::string& log) {
  return log.starts_with("error ") || log.find("\nerror ") != std::string::npos;
}

/// Limits of what the code itself declares; a launch adds only dynamic shared memory.
constexpr int most_shared = 48 * 1024;
constexpr std::uint64_t most_constant = 64 * 1024;
constexpr std::size_t most_parameters = 32764;

std::string too_much(const std::string& what, std::uint64_t bytes, const char* of, std::uint64_t most,
                     const char* advice) {
  return what + " uses " + std::to_string(bytes) + " bytes of " + of + ", and there are " + std::to_string(most) +
         ". " + advice;
}

/// Empty where no limit is exceeded.
std::string exceeded_limit(std::string_view cubin) {
  for (const KernelInfo& kernel : read_cubin(cubin).kernels) {
    const std::string name = "kernel " + kernel.readable_name;
    if (kernel.shared_bytes > most_shared)
      return too_much(name, static_cast<std::uint64_t>(kernel.shared_bytes), "static shared memory", most_shared,
                      shared_memory_advice);
    const std::size_t parameters =
        kernel.parameters.empty() ? 0 : kernel.parameters.back().offset + kernel.parameters.back().size;
    if (parameters > most_parameters)
      return too_much(name, parameters, "parameters", most_parameters, parameter_advice);
  }
  const ElfView elf(cubin);
  for (const ElfSection& section : elf.sections())
    if (section.name == ".nv.constant3" && section.size > most_constant)
      return too_much("the linked code", section.size, "__constant__ variables", most_constant, constant_memory_advice);
  return {};
}

}  // namespace

void check_linked_code(LinkOutcome& outcome) {
  if (!outcome.failure.empty()) return;
  if (reports_error(outcome.error_log)) outcome.failure = "the linker reports success, and an error";
  if (code_kind(outcome.code) != CodeKind::cubin) return;
  try {
    if (ElfView(outcome.code).file_type() != ET_EXEC) return;  // nvJitLink's -r: to be linked again
    outcome.undefined = missing_symbols_of_cubin(outcome.code);
    if (!outcome.undefined.empty()) outcome.failure = "the linker reports success, and the code lacks symbols";
    if (outcome.failure.empty()) outcome.failure = exceeded_limit(outcome.code);
  } catch (const Error&) {  // code that the readers do not know may still load and run
  }
}

}  // namespace kiln
