// What a source was compiled with before.
#include "cache/history.hpp"
#include "fuzz.hpp"

namespace fuzz_history {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

void check_history(const Sections& sections) {
  const Sections written = History::decode(sections).encode();
  History again = History::decode(written);
  require(again.encode().all() == written.all(), "a history survives");
  const History::Request request = {{"arch", {"sm_90"}, false}};
  if (!again.add(request)) return;
  const History added = History::decode(again.encode());
  require(added.encode().all() == again.encode().all(), "a history with a new request survives");
  require(added.nearest(request) == request, "a new request is found");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const EntryInput input(view_of(data, size));
  for (const std::string& file : {input.as_it_is(), input.repaired(EntryKind::history),
                                  encode_entry(EntryKind::history, input.key(), input.rebuilt())})
    if (const auto sections = decode_checked(EntryKind::history, input.key(), file)) check_history(*sections);
  return 0;
}

}  // namespace fuzz_history
