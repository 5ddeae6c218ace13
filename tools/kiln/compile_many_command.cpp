// kiln compile --jobs N FILE.cu...
#include "base/argument_error.hpp"
#include "commands.hpp"
#include "compile/compiler.hpp"
#include "compile/options/target_name.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "source_file.hpp"
#include "split_value.hpp"
#include "timing_table.hpp"
#include "usage.hpp"

#include <kiln/compile_all.hpp>
#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

namespace kiln::tool {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_usage(const std::string& message) { throw_argument_error(message, {}, {}); }

std::string stem(const std::string& file) { return fs::path(file).stem().string(); }

/// What cannot work whatever the sources are.
void require_sense(const CompileArguments& arguments) {
  if (arguments.options.timing && arguments.files.size() > 1)
    throw_usage("--timing is for one source, and there are " + std::to_string(arguments.files.size()) +
                ": several at once slow each other down. Give one, or leave --timing out");
  std::error_code ignored;
  if (!arguments.output.empty() && !fs::is_directory(arguments.output, ignored))
    throw_usage("-o " + arguments.output + ": for several sources it must be a folder that is there");
  std::map<std::string, std::string> files;
  for (const std::string& file : arguments.files) {
    if (file == "-") throw_usage("standard input can only be compiled alone");
    refuse_split_value(file);
    const auto [other, is_new] = files.emplace(stem(file), file);
    if (!is_new) throw_usage(other->second + " and " + file + " would be written to the same file: compile them apart");
  }
}

/// What becomes of each file, in order.
class Many {
 public:
  explicit Many(const CompileArguments& arguments) : arguments_(arguments) {
    // A program that loads its kernels has the driver in use, and then compile_all asks the device.
    if (depends_on_device(arguments.options)) Device::count();
    tell_of_emulator();
    for (const std::string& file : arguments.files) {
      try {
        const std::string source = read_source(file);
        requests_.push_back(
            {source, arguments.options.with_name(file).with(&CompileOptions::language, language_of(file))});
        files_.push_back(file);
      } catch (const Error& error) {
        fail(file, error);
      }
    }
  }

  void compile() {
    const Progress progress;
    const auto step = [&](const CompileProgress& now) {
      static const char* const words[] = {"from the cache", "compiled", "failed", "stopped"};
      progress.step(now.done, now.total, files_[now.index] + ": " + words[static_cast<int>(now.outcome)]);
      return true;
    };
    results_ = compile_all(requests_, step, arguments_.jobs);
  }

  void write() {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      try {
        const CodeObject& code = results_[i].get();
        print_log(code);
        if (from_cache_ + compiled_ == 0) tell_of_hidden_devices(arguments_.options, code);
        const fs::path output = fs::path(arguments_.output) / (stem(files_[i]) + "." + target_name(code.target()));
        write_output(output.string(), code.bytes());
        tell_of_unused_options(arguments_.options, output.string(), code);
        tell_of_no_kernels(requests_[i].source, files_[i], code);
        if (arguments_.options.timing) say(timing_table(code));
        ++(code.from_cache() ? from_cache_ : compiled_);
      } catch (const ToolkitError& error) {
        status_ = missing_component;
        fail(files_[i], error);
      } catch (const Error& error) {
        fail(files_[i], error);
      }
    }
  }

  int summarise() const {
    for (const std::string& failure : failures_) say("kiln: " + failure + "\n");
    say(std::to_string(compiled_) + " compiled, " + std::to_string(from_cache_) + " from the cache, " +
        std::to_string(failures_.size()) + " failed\n");
    return failures_.empty() ? success : status_;
  }

 private:
  void fail(const std::string& file, const Error& why) { failures_.push_back(file + ": " + error_text(why)); }

  const CompileArguments& arguments_;
  std::vector<std::string> files_;  // those that can be read, and what they hold
  std::vector<CompileRequest> requests_;
  std::vector<CompileResult> results_;
  std::vector<std::string> failures_;
  std::size_t compiled_ = 0;
  std::size_t from_cache_ = 0;
  int status_ = failed;
};

}  // namespace

int compile_many_command(const CompileArguments& arguments) {
  require_sense(arguments);
  Many many(arguments);
  many.compile();
  many.write();
  return many.summarise();
}

}  // namespace kiln::tool
