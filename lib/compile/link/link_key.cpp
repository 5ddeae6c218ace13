#include "compile/link/link_steps.hpp"

#include "base/path_text.hpp"
#include "cache/key.hpp"
#include "compile/identity/tool_digests.hpp"
#include "compile/options/link_options.hpp"
#include "compile/options/option_files.hpp"
#include "compile/options/target_name.hpp"
#include "compile/store/code_cache.hpp"

namespace kiln {

namespace {

/// An entry's key stands for its content.
std::string content_of(const LinkInput& input, CacheFolder* cache) {
  if (!input.path.empty()) return "tool:" + tools_digest(FileSystem::real(), {input.path}, cache);
  if (input.kept) return "entry:" + input.kept->key;
  if (input.code && input.code->store != nullptr) return "entry:" + input.code->store_key.hex();
  std::string content = "sha256:" + digest_of(input.bytes()).hex();
  if (!input.code) return content;
  for (const auto& [expression, symbol] : input.code->lowered_names)
    content.append("\n").append(expression).append("\n").append(symbol);
  // Equal machine code may have had parameters of other kinds, which the linked code must list.
  for (const auto& [symbol, kinds] : input.code->parameter_kinds) {
    content.append("\n").append(symbol).append(":");
    for (const ParameterKind kind : kinds) content.append(std::to_string(static_cast<int>(kind)));
  }
  return content;
}

}  // namespace

std::vector<FileDependency> option_files_of(const LinkOptions& options) {
  std::vector<std::string> names;
  for (const auto* words : {&options.ptxas_options, &options.options})
    for (const std::string& word : *words) add_possible_names(names, word);
  return names.empty() ? std::vector<FileDependency>() : find_option_files(names, working_folder());
}

std::string link_key(const LinkOrder& order, const std::string& linker,
                     const std::vector<FileDependency>& option_files) {
  KeyBuilder key;
  key.add("key", "link 3").add("linker", linker).add("arch", order.arch);
  key.add("target", target_name(order.options->target));
  key.add("options", nvjitlink_options(*order.options, order.arch, order.lto));
  if (!option_files.empty()) key.add("files of options", digests_of(option_files));
  const CodeCache cache(order.options->caching);
  for (const auto& input : order.inputs) key.add(describe(input->type), content_of(*input, cache.own_folder()));
  return std::move(key).take();
}

}  // namespace kiln
