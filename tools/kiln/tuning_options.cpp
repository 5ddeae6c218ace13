#include "base/text_parts.hpp"
#include "compile_arguments.hpp"
#include "run_options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace kiln::tool {

namespace {

const std::map<std::string, TuneStrategy> strategies = {
    {"exhaustive", TuneStrategy::exhaustive}, {"random", TuneStrategy::random}, {"annealing", TuneStrategy::annealing}};

/// "1000", "1000x2000" or "1000,2000": none where it is no size.
std::vector<unsigned long long> read_problem(std::string_view text) {
  std::vector<unsigned long long> sizes;
  while (sizes.size() < 3) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sizes.emplace_back());
    if (error != std::errc()) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return sizes;
    if (text.front() != 'x' && text.front() != ',') return {};
    text.remove_prefix(1);
  }
  return {};
}

std::string problem_fault(const std::string& text) {
  const std::vector<unsigned long long> sizes = read_problem(text);
  const bool is_one = !sizes.empty() && std::count(sizes.begin(), sizes.end(), 0ULL) == 0;
  return is_one ? "" : "\"" + text + "\" is no size: give one to three numbers from 1 on, such as 4096x4096";
}

std::string default_fault(const std::string& text) {
  for (const std::string& one : split(text, ','))
    if (const std::size_t end = one.find('='); end == std::string::npos || end == 0)
      return "\"" + one + "\" is no value of a parameter: give NAME=VALUE, such as BLOCK=128";
  return "";
}

/// At commas that are in no parentheses: "BLOCK_X,min(BLOCK_Y, 4)" are two, and ",fast" are, too.
std::vector<std::string> split_expressions(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool is_whole_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "64..256", "64:256:64" and, as the only value, "64-256": ways of other tools to write several.
bool is_range(std::string_view text, bool is_only_value) {
  for (const std::string_view sign : {"...", "..", ":", "-"}) {
    const std::size_t at = text.find(sign);
    if (at == std::string_view::npos || (sign == "-" && !is_only_value)) continue;
    const std::string_view rest = text.substr(at + sign.size());
    const std::size_t step = rest.find(sign);
    const bool has_step = step != std::string_view::npos && is_whole_number(rest.substr(step + sign.size()));
    return is_whole_number(text.substr(0, at)) && is_whole_number(has_step ? rest.substr(0, step) : rest);
  }
  return false;
}

bool is_balanced(const std::string& text) {
  for (const char* const pair : {"()", "[]", "{}"})
    if (std::count(text.begin(), text.end(), pair[0]) != std::count(text.begin(), text.end(), pair[1])) return false;
  return true;
}

/// What is wrong with the values of --param; empty where nothing is. A list of texts may have an empty one, as in
/// ",__restrict__"; one among numbers is a comma too many.
std::string values_fault(const std::vector<std::string>& values) {
  const bool are_numbers = std::all_of(
      values.begin(), values.end(), [](const std::string& value) { return value.empty() || is_whole_number(value); });
  for (const std::string& value : values) {
    if (value.empty() && are_numbers) return values.size() == 1 ? "has no value" : "has an empty value";
    if (is_range(value, values.size() == 1)) return "has the range " + value + ", and ranges are not known";
    if (std::count(values.begin(), values.end(), value) > 1) return "has the value " + value + " twice";
    if (!is_balanced(value)) return "has the value " + value + ", whose brackets do not match";
  }
  return {};
}

std::string option_parameter_fault(const std::string& text) {
  const std::size_t end = text.find('=');
  const bool is_one = end != std::string::npos && end != 0;
  return is_one ? "" : "\"" + text + "\" is no parameter: give NAME=VALUE,VALUE, such as FAST=,--use_fast_math";
}

std::string parameter_fault(const std::string& text) {
  const std::size_t end = text.find('=');
  if (end == std::string::npos || end == 0)
    return "\"" + text + "\" is no parameter: give NAME=VALUE,VALUE, such as BLOCK=64,128,256";
  const std::string name = text.substr(0, end), fault = values_fault(split_expressions(text.substr(end + 1)));
  if (fault.empty()) return {};
  return "\"" + text + "\" " + fault + ": write each value, with commas between, such as " + name + "=64,128,256";
}

/// Of --block and --grid. That of an expression is known only when its parameters have values.
std::string expressions_fault(const std::string& text) {
  const std::vector<std::string> sizes = split_expressions(text);
  if (sizes.size() > 3) return "\"" + text + "\" has more than three sizes";
  const auto is_zero = [](const std::string& size) {
    return !size.empty() && size.find_first_not_of('0') == std::string::npos;
  };
  const bool has_zero = std::any_of(sizes.begin(), sizes.end(), is_zero);
  return has_zero ? "\"" + text + "\" is no size: give one to three numbers from 1 on, or expressions" : "";
}

void add_sizes(CLI::App& command, const std::string& name, const std::string& help, std::vector<std::string>& target) {
  command
      .add_option_function<std::string>(
          name, [&](const std::string& text) { target = split_expressions(text); }, help)
      ->check(expressions_fault);
}

void refuse_second(const std::vector<TuningParameter>& known, const std::string& name) {
  if (std::any_of(known.begin(), known.end(), [&](const TuningParameter& other) { return other.name == name; }))
    throw CLI::ValidationError("the parameter " + name + " is given twice: give all of its values at once, such as " +
                               name + "=64,128");
}

void add_parameter(CLI::App& command, const std::string& name, const std::string& help, bool is_option,
                   std::vector<TuningParameter>& target) {
  command
      .add_option_function<std::vector<std::string>>(
          name,
          [&target, is_option](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const std::size_t end = text.find('=');
              refuse_second(target, text.substr(0, end));
              target.push_back({text.substr(0, end), split_expressions(text.substr(end + 1)), is_option});
            }
          },
          help)
      ->check(is_option ? option_parameter_fault : parameter_fault)
      ->allow_extra_args(false);
}

