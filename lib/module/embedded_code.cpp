#include "module/embedded_code.hpp"

#include "base/argument_error.hpp"
#include "base/digest.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/passkey.hpp"
#include "base/similar_name.hpp"
#include "compile/compiler.hpp"
#include "compile/options/arch.hpp"
#include "compile/saved_code.hpp"
#include "module/load.hpp"
#include "module/refused_code.hpp"

#include <kiln/error.hpp>

#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace kiln {

namespace {

std::string_view view(const detail::EmbeddedBytes& bytes) { return {bytes.bytes, bytes.size}; }

std::string what_is(const std::string& name) { return "the embedded \"" + name + "\""; }

std::string listed_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

/// What is embedded and was read, by content: where a library lies that was closed, another one may lie later.
class ReadCodes {
 public:
  /// Null where a driver refused it before.
  std::shared_ptr<const CodeData> get(const EmbeddedSource::Impl& source, const detail::EmbeddedCode& embedded) {
    const Digest key = digest_of(digest_of(view(source.file.request)).hex() + digest_of(view(embedded.code)).hex());
    bool refused = false;
    if (auto known = find(key, refused); known || refused) return known;
    const std::shared_ptr<CodeData> code = load_saved_code(view(embedded.code), what_is(source.name));
    code->recipe = source.recipe;
    return keep(key, code);
  }

 private:
  struct Read {
    std::weak_ptr<const CodeData> code;
    bool refused = false;
  };

  std::shared_ptr<const CodeData> find(const Digest& key, bool& refused) {
    const std::lock_guard lock(mutex_);
    const auto found = codes_.find(key);
    if (found == codes_.end()) return nullptr;
    std::shared_ptr<const CodeData> known = found->second.code.lock();
    if (known && known->discarded.load(std::memory_order_relaxed)) found->second.refused = true;
    refused = found->second.refused;
    return refused ? nullptr : known;
  }

  /// Of threads that read it together, all get the first one's.
  std::shared_ptr<const CodeData> keep(const Digest& key, std::shared_ptr<const CodeData> code) {
    const std::lock_guard lock(mutex_);
    Read& read = codes_[key];
    if (auto known = read.code.lock()) return known;
    read.code = code;
    return code;
  }

  ForkSafeMutex mutex_;
  std::map<Digest, Read> codes_;
};

/// Machine code before PTX, the newest first. Nothing for code that the device cannot run.
using Rank = std::tuple<bool, int, bool>;
std::optional<Rank> rank_of(const detail::EmbeddedCode& code, const std::string& device_arch, bool loads_cubin) {
  const Arch arch = parse_arch(code.arch);
  const Rank rank{arch.real, arch.number, !arch.suffix.empty()};
  if (device_arch.empty()) return rank;
  if (arch.real && !loads_cubin) return std::nullopt;
  CodeData described;
  described.target = arch.real ? Target::cubin : Target::ptx;
  described.arch = code.arch;
  return runs_on(described, parse_arch(device_arch).number) ? std::optional<Rank>(rank) : std::nullopt;
}

std::optional<CodeObject> find_embedded_code(const EmbeddedSource::Impl& source, const std::string& device_arch) {
  const bool loads_cubin = context_for_device(device_arch).loads_cubin;
  std::map<Rank, const detail::EmbeddedCode*> ranked;
  for (std::size_t i = 0; i < source.file.code_count; ++i)
    if (const auto rank = rank_of(source.file.codes[i], device_arch, loads_cubin))
      ranked.emplace(*rank, &source.file.codes[i]);
  for (auto best = ranked.rbegin(); best != ranked.rend(); ++best)
    if (auto code = fork_safe_instance<ReadCodes>().get(source, *best->second))
      return CodeObject(passkey, std::move(code), true);
  return std::nullopt;
}

/// For those whose build embedded too little.
std::string why_compiled(const EmbeddedSource& source, const std::string& device_arch) {
  std::string archs;
  for (const std::string& arch : source.archs()) archs += (archs.empty() ? "" : ", ") + arch;
  return what_is(source.name()) + " has code for " + archs + ", of which this device" +
         (device_arch.empty() ? "" : " (" + device_arch + ")") +
         " can run none: embed it for another architecture, or have a compiler on this machine: ";
}

}  // namespace

const std::string& EmbeddedSource::name() const noexcept { return impl_->name; }
const std::string& EmbeddedSource::source() const noexcept { return impl_->recipe->source; }
const CompileOptions& EmbeddedSource::options() const noexcept { return impl_->recipe->options; }

std::vector<std::string> EmbeddedSource::archs() const {
  std::vector<std::string> archs;
  for (std::size_t i = 0; i < impl_->file.code_count; ++i) archs.emplace_back(impl_->file.codes[i].arch);
  return archs;
}

EmbeddedSource detail::find_embedded(std::string_view name, const EmbeddedFile* const* begin,
                                     const EmbeddedFile* const* end) {
  std::vector<std::string> names;
  for (const EmbeddedFile* const* file = begin; file != end; ++file) {
    names.emplace_back((*file)->name);
    if (names.back() != name) continue;
    auto recipe = load_saved_recipe(view((*file)->request), what_is(names.back()));
    return {passkey, std::make_shared<const EmbeddedSource::Impl>(**file, std::move(recipe))};
  }
  const std::string given(name);
  const std::string similar = similar_name(given, names);
  throw_argument_error("nothing is embedded as \"" + given + "\" in the program or library that asks for it" +
                           (names.empty() ? ", nor by another name" : "; there is " + listed_names(names)) +
                           (similar.empty() ? "" : ": did you mean \"" + similar + "\"?") +
                           (names.empty() ? ": kiln_embed in its build file does that (docs/embedding.md)" : ""),
                       listed_names(names), given);
}

CodeObject code_of_embedded(const EmbeddedSource& source, const std::string& device_arch) {
  if (auto found = find_embedded_code(source.impl(), device_arch)) return *std::move(found);
  try {
    return compile_for(source.source(), source.options(), context_for_device(device_arch));
  } catch (const ToolkitError& error) {
    throw ToolkitError(why_compiled(source, device_arch) + error.what(), error.searched());
  }
}

}  // namespace kiln
