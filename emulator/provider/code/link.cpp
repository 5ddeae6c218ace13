#include "emulator/provider/code/link.hpp"

#include "emulator/instructions/device_runtime/builtin.hpp"
#include "emulator/provider/code/ptx_statements.hpp"
#include "emulator/ptx/parse.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

namespace kiln::emulator {
namespace {

using StatementKind = PtxStatement::Kind;

// An input whose internal names and file numbers are made different from those of all others.
struct LinkPart {
  const LinkInputText* input;
  std::string text;
  std::vector<PtxStatement> statements;
};

// "$L__info_string0": labels of debug information, which .loc names.
void add_debug_labels(std::string_view text, const std::string& suffix,
                      std::map<std::string_view, std::string>& names) {
  constexpr std::string_view label = "$L__info_string";
  for (std::size_t at = text.find(label); at != std::string_view::npos; at = text.find(label, at + 1)) {
    std::size_t end = at + label.size();
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::string_view name = text.substr(at, end - at);
    names[name] = std::string(name) + suffix;
  }
}

std::map<std::string_view, std::string> own_names(std::string_view text, const std::string& suffix) {
  std::map<std::string_view, std::string> names;
  for (const PtxStatement& statement : statements_of(text)) {
    const bool can_be_shared = statement.is_extern || statement.is_visible || statement.is_weak;
    const bool is_symbol = statement.kind == StatementKind::variable || statement.kind == StatementKind::function ||
                           statement.kind == StatementKind::function_head;
    if (is_symbol && !can_be_shared && !statement.name.empty())
      names[statement.name] = std::string(statement.name) + suffix;
  }
  add_debug_labels(text, suffix, names);
  return names;
}

// File numbers of each input begin after those of the one before.
unsigned renumber_files(std::string& text, unsigned base) {
  unsigned most = 0;
  std::string out;
  std::size_t done = 0;
  for (const std::string_view word : {".file", ".loc", "inlined_at"}) {
    out.clear();
    done = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      std::size_t digits = at + word.size();
      while (digits < text.size() && (text[digits] == ' ' || text[digits] == '\t')) ++digits;
      std::size_t end = digits;
      unsigned number = 0;
      while (end < text.size() && end - digits < 8 && std::isdigit(static_cast<unsigned char>(text[end])) != 0)
        number = number * 10 + static_cast<unsigned>(text[end++] - '0');
      if (end == digits || digits == at + word.size()) continue;
      out.append(text, done, digits - done).append(std::to_string(number + base));
      done = end;
      most = std::max(most, number + base);
    }
    out.append(text, done);
    text.swap(out);
  }
  return most;
}

class Joiner {
 public:
  explicit Joiner(const std::vector<LinkInputText>& inputs) {
    unsigned files = 0;
    for (const LinkInputText& input : inputs) {
      note_head(input);
      LinkPart& part = parts_.emplace_back();
      part.input = &input;
      const std::string suffix = "$of" + std::to_string(parts_.size());
      part.text = inputs.size() == 1 ? input.ptx : renamed(input.ptx, own_names(input.ptx, suffix));
      files = std::max(files, renumber_files(part.text, files));
    }
    for (LinkPart& part : parts_) part.statements = statements_of(part.text);
    for (const LinkPart& part : parts_) note_definitions(part);
    for (const LinkPart& part : parts_) note_missing(part);
    if (!faults_.empty()) throw LinkFailure(faults_);
  }

  // Variables and function heads come before all bodies, which may use them.
  std::string text() {
    std::string out = ".version " + std::to_string(major_) + '.' + std::to_string(minor_) + "\n.target " + target_ +
                      "\n.address_size 64\n";
    for (const LinkPart& part : parts_)
      for (const PtxStatement& statement : part.statements) add_declaration(statement, out);
    for (const LinkPart& part : parts_)
      for (const PtxStatement& statement : part.statements)
        if (is_rest(statement)) out.append(statement.text).append("\n");
    return out;
  }

