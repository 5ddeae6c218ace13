#include <kiln/tunable_kernel.hpp>

#include "base/argument_error.hpp"
#include "base/digest.hpp"
#include "base/log.hpp"
#include "base/utc_time.hpp"
#include "memory/context.hpp"
#include "module/named_source.hpp"
#include "toolkit/driver/emulator_library.hpp"
#include "tune/captured_tuning.hpp"
#include "tune/tunable.hpp"
#include "tune/wisdom_choice.hpp"
#include "tune/wisdom_line.hpp"

#include <kiln/error.hpp>

#include <utility>

namespace kiln {

namespace {

const TunedDevice& device_of(CUstream stream) {
  const std::vector<TunedDevice>& devices = tuned_devices();
  return devices.at(devices.size() == 1 ? 0 : static_cast<std::size_t>(stream_device(stream)));
}

WisdomRecord record_of(const TunableDefinition& definition, const TunedDevice& device, const ProblemSize& problem,
                       const TuneCandidate& best, const TuneOptions& options) {
  WisdomRecord record;
  record.key = definition.key;
  record.source = digest_of(definition.source).hex();
  record.device = device.name;
  record.arch = device.arch;
  record.driver = device.driver;
  record.problem = problem;
  record.configuration = best.configuration;
  record.seconds = best.seconds;
  record.spread = best.spread;
  if (options.objective) record.objective = "own";
  record.value = best.value;
  record.is_largest_best = options.objective && options.goal == TuneGoal::largest;
  record.date = utc_now();
  return record;
}

/// As of a tuning run whose best candidate was in its log file.
bool is_known(const Wisdom& wisdom, WisdomRecord record) {
  for (const WisdomRecord& one : wisdom.records(record.key)) {
    record.date = one.date;
    if (wisdom_line(one) == wisdom_line(record)) return true;
  }
  return false;
}

std::string spaced_values(const TuneConfiguration& values) {
  std::string text;
  for (const auto& [name, value] : values) text += " " + name + "=" + value.text();
  return text;
}

SizeTexts texts(std::string_view x, std::string_view y, std::string_view z) {
  return {std::string(x), std::string(y), std::string(z)};
}

std::vector<TuneValue> range(const std::string& name, long long first, long long last, long long step) {
  const std::string subject = "TunableKernel::tune_range: " + name;
  if (step == 0) refuse(subject, "a step that is not 0", "0");
  if (step > 0 ? last < first : last > first)
    refuse(subject, "a step towards the last value",
           std::to_string(step) + " from " + std::to_string(first) + " to " + std::to_string(last));
  std::vector<TuneValue> values;
  for (long long value = first; step > 0 ? value <= last : value >= last;) {
    values.emplace_back(value);
    if (__builtin_add_overflow(value, step, &value)) break;
  }
  return values;
}

}  // namespace

TunableDefinition& TunableKernel::Impl::describe() {
  if (is_used.load(std::memory_order_relaxed))
    throw Error("TunableKernel " + definition.name +
                " is in use: parameters, restrictions, sizes, default and key are stated before its first launch");
  return definition;
}

const TunableChoice& TunableKernel::Impl::choose(const ProblemSize& problem, CUstream stream) {
  const TunedDevice& device = device_of(stream);
  if (const TunableChoice* const found = choices.find(device.kind, problem)) return *found;
  (void)use();
  const ContextGuard guard(stream_context(stream));
  return choices.add(make_choice(device, problem));
}

const detail::TunedLaunch& TunableKernel::Impl::launch_for(const ProblemSize& problem, CUstream stream) {
  if (const detail::TunedLaunch* const recent = choices.recent().find(device_of(stream).kind, problem)) return *recent;
  return choose(problem, stream).launch;
}

TunableSpace TunableKernel::Impl::space_for(const ProblemSize& problem) {
  return {use(), device_of(nullptr).attributes, problem};
}

TunableChoice TunableKernel::Impl::make_choice(const TunedDevice& device, const ProblemSize& problem) {
  const TunableSpace space(definition, device.attributes, problem);
  if (const auto known = best_known(space, device, problem)) {
    try {
      return choice_of(space, *known, device, problem);
    } catch (const Error& error) {
      warn_once("the values that wisdom has do not work any more, and the default is used: " +
                std::string(error.what()));
    }
  }
  const Configuration configuration = space.default_configuration();
  note(space.space().values(configuration), "the default");
  return choice_of(space, configuration, device, problem);
}

std::optional<Configuration> TunableKernel::Impl::best_known(const TunableSpace& space, const TunedDevice& device,
                                                             const ProblemSize& problem) {
  {
    const std::lock_guard lock(mutex_);
    for (const TunedProblem& one : tuned_)
      if (one.device_kind == device.kind && one.problem == problem) {
        note(one.values, "as tuned");
        return space.find(one.values);
      }
  }
  return wise(space, device, problem);
}

const Wisdom& TunableKernel::Impl::known_wisdom() {
  const std::lock_guard lock(mutex_);
  if (!wisdom) wisdom.emplace();
  return *wisdom;
}

std::optional<Configuration> TunableKernel::Impl::wise(const TunableSpace& space, const TunedDevice& device,
                                                       const ProblemSize& problem) {
  const std::vector<WisdomRecord> records = known_wisdom().records(definition.key);
  if (records.empty()) return std::nullopt;
  const std::string source = digest_of(definition.source).hex();
  std::size_t misfits = 0;
  const auto choice = choose_wisdom(records, {device.name, device.arch, problem, source}, [&](const auto& record) {
    const bool fits = space.complete(record.configuration).has_value();
    if (!fits) ++misfits;
    return fits;
  });
  if (misfits != 0) warn_once("some values that wisdom has are not among the kernel's any more, and are not used");
  if (!choice) return std::nullopt;
  if (choice->record.source != source)
    warn_once("wisdom has values of another source only, and these are used: tune again where speed matters");
  auto configuration = space.complete(choice->record.configuration);
  if (configuration)
    note(space.space().values(*configuration), "of wisdom (" + std::string(to_string(choice->match)) + ")");
  return configuration;
}

/// KILN_LOG=info is how a person sees what a launch uses.
void TunableKernel::Impl::note(const TuneConfiguration& values, const std::string& origin) const {
  log_message(LogLevel::info, "TunableKernel " + definition.key + ":" + spaced_values(values) + ", " + origin);
}

void TunableKernel::Impl::warn_once(const std::string& message) {
  {
    const std::lock_guard lock(mutex_);
    if (!warned_.insert(message).second) return;
  }
  log_message(LogLevel::warn, "TunableKernel " + definition.key + ": " + message);
}

void TunableKernel::Impl::keep_best(const TunedDevice& device, const ProblemSize& problem, const TuneCandidate& best,
                                    const TuneOptions& options, bool tells_apart) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(tuned_,
                  [&](const TunedProblem& one) { return one.device_kind == device.kind && one.problem == problem; });
    tuned_.push_back({device.kind, problem, best.configuration});
  }
  choices.forget();
  if (!options.keep_wisdom || !tells_apart) return;
  if (emulator_in_use() && !options.keep_emulator_wisdom)
    return log_message(LogLevel::info, "TunableKernel " + definition.key +
                                           ": what was tuned on the emulator is not kept in wisdom, as its times are "
                                           "no measure of a GPU; TuneOptions::keep_emulator_wisdom keeps it");
  try {
    const WisdomRecord record = record_of(definition, device, problem, best, options);
    if (!is_known(known_wisdom(), record)) known_wisdom().add(record);
  } catch (const Error& error) {
    log_message(LogLevel::warn, "TunableKernel " + definition.key + ": what was tuned is not kept: " + error.what());
  }
}

