// Saved code: CodeObject::deserialize, as CodeObject::load reads a file.
#include "fuzz.hpp"

#include <kiln/code_object.hpp>
#include <kiln/error.hpp>

#include <optional>

namespace fuzz_saved_code {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

constexpr std::size_t front_size = 12;  // magic and version

std::optional<CodeObject> read(std::string_view bytes) {
  try {
    return CodeObject::deserialize(bytes);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void check(std::string_view bytes) {
  const std::optional<CodeObject> code = read(bytes);
  if (!code) return;
  require(!code->bytes().empty(), "there is no code without bytes");
  const std::string written = code->serialize();
  const std::optional<CodeObject> again = read(written);
  require(again.has_value(), "code that was read can be saved and read");
  require(again->serialize() == written, "code that was saved is saved as it was");
  require(again->bytes() == code->bytes() && again->name() == code->name() && again->arch() == code->arch(),
          "bytes, name and architecture survive");
  require(!read(written.substr(0, written.size() - 1)), "code that was cut is not read");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = view_of(data, size);
  check(bytes);
  if (size < front_size) return 0;
  // Mutations rarely get past the checksum: the same sections once more, framed rightly.
  const EntryInput input(bytes.substr(front_size), 16);
  check(std::string(bytes.substr(0, front_size)) + encode_unnamed(input.rebuilt()));
  return 0;
}

}  // namespace fuzz_saved_code
