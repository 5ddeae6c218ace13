// What is looked for and not compiled, and what other rooms need beside. pipeline.cpp has the way of a compile.
#include <kiln/compile.hpp>

#include "base/argument_error.hpp"
#include "base/passkey.hpp"
#include "cache/location.hpp"
#include "compile/compiler.hpp"
#include "compile/compiler_selection.hpp"
#include "compile/headers/called_headers.hpp"
#include "compile/record/record.hpp"
#include "compile/store/memory_code.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/error.hpp>

#include <utility>

namespace kiln {

namespace {

/// What memory or the caches have of a request that may be kept.
std::optional<CodeObject> find_code(std::string_view source, const CompileOptions& options,
                                    const CompileContext& context, Counting counting, RemotePrefetch* prefetch) {
  const std::string_view name = options.name.empty() ? std::string_view(default_source_name) : options.name;
  return with_timing({"compile", name, options.timing}, [&](CallTiming*) -> std::optional<CodeObject> {
    const CompileInput input = kept_input(source, options, context);
    if (auto known = find_in_memory(input.identity, counting)) return CodeObject(passkey, std::move(known), true);
    CodeCache cache(options.caching, counting);
    cache.note_misses(prefetch);
    return CompilerSelection(input, cache).find();
  });
}

/// The same without reading an entry of the user's own folder: nothing in both members where it is not there.
CodeOrKey locate_code(std::string_view source, const CompileOptions& options, const CompileContext& context) {
  const CompileInput input = kept_input(source, options, context);
  if (auto known = find_in_memory(input.identity)) return {CodeObject(passkey, std::move(known), true), {}};
  CodeCache cache(options.caching);
  return {std::nullopt, CompilerSelection(input, cache).find_key().value_or(Digest{})};
}

template <class Work>
auto select_compiler(std::string_view source, const CompileOptions& options, const CompileContext& context,
                     const Work& work) {
  const CompileInput input = kept_input(source, options, context);
  CodeCache cache(options.caching, Counting::off);
  CompilerSelection selection(input, cache);
  return work(selection);
}

}  // namespace

CompileContext context_for_device(std::string arch) {
  const Driver* const driver = arch.empty() ? nullptr : Driver::if_open();
  return {std::move(arch), driver == nullptr || driver->loads_cubin};
}

void require_timeout(const CompileOptions& options) {
  if (options.timeout.count() < 0)
    throw_argument_error(
        "a timeout of " + std::to_string(options.timeout.count()) + " ms: give a time, or zero for no limit",
        "zero or more", std::to_string(options.timeout.count()));
}

bool is_cacheable(const CompileOptions& options) { return options.cache && !options.keep && !cache_disabled(); }

std::optional<CodeObject> find_code_for(std::string_view source, const CompileOptions& given,
                                        const CompileContext& context, Counting counting, RemotePrefetch* prefetch) {
  require_timeout(given);
  const CalledOptions called(source, given);
  const CompileOptions& options = called.get();
  if (!is_cacheable(options)) return std::nullopt;
  const bool has_arch = !options.arch.empty() || !context.device_arch.empty() || context.plain;
  if (!has_arch && !archs_of_environment().empty()) return std::nullopt;  // there may be several
  auto found = find_code(source, options, context, counting, prefetch);
  if (found && counting == Counting::on && are_recorded()) record(source_record(source, options, context));
  return found;
}

CodeOrKey compile_or_locate(std::string_view source, const CompileOptions& given, const CompileContext& context) {
  require_timeout(given);
  const CalledOptions called(source, given);
  const CompileOptions& options = called.get();
  const bool has_one_arch = !is_for_device(options) || !context.device_arch.empty();
  // What an emulator's entry is depends on where it is read, so that its key does not stand for it.
  if (is_cacheable(options) && has_one_arch && options.language == Language::cuda && context.loads_cubin) {
    CodeOrKey found = locate_code(source, options, context);
    if (found.code || found.key != Digest{}) {
      if (are_recorded()) record(source_record(source, options, context));
      return found;
    }
  }
  return {compile_for(source, options, context), {}};
}

std::optional<std::string> portable_key(std::string_view source, const CompileOptions& options,
                                        const CompileContext& context) {
  return select_compiler(source, options, context, [](CompilerSelection& selection) { return selection.key(); });
}

std::optional<PortableCode> find_portable_code(std::string_view source, const CompileOptions& options,
                                               const CompileContext& context, Backend made_by) {
  return select_compiler(source, options, context,
                         [&](CompilerSelection& selection) { return selection.find_portable(made_by); });
}

std::optional<CodeObject> accept_portable_code(std::string_view source, const CompileOptions& options,
                                               const CompileContext& context, PortableCode code, bool from_cache) {
  return select_compiler(source, options, context,
                         [&](CompilerSelection& selection) { return selection.accept(std::move(code), from_cache); });
}

CodeObject compile(std::string_view source, const CompileOptions& options) { return compile_for(source, options, {}); }

void discard(const CodeObject& code) {
  code.data()->discarded.store(true, std::memory_order_relaxed);
  if (code.data()->store != nullptr) code.data()->store->discard(code.data()->store_key);
}

}  // namespace kiln
