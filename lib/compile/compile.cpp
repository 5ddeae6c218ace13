// kiln::compile: for which architecture, from memory, or by the compiler that is selected.
#include <kiln/compile.hpp>

#include "base/argument_error.hpp"
#include "base/log.hpp"
#include "base/passkey.hpp"
#include "cache/location.hpp"
#include "compile/compile_contexts.hpp"
#include "compile/compiler.hpp"
#include "compile/compiler_selection.hpp"
#include "compile/headers/called_headers.hpp"
#include "compile/nvvm_compile.hpp"
#include "compile/record/record.hpp"
#include "compile/store/keyed_code.hpp"
#include "compile/store/memory_code.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/error.hpp>

#include <utility>

namespace kiln {

namespace {

/// Also of what is in memory: an error that came only with the first compile would be a surprise.
void require_timeout(const CompileOptions& options) {
  if (options.timeout.count() < 0)
    throw_argument_error(
        "a timeout of " + std::to_string(options.timeout.count()) + " ms: give a time, or zero for no limit",
        "zero or more", std::to_string(options.timeout.count()));
}

Stop stop_of(const CompileOptions& options) {
  Stop stop;
  stop.cancel = options.cancel;
  stop.limit = options.timeout;
  if (options.timeout.count() > 0) stop.deadline = Stop::Clock::now() + options.timeout;
  return stop;
}

std::string_view name_of(const CompileOptions& options) {
  return options.name.empty() ? std::string_view(default_source_name) : options.name;
}

void log_uncached(const CompileOptions& options) {
  if (!log_enabled(LogLevel::info)) return;
  const std::string name(name_of(options));
  const char* const reason = cache_disabled() ? "KILN_DISABLE_CACHE or PYCUDA_DISABLE_CACHE is set"
                             : options.keep   ? "its working folder is to be kept"
                                              : "its options switch the cache off";
  log_message(LogLevel::info, name + ": not looked up in the cache: " + reason);
}

CodeObject compile_uncached(std::string_view source, const CompileOptions& options, const CompileContext& context,
                            const Stop& stop, CallTiming* timing) {
  if (options.language == Language::nvvm_ir) return compile_ir(source, options, context, stop, timing);
  log_uncached(options);
  CompileInput input{source, options, context, stop, {}, timing};
  CodeCache none;
  return CompilerSelection(input, none).compile();
}

CodeObject find_or_compile_unrecorded(std::string_view source, const CompileOptions& options,
                                      const CompileContext& context, const Stop& stop, CallTiming* timing) {
  if (options.language == Language::nvvm_ir) return compile_ir(source, options, context, stop, timing);
  CompileInput input{source, options, context, stop, {}, timing};
  input.identity = request_identity(source, options, context);
  return find_in_memory_or_compile(input.identity, options.name, stop, [&] {
    CodeCache cache(options.caching);
    return CompilerSelection(input, cache).compile();
  });
}

CodeObject find_or_compile(std::string_view source, const CompileOptions& options, const CompileContext& context,
                           const Stop& stop, CallTiming* timing) {
  if (!is_cacheable(options)) return compile_uncached(source, options, context, stop, timing);
  const auto work = [&] { return find_or_compile_unrecorded(source, options, context, stop, timing); };
  return with_record(work, [&] { record(source_record(source, options, context)); });
}

/// With a timeout that makes sense.
CodeObject compile_checked(std::string_view source, const CompileOptions& options, const CompileContext& context) {
  const Stop stop = stop_of(options);
  std::optional<CodeObject> first;
  for_each_context(options, context, [&](const CompileContext& one) {
    CodeObject code = with_timing({"compile", name_of(options), options.timing}, [&](CallTiming* timing) {
      return find_or_compile(source, options, one, stop, timing);
    });
    if (!first) first = std::move(code);
  });
  return *std::move(first);
}

/// What memory or the caches have of a request that may be kept.
std::optional<CodeObject> find_code(std::string_view source, const CompileOptions& options,
                                    const CompileContext& context, Counting counting, RemotePrefetch* prefetch) {
  const bool has_times = options.timing && options.language != Language::nvvm_ir;
  return with_timing({"compile", name_of(options), has_times}, [&](CallTiming*) -> std::optional<CodeObject> {
    if (options.language == Language::nvvm_ir) return find_ir_code(source, options, context, counting);
    const CompileInput input{source, options, context, {}, request_identity(source, options, context)};
    if (auto known = find_in_memory(input.identity, counting)) return CodeObject(passkey, std::move(known), true);
    CodeCache cache(options.caching, counting);
    cache.note_misses(prefetch);
    return CompilerSelection(input, cache).find();
  });
}

/// The same without reading an entry of the user's own folder: nothing in both members where it is not there.
CodeOrKey locate_code(std::string_view source, const CompileOptions& options, const CompileContext& context) {
  const CompileInput input{source, options, context, {}, request_identity(source, options, context)};
  if (auto known = find_in_memory(input.identity)) return {CodeObject(passkey, std::move(known), true), {}};
  CodeCache cache(options.caching);
  return {std::nullopt, CompilerSelection(input, cache).find_key().value_or(Digest{})};
}

}  // namespace

CompileContext context_for_device(std::string arch) {
  const Driver* const driver = arch.empty() ? nullptr : Driver::if_open();
  return {std::move(arch), driver == nullptr || driver->loads_cubin};
}

CodeObject compile_for(std::string_view source, const CompileOptions& options, const CompileContext& context) {
  require_timeout(options);
  const CalledOptions called(source, options);
  return compile_checked(source, called.get(), context);
}

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
  return {compile_checked(source, options, context), {}};
}

CodeObject compile(std::string_view source, const CompileOptions& options) { return compile_for(source, options, {}); }

void discard(const CodeObject& code) {
  code.data()->discarded.store(true, std::memory_order_relaxed);
  if (code.data()->store != nullptr) code.data()->store->discard(code.data()->store_key);
}

}  // namespace kiln
