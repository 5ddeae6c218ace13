#include "module/name_lookup.hpp"

#include "base/identifier.hpp"
#include "base/similar_name.hpp"
#include "toolkit/names/bracket_depth.hpp"
#include "toolkit/names/kernel_name.hpp"
#include "toolkit/names/kernels_in_source.hpp"
#include "toolkit/names/similar_kernel.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace kiln {

namespace {

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

/// Whether a canonical name is the whole qualified name, with or without its parameter list.
bool is_whole_name(const std::string& canonical, const std::string& qualified_name) {
  const std::string name = canonical_spacing(qualified_name);
  return canonical.compare(0, name.size(), name) == 0 &&
         (canonical.size() == name.size() || canonical[name.size()] == '(');
}

/// The indices of the symbols that `wanted` names, the exact names among them where there are any.
std::vector<std::size_t> find_names(std::string_view wanted, const std::vector<const std::string*>& symbols,
                                    bool (*names)(std::string_view wanted, const std::string& symbol)) {
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (*symbols[i] == wanted) return {i};
  const bool whole_only = wanted.substr(0, 2) == "::";
  if (whole_only) wanted.remove_prefix(2);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (names(wanted, *symbols[i])) found.push_back(i);
  if (found.size() < 2 && !whole_only) return found;

  const std::string canonical = canonical_spacing(with_unnamed_as_demangled(wanted));
  std::vector<std::size_t> whole;
  std::vector<std::size_t> whole_but_unnamed;  // namespaces, which C++ does not spell
  for (const std::size_t i : found) {
    const std::string name = parse_demangled(demangle(*symbols[i])).qualified_name;
    if (is_whole_name(canonical, name)) whole.push_back(i);
    if (is_whole_name(canonical, without_unnamed(name))) whole_but_unnamed.push_back(i);
  }
  if (whole.empty()) whole = std::move(whole_but_unnamed);
  return whole.empty() && !whole_only ? found : whole;
}

/// Sorted, as the order in code is the compiler's own, and another with another version. Once each: a kernel that is no
/// template is in the image of every instance.
std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> readable_names(const std::vector<const KernelInfo*>& kernels) {
  std::vector<std::string> names;
  names.reserve(kernels.size());
  for (const KernelInfo* kernel : kernels) names.push_back(kernel->readable_name);
  return sorted(std::move(names));
}

std::vector<std::string> readable_names(const std::vector<KernelInfo>& kernels) {
  std::vector<std::string> names;
  names.reserve(kernels.size());
  for (const KernelInfo& kernel : kernels) names.push_back(kernel.readable_name);
  return sorted(std::move(names));
}

std::vector<std::string> demangled_names(const std::vector<std::string>& symbols) {
  std::vector<std::string> names;
  names.reserve(symbols.size());
  for (const std::string& symbol : symbols) names.push_back(demangle(symbol));
  return sorted(std::move(names));
}

/// One name per line; a long list is truncated, as a person reads it.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += "\n  " + names[i];
  if (names.size() > most) text += "\n  and " + std::to_string(names.size() - most) + " more";
  return text;
}

ArgumentError lookup_error(const std::string& message, std::string_view wanted, const std::vector<std::string>& names) {
  std::string expected;
  for (const std::string& name : names) expected += (expected.empty() ? "" : ", ") + name;
  return {message, std::string(wanted), ArgumentError::no_index, expected, std::string(wanted)};
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_identifier(text[at - 1])) && (end == text.size() || !is_of_identifier(text[end])))
      return true;
  }
  return false;
}

/// A __global__ function of the source that has that name, apart from its namespaces; a template before others.
std::optional<SourceKernel> kernel_in_source(std::string_view source, std::string_view name) {
  std::optional<SourceKernel> found;
  for (const SourceKernel& kernel : kernels_in_source(source)) {
    if (last_component(kernel.name) != last_component(name)) continue;
    if (kernel.is_template) return kernel;
    found = kernel;
  }
  return found;
}

bool is_template(const std::optional<SourceKernel>& kernel) { return kernel && kernel->is_template; }

std::string did_you_mean(std::string_view name) { return "\nDid you mean " + in_quotes(name) + "?"; }

/// Of a template, whose name is no kernel's.
std::string ask_for_instance(const SourceKernel& kernel) {
  const std::string list = kernel.parameters.empty() ? std::string() : ", " + kernel.parameters;
  return "a template becomes a kernel only with its arguments" + list + ": ask for an instance, such as " +
         in_quotes(example_instance(kernel));
}

/// What may have been meant, by the kernels that the code holds and by its source.
std::string kernel_hint(std::string_view wanted, const std::vector<std::string>& names, std::string_view source) {
  const std::string_view word = last_component(wanted);
  if (word.empty()) return {};
  std::vector<std::string> words;
  for (const std::string& name : names) {
    words.emplace_back(last_component(parse_demangled(name).qualified_name));
    if (words.back() == word) return did_you_mean(name);
  }
  if (const auto kernel = kernel_in_source(source, word); is_template(kernel))
    return "\n" + in_quotes(kernel->name) + " is a template: " + ask_for_instance(*kernel);
  if (const std::string similar = similar_name(word, words); !similar.empty()) return did_you_mean(similar);
  const std::string similar = similar_kernel(wanted.substr(0, wanted.find_first_of("(<")), source);
  if (const auto kernel = kernel_in_source(source, similar); is_template(kernel))
    return did_you_mean(similar) + " It is a template: " + ask_for_instance(*kernel);
  if (!similar.empty()) return did_you_mean(similar);
  if (has_word(source, word))
    return "\nThe source has the word " + in_quotes(word) +
           ", but no __global__ function of that name is to be seen. A variable is had by get_global(" +
           in_quotes(word) + "), a template's instance with its arguments, as " +
           in_quotes(std::string(word) + "<float, 4>");
  return {};
}

}  // namespace

