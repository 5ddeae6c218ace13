#include "toolkit/image/called_function.hpp"

#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/nv_info.hpp"
#include "toolkit/image/ptx_entry.hpp"
#include "toolkit/image/ptx_variable.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <elf.h>

#include <algorithm>
#include <exception>
#include <unordered_map>
#include <vector>

namespace kiln {

namespace {

/// Where ptxas places a function for one kernel alone it is called "$kernel$function".
CalledFunction largest_in_cubin(std::string_view bytes, const std::string& kernel) {
  const ElfView elf(bytes);
  const auto info = std::find_if(elf.sections().begin(), elf.sections().end(),
                                 [](const ElfSection& section) { return section.name == ".nv.info"; });
  CalledFunction largest;
  if (info == elf.sections().end()) return largest;
  const std::string prefix = "$" + kernel + "$";
  const std::vector<SymbolResources> resources = read_symbol_resources(info->bytes, elf.symbol_count());
  for (std::size_t i = 0; i < resources.size(); ++i) {
    if (resources[i].frame_bytes <= static_cast<int>(largest.local_bytes)) continue;
    const ElfSymbol symbol = elf.symbol(i);
    if (is_kernel(symbol)) continue;
    std::string_view name = symbol.name;
    if (name.starts_with(prefix))
      name.remove_prefix(prefix.size());
    else if (name.starts_with('$'))
      continue;
    largest = {std::string(name), static_cast<std::size_t>(resources[i].frame_bytes)};
  }
  return largest;
}

std::size_t local_bytes_of(const std::vector<PtxStatement>& body) {
  std::size_t end = 0;
  for (const PtxStatement& words : body)
    if (words.front() == ".local") place(read_ptx_variable(words, 0, words.size()), end);
  return end;
}

CalledFunction largest_in_ptx(std::string_view text, const std::string& kernel) {
  std::unordered_map<std::string_view, std::string_view> bodies;
  for (const PtxStatement& words : scan_ptx(without_end(text)))
    if ((is_ptx_entry(words) || has_word(words, ".func")) && words.back().front() == '{')
      bodies[ptx_function_name(words)] = words.back();
  CalledFunction largest;
  for (std::vector<std::string_view> waiting = {kernel}; !waiting.empty();) {
    const std::string_view name = waiting.back();
    waiting.pop_back();
    const auto found = bodies.find(name);
    if (found == bodies.end()) continue;
    const std::vector<PtxStatement> body = scan_ptx_body(found->second);
    bodies.erase(found);
    const std::size_t local = name == kernel ? 0 : local_bytes_of(body);
    if (local > largest.local_bytes) largest = {std::string(name), local};
    for (const PtxStatement& words : body)
      for (const std::string_view word : words)
        if (bodies.count(word) != 0) waiting.push_back(word);
  }
  return largest;
}

}  // namespace

std::optional<CalledFunction> largest_called_function(std::string_view code, const std::string& kernel) noexcept try {
  const CodeKind kind = code_kind(code);
  CalledFunction largest;
  if (kind == CodeKind::cubin) largest = largest_in_cubin(code, kernel);
  if (kind == CodeKind::ptx) largest = largest_in_ptx(code, kernel);
  if (largest.local_bytes == 0) return std::nullopt;
  largest.name = demangle(largest.name);
  return largest;
} catch (const std::exception&) {
  return std::nullopt;
}

}  // namespace kiln
