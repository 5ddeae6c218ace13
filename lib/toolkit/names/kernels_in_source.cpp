#include "toolkit/names/kernels_in_source.hpp"

#include "base/source_token.hpp"
#include "toolkit/names/bracket_depth.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

/// "<class T, int N>" of the text after the word "template", with one blank for many; empty where it has no such list.
std::string template_parameters(std::string_view text) {
  text.remove_prefix(std::min(text.find('<'), text.size()));
  const std::vector<int> depths = bracket_depths(text);
  std::string parameters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r';
    if (!is_blank || parameters.back() != ' ') parameters += is_blank ? ' ' : text[i];
    if (text[i] == '>' && depths[i] == 0) return parameters;
  }
  return {};
}

/// Looks at one word or mark after the other.
class KernelScan {
 public:
  void take_word(std::string_view word) {
    if (in_namespace_) {
      pending_ += word;
      pending_ += "::";
    } else if (word == "namespace") {
      in_namespace_ = true;
      pending_.clear();
    } else if (word == "__global__") {
      wants_name_ = true;
      depth_ = 0;
      const char* const behind = template_.data() + template_.size();
      if (is_template_) parameters_ = {behind, static_cast<std::size_t>(word.data() - behind)};
    } else {
      if (word == "template" && !is_template_) {  // not one within its parameters
        is_template_ = true;
        template_ = word;
      }
      if (depth_ == 0) last_word_ = word;
    }
  }

  void take_mark(char mark) {
    if (mark == '{') open();
    if (mark == '}' && !scopes_.empty()) scopes_.pop_back();
    if (mark == '{' || mark == '}' || mark == ';') is_template_ = false;
    if (mark == ';' || mark == '=') in_namespace_ = false;  // an alias, or "using namespace"
    if (!wants_name_) return;
    if (mark == '(' && depth_++ == 0) take_name();
    if (mark == ')') --depth_;
    if (mark == ';') wants_name_ = false;
  }

  std::vector<SourceKernel> kernels;

 private:
  void open() {
    scopes_.push_back(in_namespace_ ? pending_ : std::string());
    in_namespace_ = false;
  }

  void take_name() {
    if (last_word_.substr(0, 2) == "__") return;  // __launch_bounds__(...): the name is behind it
    wants_name_ = false;
    std::string name;
    for (const std::string& scope : scopes_) name += scope;
    name += last_word_;
    kernels.push_back({name, is_template_, is_template_ ? template_parameters(parameters_) : std::string()});
  }

  std::vector<std::string> scopes_;  // of each open brace: "ns::", or nothing
  std::string pending_;              // of a namespace whose brace is still to come
  std::string_view last_word_;
  std::string_view template_;    // that word
  std::string_view parameters_;  // between it and __global__
  bool in_namespace_ = false;
  bool is_template_ = false;
  bool wants_name_ = false;
  int depth_ = 0;
};

/// What a directive says is no code: its braces need not match.
std::size_t directive_end(std::string_view source, std::size_t at) {
  while (at < source.size()) {
    const SourceToken token = source_token(source, at);
    if (token.kind == SourceTokenKind::newline) break;
    at += token.size;
  }
  return at;
}

}  // namespace

std::vector<SourceKernel> kernels_in_source(std::string_view source) {
  KernelScan scan;
  bool begins_line = true;
  for (std::size_t at = 0; at < source.size();) {
    const SourceToken token = source_token(source, at);
    if (begins_line && source[at] == '#') {
      at = directive_end(source, at);
      continue;
    }
    if (token.kind == SourceTokenKind::word) scan.take_word(source.substr(at, token.size));
    if (token.kind == SourceTokenKind::mark) scan.take_mark(source[at]);
    if (token.kind == SourceTokenKind::newline)
      begins_line = true;
    else if (token.kind != SourceTokenKind::blank && token.kind != SourceTokenKind::comment)
      begins_line = false;
    at += token.size;
  }
  return scan.kernels;
}

std::string example_instance(const SourceKernel& kernel) {
  std::string_view list = kernel.parameters;
  if (list.size() <= 2) return kernel.name + "<float, 4>";
  list = list.substr(1, list.size() - 2);
  std::string arguments;
  for (std::string_view parameter : split_outside_brackets(list, ",")) {
    parameter.remove_prefix(std::min(parameter.find_first_not_of(' '), parameter.size()));
    const std::string_view kind = parameter.substr(0, parameter.find_first_of(" .="));
    const bool is_type = kind == "class" || kind == "typename";
    arguments += arguments.empty() ? "" : ", ";
    arguments += is_type ? "float" : kind == "bool" ? "true" : "4";
  }
  return kernel.name + "<" + arguments + ">";
}

}  // namespace kiln
