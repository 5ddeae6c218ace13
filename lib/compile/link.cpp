// The way of a link: for which architecture, by which linker; found in the caches, or made.
#include "compile/link/link.hpp"

#include "base/argument_error.hpp"
#include "base/log.hpp"
#include "base/passkey.hpp"
#include "cache/key.hpp"
#include "cache/location.hpp"
#include "compile/code/code_for_archs.hpp"
#include "compile/identity/chosen_compiler.hpp"
#include "compile/link/link_rule.hpp"
#include "compile/link/link_steps.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/link_options.hpp"
#include "compile/options/option_files.hpp"
#include "compile/options/target_name.hpp"
#include "compile/pipeline.hpp"
#include "compile/record/record.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"

#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <filesystem>

namespace kiln {

namespace {

bool has_ltoir(const LinkInputs& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const auto& input) {
    const InputTypeFacts::Holds ltoir = facts_of(input->type).ltoir;
    if (ltoir != InputTypeFacts::Holds::perhaps || !input->path.empty()) return ltoir == InputTypeFacts::Holds::yes;
    return facts_of(*input).has_ltoir;
  });
}

/// Without NVIDIA's device runtime, which is machine code: a driver that takes PTX only has its functions built in.
LinkInputs without_device_runtime(LinkInputs inputs) {
  std::erase_if(inputs, [](const auto& input) {
    const std::filesystem::path file = input->path.empty() ? input->name : input->path;
    return input->type == InputType::library && file.filename() == "libcudadevrt.a";
  });
  return inputs;
}

/// The instances that sources were compiled with are in the linked code, under the same symbols.
std::vector<std::pair<std::string, std::string>> lowered_names_of(const LinkInputs& inputs) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& input : inputs)
    if (input->code) names.insert(names.end(), input->code->lowered_names.begin(), input->code->lowered_names.end());
  return names;
}

/// What the inputs list of their kernels' parameters, whose machine code the linked code is made of.
ParameterKinds kinds_of_all(const LinkInputs& inputs) {
  ParameterKinds kinds;
  for (const auto& input : inputs) merge_kinds(kinds, parameter_kinds_of(*input));
  return kinds;
}

/// The inputs with NVVM IR compiled, through the cache, to what a linker takes: LTO-IR, or PTX without link-time
/// optimisation. Throws what kiln::compile throws.
LinkInputs without_nvvm_ir(LinkInputs inputs, const std::string& arch, bool lto, const LinkOptions& link) {
  for (auto& input : inputs) {
    if (input->type != InputType::nvvm_ir) continue;
    CompileOptions options{.cache = link.cache, .caching = link.caching};
    options.language = Language::nvvm_ir;
    options.target = lto ? Target::ltoir : Target::ptx;
    options.arch = "compute_" + arch.substr(3);
    options.name = input->name;
    LinkInput compiled{lto ? InputType::ltoir : InputType::ptx, input->name};
    compiled.code = compile(input->bytes(), options).data();
    input = std::make_shared<LinkInput>(std::move(compiled));
  }
  return inputs;
}

/// Null where code is neither looked up nor kept.
const CacheOptions* caching_of(const LinkOptions& options) {
  return options.cache && !cache_disabled() && !writes_files(options) ? &options.caching : nullptr;
}

/// Whether PTX is to be made where a cubin is asked for, because the driver in use takes nothing else. Without a device
/// an explicit nvJitLink still makes the cubin.
bool makes_ptx_for_driver(const LinkJob& job, bool lto, const std::string& device_arch) {
  const Driver* const driver = Driver::if_open();
  return driver != nullptr && !driver->loads_cubin && job.options.target == Target::cubin &&
         (lto || job.options.backend != Backend::nvjitlink || !device_arch.empty());
}

/// What such a driver takes of link-time optimisation is PTX.
LinkJob with_target_ptx(LinkJob job) {
  job.options.target = Target::ptx;
  return job;
}

