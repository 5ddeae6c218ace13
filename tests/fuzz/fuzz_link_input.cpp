// What a linker's input is, and what it tells: any bytes.
#include "compile/code/text_input.hpp"
#include "compile/nvjitlink/link_input.hpp"
#include "compile/nvjitlink/link_symbols.hpp"
#include "fuzz.hpp"

#include <kiln/error.hpp>

namespace fuzz_link_input {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

void check_taken(InputType type, std::string_view bytes) {
  require(type != InputType::detect, "what is taken has a type");
  require(detect_input(bytes, type, "input") == type, "bytes are of the type that they were found to be");
  LinkInput input{type, "input"};
  input.data = std::string(bytes);
  const InputFacts facts = facts_of(input);
  if (type == InputType::library)
    for (const std::string_view member : library_members(bytes))
      require(member.data() >= bytes.data() && member.data() + member.size() <= bytes.data() + bytes.size(),
              "a member lies in its library");
  // What may be packed is the business of the libraries for it.
  if (type != InputType::cubin && type != InputType::ptx) return;
  const LinkSymbols symbols = symbols_of(input, "sm_90");
  for (const std::string& symbol : symbols.defined) require(!symbol.empty(), "a symbol has a name");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = view_of(data, size);
  (void)kind_of_text(bytes);
  (void)ltoir_header(bytes);
  try {
    check_taken(detect_input(bytes, InputType::detect, "input"), bytes);
  } catch (const ArgumentError& error) {
    require(std::string_view(error.what()).find("input") != std::string_view::npos, "an error names the input");
  }
  return 0;
}

}  // namespace fuzz_link_input
