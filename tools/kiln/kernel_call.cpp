#include "kernel_call.hpp"

#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "base/passkey.hpp"
#include "launch/argument_check.hpp"
#include "launch/host_transfer.hpp"
#include "launch/kernel.hpp"
#include "memory/context.hpp"
#include "output_file.hpp"
#include "source_file.hpp"
#include "split_value.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"

#include <kiln/context.hpp>
#include <kiln/device.hpp>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace kiln::tool {

namespace {

constexpr const char* how_memory_is_written = "; a vector is written float[1000]=zeros, no memory at all as null";

PassedArgument converted(const ElementType& type, std::uint64_t bits) {
  return {std::string(reinterpret_cast<const char*>(&bits), type.size), type.value()};
}

/// An extern "C" kernel's whole numbers have a size and no sign: that of the number which is given.
const ElementType* type_of_kind(const Parameter& parameter, const Literal& literal) {
  if (parameter.kind == ParameterKind::floating)
    return element_type(parameter.size == sizeof(float) ? "float" : "double");
  if (parameter.kind != ParameterKind::integer && parameter.kind != ParameterKind::integer_or_pointer) return nullptr;
  std::uint64_t bits = 0;
  const bool is_positive = convert_literal(literal, *element_type("unsigned long"), &bits);
  switch (parameter.size) {
    case 1:
      return element_type(is_positive ? "unsigned char" : "signed char");
    case 2:
      return element_type(is_positive ? "unsigned short" : "short");
    case 4:
      return element_type(is_positive ? "unsigned int" : "int");
    case 8:
      return element_type(is_positive ? "unsigned long" : "long");
    default:
      return nullptr;
  }
}

/// Null where the number's own type has to do.
const ElementType* type_for(const Parameter& parameter, const Literal& literal) {
  return parameter.type.empty() ? type_of_kind(parameter, literal) : element_type(parameter.type);
}

/// As at a launch, and for half and bfloat16, which are classes: there programs may have them by other names.
bool takes(const Parameter& parameter, const ElementType& stated) {
  const ElementType* const wanted = element_type(parameter.type);
  const bool is_other = wanted != nullptr && wanted != &stated && (wanted->is_small() || stated.is_small());
  return !is_other && fits(parameter, stated.value());
}

/// half:1.5 for a float.
[[noreturn]] void refuse_stated(const std::string& kernel, const RunArgument& argument, const ElementType& stated,
                                const Parameter& parameter) {
  const std::string given = stated.is_small() ? std::string(stated.name) + " (2 bytes)" : describe(stated.value());
  std::string hint;
  if (parameter.kind == ParameterKind::pointer)
    hint = how_memory_is_written;
  else if (type_for(parameter, read_literal("1").value()) != nullptr)
    hint = "; write " + argument.text.substr(argument.text.find(':') + 1);
  throw_wrong_argument(kernel, argument.index, describe(parameter), given, hint);
}

/// The argument as a value of the parameter's type, or as its own where that is not known. `parameter` is null where
/// the code tells none. Throws ArgumentError, in a launch's words, where the type cannot hold it.
PassedArgument passed_scalar(const std::string& kernel, const RunArgument& argument, const ScalarArgument& scalar,
                             const Parameter* parameter) {
  const auto refuse = [&](const std::string& expected, const char* hint) {
    throw_wrong_argument(kernel, argument.index, expected, argument.text, hint);
  };
  std::uint64_t bits = 0;
  if (scalar.stated != nullptr) {
    if (parameter != nullptr && !takes(*parameter, *scalar.stated))
      refuse_stated(kernel, argument, *scalar.stated, *parameter);
    (void)convert_literal(scalar.literal, *scalar.stated, &bits);  // it was looked at when it was read
    return converted(*scalar.stated, bits);
  }
  if (parameter != nullptr && parameter->kind == ParameterKind::pointer)
    refuse(describe(*parameter), how_memory_is_written);
  const ElementType* const type = parameter == nullptr ? nullptr : type_for(*parameter, scalar.literal);
  if (type == nullptr || type->kind == ElementType::Kind::complex)
    return converted(*scalar.literal.type, scalar.literal.bits);
  if (!convert_literal(scalar.literal, *type, &bits)) refuse(literal_range(*type), "");
  return converted(*type, bits);
}

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

namespace {

constexpr const char* on_the_cpu = "there is no GPU; \"kiln run --emulator\" runs the kernel on the CPU";

/// "--check race": only the emulator has it.
void require_emulator(const std::string& option, const std::string& value) {
  if (!value.empty() && !emulator_in_use())
    throw_argument_error(option + " is what the emulator does, and a GPU does not: add --emulator", "--emulator",
                         option + " " + value);
}

/// The emulator has devices, unless the environment takes them away.
std::string no_emulated_device() {
  return "the emulator shows no device: " + hidden_devices() +
         "; unset these, or name a device that it has (0 is the first)";
}

}  // namespace

void open_device(const RunArguments& arguments) {
  require_folder_of("--profile", arguments.profile);
  const std::string driver = environment("KILN_DRIVER").value_or("");
  const bool is_named = driver == emulator_name || is_emulator(driver);
  if (arguments.emulator && !is_named) use_driver(emulator_name);
  if (!arguments.checks.empty()) ::setenv("KILN_EMULATOR_CHECK", arguments.checks.c_str(), 1);
  if (!arguments.profile.empty()) ::setenv("KILN_EMULATOR_PROFILE", arguments.profile.c_str(), 1);
  std::string fault;
  try {
    (void)Driver::get();
    if (Device::count() == 0) fault = "there is no device";
  } catch (const ToolkitError& error) {
    if (environment("KILN_DRIVER")) throw;  // which is then what is wrong
    throw ToolkitError(std::string(on_the_cpu) + "\n" + error.what(), error.searched());
  } catch (const DriverError& error) {
    if (error.result() != CUDA_ERROR_NO_DEVICE) throw;
    fault = error.what();
  }
  if (!fault.empty() && (arguments.emulator || is_named)) throw ToolkitError(no_emulated_device(), {});
  if (!fault.empty()) throw ToolkitError(std::string(on_the_cpu) + "\n" + fault, {});
  require_emulator("--check", arguments.checks);
  require_emulator("--profile", arguments.profile);
  if (!arguments.emulator) tell_of_emulator();
}

}  // namespace kiln::tool
