#include "toolkit/image/code_info.hpp"
#include "toolkit/image/ptx_entry.hpp"
#include "toolkit/image/ptx_variable.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace kiln {
namespace {

int as_figure(std::size_t bytes) { return static_cast<int>(std::min<std::size_t>(bytes, 0x7fffffff)); }

// The next comma that is not within parentheses (of an attribute), or `end`.
std::size_t comma_from(const PtxStatement& words, std::size_t from, std::size_t end) {
  int depth = 0;
  for (std::size_t at = from; at < end; ++at) {
    depth += words[at] == "(" ? 1 : words[at] == ")" ? -1 : 0;
    if (depth == 0 && words[at] == ",") return at;
  }
  return end;
}

// What a statement declares of a space (".shared"), which may be several variables: ".shared .f32 a, b[4];". What is
// declared elsewhere, or gets its size at the launch, has none here.
template <class Visit>
void for_each_variable(const PtxStatement& words, std::string_view space, const Visit& visit) {
  if (!has_word(words, space) || has_word(words, ".extern") || has_word(words, ".func") || has_word(words, ".entry"))
    return;
  const std::size_t end = word_position(words, "=");
  std::size_t comma = comma_from(words, 0, end);
  const PtxVariable first = read_ptx_variable(words, 0, comma);
  if (first.name.empty()) throw_damaged_ptx("a variable has no name");
  visit(first);
  // Those that follow have the type in common with the first.
  const PtxStatement type(words.begin(), std::find(words.begin(), words.end(), first.name));
  while (comma < end) {
    const std::size_t next_comma = comma_from(words, comma + 1, end);
    PtxStatement next = type;
    next.insert(next.end(), words.begin() + static_cast<std::ptrdiff_t>(comma) + 1,
                words.begin() + static_cast<std::ptrdiff_t>(next_comma));
    visit(read_ptx_variable(next, 0, next.size()));
    comma = next_comma;
  }
}

// The variables of the module itself that its kernels' figures depend on.
struct ModuleVariables {
  std::unordered_map<std::string_view, PtxVariable> shared;
  std::size_t constant_bytes = 0;
};

// What .maxntid or .reqntid says: up to three extents after commas. -1 without one.
int read_threads(const PtxStatement& words, std::size_t from) {
  for (const std::string_view directive : {".maxntid", ".reqntid"}) {
    std::size_t at = word_position(words, directive, from);
    if (at == words.size()) continue;
    std::size_t threads = 1;
    do {
      const std::size_t extent = at + 1 < words.size() ? ptx_number(words[at + 1]) : 0;
      if (extent == 0 || extent > 65536) throw_damaged_ptx("launch bounds make no sense");
      threads = std::min<std::size_t>(threads * extent, 0x7fffffff);
      at += 2;
    } while (at < words.size() && words[at] == ",");
    return as_figure(threads);
  }
  return -1;
}

bool is_call(std::string_view word) { return word == "call" || word.substr(0, 5) == "call."; }

// What a kernel's body declares and uses. What functions that it calls add is not known: shared bytes are known only
// where no function can have any, local ones where none is called.
void read_body(std::string_view body, const ModuleVariables& module, KernelInfo& kernel) {
  std::unordered_set<std::string_view> used;  // of the module's shared variables
  std::size_t shared = 0;
  std::size_t local = 0;
  bool calls = false;
  for (const PtxStatement& words : scan_ptx_body(body)) {
    for_each_variable(words, ".shared", [&](const PtxVariable& variable) { place(variable, shared); });
    for_each_variable(words, ".local", [&](const PtxVariable& variable) { place(variable, local); });
    calls = calls || std::any_of(words.begin(), words.end(), is_call);
    for (const std::string_view word : words) {
      const auto found = module.shared.find(word);
      if (found != module.shared.end() && used.insert(word).second) place(found->second, shared);
    }
  }
  if (!calls || module.shared.empty()) kernel.shared_bytes = as_figure(shared);
  if (!calls) kernel.local_bytes = as_figure(local);
}

KernelInfo read_entry(const PtxStatement& words, const ModuleVariables& module) {
  PtxEntry entry = read_ptx_entry(words);
  KernelInfo kernel;
  kernel.name = std::string(entry.name);
  kernel.parameters = std::move(entry.parameters);
  kernel.max_threads_per_block = read_threads(words, entry.end);
  kernel.constant_bytes = as_figure(module.constant_bytes);
  if (words.back().front() == '{') read_body(words.back(), module, kernel);
  add_readable_name(kernel);
  return kernel;
}

void read_variables(const PtxStatement& words, CodeInfo& info, ModuleVariables& module) {
  for_each_variable(words, ".shared",
                    [&](const PtxVariable& variable) { module.shared.emplace(variable.name, variable); });
  for_each_variable(words, ".const", [&](const PtxVariable& variable) { place(variable, module.constant_bytes); });
  for (const char* space : {".global", ".const"})
    for_each_variable(words, space, [&](const PtxVariable& variable) {
      if (!is_library_variable(variable.name)) info.globals.emplace_back(variable.name);
    });
}

// "sm_90a, debug" is PTX for compute_90a.
std::string virtual_arch(const std::string& target) {
  return target.compare(0, 3, "sm_") == 0 ? "compute_" + target.substr(3) : target;
}

}  // namespace

CodeInfo read_ptx(std::string_view text) {
  text = without_end(text);
  CodeInfo info;
  ModuleVariables module;
  const std::vector<PtxStatement> statements = scan_ptx(text);
  for (const PtxStatement& words : statements) {
    if (words.front() == ".target" && words.size() > 1)
      info.arch = std::string(words[1]);
    else
      read_variables(words, info, module);
  }
  if (info.arch.empty()) throw_damaged_ptx("it has no .target");
  for (const PtxStatement& words : statements) {
    if (!is_ptx_entry(words)) continue;
    KernelInfo kernel = read_entry(words, module);
    // Kernels that kernels launch are declared before they are defined.
    if (words.back().front() != '{') continue;
    info.kernels.push_back(std::move(kernel));
    info.kernels.back().architectures = {virtual_arch(info.arch)};
  }
  return info;
}

}  // namespace kiln