 private:
  void note_head(const LinkInputText& input) {
    const ptx::Module module = ptx::parse(input.ptx);
    if (std::pair(module.version_major, module.version_minor) > std::pair(major_, minor_)) {
      major_ = module.version_major;
      minor_ = module.version_minor;
    }
    // sm_90a has all that sm_90 has.
    const bool is_general = module.target.find_last_of("af") != module.target.size() - 1;
    if (module.sm < sm_ || (module.sm == sm_ && is_general)) return;
    sm_ = module.sm;
    target_ = std::string(module.target) + (module.debug ? ", debug" : "");
  }

  void note_definitions(const LinkPart& part) {
    for (const PtxStatement& statement : part.statements) {
      if (!statement.defines()) continue;
      const auto [known, is_new] = definitions_.try_emplace(statement.name, Definition{&statement, &part});
      if (is_new || statement.is_weak) continue;
      if (known->second.statement->is_weak)
        known->second = {&statement, &part};
      else
        faults_ += "error   : Multiple definition of '" + std::string(statement.name) + "' in '" + part.input->name +
                   "', first defined in '" + known->second.part->input->name + "'\n";
    }
  }

  void note_missing(const LinkPart& part) {
    for (const PtxStatement& statement : part.statements) {
      const bool is_head = statement.kind == StatementKind::function_head;
      // The launch defines dynamic shared memory.
      const bool is_wanted = is_head || (statement.kind == StatementKind::variable && statement.is_extern &&
                                         statement.text.find(".shared") == std::string_view::npos);
      if (!is_wanted || definitions_.count(statement.name) != 0) continue;
      if (is_head && (builtin_named(statement.name) != nullptr || is_unsupported_builtin(statement.name))) continue;
      if (missing_.insert(std::string(statement.name)).second)
        faults_ +=
            "error   : Undefined reference to '" + std::string(statement.name) + "' in '" + part.input->name + "'\n";
    }
  }

  const PtxStatement* definition(std::string_view name) const {
    const auto found = definitions_.find(name);
    return found == definitions_.end() ? nullptr : found->second.statement;
  }

  void add_declaration(const PtxStatement& statement, std::string& out) {
    if (statement.kind == StatementKind::file) {
      out.append(statement.text).append("\n");
    } else if (statement.kind == StatementKind::variable) {
      // A variable is placed where it is first named, so that initial values can refer to it.
      if (!written_.insert(statement.name).second) return;
      const PtxStatement* const defined = definition(statement.name);
      out.append(defined == nullptr ? statement.text : defined->text).append("\n");
    } else if (statement.kind == StatementKind::function || statement.kind == StatementKind::function_head) {
      if (!written_.insert(statement.name).second) return;
      const PtxStatement* const defined = definition(statement.name);
      const std::string_view whole = defined == nullptr ? statement.text : defined->text;
      if (defined == nullptr)
        out.append(whole).append("\n");
      else
        out.append(head_of(whole)).append(";\n");
    }
  }

  // Up to the body, without what is only allowed in a definition.
  static std::string head_of(std::string_view function) {
    std::string head(function.substr(0, function.find('{')));
    for (const std::string_view word : {".maxntid", ".reqntid", ".minnctapersm", ".maxnreg", ".pragma"})
      head.erase(std::min(head.find(word), head.size()));
    return head;
  }

  bool is_rest(const PtxStatement& statement) const {
    switch (statement.kind) {
      case StatementKind::function:
        return definition(statement.name) == &statement;
      case StatementKind::section:
      case StatementKind::other:
        return true;
      default:
        return false;
    }
  }

  struct Definition {
    const PtxStatement* statement;
    const LinkPart* part;
  };
  std::vector<LinkPart> parts_;
  std::map<std::string_view, Definition> definitions_;
  std::set<std::string_view> written_;
  std::set<std::string> missing_;
  std::string faults_;
  std::uint32_t major_ = 0, minor_ = 0, sm_ = 0;
  std::string target_;
};

}  // namespace

std::string link_ptx(const std::vector<LinkInputText>& inputs) { return Joiner(inputs).text(); }

}  // namespace kiln::emulator
