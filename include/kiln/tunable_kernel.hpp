// TunableKernel: a kernel with parameters, launched with the best values that are known.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/detail/tuned_launch.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>
#include <kiln/function.hpp>
#include <kiln/launch_config.hpp>
#include <kiln/problem_size.hpp>
#include <kiln/tune_value.hpp>
#include <kiln/wisdom.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kiln {

namespace detail {

/// Whether the first of a launch's arguments is its stream: no kernel takes one.
template <class... Args>
inline constexpr bool begins_with_stream = false;
template <class First, class... Args>
inline constexpr bool begins_with_stream<First, Args...> =
    std::is_convertible_v<const First&, CUstream> && !std::is_null_pointer_v<First>;

}  // namespace detail

/// A kernel whose source leaves values open: block sizes, unrolling, types. It is launched with the values that tuning
/// found to be the fastest for the device and the size of the problem:
///
///   kiln::TunableKernel add(source, "add<TYPE>");
///   add.tune("BLOCK", {64, 128, 256}).tune("PER_THREAD", {1, 2, 4}).tune("TYPE", {"float"});
///   add.block_size("BLOCK").grid_size("ceil_div(problem_x, BLOCK * PER_THREAD)");
///   add(kiln::ProblemSize{n}, x, y, z);
///
/// A parameter that the kernel's name has between < and > as a whole word is a template argument there; every other one
/// is a macro of that name after the source's leading include lines (CompileOptions::late_defines), so that all
/// variants share what those lines need of a compile.
///
/// Expressions have C's operators + - * / % << >> < <= > >= == != && || ! ?:, parentheses, min(a, b), max(a, b) and
/// ceil_div(a, b) over 64-bit integers. Their names are the parameters, problem_x, problem_y and problem_z (1 where the
/// problem has no such dimension), and the device's attributes as DeviceAttribute names them, such as
/// max_threads_per_block. Parameters that are texts can be compared with texts in double quotes by == and !=.
///
/// Which values a launch has: those of the wisdom for this device and problem size, else of the nearest one that it has
/// (docs/tuning.md has the rule), else the default. What a launch needs is compiled when it is first chosen, and kept
/// as long as this object and its copies live.
///
/// The functions that describe the kernel are called before its first use, by one thread; afterwards they throw Error.
/// Every other member may be called from several threads at once. Copies are the same kernel. Counterparts:
/// kernel_launcher's WisdomKernel, kernel_tuner's tune_kernel; PyCUDA has none.
class KILN_EXPORT TunableKernel {
 public:
  /// Compiles nothing yet. `name` is the kernel's as Module::get_function takes it, with parameters as template
  /// arguments where it has some: "matmul", "matmul<TYPE, TILE>". `options` are those of all variants. Throws
  /// ArgumentError for an empty name.
  TunableKernel(std::string_view source, std::string_view name, const CompileOptions& options = {});
  /// The source from a file, as SourceModule::from_file. Throws Error where it cannot be read.
  static TunableKernel from_file(const std::filesystem::path& path, std::string_view name,
                                 const CompileOptions& options = {});

  // The kernel's description. Each returns this object. They throw ArgumentError for what cannot be, and Error after
  // the kernel's first use. What an expression says is looked at on that first use.

