#include "compile/link/link_steps.hpp"

#include "base/argument_error.hpp"
#include "base/similar_name.hpp"
#include "base/text_parts.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/variable_use.hpp"
#include "toolkit/names/kernel_name.hpp"
#include "toolkit/names/similar_kernel.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace kiln {

namespace {

using Names = std::vector<std::string>;

struct Symbols {
  Names kernels;
  Names variables;
};

Symbols symbols_of_code(std::string_view code) {
  const CodeInfo info = code_kind(code) == CodeKind::cubin ? read_cubin(code) : read_ptx(code);
  Symbols symbols{{}, info.globals};
  for (const KernelInfo& kernel : info.kernels) symbols.kernels.push_back(kernel.name);
  return symbols;
}

/// The name as errors and CodeObject::kernels() show it.
std::string readable(const std::string& symbol) {
  KernelInfo kernel;
  kernel.name = symbol;
  add_readable_name(kernel);
  return kernel.readable_name == symbol ? demangle(symbol) : kernel.readable_name;  // of a variable
}

/// ": did you mean ..."; empty where no symbol is much like the name.
std::string similar_symbol(const std::string& name, const Names& symbols) {
  Names candidates;
  for (const std::string& symbol : symbols) {
    const std::string qualified = parse_demangled(readable(symbol)).qualified_name;
    candidates.emplace_back(contains(name, "::") ? std::string_view(qualified) : last_component(qualified));
  }
  const std::string similar = similar_name(name, candidates);
  return similar.empty() || similar == name ? std::string() : ": did you mean \"" + similar + "\"?";
}

[[noreturn]] void throw_unknown(const char* member, const char* what, const std::string& name, const Names& symbols,
                                const std::string& linked) {
  constexpr std::size_t most = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(symbols.size(), most); ++i) list += "\n  " + readable(symbols[i]);
  if (symbols.size() > most) list += "\n  and " + std::to_string(symbols.size() - most) + " more";
  if (list.empty()) list = " none";
  const std::string similar = similar_symbol(name, symbols);
  throw_argument_error("linking \"" + linked + "\": LinkOptions::" + member + " names \"" + name + "\", which is no " +
                           what + " of the inputs" + (similar.empty() ? "." : similar) + " They have:" + list,
                       std::string("a ") + what + " of the inputs", name);
}

/// The symbols that match the names: a name is a symbol, a name expression of an input's compile, or a C++ name as for
/// look-ups of kernels and variables.
Names resolved(const Names& names, const Names& symbols, bool (*fits)(std::string_view, const std::string&),
               const LinkInputs& inputs, const auto& throw_unknown_name) {
  Names found;
  const auto has = [&](const std::string& symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  };
  for (const std::string& name : names) {
    const std::size_t before = found.size();
    if (has(name)) found.push_back(name);
    for (const auto& input : inputs) {
      if (found.size() != before || !input->code) continue;
      for (const auto& [expression, symbol] : input->code->lowered_names)
        if (canonical_spacing(expression) == canonical_spacing(name) && has(symbol)) found.push_back(symbol);
    }
    if (found.size() != before) continue;
    std::copy_if(symbols.begin(), symbols.end(), std::back_inserter(found),
                 [&](const std::string& symbol) { return fits(name, symbol); });
    if (found.size() == before) throw_unknown_name(name);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Names kernels_for(const LinkOptions& options, const Symbols& all, const LinkOrder& order) {
  return resolved(options.kernels_used, all.kernels, names_function, order.inputs, [&](const std::string& name) {
    throw_unknown("kernels_used", "kernel", name, all.kernels, order.name);
  });
}

Names variables_for(const LinkOptions& options, const Symbols& all, const LinkOrder& order) {
  return resolved(options.variables_used, all.variables, names_variable, order.inputs, [&](const std::string& name) {
    throw_unknown("variables_used", "variable", name, all.variables, order.name);
  });
}

/// Whether nvJitLink can return PTX for the whole link: only if all inputs are LTO-IR.
bool is_all_ltoir(const LinkInputs& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [](const auto& input) {
    return input->type == InputType::ltoir || (input->path.empty() && facts_of(*input).has_ltoir);
  });
}

/// The linked code with nothing dropped; empty if the link fails. It is PTX, which shows what kernels use, if nvJitLink
/// can produce that.
std::string whole_code(const LinkOrder& order) {
  LinkOptions options = *order.options;
  options.kernels_used.clear();
  options.variables_used.clear();
  options.optimize_unused_variables = false;
  const LinkOrder whole{order.name, order.inputs, &options, order.arch, order.lto};
  options.target = is_all_ltoir(order.inputs) ? Target::ptx : Target::cubin;
  LinkOutcome outcome = link_by_nvjitlink(whole);
  if (!outcome.failure.empty() && options.target == Target::ptx && order.options->target == Target::cubin) {
    options.target = Target::cubin;  // an object may have LTO-IR for some of its sources only
    outcome = link_by_nvjitlink(whole);
  }
  return outcome.failure.empty() ? std::move(outcome.code) : std::string();
}

/// The variables that the kernels read or write. Machine code does not show that, so all its variables count.
Names used_variables(const std::string& code, const Names& kernels, const Names& all) {
  if (code_kind(code) == CodeKind::cubin) return all;
  const VariableUse use(code);
  std::set<std::string> used;
  for (const std::string& kernel : kernels)
    for (const VariableUse::Use& one : use.of(kernel)) used.emplace(one.variable->symbol);
  return {used.begin(), used.end()};
}

}  // namespace

bool may_drop_symbols(const LinkOptions& options) {
  return !options.kernels_used.empty() || !options.variables_used.empty() || options.optimize_unused_variables;
}

LinkOptions with_kept_symbols(const LinkOrder& order) {
  const LinkOptions& given = *order.options;
  LinkOptions options = given;
  options.kernels_used.clear();
  options.variables_used.clear();
  options.optimize_unused_variables = false;
  if (!order.lto) return options;
  const std::string code = whole_code(order);
  if (code.empty()) return given;  // the link itself reports what is wrong
  const Symbols all = symbols_of_code(code);
  options.kernels_used = given.kernels_used.empty() ? all.kernels : kernels_for(given, all, order);
  Names& variables = options.variables_used;
  if (!given.variables_used.empty()) variables = variables_for(given, all, order);
  if (given.optimize_unused_variables) {
    const Names used = used_variables(code, options.kernels_used, all.variables);
    variables.insert(variables.end(), used.begin(), used.end());
  } else if (given.variables_used.empty()) {
    variables = all.variables;
  }
  // An empty list is no option for nvJitLink, so this option drops the variables then.
  options.optimize_unused_variables = variables.empty() && !all.variables.empty();
  return options;
}

void require_kept_symbols(const LinkOptions& options, const LinkOrder& order, const LinkOutcome& outcome) {
  if (order.options->target == Target::ltoir) return;
  const Symbols linked = symbols_of_code(outcome.code);
  kernels_for(options, linked, order);
  variables_for(options, linked, order);
}

}  // namespace kiln
