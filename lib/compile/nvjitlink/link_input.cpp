#include "compile/nvjitlink/link_input.hpp"

#include "base/argument_error.hpp"
#include "compile/code/text_input.hpp"
#include "toolkit/image/byte_reader.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/fatbin_view.hpp"

#include <cuda.h>
#include <elf.h>
#include <kiln/error.hpp>
#include <kiln/nvjitlink.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace kiln {

namespace {

using nvjitlink::InputKind;
using Holds = InputTypeFacts::Holds;

constexpr InputTypeFacts row(InputType type, std::string_view name, std::string_view kind, Holds ltoir,
                             bool may_hold_ptx, bool has_objects, InputKind nvjitlink, std::optional<int> driver) {
  return {type, name, kind, ltoir, may_hold_ptx, has_objects, static_cast<int>(nvjitlink), driver};
}
/// In the order of the enumeration.
constexpr std::array input_types{
    row(InputType::detect, "detect", "of an unknown type", Holds::perhaps, false, true, InputKind::any, {}),
    row(InputType::cubin, "cubin", "a cubin", Holds::no, false, false, InputKind::cubin, CU_JIT_INPUT_CUBIN),
    row(InputType::ptx, "ptx", "PTX", Holds::no, true, false, InputKind::ptx, CU_JIT_INPUT_PTX),
    row(InputType::fatbin, "fatbin", "a fatbin", Holds::perhaps, true, true, InputKind::fatbin, CU_JIT_INPUT_FATBINARY),
    row(InputType::object, "object", "an object", Holds::perhaps, false, true, InputKind::object, CU_JIT_INPUT_OBJECT),
    row(InputType::library, "library", "a library", Holds::perhaps, false, true, InputKind::library,
        CU_JIT_INPUT_LIBRARY),
    row(InputType::ltoir, "ltoir", "LTO-IR", Holds::yes, false, false, InputKind::ltoir, {}),
    // Compiled before a linker sees it.
    row(InputType::nvvm_ir, "nvvm_ir", "NVVM IR", Holds::yes, false, false, InputKind::any, {}),
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < input_types.size(); ++i)
    if (input_types[i].type != static_cast<InputType>(i)) return false;
  return input_types.back().type == last_input_type;
}
static_assert(is_in_order());

constexpr std::string_view library_mark = "!<arch>\n";
constexpr std::uint16_t em_cuda = 190;
const char* const what_is_linked =
    "a relocatable cubin, PTX, LTO-IR, NVVM IR, a fatbin, or an object or library of nvcc -dc";

const char* const no_linkable_code =
    "is a program or a shared library without device code that can be linked: compile its sources with nvcc -rdc=true";

[[noreturn]] void refuse_input(const std::string& name, const std::string& what) {
  throw_argument_error("linking: " + name + " " + what, what_is_linked, name);
}

bool is_host_machine(std::uint16_t machine) { return machine == EM_X86_64 || machine == EM_AARCH64; }

/// Only what was compiled with -rdc=true is in that section.
bool holds_linkable_code(const ElfView& elf) {
  for (const ElfSection& section : elf.sections())
    if (section.name == "__nv_relfatbin") return true;
  return false;
}

InputType detect_cubin(const ElfView& elf, const std::string& name) {
  if (elf.file_type() == ET_REL) return InputType::cubin;
  refuse_input(name,
               "is an executable cubin, which is linked already: compile its source with the option \"-rdc=true\" to "
               "link it with others");
}

InputType detect_object(const ElfView& elf, std::string_view bytes, const std::string& name) {
  if (holds_linkable_code(elf)) return InputType::object;
  if (elf.file_type() != ET_REL) refuse_input(name, no_linkable_code);
  if (embedded_fatbins(bytes).empty())
    refuse_input(name, "is an object of the host without device code: compile it with nvcc -dc");
  refuse_input(name, "is an object whose device code is linked already: compile it with nvcc -dc instead of -c");
}

InputType detect_elf(std::string_view bytes, const std::string& name) {
  const ElfView elf(bytes);
  if (elf.machine() == em_cuda) return detect_cubin(elf, name);
  if (is_host_machine(elf.machine())) return detect_object(elf, bytes, name);
  refuse_input(name, "is an ELF file for another kind of machine");
}

InputType detect_library(std::string_view bytes, const std::string& name) {
  const std::vector<std::string_view> members = library_members(bytes);
  if (members.empty()) refuse_input(name, "is a library without members");
  for (const std::string_view member : members)
    if (member.starts_with(ELFMAG)) {
      const ElfView elf(member);
      if (elf.machine() == em_cuda || holds_linkable_code(elf)) return InputType::library;
    } else if (code_kind(member) == CodeKind::fatbin || ltoir_header(member)) {
      return InputType::library;
    }
  refuse_input(name, "is a library without device code to link: make it from objects of nvcc -dc");
}

/// Also true where the library that could unpack it is missing.
bool is_relocatable(const FatbinEntry& cubin) {
  try {
    const std::string image = unpack(cubin.packing, cubin.bytes, cubin.size);
    return ElfView(image).file_type() == ET_REL;
  } catch (const ToolkitError&) {
    return true;
  }
}

