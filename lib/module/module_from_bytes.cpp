#include <kiln/error.hpp>
#include <kiln/module.hpp>

#include "base/files.hpp"
#include "base/passkey.hpp"
#include "compile/code/code_data.hpp"
#include "module/load.hpp"

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace kiln {

namespace {

/// Of an ELF file, which the host's programs and libraries are, too.
void require_cubin(std::string_view bytes, const std::string& what) {
  constexpr std::size_t machine = offsetof(Elf64_Ehdr, e_machine);
  std::uint16_t number = 0;
  if (bytes.size() < machine + sizeof number) return;  // which is damaged
  std::memcpy(&number, bytes.data() + machine, sizeof number);
  if (number != EM_CUDA)
    throw Error(what +
                " is a program, a library or an object of the host, and no code for a GPU: expected a cubin, a fatbin "
                "or PTX text; \"kiln inspect\" shows the code for a GPU that is in one");
}

Target target_of(std::string_view bytes, const std::string& what) {
  switch (code_kind(bytes)) {
    case CodeKind::cubin:
      require_cubin(bytes, what);
      return Target::cubin;
    case CodeKind::ptx:
      return Target::ptx;
    case CodeKind::fatbin:
      return Target::fatbin;
    case CodeKind::unknown:
      break;
  }
  throw Error(what + " (" + std::to_string(bytes.size()) +
              " bytes) is no code that the driver loads: expected a cubin (ELF for CUDA), a fatbin or PTX text; source "
              "text goes to SourceModule");
}

/// `name` is a file's, and empty for bytes of a program's.
CodeObject code_from(std::string bytes, const std::string& name) {
  const std::string what = name.empty() ? "the given code" : name;
  auto data = std::make_shared<CodeData>();
  data->name = name;
  data->target = target_of(bytes, what);
  data->own(std::move(bytes));
  try {
    if (data->target != Target::fatbin) data->arch = data->info().arch;
  } catch (const Error& error) {
    throw Error(what + ": " + error.what());
  }
  return CodeObject(passkey, std::move(data), false);
}

}  // namespace

Module module_of_file(std::string bytes, const std::string& name) { return Module(code_from(std::move(bytes), name)); }

Module Module::from_bytes(std::string_view bytes) { return module_of_file(std::string(bytes), {}); }

Module Module::from_file(const std::filesystem::path& path) {
  return module_of_file(read_named_file(path.string()), path.string());
}

}  // namespace kiln