void add_space(CLI::App& command, TuningArguments& arguments) {
  add_parameter(command, "--param", "a parameter with its values: BLOCK=64,128,256, or TYPE=float,double", false,
                arguments.parameters);
  add_parameter(command, "--option-param", "a parameter that is an option of the compiler: FAST=,--use_fast_math", true,
                arguments.parameters);
  command
      .add_option("--restrict", arguments.restrictions, "only values for which this is true: \"BLOCK * TILE <= 1024\"")
      ->allow_extra_args(false);
  command
      .add_option_function<std::string>(
          "--default", [&](const std::string& text) { arguments.defaults = split(text, ','); },
          "the values whose result the others are compared with: BLOCK=128,TILE=2; otherwise the first of all")
      ->check(default_fault);
  command
      .add_option_function<std::string>(
          "--problem", [&](const std::string& text) { arguments.problem = read_problem(text); },
          "the size that the kernel works on, in elements: 1000000, or 4096x4096")
      ->check(problem_fault);
  add_sizes(command, "--block", "threads of a block: 256, BLOCK, or BLOCK_X,BLOCK_Y * 2", arguments.block);
  add_sizes(command, "--grid", "blocks likewise; otherwise a thread for each element", arguments.grid);
  command.add_option("--shared", arguments.shared, "dynamic shared memory of each block in bytes: \"BLOCK * 4\"");
}

void add_search(CLI::App& command, TuningArguments& arguments) {
  TuneOptions& options = arguments.options;
  command
      .add_option_function<std::string>(
          "--strategy", [&](const std::string& name) { options.strategy = strategies.at(name); },
          "annealing, random or exhaustive; otherwise annealing")
      ->check(CLI::IsMember(strategies));
  command.add_option("--max-variants", options.max_variants, "try so many at most");
  add_number(command, "--max-seconds", "begin no launch later", options.max_seconds);
  command.add_option("--repetitions", options.min_repetitions, "launch each candidate so many times at least; 7");
  add_number(command, "--launch-seconds", "a launch that takes longer fails; 10", options.launch_seconds);
  command.add_flag_callback(
      "--warm", [&] { options.flush_l2 = false; }, "leave the L2 cache as the launch before did");
  command.add_option("-j,--jobs", options.compile_threads, "compile so many at once; otherwise as many as compile_all")
      ->check(CLI::Range(1U, 1024U));
  command.add_option("--log", options.log_file, "keep each candidate in this file, and go on from what it has");
  command.add_flag("--isolate", arguments.isolated,
                   "in a process of its own, so that a candidate that ends it is left out and the others go on; needs "
                   "--log");
}

