#include "worker/code_check.hpp"

#include "compile/nvjitlink/link_input.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/fatbin_view.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

constexpr std::uint16_t em_cuda = 190;

/// Throws Error where it is damaged.
bool is_code(std::string_view code, Target target) {
  switch (target) {
    case Target::cubin:
      return code_kind(code) == CodeKind::cubin && ElfView(code).machine() == em_cuda && !read_cubin(code).arch.empty();
    case Target::ptx:
      return code_kind(code) == CodeKind::ptx;
    case Target::fatbin:
      return code_kind(code) == CodeKind::fatbin && !fatbin_entries(code).empty();
    case Target::ltoir:
    case Target::optixir:  // in the same container
      return ltoir_header(code).has_value();
  }
  return false;
}

}  // namespace

std::string fault_of_code(std::string_view code, Target target) try {
  return is_code(code, target) ? std::string() : "it is no " + target_name(target);
} catch (const Error& error) {
  return error.what();
}

}  // namespace kiln