/// What a link by one linker is known by.
struct LinkKey {
  LinkerIdentity linker;
  std::vector<FileDependency> option_files;  // whose content is in the key
  CacheKey key;
  std::string identity;  // in this process's memory; empty where code is neither looked up nor kept
};

/// In this process's memory: the key, and where the code is kept. A link has no headers, so that strict_headers says
/// nothing. `again`: the code can be linked again.
std::string identity_of(const CacheKey& key, bool again, const CacheOptions& caching) {
  KeyBuilder identity(key.request.size() + 256);
  identity.add("keyed", key.request).add("variant", again ? "again" : "").add("cache", caching.dir.native());
  for (const auto& folder : caching.read_only_dirs) identity.add("r", folder.native());
  identity.add("", caching.trusted_owners);
  for (const auto& path : caching.public_keys) identity.add("p", path.native());
  return std::move(identity).take();
}

/// One link for one architecture.
class Link {
 public:
  /// `for_ptx_driver`: PTX, made by the driver's own linker, where a cubin is asked for. `must_be_whole`: PTX to be
  /// loaded as it is, and not linked again.
  Link(const LinkJob& job, const std::string& arch, bool for_ptx_driver, bool must_be_whole)
      : job_(job), caching_(caching_of(job.options)), must_be_whole_(must_be_whole) {
    needs_.ptx_driver = for_ptx_driver;
    if (for_ptx_driver && emulator_in_use()) needs_.driver_name = "Kiln's emulator";
    order_.name = name_of(job);
    order_.options = &job_.options;
    order_.arch = arch;
    order_.lto = job.options.lto.value_or(job.options.target != Target::cubin || has_ltoir(job.inputs));
    const bool driver_has_runtime = for_ptx_driver || must_be_whole;
    order_.inputs = without_nvvm_ir(driver_has_runtime ? without_device_runtime(job.inputs) : job.inputs, arch,
                                    order_.lto, job.options);
    note_needs();
  }

  /// As far as it is known without opening nvJitLink: a warm start needs no more.
  std::optional<CodeObject> find(const LinkersHere& here) const {
    const LinkChoice choice = choose_linker(needs_, here.nvjitlink_by_its_file(), here.driver_in_use());
    if (choice.backend != Backend::nvjitlink) return std::nullopt;
    return find_of(key_for(here.identity_of_nvjitlink()));
  }

  CodeObject get(const LinkersHere& here) const {
    return with_timing({"link", order_.name, false}, [&](CallTiming* timing) { return find_or_link(here, timing); });
  }

 private:
  class Compile;

  CodeObject find_or_link(const LinkersHere& here, CallTiming* timing) const {
    if (auto found = find(here)) return *std::move(found);
    const LinkChoice choice = choose(here);
    if (choice.backend == Backend::nvjitlink) return make(here.identity_of_nvjitlink(), choice, timing);
    if (choice.backend == Backend::driver) return make(here.identity_of_driver(), choice, timing);
    if (auto found = find_of_others()) return *std::move(found);
    if (requires_hit(job_.options.caching)) throw_not_cached(wanted("a linker"), {});
    throw ToolkitError("no linker can link \"" + order_.name + "\":" + choice.why, here.searched());
  }

  void note_needs() {
    needs_.backend = job_.options.backend;
    needs_.target = job_.options.target;
    needs_.lto = order_.lto;
    needs_.nvjitlink_only = nvjitlink_only(job_.options);
    for (const auto& input : order_.inputs) {
      if (needs_.ptx_driver && needs_.not_ptx.empty() && !facts_of(input->type).may_hold_ptx)
        needs_.not_ptx = input->name + " is " + describe(input->type);
      if (input->type != InputType::ptx) continue;
      const auto version = facts_of(*input).ptx;
      if (!version || (needs_.ptx && *version <= *needs_.ptx)) continue;
      needs_.ptx = version;
      needs_.newest_ptx_input = input->name;
    }
  }

