#include "emulator/ptx/parse.hpp"

#include "emulator/ptx/body.hpp"
#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/debug_info.hpp"
#include "emulator/ptx/function_head.hpp"
#include "emulator/ptx/scopes.hpp"
#include "emulator/ptx/unread.hpp"
#include "emulator/ptx/variables.hpp"

#include <charconv>
#include <utility>

namespace kiln::emulator::ptx {

namespace {

class ModuleParser {
 public:
  explicit ModuleParser(Module& module)
      : module_(module), at_(*module.text), scopes_(at_), debug_(module), body_(at_, scopes_, debug_) {}

  void parse() {
    version();
    while (!at_.at_end()) statement();
    debug_.finish();
  }

 private:
  void version() {
    if (at_.peek() != '.' || at_.dotted() != "version")
      at_.fatal("Missing .version directive at start of file 'application ptx input'");
    at_.skip();
    module_.version_major = version_part();
    if (!at_.take_next('.')) at_.syntax_error();
    module_.version_minor = version_part();
    if (module_.version_major == 0) at_.fatal("Unsupported .version 0." + std::to_string(module_.version_minor));
    module_.is_newer = std::pair(module_.version_major, module_.version_minor) > newest_known;
  }

  std::uint32_t version_part() {
    std::uint32_t value = 0;
    if (!is_digit(*at_.place())) at_.syntax_error();
    for (; is_digit(*at_.place()); at_.advance(1))
      if (value < 100'000) value = value * 10 + static_cast<std::uint32_t>(*at_.place() - '0');
    return value;
  }

  void target() {
    do {
      const std::string_view word = at_.name();
      if (word == "debug") {
        module_.debug = true;
      } else if (word.substr(0, 3) == "sm_" || word.substr(0, 8) == "compute_") {
        module_.target = word;
        const std::string_view number = word.substr(word.find('_') + 1);
        const auto read = std::from_chars(number.data(), number.data() + number.size(), module_.sm);
        const std::size_t suffix = static_cast<std::size_t>(number.data() + number.size() - read.ptr);
        if (read.ec != std::errc() || suffix > 1 || module_.sm < 10 || module_.sm > 200)
          at_.fatal("Unsupported .target " + in_quotes(word));
        module_.is_newer = module_.is_newer || module_.sm > newest_known_sm;
      }
    } while (at_.take(','));
  }

  void statement() {
    if (!module_.is_newer || at_.peek() != '.') return directive();
    const Cursor begin = at_;
    try {
      directive();
    } catch (const ParseError& error) {
      at_ = begin;
      const Skipped skipped = skip_statement(at_);
      if (!skipped.is_whole) throw;
      scopes_.leave_function();
      debug_.leave_function();
      leave_unread(skipped, error);
    }
  }

  void leave_unread(const Skipped& skipped, const ParseError& error) {
    Symbol* known = scopes_.find_in_module(skipped.name);
    if (!skipped.is_function || skipped.name.empty() || (known != nullptr && known->kind != Symbol::Kind::function)) {
      module_.unread.emplace_back(error.what());
      return;
    }
    if (known == nullptr) {
      Function head;
      head.name = skipped.name;
      head.is_entry = skipped.is_entry;
      module_.functions.push_back(std::move(head));
      scopes_.add_function(module_.functions.back());
      known = scopes_.find_in_module(skipped.name);
    }
    make_unread(*known->function, {error.line(), error.message()});
  }

  void directive() {
    // Preprocessor lines, and the debug information of old PTX versions.
    if (at_.peek() == '#' || at_.peek() == '@') return at_.to_line_end();
    if (at_.peek() != '.') at_.syntax_error();
    std::string_view word = at_.dotted();
    if (word == "target") return target();
    if (word == "address_size") return address_size();
    if (word == "file") return debug_.file(at_);
    if (word == "loc") return debug_.location(at_);
    if (word == "section") return debug_.section(at_);
    if (word == "alias") return alias();
    if (word == "pragma") {
      at_.quoted();
      return at_.expect(';');
    }
    Linkage linkage = Linkage::internal;
    for (Linkage next = linkage_named(word); next != Linkage::internal; next = linkage_named(word)) {
      linkage = next;
      word = at_.dotted();
    }
    if (word == "func" || word == "entry") return function(word == "entry", linkage);
    const Space space = space_named(word);
    if (space == Space::none || space == Space::reg || space == Space::param) at_.syntax_error(word);
    variables(space, linkage);
  }

  void address_size() {
    module_.address_size = at_.number32();
    if (module_.address_size != 64) at_.fail("Unsupported .address_size " + std::to_string(module_.address_size));
  }

  void alias() {
    const std::string_view name = at_.name();
    at_.expect(',');
    const std::string_view of = at_.name();
    for (const std::string_view each : {name, of}) {
      const Symbol* const found = scopes_.find_in_module(each);
      if (found == nullptr || found->kind != Symbol::Kind::function) at_.fail("Unknown symbol " + in_quotes(each));
    }
    module_.aliases[name] = of;
    at_.expect(';');
  }

  void variables(Space space, Linkage linkage) {
    const Variable kind = declared_kind(at_, space, linkage);
    do {
      Variable variable = declared_variable(at_, kind, scopes_);
      if (variable.size == 0 && linkage != Linkage::external)
        at_.fail("Non-external variable " + in_quotes(variable.name) + " has incomplete type");
      place(std::move(variable));
    } while (at_.take(','));
    at_.expect(';');
  }

  // A definition replaces its declaration.
  void place(Variable variable) {
    Symbol* const known = scopes_.find_in_module(variable.name);
    if (known == nullptr) {
      module_.variables.push_back(std::move(variable));
      scopes_.add_variable(module_.variables.back());
      return;
    }
    if (known->kind != Symbol::Kind::variable ||
        (known->variable->linkage != Linkage::external && variable.linkage != Linkage::external))
      at_.fail("Duplicate definition of variable " + in_quotes(variable.name));
    if (known->variable->linkage == Linkage::external) *known->variable = std::move(variable);
  }

  void function(bool is_entry, Linkage linkage) {
    Function head = function_head(at_, is_entry, linkage, scopes_);
    const bool has_body = at_.take('{');
    // ptxas also accepts a function's prototype without a semicolon.
    if (!has_body && !at_.take(';') && (is_entry || at_.peek() != '.')) at_.syntax_error();
    Function* const function = place(std::move(head), has_body);
    if (has_body) body_.parse(*function, module_.is_newer);
  }

  Function* place(Function head, bool has_body) {
    Symbol* const known = scopes_.find_in_module(head.name);
    if (known == nullptr) {
      module_.functions.push_back(std::move(head));
      scopes_.add_function(module_.functions.back());
      return &module_.functions.back();
    }
    if (known->kind != Symbol::Kind::function || (known->function->has_body && has_body))
      at_.fail("Duplicate definition of function " + in_quotes(head.name));
    same_parameters(head.name, known->function->returns, head.returns, "return");
    same_parameters(head.name, known->function->params, head.params, "parameter");
    if (has_body) *known->function = std::move(head);
    return known->function;
  }

  void same_parameters(std::string_view function, const std::deque<Variable>& first, const std::deque<Variable>& second,
                       const std::string& what) {
    const std::string start = "Inconsistent prototypes of " + in_quotes(function);
    if (first.size() != second.size()) at_.fail(start + ", number of " + what + "s differ");
    for (std::size_t i = 0; i < first.size(); ++i)
      if (size_of(first[i].type) != size_of(second[i].type) || first[i].size != second[i].size)
        at_.fail(start + ", " + what + " types differ");
  }

  Module& module_;
  Cursor at_;
  Scopes scopes_;
  DebugInfo debug_;
  BodyParser body_;
};

}  // namespace

Module parse(std::string text) {
  Module module;
  module.text = std::make_shared<const std::string>(std::move(text));
  ModuleParser(module).parse();
  return module;
}

}  // namespace kiln::emulator::ptx