InputType detect(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) refuse_input(name, "is empty");
  if (bytes.starts_with(ELFMAG)) return detect_elf(bytes, name);
  if (bytes.starts_with(library_mark)) return detect_library(bytes, name);
  if (bytes.starts_with("!<thin>\n"))
    refuse_input(name, "is a thin library, which only names its members: make it without the option T of ar");
  if (code_kind(bytes.substr(0, 4)) == CodeKind::fatbin) {
    if (fatbin_entries(bytes).empty()) refuse_input(name, "is a fatbin without images");
    return InputType::fatbin;
  }
  if (ltoir_header(bytes)) return InputType::ltoir;
  if (bytes.starts_with("BC\xc0\xde") || bytes.starts_with("\xde\xc0\x17\x0b")) return InputType::nvvm_ir;
  switch (kind_of_text(bytes)) {
    case TextKind::ptx:
      return InputType::ptx;
    case TextKind::llvm_ir:
      return InputType::nvvm_ir;
    case TextKind::cuda:
      refuse_input(name,
                   "is CUDA C++ source text, which cannot be linked: compile it first, with the option \"-rdc=true\" "
                   "or target ltoir");
    case TextKind::other:
      refuse_input(name, "is a text that is neither PTX nor NVVM IR");
    case TextKind::none:
      break;
  }
  refuse_input(name, std::string("is nothing that a linker takes: expected ") + what_is_linked);
}

}  // namespace

const InputTypeFacts& facts_of(InputType type) { return input_types.at(static_cast<std::size_t>(type)); }

InputType input_type_of(std::string_view name) {
  for (const InputTypeFacts& known : input_types)
    if (known.name == name) return known.type;
  return InputType::detect;
}

InputType detect_input(std::string_view bytes, InputType given, const std::string& name) {
  InputType found = InputType::detect;
  try {
    found = detect(bytes, name);
  } catch (const ArgumentError&) {
    throw;
  } catch (const Error& error) {
    refuse_input(name, std::string("cannot be linked: ") + error.what());
  }
  if (given != InputType::detect && given != found)
    refuse_input(name, "is " + describe(found) + ", and was given as " + describe(given));
  return found;
}

std::vector<std::string_view> linked_parts(std::string_view host, const std::string& name) try {
  if (ElfView(host).file_type() == ET_REL) return {};
  std::vector<std::string_view> parts = relocatable_fatbins(host);
  const auto is_empty = [](std::string_view part) { return fatbin_entries(part).empty(); };
  std::erase_if(parts, is_empty);
  if (parts.empty()) refuse_input(name, no_linkable_code);
  return parts;
} catch (const ArgumentError&) {
  throw;
} catch (const Error& error) {
  refuse_input(name, std::string("cannot be linked: ") + error.what());
}

void require_relocatable_images(std::string_view fatbin, const std::string& name) {
  const std::vector<FatbinEntry> entries = fatbin_entries(fatbin);
  // One stands for all: they were compiled together.
  const auto cubin = std::find_if(entries.begin(), entries.end(),
                                  [](const FatbinEntry& entry) { return entry.kind == FatbinEntry::cubin; });
  if (cubin != entries.end() && !is_relocatable(*cubin))
    refuse_input(name,
                 "is a fatbin of executable cubins, which are linked already: make it with nvcc -fatbin -rdc=true");
}

std::vector<std::string_view> library_members(std::string_view library) {
  struct Header {
    char name[16];
    char times_and_owner[32];
    char size[10];
    char end[2];
  };
  static_assert(sizeof(Header) == 60);
  std::vector<std::string_view> members;
  library.remove_prefix(library_mark.size());
  while (!library.empty()) {
    const auto header = value_at<Header>(library, 0);
    if (std::string_view(header.end, 2) != "`\n") throw Error("the library is damaged: a member has no header");
    std::uint64_t size = 0;
    for (const char digit : header.size)
      if (digit >= '0' && digit <= '9') size = size * 10 + static_cast<std::uint64_t>(digit - '0');
    const std::string_view member = bytes_at(library, sizeof header, size);
    const std::string_view name(header.name, sizeof header.name);
    // The tables of symbols and of long names.
    const bool is_table =
        name.starts_with("/ ") || name.starts_with("// ") || name.starts_with("/SYM64/") || name.starts_with("__.SYM");
    if (!is_table && !member.empty()) members.push_back(member);
    const std::size_t end = sizeof header + static_cast<std::size_t>(size + size % 2);
    library.remove_prefix(std::min(end, library.size()));
  }
  return members;
}

std::vector<std::string_view> objects_in(const LinkInput& input) {
  return input.type == InputType::library ? library_members(input.bytes()) : std::vector{input.bytes()};
}

std::vector<std::string_view> fatbins_in(std::string_view object) {
  if (code_kind(object) == CodeKind::fatbin) return {object};
  return code_kind(object) == CodeKind::cubin ? embedded_fatbins(object) : std::vector<std::string_view>();
}

}  // namespace kiln
