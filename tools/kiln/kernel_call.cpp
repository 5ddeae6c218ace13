#include "kernel_call.hpp"

#include "base/passkey.hpp"
#include "launch/argument_check.hpp"
#include "launch/host_transfer.hpp"
#include "launch/kernel.hpp"
#include "memory/context.hpp"
#include "passed_scalar.hpp"
#include "split_value.hpp"

#include <kiln/context.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <utility>

namespace kiln::tool {

namespace {

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

PassedArgument passed_bytes(const std::string& kernel, const RunArgument& argument, const std::string& bytes,
                            const Parameter* parameter) {
  if (parameter != nullptr && parameter->size != bytes.size())
    throw_wrong_argument(kernel, argument.index, describe(*parameter),
                         argument.text + " (" + std::to_string(bytes.size()) + " bytes)", "");
  detail::ArgumentInfo info = detail::argument_info<CUdeviceptr>();
  info.size = bytes.size();
  info.kind = ParameterKind::other;
  return {bytes, info};
}

/// As at a launch, and for half and bfloat16, which are classes: there programs may have them by other names.
void check_elements(const std::string& kernel, const RunArgument& argument, const ElementType& type,
                    const Parameter& parameter) {
  const ElementType* const wanted = element_behind(parameter.type);
  const bool is_misfit =
      wanted != nullptr && wanted != &type && wanted->size != 1 && (wanted->is_small() || type.is_small());
  if (!is_misfit && contents_fit(parameter, type.pointer())) return;
  const std::string hint = wanted == nullptr ? "" : "; write " + std::string(wanted->name) + "[...]";
  throw_wrong_argument(kernel, argument.index, describe(parameter), std::string(type.name) + "* (pointer, 8 bytes)",
                       hint);
}

bool is_read_only(const Parameter* parameter) { return parameter != nullptr && parameter->type.ends_with("const*"); }

}  // namespace

KernelCall::KernelCall(const Function& function, const std::vector<RunArgument>& arguments, std::uint64_t seed,
                       std::vector<Array> memories)
    : function_(function), memories_(std::move(memories)), places_(memories_.size()) {
  Kernel& kernel = kernel_of(function_);
  const std::vector<Parameter>* const parameters = kernel.known_parameters();
  if (parameters != nullptr && parameters->size() != arguments.size()) {
    for (const RunArgument& argument : arguments)
      if (const std::string advice = split_value_advice(argument.text); !advice.empty())
        refuse_run_argument(argument, advice);
    throw_wrong_count(kernel.display_name(), *parameters, arguments.size());
  }
  vectors_.reserve(arguments.size());
  for (const RunArgument& argument : arguments)
    add(argument, parameters == nullptr ? nullptr : &(*parameters)[argument.index], seed);
  choose_outputs(parameters);
  for (PassedArgument& argument : passed_) {
    pointers_.push_back(argument.bytes.data());
    infos_.push_back(argument.info);
  }
  signature_ = {infos_.data(), infos_.size()};
  kernel.check(signature_);
  kernel.preload(current_device());
}

const std::string& KernelCall::kernel_name() const noexcept { return kernel_of(function_).display_name(); }

void KernelCall::add(const RunArgument& argument, const Parameter* parameter, std::uint64_t seed) {
  const std::string& name = kernel_name();
  if (const auto* const scalar = std::get_if<ScalarArgument>(&argument.value))
    passed_.push_back(passed_scalar(name, argument, *scalar, parameter));
  else if (const auto* const vector = std::get_if<VectorArgument>(&argument.value))
    add_vector(argument, *vector, parameter, seed);
  else if (const auto* const bytes = std::get_if<BytesArgument>(&argument.value))
    passed_.push_back(passed_bytes(name, argument, bytes->bytes, parameter));
  else if (const auto* const pointer = std::get_if<MemoryArgument>(&argument.value))
    add_memory(argument, *pointer);
  else
    passed_.push_back({bytes_of(CUdeviceptr{0}), detail::argument_info<void*>()});
}

void KernelCall::add_vector(const RunArgument& argument, const VectorArgument& vector, const Parameter* parameter,
                            std::uint64_t seed) {
  Array array = array_of(argument, vector, seed);
  if (parameter != nullptr) check_elements(kernel_name(), argument, *array.type, *parameter);
  if (vector.is_out && is_read_only(parameter))
    throw_wrong_argument(kernel_name(), argument.index, describe(*parameter) + ", which the kernel only reads",
                         argument.text, "");
  const detail::ArgumentInfo info = array.type->pointer();
  DeviceBuffer<unsigned char> memory(array.bytes.size());
  passed_.push_back({bytes_of(memory.device_pointer()), info});
  const bool is_unset = vector.values == VectorArgument::Values::none;
  vectors_.push_back({argument.index, std::move(array), std::move(memory), vector.is_out, is_unset});
}

void KernelCall::add_memory(const RunArgument& argument, const MemoryArgument& pointer) {
  std::optional<std::size_t>& place = places_.at(pointer.memory);
  if (place) {
    vectors_[*place].others.push_back(argument.index);
  } else {
    place = vectors_.size();
    Array& array = memories_[pointer.memory];
    DeviceBuffer<unsigned char> memory(array.bytes.size());
    vectors_.push_back({argument.index, std::move(array), std::move(memory), false, false});
  }
  const CUdeviceptr address = vectors_[*place].memory.device_pointer() + pointer.offset;
  passed_.push_back({bytes_of(address), detail::argument_info<CUdeviceptr>()});
}

/// What the kernel's types let it write. Where they are not known (extern "C") what is marked with out:, or all where
/// nothing is.
void KernelCall::choose_outputs(const std::vector<Parameter>* parameters) {
  const bool is_marked = std::any_of(vectors_.begin(), vectors_.end(), [](const CallVector& v) { return v.is_output; });
  for (CallVector& vector : vectors_) {
    const auto may_write = [&](std::size_t index) {
      const Parameter* const parameter = parameters == nullptr ? nullptr : &(*parameters)[index];
      const bool is_typed = parameter != nullptr && !parameter->type.empty();
      return is_typed ? !is_read_only(parameter) : !is_marked;
    };
    vector.is_output = vector.is_output || may_write(vector.index) ||
                       std::any_of(vector.others.begin(), vector.others.end(), may_write);
  }
}

void KernelCall::begin() {
  for (const CallVector& vector : vectors_) {
    const std::string& values = vector.array.bytes;
    if (!values.empty()) memcpy_htod(vector.memory.device_pointer(), values.data(), values.size());
  }
}

void KernelCall::follow() {
  for (CallVector& vector : vectors_)
    if (vector.is_unset) vector.is_followed = follow_writes(vector.memory.device_pointer(), vector.array.bytes.size());
}

void KernelCall::note_unwritten() {
  for (CallVector& vector : vectors_)
    if (vector.is_unset)
      vector.never_written = never_written(vector.array, vector.memory.device_pointer(), vector.is_followed);
}

void KernelCall::fetch() {
  synchronize();
  for (CallVector& vector : vectors_) {
    std::string& bytes = vector.array.bytes;
    if (vector.is_output && !bytes.empty()) memcpy_dtoh(bytes.data(), vector.memory.device_pointer(), bytes.size());
  }
}

void KernelCall::run(const LaunchConfig& config) {
  begin();
  follow();
  kernel_of(function_).launch(config, pointers_.data(), signature_);
  fetch();
  note_unwritten();
}

double KernelCall::run_timed(const LaunchConfig& config) {
  begin();
  follow();
  const double seconds = kiln::timed_launch(kernel_of(function_), config, pointers_.data(), {});
  fetch();
  note_unwritten();
  return seconds;
}

BenchmarkResult KernelCall::benchmark(const LaunchConfig& config) {
  begin();
  Kernel& kernel = kernel_of(function_);
  return detail::run_benchmark([&] { kernel.launch(config, pointers_.data()); }, {});
}

/// Of an argument that may write it, where one may.
std::size_t KernelCall::writing_index(const CallVector& vector) const {
  const std::vector<Parameter>* const parameters = kernel_of(function_).known_parameters();
  if (parameters == nullptr || !is_read_only(&(*parameters)[vector.index])) return vector.index;
  for (const std::size_t other : vector.others)
    if (!is_read_only(&(*parameters)[other])) return other;
  return vector.index;
}

/// Before the launch, as the driver may wait when it makes memory. None where there is no room for it.
void KernelCall::make_room_for_first_results() try {
  for (const CallVector& vector : vectors_)
    if (const std::size_t bytes = vector.array.bytes.size(); vector.is_unset && bytes != 0)
      first_results_.emplace_back(static_cast<std::size_t>(&vector - vectors_.data()),
                                  DeviceBuffer<unsigned char>(bytes));
} catch (const DriverError& error) {
  if (error.result() != CUDA_ERROR_OUT_OF_MEMORY) throw;
  first_results_.clear();
}

/// Does not wait: a launch that does not end is for kiln::tune to notice.
void KernelCall::keep_first_results(CUstream stream) {
  for (const auto& [place, memory] : first_results_)
    memcpy_dtod_async(memory.device_pointer(), vectors_[place].memory.device_pointer(), memory.size(), stream);
}

void KernelCall::note_unwritten_at_first() {
  for (const auto& [place, memory] : first_results_) {
    CallVector& vector = vectors_[place];
    Array array = vector.array;
    memcpy_dtoh(array.bytes.data(), memory.device_pointer(), array.bytes.size());
    vector.never_written = never_written(array, memory.device_pointer(), false);
  }
}

TuneArguments KernelCall::tune_arguments() {
  begin();
  make_room_for_first_results();
  std::vector<detail::TunedMemory> memory;
  for (const CallVector& vector : vectors_)
    memory.push_back({writing_index(vector), vector.memory.device_pointer(), vector.array.bytes.size(),
                      vector.array.type->pointer().pointee, !vector.is_output});
  const auto launch = [this](const Function& function, const LaunchConfig& config) {
    kernel_of(function).launch(config, pointers_.data(), signature_);
    if (!std::exchange(is_launched_, true)) keep_first_results(config.stream);
  };
  return TuneArguments::of_launch(passkey, launch, std::move(memory));
}

}  // namespace kiln::tool