  LinkChoice choose(const LinkersHere& here) const {
    const LinkerHere nvjitlink = needs_.backend == Backend::driver ? LinkerHere()
                                 : needs_.ptx_driver               ? here.nvjitlink_by_its_file()
                                                                   : here.nvjitlink();
    const bool needs_driver = needs_.backend != Backend::nvjitlink &&
                              (needs_.backend == Backend::driver || !obstacle_of_nvjitlink(needs_, nvjitlink).empty());
    return choose_linker(needs_, nvjitlink, needs_driver ? here.driver() : here.driver_in_use());
  }

  LinkKey key_for(const LinkerIdentity& linker) const {
    LinkKey known{linker, {}, {}, {}};
    if (caching_ == nullptr) return known;
    known.option_files = option_files_of(job_.options);
    // PTX that was looked at closer than another link's is an entry of its own.
    const char* const kind = must_be_whole_ ? "+whole" : "";
    known.key = CacheKey(link_key(order_, linker.text + kind, known.option_files));
    known.identity = identity_of(known.key, is_for_device(job_.options), *caching_);
    return known;
  }

  /// What to say of it where nothing may be linked.
  WantedCode wanted(const std::string& maker) const {
    WantedCode wanted{order_.name, order_.arch, maker};
    if (caching_ == nullptr) wanted.reasons = {"the cache is switched off for it"};
    return wanted;
  }

  std::optional<CodeObject> find_of(const LinkKey& key) const;
  CodeObject make(const LinkerIdentity& linker, const LinkChoice& choice, CallTiming* timing) const;

  std::shared_ptr<CodeData> link_now(Backend backend) const {
    require_no_duplicates(order_);
    const bool may_drop = may_drop_symbols(*order_.options);
    const LinkOptions options = may_drop ? with_kept_symbols(order_) : *order_.options;
    LinkOrder order = order_;
    order.options = &options;
    LinkOutcome outcome = backend == Backend::nvjitlink ? link_by_nvjitlink(order) : link_by_driver(order);
    const bool success = outcome.failure.empty();
    if (job_.options.message_handler) job_.options.message_handler(success, outcome.info_log, outcome.error_log);
    if (!success) throw_link_error(order, outcome);
    if (may_drop) require_kept_symbols(order.lto ? options : *order_.options, order, outcome);
    if (must_be_whole_) require_nothing_missing(order_, outcome.code);
    auto code = std::make_shared<CodeData>();
    code->target = needs_.ptx_driver ? Target::ptx : job_.options.target;
    code->arch = code->target == Target::cubin ? order_.arch : "compute_" + order_.arch.substr(3);
    code->backend = backend;
    code->name = order_.name;
    code->lowered_names = lowered_names_of(order_.inputs);
    if (code->target == Target::cubin) code->parameter_kinds = kinds_of_all(order_.inputs);
    code->log = outcome.info_log;
    if (!outcome.error_log.empty()) code->log += (code->log.empty() ? "" : "\n") + outcome.error_log;
    while (code->target == Target::ptx && !outcome.code.empty() && outcome.code.back() == '\0') outcome.code.pop_back();
    code->own(std::move(outcome.code));
    return code;
  }

  /// On a machine without a linker that can: any code in a cache, of any linker.
  std::optional<CodeObject> find_of_others() const {
    if (caching_ == nullptr) return std::nullopt;
    for (const std::string& maker : CodeCache(*caching_).makers()) {
      const Backend linker = compiler_elsewhere(maker).backend;
      if (linker != Backend::nvjitlink && linker != Backend::driver) continue;
      if (needs_.backend != Backend::automatic && needs_.backend != linker) continue;
      if (auto found = find_of(key_for({linker, maker}))) return found;
    }
    return std::nullopt;
  }

  const LinkJob& job_;
  const CacheOptions* const caching_;
  const bool must_be_whole_;
  LinkOrder order_;
  LinkNeeds needs_;
};