void refuse_deep_name(std::string_view wanted) {
  const std::vector<int> depths = bracket_depths(wanted);
  const int deepest = depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
  if (deepest <= deepest_name) return;
  const std::string begin(wanted.substr(0, 40));
  throw ArgumentError("the name \"" + begin + "...\" has brackets " + std::to_string(deepest) + " deep: at most " +
                          std::to_string(deepest_name) + " are read; give the kernel extern \"C\", or its symbol",
                      begin, ArgumentError::no_index, "at most " + std::to_string(deepest_name) + " nested brackets",
                      std::to_string(deepest));
}

std::vector<const KernelInfo*> find_kernels(std::string_view wanted, const std::vector<KernelInfo>& kernels) {
  std::vector<const std::string*> symbols;
  symbols.reserve(kernels.size());
  for (const KernelInfo& kernel : kernels) symbols.push_back(&kernel.name);
  std::vector<const KernelInfo*> found;
  for (const std::size_t i : find_names(wanted, symbols, names_function)) found.push_back(&kernels[i]);
  return found;
}

std::vector<std::string> find_globals(std::string_view wanted, const std::vector<std::string>& globals) {
  std::vector<const std::string*> symbols;
  symbols.reserve(globals.size());
  for (const std::string& symbol : globals) symbols.push_back(&symbol);
  std::vector<std::string> found;
  for (const std::size_t i : find_names(wanted, symbols, names_variable)) found.push_back(globals[i]);
  return found;
}

bool names_instance(std::string_view wanted) {
  const std::string name = without_unnamed(wanted);
  const std::size_t angle = name.find('<');
  return angle != std::string::npos && angle < name.find('(');
}

ArgumentError ambiguous_kernel(std::string_view wanted, const std::vector<const KernelInfo*>& candidates) {
  const std::vector<std::string> names = readable_names(candidates);
  return lookup_error("kernel name " + in_quotes(wanted) + " is ambiguous, it fits " + std::to_string(names.size()) +
                          " kernels:" + list_of(names) +
                          "\nWrite the whole name and its parameter list, as in get_function(" +
                          in_quotes(names.front()) + "), or give the parameter types: get_function<void(...)>(" +
                          in_quotes(wanted) + ")",
                      wanted, names);
}

ArgumentError no_kernel_takes(std::string_view wanted, const std::vector<const KernelInfo*>& candidates) {
  const std::vector<std::string> names = readable_names(candidates);
  return lookup_error(
      "none of the kernels of the name " + in_quotes(wanted) + " takes the stated types:" + list_of(names) +
          "\nState those of one of them, as in get_function<void(float*, int)>(" + in_quotes(wanted) + ")",
      wanted, names);
}

ArgumentError unknown_kernel(std::string_view wanted, const std::vector<KernelInfo>& kernels,
                             const std::vector<std::string>& globals, std::string_view source) {
  const std::vector<std::string> names = readable_names(kernels);
  std::string message = "there is no kernel " + in_quotes(wanted) + "; the code holds " +
                        (names.empty() ? std::string("no kernels: a kernel is a __global__ function, in LLVM IR "
                                                     "one that !nvvm.annotations or ptx_kernel marks")
                                       : "these kernels:" + list_of(names));
  if (!find_globals(wanted, globals).empty())
    message += "\n" + in_quotes(wanted) + " is a variable: call get_global(" + in_quotes(wanted) + ")";
  else
    message += kernel_hint(wanted, names, source);
  return lookup_error(message, wanted, names);
}

std::string similar_variable(std::string_view wanted, const std::vector<std::string>& names) {
  std::vector<std::string> words;
  words.reserve(names.size());
  for (const std::string& name : names) words.emplace_back(last_component(without_unnamed(name)));
  const auto nearest = std::find(words.begin(), words.end(), similar_name(last_component(wanted), words));
  return nearest == words.end() ? std::string() : names[static_cast<std::size_t>(nearest - words.begin())];
}

ArgumentError ambiguous_global(std::string_view wanted, const std::vector<std::string>& candidates) {
  const std::vector<std::string> names = demangled_names(candidates);
  return lookup_error(
      "variable name " + in_quotes(wanted) + " is ambiguous, it fits:" + list_of(names) + "\nWrite the whole name",
      wanted, names);
}

ArgumentError global_in_two_sources(std::string_view wanted) {
  return {"variable " + in_quotes(wanted) +
              " is in two of the linked sources, and static in one or both: give them different names",
          {},
          ArgumentError::no_index,
          "a name that one source defines",
          std::string(wanted)};
}

ArgumentError unknown_global(std::string_view wanted, const std::vector<std::string>& globals,
                             const std::vector<KernelInfo>& kernels, std::string_view source) {
  const std::vector<std::string> names = demangled_names(globals);
  std::string message = "there is no variable " + in_quotes(wanted) + "; the code holds " +
                        (names.empty() ? std::string("no __device__, __constant__ or __managed__ variables (a link "
                                                     "drops those that LinkOptions::variables_used and "
                                                     "optimize_unused_variables do not keep)")
                                       : "these variables:" + list_of(names));
  if (!find_kernels(wanted, kernels).empty() || kernel_in_source(source, wanted)) {
    message += "\n" + in_quotes(wanted) + " is a kernel: call get_function(" + in_quotes(wanted) + ")";
    return lookup_error(message, wanted, names);
  }
  if (const std::string similar = similar_variable(wanted, names); !similar.empty()) message += did_you_mean(similar);
  return lookup_error(message, wanted, names);
}

}  // namespace kiln