  /// A parameter and the values that it may have, in an order in which neighbours are alike: {64, 128, 256},
  /// {false, true}, {"float", "double"}. Numbers or texts, not both. The name is an identifier; as a macro it must not
  /// be a word of the source's leading lines or headers. kiln::tune() refuses a parameter that nothing uses.
  TunableKernel& tune(std::string_view name, std::vector<TuneValue> values);
  /// A parameter with the values first, first + step, ... up to `last`, which is one of them where a step meets it.
  TunableKernel& tune_range(std::string_view name, long long first, long long last, long long step = 1);
  /// A parameter that is one option of the compiler or another, after CompileOptions::options: {"",
  /// "--use_fast_math"}. Empty is none. It is no macro.
  TunableKernel& tune_option(std::string_view name, const std::vector<std::string>& options);
  /// Only values for which the expression is not 0: "BLOCK * PER_THREAD <= 1024". What the device cannot run is left
  /// out anyway: a block or a grid beyond its limits, more dynamic shared memory than a block can have. So is a
  /// configuration for which this or a size has no value, as it divides by 0: kiln::tune() logs one such reason.
  TunableKernel& restriction(std::string_view expression);
  /// Only values for which this returns true. It may be called from several threads at once; what it throws comes out
  /// of the launch.
  TunableKernel& restriction(std::function<bool(const TuneConfiguration&)> holds);
  /// The threads of a block, as expressions. Needed.
  TunableKernel& block_size(std::string_view x, std::string_view y = "1", std::string_view z = "1");
  /// The blocks of the grid, as expressions. Where it is not called, a thread for each element in each dimension:
  /// ceil_div(problem_x, x of the block), and so on.
  TunableKernel& grid_size(std::string_view x, std::string_view y = "1", std::string_view z = "1");
  /// The dynamic shared memory of a block in bytes, as an expression. Where it is not called, none.
  TunableKernel& shared_memory(std::string_view bytes);
  /// Values of some or all parameters, used where nothing better is known: {{"BLOCK", 128}, {"TYPE", "float"}}. The
  /// others have the first values that are valid with them. Where it is not called, or where these values are not valid
  /// for a device or a problem size, the first valid ones are.
  TunableKernel& default_configuration(TuneConfiguration values);
  /// Under which name wisdom is kept and found: one for each kernel of a program. Where it is not called, the kernel's
  /// name as it was given.
  TunableKernel& tuning_key(std::string_view key);
  /// Where the best values are looked up, and where tune() keeps them. Where it is not called, Wisdom(): the folders of
  /// KILN_WISDOM_DIR.
  TunableKernel& wisdom(const Wisdom& wisdom);

  /// Launches the kernel for a problem of that size with the best known values, and returns as Function does: add(
  /// kiln::ProblemSize{n}, x, y). Where the first argument is a stream (kiln::Stream, CUstream, cudaStream_t), it is
  /// the launch's: add(kiln::ProblemSize{n}, stream, x, y). Devices of one name count as alike. The first launch for a
  /// device and a problem size looks the values up, and compiles where that is needed; so a capture needs a call of
  /// function() before. For a problem with a size of 0, a grid without blocks is not launched. Throws what Function's
  /// call throws, CompileError, ArgumentError where an expression is none, has an unknown name or no value, where no
  /// values are valid, and where the code needs more registers or shared memory than the device has. Values that the
  /// wisdom has but that are not valid any more, or that do not compile, are a warning once, and the default is used.
  template <class... Args>
  void operator()(const ProblemSize& problem, const Args&... args) const {
    if constexpr (detail::begins_with_stream<Args...>)
      submit(problem, args...);
    else
      submit(problem, nullptr, args...);
  }

  /// What a launch for that problem size would use on the current device: the values, the kernel that was compiled with
  /// them, and grid, block and shared memory, on the null stream. They throw as a launch does; configuration() compiles
  /// nothing that a launch would not compile.
  /// @{
  TuneConfiguration configuration(const ProblemSize& problem) const;
  Function function(const ProblemSize& problem) const;
  LaunchConfig launch_config(const ProblemSize& problem) const;
  /// @}

  /// Whether a launch for that problem size could have these values on the current device: one for each parameter, all
  /// restrictions fulfilled, nothing that the device cannot run. Compiles nothing.
  bool is_valid(const TuneConfiguration& values, const ProblemSize& problem) const;
  /// All configurations that are valid for that problem size on the current device, the last parameter's values the
  /// fastest. Compiles nothing. Throws ArgumentError as a launch does, but not where there are none. Counterpart:
  /// kernel_launcher's ConfigSpace::iterate.
  std::vector<TuneConfiguration> configurations(const ProblemSize& problem) const;

  const std::string& name() const noexcept;    ///< of the kernel, as it was given
  const std::string& source() const noexcept;  ///< what is compiled

  struct Impl;
  Impl& impl(detail::Passkey) const noexcept { return *impl_; }  ///< for Kiln itself

 private:
  template <class... Args>
  void submit(const ProblemSize& problem, CUstream stream, const Args&... args) const {
    // Found here, a launch reads some lines of memory less than behind a call: worth 30 ns.
    const detail::TunedLaunch* chosen = recent_->find(detail::any_device, problem);
    if (chosen == nullptr) {
      chosen = &choose(problem, stream);
      if (chosen->grid.count() == 0) return;
    }
    LaunchConfig config;
    config.grid = chosen->grid;
    config.block = chosen->block;
    config.shared_size = chosen->shared_size;
    config.stream = stream;
    chosen->function(config, args...);
  }
  const detail::TunedLaunch& choose(const ProblemSize& problem, CUstream stream) const;

  std::shared_ptr<Impl> impl_;
  const detail::RecentLaunches* recent_;  // of impl_
};

}  // namespace kiln