Function TunableKernel::Impl::function_for(const TuneConfiguration& values, const ProblemSize& problem) {
  if (std::optional<Function> captured = captured_function(definition, values, problem)) return *captured;
  return variants.function(values);
}

TunableChoice TunableKernel::Impl::choice_of(const TunableSpace& space, const Configuration& configuration,
                                             const TunedDevice& device, const ProblemSize& problem) {
  TuneConfiguration values = space.space().values(configuration);
  const LaunchConfig config = space.launch_config(configuration);
  const Function function = function_for(values, problem);
  if (config.grid.count() != 0) check_limits_of(function, config, device.ordinal);
  return {{problem, device.kind, config.grid, config.block, config.shared_size, function}, std::move(values)};
}

TunableKernel::TunableKernel(std::string_view source, std::string_view name, const CompileOptions& options)
    : impl_(std::make_shared<Impl>()), recent_(&impl_->choices.recent()) {
  if (name.empty()) refuse("TunableKernel", "the name of a kernel", "an empty one");
  impl_->definition.source = source;
  impl_->definition.name = name;
  impl_->definition.key = name;
  impl_->definition.options = options;
}

TunableKernel TunableKernel::from_file(const std::filesystem::path& path, std::string_view name,
                                       const CompileOptions& options) {
  const NamedSource file = read_source(path, options, "TunableKernel::from_file");
  return TunableKernel(file.text, name, file.options);
}

