#include "compile/shared_request.hpp"

#include "compile/code/code_sections.hpp"
#include "compile/jobs/wire_values.hpp"
#include "compile/saved_code.hpp"
#include "compile/worker/worker_answer.hpp"
#include "compile/worker/worker_program.hpp"

#include <utility>
#include <vector>

namespace kiln {

namespace {

constexpr char own_mark = 'o', node_mark = 'n', portable_mark = 'p';

template <class... Values>
std::string marked(char mark, const Values&... values) {
  WireWriter out;
  out(values...);
  return mark + out.take();
}

/// Whether the bytes are of that kind and whole.
template <class... Values>
bool read_marked(std::string_view bytes, char mark, Values&... values) {
  if (bytes.empty() || bytes.front() != mark) return false;
  WireReader in(bytes.substr(1));
  in(values...);
  return in.is_whole();
}

}  // namespace

std::string id_of(const PackedRequest& request) {
  return std::string(
      digest_of(request_identity(request.recipe.source, request.recipe.options, request.context)).view());
}

std::string pack_request(const PackedRequest& request) {
  WireWriter out;
  // Saved code does without these: a remote's address may have a password.
  const CacheOptions& caching = request.recipe.options.caching;
  std::vector<std::string> public_keys;
  for (const auto& path : caching.public_keys) public_keys.push_back(path.string());
  out(std::string(worker_build()), encode_recipe(request.recipe), caching.remote, public_keys, request.context);
  return out.take();
}

std::optional<PackedRequest> unpack_request(std::string_view bytes) {
  std::string build, recipe, remote;
  std::vector<std::string> public_keys;
  PackedRequest request;
  WireReader in(bytes);
  in(build);
  if (in.failed() || build != worker_build()) return std::nullopt;
  in(recipe, remote, public_keys, request.context);
  const auto decoded = in.is_whole() ? decode_recipe(recipe) : nullptr;
  if (!decoded) return std::nullopt;
  request.recipe = *decoded;
  CacheOptions& caching = request.recipe.options.caching;
  caching.remote = remote;
  caching.public_keys.assign(public_keys.begin(), public_keys.end());
  return request;
}

std::string own_answer() { return marked(own_mark); }

std::string failure_answer(const std::exception_ptr& failure) { return encode_failure(failure); }

std::string node_answer(const CodeObject& code, const std::optional<RememberedCode>& remembered) {
  const bool is_known = remembered && remembered->code == code.data();
  const auto dependencies = is_known ? std::optional(remembered->dependencies) : std::nullopt;
  const std::string entry = encode_unnamed(to_sections(*code.data()));
  return marked(node_mark, entry, code.from_cache(), dependencies, is_known ? remembered->roots : Roots());
}

std::string portable_answer(const PortableCode& code, bool from_cache) {
  return marked(portable_mark, std::string(worker_build()), code, from_cache);
}

std::exception_ptr failure_in(std::string_view answer) {
  if (answer.empty() || answer.front() != failure_mark) return nullptr;
  try {
    throw_failure(answer.substr(1));
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

std::optional<NodeAnswer> node_code_in(std::string_view answer) {
  NodeAnswer found;
  std::string entry;
  if (!read_marked(answer, node_mark, entry, found.from_cache, found.dependencies, found.roots)) return std::nullopt;
  auto sections = decode_unnamed(std::move(entry));
  if (sections) found.code = from_sections(*std::move(sections));
  return found.code ? std::optional(std::move(found)) : std::nullopt;
}

std::optional<PortableAnswer> portable_code_in(std::string_view answer) {
  std::string build;
  PortableAnswer found;
  if (!read_marked(answer, portable_mark, build, found.code, found.from_cache) || build != worker_build())
    return std::nullopt;
  return found;
}

}  // namespace kiln
