#include "compile/link_key.hpp"

#include "cache/key.hpp"
#include "compile/code_cache.hpp"
#include "compile/code_sections.hpp"
#include "compile/link_options.hpp"
#include "compile/tool_digests.hpp"

namespace kiln {

namespace {

/// An entry's key stands for its content.
std::string content_of(const LinkInput& input, CacheStore* store) {
  if (!input.path.empty()) return "tool:" + tools_digest(FileSystem::real(), {input.path}, store);
  if (input.kept) return "entry:" + input.kept->key;
  if (input.code && input.code->store != nullptr) return "entry:" + input.code->store_key.hex();
  std::string content = "sha256:" + sha256(input.bytes()).hex();
  if (!input.code) return content;
  for (const auto& [expression, symbol] : input.code->lowered_names)
    content.append("\n").append(expression).append("\n").append(symbol);
  return content;
}

}  // namespace

std::string link_key(const LinkOrder& order, const std::string& linker, const CompileOptions& caching) {
  KeyBuilder key;
  key.add("key", "link 1").add("linker", linker).add("arch", order.arch);
  key.add("target", target_name(order.options->target));
  key.add("options", nvjitlink_options(*order.options, order.arch, order.lto));
  const CodeCache cache(caching);
  for (const auto& input : order.inputs) key.add(describe(input->type), content_of(*input, cache.own_store()));
  return std::move(key).take();
}

}  // namespace kiln
