#include "compile/recipe_bytes.hpp"

#include "compile/jobs/wire_request.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace kiln {

template <>
inline constexpr Language last_of<Language> = Language::nvvm_ir;

namespace {

using Texts = std::vector<std::string>;
using Macros = std::vector<std::pair<std::string, std::string>>;

Texts texts_of(const std::vector<std::filesystem::path>& paths) {
  Texts texts;
  for (const auto& path : paths) texts.push_back(path.string());
  return texts;
}

Macros macros_of(const std::vector<Define>& defines) {
  Macros macros;
  macros.reserve(defines.size());
  for (const Define& define : defines) macros.emplace_back(define.name, define.value);
  return macros;
}

}  // namespace

// All members by name, in this function and in the next one: a new one does not build until it is saved. `cancel` and
// `timing` are this process's, and what a callback gave stands among the headers.
std::string encode_recipe(const Recipe& recipe) {
  const auto& [source, asked] = recipe;
  const auto& [options, include_dirs, defines, late_defines, arch, target, backend, name, headers, header_callback,
               name_expressions, cache, caching, keep, keep_ptx, timing, no_extern_c, nvcc, language, timeout, cancel] =
      asked;
  const auto& [dir, read_only_dirs, trusted_owners, public_keys, remote, strict_headers, require_hit, durable] =
      caching;
  const auto& [nvcc_path, code] = nvcc;
  (void)header_callback, (void)timing, (void)cancel, (void)public_keys;
  (void)remote;  // may have a password
  WireWriter out;
  out(source, options, texts_of(include_dirs), macros_of(defines), macros_of(late_defines), arch, target, backend, name,
      headers, name_expressions, cache);
  out(dir.string(), texts_of(read_only_dirs), trusted_owners, strict_headers, require_hit, durable);
  out(keep, keep_ptx, no_extern_c, nvcc_path, code, language, std::int64_t{timeout.count()});
  return out.take();
}

std::shared_ptr<const Recipe> decode_recipe(std::string_view bytes) {
  auto recipe = std::make_shared<Recipe>();
  auto& [source, asked] = *recipe;
  auto& [options, include_dirs, defines, late_defines, arch, target, backend, name, headers, header_callback,
         name_expressions, cache, caching, keep, keep_ptx, timing, no_extern_c, nvcc, language, timeout, cancel] =
      asked;
  auto& [dir, read_only_dirs, trusted_owners, public_keys, remote, strict_headers, require_hit, durable] = caching;
  auto& [nvcc_path, code] = nvcc;
  (void)header_callback, (void)timing, (void)cancel, (void)public_keys, (void)remote;
  Texts dirs, read_only;
  Macros macros, late_macros;
  std::string cache_dir;
  std::int64_t limit = 0;
  WireReader in(bytes);
  in(source, options, dirs, macros, late_macros, arch, target, backend, name, headers, name_expressions, cache);
  in(cache_dir, read_only, trusted_owners, strict_headers, require_hit, durable);
  in(keep, keep_ptx, no_extern_c, nvcc_path, code, language, limit);
  if (!in.is_whole()) return nullptr;
  include_dirs.assign(dirs.begin(), dirs.end());
  for (auto& [macro, value] : macros) defines.emplace_back(std::move(macro), std::move(value));
  for (auto& [macro, value] : late_macros) late_defines.emplace_back(std::move(macro), std::move(value));
  dir = cache_dir;
  read_only_dirs.assign(read_only.begin(), read_only.end());
  timeout = std::chrono::milliseconds(limit);
  return recipe;
}

}  // namespace kiln