TunableKernel& TunableKernel::tune(std::string_view name, std::vector<TuneValue> values) {
  impl_->describe().add({std::string(name), std::move(values)}, false);
  return *this;
}

TunableKernel& TunableKernel::tune_range(std::string_view name, long long first, long long last, long long step) {
  return tune(name, range(std::string(name), first, last, step));
}

TunableKernel& TunableKernel::tune_option(std::string_view name, const std::vector<std::string>& options) {
  std::vector<TuneValue> values(options.begin(), options.end());
  impl_->describe().add({std::string(name), std::move(values)}, true);
  return *this;
}

TunableKernel& TunableKernel::restriction(std::string_view expression) {
  impl_->describe().restrictions.emplace_back(expression);
  return *this;
}

TunableKernel& TunableKernel::restriction(std::function<bool(const TuneConfiguration&)> holds) {
  if (!holds) refuse("TunableKernel::restriction", "a callable", "an empty std::function");
  impl_->describe().predicates.push_back(std::move(holds));
  return *this;
}

TunableKernel& TunableKernel::block_size(std::string_view x, std::string_view y, std::string_view z) {
  impl_->describe().block = texts(x, y, z);
  return *this;
}

TunableKernel& TunableKernel::grid_size(std::string_view x, std::string_view y, std::string_view z) {
  impl_->describe().grid = texts(x, y, z);
  return *this;
}

TunableKernel& TunableKernel::shared_memory(std::string_view bytes) {
  impl_->describe().shared = bytes;
  return *this;
}

TunableKernel& TunableKernel::default_configuration(TuneConfiguration values) {
  impl_->describe().default_values = std::move(values);
  return *this;
}

TunableKernel& TunableKernel::tuning_key(std::string_view key) {
  if (key.empty()) refuse("TunableKernel::tuning_key", "a key", "an empty one");
  impl_->describe().key = key;
  return *this;
}

TuneConfiguration TunableKernel::configuration(const ProblemSize& problem) const {
  return impl_->choose(problem, nullptr).values;
}

Function TunableKernel::function(const ProblemSize& problem) const {
  return impl_->choose(problem, nullptr).launch.function;
}

LaunchConfig TunableKernel::launch_config(const ProblemSize& problem) const {
  const detail::TunedLaunch& launch = impl_->choose(problem, nullptr).launch;
  LaunchConfig config;
  config.grid = launch.grid;
  config.block = launch.block;
  config.shared_size = launch.shared_size;
  return config;
}

bool TunableKernel::is_valid(const TuneConfiguration& values, const ProblemSize& problem) const {
  return impl_->space_for(problem).find(values).has_value();
}

std::vector<TuneConfiguration> TunableKernel::configurations(const ProblemSize& problem) const {
  const TunableSpace space = impl_->space_for(problem);
  std::vector<TuneConfiguration> all;
  for (const std::uint64_t rank : space.space().valid_ranks())
    all.push_back(space.space().values(space.space().at_rank(rank)));
  return all;
}

TunableKernel& TunableKernel::wisdom(const Wisdom& wisdom) {
  (void)impl_->describe();
  impl_->wisdom = wisdom;
  return *this;
}

const std::string& TunableKernel::name() const noexcept { return impl_->definition.name; }

const std::string& TunableKernel::source() const noexcept { return impl_->definition.source; }

const detail::TunedLaunch& TunableKernel::choose(const ProblemSize& problem, CUstream stream) const {
  return impl_->launch_for(problem, stream);
}

}  // namespace kiln
