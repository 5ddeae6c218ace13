#include "generate/reserved_text.hpp"

#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "template/balance.hpp"

namespace kiln {

void refuse_reserved(std::string_view text, const std::string& part) {
  const std::size_t found = text.find(reserved_prefix);
  if (found == std::string_view::npos) return;
  std::size_t begin = found, end = found;
  while (begin > 0 && is_of_identifier(text[begin - 1])) --begin;
  while (end < text.size() && is_of_identifier(text[end])) ++end;
  refuse(part, "another name", '"' + std::string(text.substr(begin, end - begin)) + '"',
         ": names with \"" + std::string(reserved_prefix) + "\" in them are the generated kernel's own");
}

void check_text(std::string_view text, const std::string& part) {
  refuse_reserved(text, part);
  check_balance(text, part);
}

}  // namespace kiln
