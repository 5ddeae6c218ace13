#include "compile/headers/called_headers.hpp"

#include "base/argument_error.hpp"
#include "base/path_text.hpp"
#include "compile/headers/memory_headers.hpp"
#include "compile/headers/source_scan.hpp"

#include <set>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// More than any source has: a callback that gives for each name a header with another name never ends.
constexpr std::size_t most_headers = 20000;

class HeaderCall {
 public:
  explicit HeaderCall(const CompileOptions& options)
      : callback_(options.header_callback), headers_(normal_headers(options.headers)) {}

  std::map<std::string, std::string> run(std::string_view source) {
    read({}, source);
    while (!unread_.empty()) {
      const std::string name = std::move(unread_.back());
      unread_.pop_back();
      read(folder_of(name), headers_.at(name));
    }
    return std::move(headers_);
  }

 private:
  void read(const std::string& folder, std::string_view text) {
    if (!may_include(text)) return;
    const SourceScan scan = scan_source(text);
    for (const auto* names : {&scan.includes, &scan.has_includes})
      for (const HeaderName& header : *names)
        if (!header.next) need(folder, header);
  }

  /// Asks in the order in which in-memory headers are looked for, until one is there.
  void need(const std::string& folder, const HeaderName& header) {
    for (const std::string& name : memory_header_names(folder, header.name, header.quoted)) {
      if (headers_.count(name) == 0 && !is_given(name)) continue;
      if (read_.insert(name).second) unread_.push_back(name);
      return;
    }
  }

  bool is_given(const std::string& name) {
    if (!asked_.insert(name).second) return false;
    std::optional<std::string> text = callback_(name);
    if (!text) return false;
    if (headers_.size() >= most_headers)
      throw_argument_error("CompileOptions::header_callback: \"" + name + "\" would be in-memory header number " +
                               std::to_string(most_headers + 1) + ": does it give a header for every name?",
                           "fewer headers", name);
    headers_.emplace(name, *std::move(text));
    return true;
  }

  const HeaderCallback& callback_;
  std::map<std::string, std::string> headers_;
  std::set<std::string> asked_;
  std::set<std::string> read_;
  std::vector<std::string> unread_;
};

}  // namespace

std::optional<CompileOptions> with_called_headers(std::string_view source, const CompileOptions& options) {
  if (!options.header_callback || options.language != Language::cuda) return std::nullopt;
  CompileOptions called = options;
  called.headers = HeaderCall(options).run(source);
  called.header_callback = nullptr;
  return called;
}

}  // namespace kiln
