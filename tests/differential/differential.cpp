// The differential suite: kernels with random inputs, whose results on a GPU are kept beside them.
//   differential check KERNELS GOLDEN [FILE...]     compares the current device's results; 77 without a device
//   differential record KERNELS GOLDEN [FILE...]    writes the current device's results, and all words to $OUT if set
//   differential list KERNELS GOLDEN [FILE...]      says FILE:PROGRAM of each program
// A FILE is a source of KERNELS without its ending, or one of host_files(); FILE:PROGRAM is one of its programs.
// DIFFERENTIAL_WORDS names a folder of recorded words: then differences are shown word by word.
#include "golden.hpp"
#include "tensor_maps.hpp"
#include "textures.hpp"
#include "warp_groups.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

namespace {

namespace fs = std::filesystem;
using differential::HostProgram;
using differential::Program;
using differential::Result;
using differential::Words;

struct Run {
  bool record = false;
  fs::path kernels, golden;
  std::vector<std::string> files;
  int programs = 0, differing = 0, left_out = 0;

  bool wants(const Program& program) const {
    const auto is_named = [&](const std::string& name) {
      return std::find(files.begin(), files.end(), name) != files.end();
    };
    return files.empty() || is_named(program.file) || is_named(program.file + ':' + program.name);
  }
};

std::vector<HostProgram> host_programs() {
  std::vector<HostProgram> all = differential::texture_programs();
  for (const auto& make : {differential::tensor_map_programs, differential::warp_group_programs})
    for (HostProgram& each : make()) all.push_back(std::move(each));
  return all;
}

/// What is written to standard output while `work` runs.
template <class Work>
std::string printed_by(Work work) {
  std::fflush(stdout);
  std::FILE* const file = std::tmpfile();
  const int kept = dup(1);
  dup2(fileno(file), 1);
  try {
    work();
  } catch (...) {
    dup2(kept, 1);
    throw;
  }
  std::fflush(stdout);
  dup2(kept, 1);
  close(kept);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file's kernels.
class Code {
 public:
  Code(const Run& run, const Program& program) {
    kiln::CompileOptions options;
    // Without contraction, which ptxas does as it likes.
    options.options = {"-fmad=false", "--device-int128"};
    options.include_dirs = {run.kernels};
    if (program.for_hopper) options.arch = "sm_90a";
    const fs::path path = run.kernels / (program.file + ".cu");
    if (program.dynamic)
      dynamic_ = std::make_unique<kiln::DynamicSourceModule>(kiln::DynamicSourceModule::from_file(path, options));
    else
      module_ = std::make_unique<kiln::SourceModule>(kiln::SourceModule::from_file(path, options));
  }
  kiln::Function get_function(const std::string& name) const {
    return module_ != nullptr ? module_->get_function(name) : dynamic_->get_function(name);
  }

 private:
  std::unique_ptr<kiln::SourceModule> module_;
  std::unique_ptr<kiln::DynamicSourceModule> dynamic_;
};

Words launched(const Program& program, const kiln::Function& function, const kiln::LaunchConfig& config) {
  const kiln::DeviceBuffer<std::uint32_t> in(differential::input_of(program));
  kiln::DeviceBuffer<std::uint32_t> out(Words(program.output_words, 0));
  function(config, in, out);
  return out.to_host();
}

Words launched(const Program& program, const Code& code) {
  kiln::LaunchConfig config{program.grid, program.block, program.shared};
  config.attributes.cooperative = program.cooperative;
  return launched(program, code.get_function(program.name), config);
}

Result result_of(const Program& program, const Code& code) {
  Result result;
  if (program.prints)
    result.printed = printed_by([&] { result.words = launched(program, code); });
  else
    result.words = launched(program, code);
  return result;
}

void keep_words(const Program& program, const Result& result) {
  const char* const out = std::getenv("OUT");
  if (out == nullptr) return;
  std::ofstream file(fs::path(out) / (program.name + ".all"), std::ios::binary);
  file.write(reinterpret_cast<const char*>(result.words.data()), static_cast<std::streamsize>(result.words.size() * 4));
}

void show_words(const Program& program, const Result& result) {
  const char* const folder = std::getenv("DIFFERENTIAL_WORDS");
  if (folder == nullptr) return;
  const std::string bytes = text_of(fs::path(folder) / (program.name + ".all"));
  Words words(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(words.size() * 4),
            reinterpret_cast<char*>(words.data()));
  std::fputs(differential::compare_words(program, words, result.words).c_str(), stdout);
}

/// `is_compared`: with what is computed plainly, so that the result of a GPU may still be missing.
void judge(Run& run, const Program& program, const Result& result, bool is_compared) {
  ++run.programs;
  if (run.record) {
    differential::write_golden(run.golden, program, result);
    keep_words(program, result);
    return;
  }
  if (is_compared && !differential::has_golden(run.golden, program)) return;
  const std::string difference = differential::difference(run.golden, program, result);
  if (difference.empty()) return;
  ++run.differing;
  std::printf("%s: differs\n%s", program.name.c_str(), difference.c_str());
  show_words(program, result);
}

/// Against what is computed in another way.
void compare(Run& run, const Program& program, const Words& expected, const Words& found) {
  const std::string difference = differential::compare_words(program, expected, found);
  if (difference.empty()) return;
  ++run.differing;
  std::printf("%s: is not what is computed plainly\n%s", program.name.c_str(), difference.c_str());
}

template <class Work>
void guarded(Run& run, const Program& program, Work work) {
  if (!run.wants(program)) return;
  if (program.for_hopper && kiln::Device::current().compute_capability() != std::pair(9, 0)) {
    ++run.left_out;
    return;
  }
  try {
    work();
  } catch (const std::exception& error) {
    ++run.differing;
    std::printf("%s: %s\n", program.name.c_str(), error.what());
  }
}

void run_kernels(Run& run) {
  std::map<std::string, std::unique_ptr<Code>> files;
  for (const Program& program : differential::read_programs(run.kernels))
    guarded(run, program, [&] {
      auto& code = files[program.file];
      if (code == nullptr) code = std::make_unique<Code>(run, program);
      const Result result = result_of(program, *code);
      if (program.has_plain)
        compare(run, program, launched(program, code->get_function(program.name + "_plain"), {1, 1}), result.words);
      judge(run, program, result, program.has_plain);
    });
}

void run_host_programs(Run& run) {
  for (const HostProgram& each : host_programs())
    guarded(run, each.description, [&] {
      const Words input = differential::input_of(each.description), found = each.run(input);
      if (each.expected) compare(run, each.description, each.expected(input), found);
      judge(run, each.description, {found, {}}, each.expected != nullptr);
    });
}

void list(const Run& run) {
  std::vector<Program> programs = differential::read_programs(run.kernels);
  for (const HostProgram& each : host_programs()) programs.push_back(each.description);
  for (const Program& program : programs)
    if (run.wants(program)) std::printf("%s:%s\n", program.file.c_str(), program.name.c_str());
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 4) {
    std::fputs("usage: differential check|record|list KERNELS GOLDEN [FILE...]\n", stderr);
    return 2;
  }
  const std::string verb = arguments[1];
  Run run;
  run.record = verb == "record";
  run.kernels = arguments[2];
  run.golden = arguments[3];
  run.files.assign(arguments + 4, arguments + count);
  if (verb == "list") return list(run), 0;
  if (kiln::Device::count() == 0) {
    std::puts("skipped: no device");
    return 77;
  }
  run_kernels(run);
  run_host_programs(run);
  if (run.programs == 0 && run.left_out > 0) {
    std::puts("skipped: these programs are for compute capability 9.0");
    return 77;
  }
  std::printf("%d programs on %s, %d differ\n", run.programs, kiln::Device::current().name().c_str(), run.differing);
  return run.differing == 0 && run.programs > 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "differential: %s\n", error.what());
  return 1;
}
