#include "toolkit/names/similar_kernel.hpp"

#include "base/similar_name.hpp"
#include "toolkit/names/kernels_in_source.hpp"

#include <algorithm>
#include <vector>

namespace kiln {

namespace {

std::string nearest(std::string_view name, const std::vector<SourceKernel>& kernels) {
  std::vector<std::string> names;
  std::vector<std::string> words;
  std::vector<std::string> namesakes;
  for (const SourceKernel& kernel : kernels) {
    names.push_back(kernel.name);
    words.emplace_back(last_component(kernel.name));
    if (words.back() == last_component(name)) namesakes.push_back(kernel.name);
  }
  if (!namesakes.empty()) {
    std::string similar = similar_name(name, namesakes);
    return similar.empty() ? namesakes.front() : similar;
  }
  if (std::string similar = similar_name(name, names); !similar.empty()) return similar;
  const auto word = std::find(words.begin(), words.end(), similar_name(last_component(name), words));
  return word == words.end() ? std::string() : names[static_cast<std::size_t>(word - words.begin())];
}

}  // namespace

std::string_view last_component(std::string_view name) {
  name = name.substr(0, name.find_first_of("(<"));
  const std::size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

std::string similar_kernel(std::string_view wanted, std::string_view source) {
  const std::size_t end = std::min(wanted.find_first_of("(<"), wanted.size());
  std::string_view name = wanted.substr(0, end);
  if (name.substr(0, 2) == "::") name.remove_prefix(2);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  const std::string similar = nearest(name, kernels_in_source(source));
  return similar.empty() || similar == name ? std::string() : similar + std::string(wanted.substr(end));
}

}  // namespace kiln