class Link::Compile : public CachedCompile {
 public:
  Compile(const Link& link, const LinkKey& key, CodeCache& cache, CallTiming* timing = nullptr,
          const LinkChoice* choice = nullptr)
      : CachedCompile(cache), link_(link), key_(key), timing_(timing), choice_(choice) {}

 private:
  CacheRequest request() const override { return {link_.order_.name, key_.key, key_.linker.text}; }
  const std::string& identity() const override { return key_.identity; }
  const Stop& stop() const override { return stop_; }
  CallTiming* timing() const override { return timing_; }
  std::optional<WantedCode> wanted_from_cache() const override {
    if (!requires_hit(link_.job_.options.caching)) return std::nullopt;
    return link_.wanted(compiler_title(key_.linker.backend));
  }
  MadeCode compile() override {
    log_message(LogLevel::info, link_.order_.name + ": linking for " + link_.order_.arch + " by " + choice_->why);
    MadeCode made{link_.link_now(key_.linker.backend)};
    if (have_changed(key_.option_files))
      made.headers.refusal.add(Counter::refused_young_header,
                               "a file that an option names changed while it was being used");
    return made;
  }
  void complete(CodeData& code) const override {
    code.name = link_.order_.name;
    if (!is_for_device(link_.job_.options)) return;
    LinkJob again = link_.job_;
    again.options.message_handler = {};  // what it refers to may be gone by then
    code.relink = [again = std::move(again)](const std::string& device_arch) { return link_for(again, device_arch); };
  }

  const Link& link_;
  const LinkKey& key_;
  const Stop stop_;
  CallTiming* const timing_;
  const LinkChoice* const choice_;  // null where it is only looked up
};

std::optional<CodeObject> Link::find_of(const LinkKey& key) const {
  if (caching_ == nullptr) return std::nullopt;
  if (auto known = find_in_memory(key.identity)) return CodeObject(passkey, std::move(known), true);
  CodeCache cache(*caching_);
  return Compile(*this, key, cache).find();
}

CodeObject Link::make(const LinkerIdentity& linker, const LinkChoice& choice, CallTiming* timing) const {
  const LinkKey key = key_for(linker);
  return from_memory_or(key.identity, order_.name, {}, job_.options.caching, [&](CodeCache& cache) {
    return std::get<CodeObject>(Compile(*this, key, cache, timing, &choice).run());
  });
}

CodeObject link_as(const LinkJob& job, const std::string& device_arch, const LinkersHere& here, bool for_ptx_driver,
                   bool must_be_whole) {
  const std::vector<std::string> archs = archs_for(job, device_arch);
  if (job.has_kept()) {
    if (archs.size() == 1)
      if (auto found = Link(job, archs.front(), for_ptx_driver, must_be_whole).find(here)) return *std::move(found);
    return link_as(job.with_code(), device_arch, here, for_ptx_driver, must_be_whole);
  }
  return code_for_archs(
      archs, [&](const std::string& arch) { return Link(job, arch, for_ptx_driver, must_be_whole).get(here); });
}

CodeObject link_checked(const LinkJob& job, const std::string& device_arch, const LinkersHere& here) {
  const bool lto = job.options.lto.value_or(has_ltoir(job.inputs));
  const bool for_ptx_driver = makes_ptx_for_driver(job, lto, device_arch);
  if (for_ptx_driver && lto) return link_as(with_target_ptx(job), device_arch, here, false, true);
  return link_as(job, device_arch, here, for_ptx_driver, false);
}

}  // namespace

CodeObject link_for(const LinkJob& job, const std::string& device_arch, const LinkersHere& here) {
  if (job.inputs.empty())
    throw_argument_error("linking \"" + name_of(job) + "\": there is no input: add one first", "an input", "none");
  require_sensible(job.options);
  const auto work = [&] { return link_checked(job, device_arch, here); };
  if (caching_of(job.options) == nullptr) return work();
  return with_record(work, [&] {
    for (const std::string& arch : devices_of(job, device_arch)) record(link_record(job.options, job.inputs, arch));
  });
}

}  // namespace kiln
