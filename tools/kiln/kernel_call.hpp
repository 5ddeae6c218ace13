// A kernel with the arguments that the command line gave it, and the device that it runs on.
#pragma once

#include "commands.hpp"
#include "expectation.hpp"
#include "run_argument.hpp"

#include <kiln/benchmark.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/function.hpp>
#include <kiln/launch_config.hpp>
#include <kiln/tune_arguments.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln::tool {

/// One argument as the driver takes it: a value, or a vector's address.
struct PassedArgument {
  std::string bytes;
  detail::ArgumentInfo info;
};

/// A vector of the call, with a copy in the host's memory.
struct CallVector {
  std::size_t index;  // of the argument
  Array array;
  DeviceBuffer<unsigned char> memory;
  bool is_output;                                  // the kernel may write it
  bool is_unset;                                   // the kernel is to write all of it
  std::vector<std::size_t> others = {};            // further arguments that point into it
  bool is_followed = false;                        // writes to it are tracked
  std::optional<NeverWritten> never_written = {};  // set by run() or note_unwritten_at_first(), if is_unset
};

class KernelCall {
 public:
  /// Converts scalars to the kernel's types, makes the vectors' values and device memory, and checks all that the
  /// library checks at a launch. `memories` are what MemoryArguments point into. Throws ArgumentError as a launch does,
  /// DriverError where the device has no room.
  KernelCall(const Function& function, const std::vector<RunArgument>& arguments, std::uint64_t seed,
             std::vector<Array> memories = {});
  KernelCall(const KernelCall&) = delete;
  KernelCall& operator=(const KernelCall&) = delete;

  /// Measures launches behind each other, each on what those before it left. To be called before run(): the host's
  /// copies stay as they are.
  BenchmarkResult benchmark(const LaunchConfig& config);
  /// Launches once on the first values, waits, copies the outputs to the host, and records which elements were never
  /// written. On the emulator, memory without values counts as not written, so that a check reports reads of it. To be
  /// called once.
  void run(const LaunchConfig& config);
  /// The same; the seconds on the device.
  double run_timed(const LaunchConfig& config);

  /// What kiln::tune launches, with the first values now in device memory. Refers to this object.
  TuneArguments tune_arguments();
  /// After kiln::tune: records which elements its first launch, the default configuration's, may never have written.
  void note_unwritten_at_first();
  /// Waits, and copies the outputs to the host.
  void fetch();

  /// As a person writes it.
  const std::string& kernel_name() const noexcept;
  /// In the arguments' order.
  const std::vector<CallVector>& vectors() const noexcept { return vectors_; }
  /// Where the memory of that index is in vectors(); none where no argument points into it.
  std::optional<std::size_t> place_of_memory(std::size_t memory) const { return places_.at(memory); }

 private:
  void add(const RunArgument& argument, const Parameter* parameter, std::uint64_t seed);
  void add_vector(const RunArgument& argument, const VectorArgument& vector, const Parameter* parameter,
                  std::uint64_t seed);
  void add_memory(const RunArgument& argument, const MemoryArgument& pointer);
  void choose_outputs(const std::vector<Parameter>* parameters);
  std::size_t writing_index(const CallVector& vector) const;
  void begin();
  void follow();
  void note_unwritten();
  void make_room_for_first_results();
  void keep_first_results(CUstream stream);

  Function function_;
  std::vector<PassedArgument> passed_;
  std::vector<CallVector> vectors_;
  std::vector<Array> memories_;                     // moved to vectors_ by the first argument that needs one
  std::vector<std::optional<std::size_t>> places_;  // of the memories in vectors_
  std::vector<void*> pointers_;
  std::vector<detail::ArgumentInfo> infos_;
  detail::Signature signature_ = {};
  bool is_launched_ = false;  // by kiln::tune
  /// What its first launch left, by the place of the vector.
  std::vector<std::pair<std::size_t, DeviceBuffer<unsigned char>>> first_results_;
};

/// Opens the driver, or the emulator, whose variables say before that what to look for (KILN_EMULATOR_CHECK) and what
/// to count (KILN_EMULATOR_PROFILE). Throws ToolkitError, which names the way out, where there is no device.
void open_device(const RunArguments& arguments);

}  // namespace kiln::tool
