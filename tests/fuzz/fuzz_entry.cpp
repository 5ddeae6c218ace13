// Code entries: the frame, the sections of code in it, and the tables in one of those.
#include "compile/code/code_sections.hpp"
#include "compile/code/code_tables.hpp"
#include "fuzz.hpp"

#include <kiln/error.hpp>

namespace fuzz_entry {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

/// The code's tables as bytes; nothing where they cannot be read from it.
std::optional<std::string> tables_of(const CodeData& code) {
  if (code.target == Target::ltoir || code.target == Target::optixir) return std::nullopt;
  try {
    return encode_tables(code.info());
  } catch (const Error&) {
    return std::nullopt;
  }
}

void check_tables(std::string_view bytes) {
  const std::optional<CodeInfo> info = decode_tables(bytes);
  if (info) require(encode_tables(*info) == bytes, "tables that were read are written as they were");
}

void check_code(Sections sections) {
  if (const auto tables = sections.find(tables_label)) check_tables(*tables);
  const std::string names(sections.find("lowered names").value_or(""));
  const std::shared_ptr<CodeData> code = from_sections(std::move(sections));
  if (!code) return;
  require(!code->bytes.empty(), "there is no code without bytes");
  Sections written = to_sections(*code);
  require(written.find("lowered names") == names, "names are written as they were");
  const std::shared_ptr<CodeData> again = from_sections(std::move(written));
  require(again != nullptr, "code that was read can be written and read");
  require(again->target == code->target && again->arch == code->arch && again->backend == code->backend,
          "target, arch and backend survive");
  require(again->log == code->log && again->lowered_names == code->lowered_names, "log and names survive");
  require(again->bytes == code->bytes, "the code survives");
  require(tables_of(*again) == tables_of(*code), "what the code tells of itself survives");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const EntryInput input(view_of(data, size));
  for (const std::string& file :
       {input.as_it_is(), input.repaired(EntryKind::code), encode_entry(EntryKind::code, input.key(), input.rebuilt())})
    if (auto sections = decode_checked(EntryKind::code, input.key(), file)) check_code(std::move(*sections));
  check_tables(view_of(data, size));
  return 0;
}

}  // namespace fuzz_entry