void add_outcome(CLI::App& command, TuningArguments& arguments) {
  add_expectation(command, arguments.run);
  command.add_option("--key", arguments.key, "what wisdom keeps the best values under; otherwise KERNEL");
  CLI::Option* const none = command.add_flag_callback(
      "--no-wisdom", [&] { arguments.keeps_wisdom = false; }, "keep nothing in wisdom");
  command
      .add_flag("--keep-emulator-wisdom", arguments.options.keep_emulator_wisdom,
                "keep the best in wisdom on the emulator, too, whose times are no measure of a GPU")
      ->excludes(none);
  command.add_flag("--plot", arguments.plot, "draw the times");
  command.add_option("--kernel-tuner-cache", arguments.kernel_tuner_cache,
                     "write each candidate to this file, for kernel_tuner's tools");
  command.add_flag("--json", arguments.run.json, "all of it as one JSON object");
}

}  // namespace

void add_tune(CLI::App& app, TuningArguments& arguments) {
  CLI::App& command = *app.add_subcommand("tune", "find the fastest values of a kernel's parameters");
  add_kernel(command, arguments.run,
             "a source (.cu), which is compiled for each candidate; - is one from standard input; or the folder of a "
             "capture (KILN_CAPTURE), which has what follows");
  require_without_capture(command, arguments.run, {"--problem"});
  add_space(command, arguments);
  add_search(command, arguments);
  add_outcome(command, arguments);
  add_compile_options(command, arguments.run.options);
}

void add_wisdom(CLI::App& app, WisdomArguments& arguments) {
  CLI::App& command = *app.add_subcommand("wisdom", "what tuning found out, in the folders of KILN_WISDOM_DIR");
  command.require_subcommand(1);
  command.footer("\"kiln wisdom SUBCOMMAND --help\" lists what a subcommand takes.");
  command.add_subcommand("list", "the keys: how many records, devices and problem sizes each has")
      ->add_flag("--json", arguments.json, "as a JSON array of objects");
  CLI::App& show = *command.add_subcommand("show", "the records of a key");
  show.add_option("KEY", arguments.keys, "such as matmul_f32")->required()->expected(1);
  show.add_flag("--json", arguments.json, "as a JSON array of objects");
  CLI::App& best = *command.add_subcommand("best", "what a launch would use");
  best.add_option("KEY", arguments.keys, "such as matmul_f32")->required()->expected(1);
  best.add_option_function<std::string>(
          "--problem", [&](const std::string& text) { arguments.problem = read_problem(text); },
          "its size in elements: 1000000, or 4096x4096")
      ->check(problem_fault)
      ->required();
  CLI::Option* const arch = add_arch(best, arguments.arch, "of a device, such as sm_90");
  best.add_option("--device", arguments.device, "its name; otherwise this machine's")->needs(arch);
  best.add_flag("--json", arguments.json, "as one JSON object");
  command.add_subcommand("export", "write records as JSON lines to standard output")
      ->add_option("KEY", arguments.keys, "only these");
  command.add_subcommand("import", "add the records of such files")
      ->add_option("FILE", arguments.files, "- is standard input")
      ->required();
  command.add_subcommand("merge", "add the records of other folders of wisdom")
      ->add_option("FOLDER", arguments.files)
      ->required();
  command.add_subcommand("prune", "leave the best record for each key, source, device, problem size and objective");
}

int run_wisdom(const CLI::App& command, const WisdomArguments& arguments) {
  if (command.got_subcommand("list")) return wisdom_list_command(arguments);
  if (command.got_subcommand("show")) return wisdom_show_command(arguments);
  if (command.got_subcommand("best")) return wisdom_best_command(arguments);
  if (command.got_subcommand("export")) return wisdom_export_command(arguments);
  if (command.got_subcommand("import")) return wisdom_import_command(arguments);
  if (command.got_subcommand("merge")) return wisdom_merge_command(arguments);
  return wisdom_prune_command();
}

}  // namespace kiln::tool
