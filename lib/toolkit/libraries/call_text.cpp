#include "toolkit/libraries/call_text.hpp"

#include "base/bounded_text.hpp"

namespace kiln {

namespace {

constexpr std::size_t longest_log = std::size_t{48} << 10;
constexpr std::size_t longest_option = 1000;

}  // namespace

std::string without_zeros(std::string text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::string as_log(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
  return text;
}

std::vector<const char*> option_pointers(const std::vector<std::string>& options) {
  std::vector<const char*> pointers;
  pointers.reserve(options.size());
  for (const std::string& option : options) pointers.push_back(option.c_str());
  return pointers;
}

std::string call_text(const FailedCall& failed) {
  std::string text = std::string(failed.call) + " of " + failed.library + " failed with " + failed.result;
  if (!failed.subject.empty()) text += " for \"" + failed.subject + '"';
  if (!failed.log.empty()) text += ":\n" + bounded(failed.log, longest_log);
  if (!failed.options.empty()) {
    text += "\nOptions:";
    for (const std::string& option : failed.options) text += ' ' + bounded(option, longest_option);
  }
  return text;
}

}  // namespace kiln
