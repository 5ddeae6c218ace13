// What stands beside a precompiled header.
#include "fuzz.hpp"
#include "worker/pch/pch_record.hpp"

namespace fuzz_pch_record {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

void check_record(const Sections& sections) {
  const auto record = pch_record(sections);
  if (!record) return;
  const PchImage& image = record->image;
  require(image.size <= record->size && image.offset <= record->size - image.size, "the image lies in the file");
  const Sections written = to_sections(*record);
  require(written.find("questions") == sections.find("questions"), "questions are written as they were");
  const auto again = pch_record(written);
  require(again.has_value(), "a record that was read can be written and read");
  require(to_sections(*again).all() == written.all(), "a record survives");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const EntryInput input(view_of(data, size));
  for (const std::string& file :
       {input.as_it_is(), input.repaired(EntryKind::code), encode_entry(EntryKind::code, input.key(), input.rebuilt())})
    if (const auto sections = decode_checked(EntryKind::code, input.key(), file)) check_record(*sections);
  return 0;
}

}  // namespace fuzz_pch_record
