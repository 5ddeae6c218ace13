#include "toolkit/image/parameter_kinds.hpp"

#include "toolkit/image/fatbin_view.hpp"
#include "toolkit/image/ptx_entry.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

/// What two texts say of one parameter, where one may say more than the other.
ParameterKind common_kind(ParameterKind a, ParameterKind b) {
  const auto is_more = [](ParameterKind kind) {
    return kind == ParameterKind::pointer || kind == ParameterKind::integer;
  };
  if (a == b) return a;
  if (a == ParameterKind::integer_or_pointer && is_more(b)) return b;
  if (b == ParameterKind::integer_or_pointer && is_more(a)) return a;
  return ParameterKind::other;
}

void merge_one(std::vector<ParameterKind>& kinds, const std::vector<ParameterKind>& more) {
  if (kinds.size() != more.size()) return kinds.clear();
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = common_kind(kinds[i], more[i]);
}

std::vector<ParameterKind> kinds_of(const std::vector<Parameter>& parameters) {
  std::vector<ParameterKind> kinds;
  kinds.reserve(parameters.size());
  for (const Parameter& parameter : parameters) kinds.push_back(parameter.kind);
  return kinds;
}

}  // namespace

ParameterKinds parameter_kinds_of_ptx(std::string_view text) {
  ParameterKinds kinds;
  try {
    for (const PtxStatement& words : scan_ptx(without_end(text)))
      if (is_ptx_entry(words)) {
        const PtxEntry entry = read_ptx_entry(words);
        kinds[std::string(entry.name)] = kinds_of(entry.parameters);
      }
  } catch (const Error&) {
    return {};
  }
  return kinds;
}

ParameterKinds parameter_kinds_of_fatbin(std::string_view bytes) {
  ParameterKinds kinds;
  try {
    for (const FatbinEntry& entry : fatbin_entries(bytes)) {
      if (entry.kind != FatbinEntry::ptx) continue;
      const bool is_packed = entry.packing != Packing::none;
      const std::string unpacked = is_packed ? unpack(entry.packing, entry.bytes, entry.size) : std::string();
      merge_kinds(kinds, parameter_kinds_of_ptx(is_packed ? std::string_view(unpacked) : entry.bytes));
    }
  } catch (const Error&) {  // damaged, or the library that unpacks is missing
  }
  return kinds;
}

ParameterKinds parameter_kinds_of(const CodeInfo& info) {
  ParameterKinds kinds;
  for (const KernelInfo& kernel : info.kernels) kinds[kernel.name] = kinds_of(kernel.parameters);
  return kinds;
}

void merge_kinds(ParameterKinds& kinds, const ParameterKinds& more) {
  for (const auto& [symbol, added] : more) {
    const auto [place, is_new] = kinds.emplace(symbol, added);
    if (!is_new) merge_one(place->second, added);
  }
}

void add_kinds(KernelInfo& kernel, const ParameterKinds& kinds) {
  const auto found = kinds.find(kernel.name);
  if (found == kinds.end() || found->second.size() != kernel.parameters.size()) return;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    if (kernel.parameters[i].kind == ParameterKind::other) kernel.parameters[i].kind = found->second[i];
}

void add_kinds(CodeInfo& info, const ParameterKinds& kinds) {
  for (KernelInfo& kernel : info.kernels) add_kinds(kernel, kinds);
}

}  // namespace kiln
