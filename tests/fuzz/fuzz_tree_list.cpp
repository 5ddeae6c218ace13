// The list of what is in a tree of files.
#include "cache/tree_list.hpp"
#include "fuzz.hpp"

namespace fuzz_tree_list {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

void check_list(std::string_view bytes) {
  const auto files = decode_tree_list(bytes);
  if (!files) return;
  require(encode_tree_list(*files) == bytes, "a list that was read is written as it was");
  require(!decode_tree_list(bytes.substr(0, bytes.size() - 1)), "a list that was cut is not read");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const EntryInput input(view_of(data, size));
  for (const std::string& file :
       {input.as_it_is(), input.repaired(EntryKind::tree), encode_entry(EntryKind::tree, input.key(), input.rebuilt())})
    if (const auto sections = decode_checked(EntryKind::tree, input.key(), file))
      check_list(sections->find("files").value_or(""));
  check_list(view_of(data, size));
  return 0;
}

}  // namespace fuzz_tree_list
