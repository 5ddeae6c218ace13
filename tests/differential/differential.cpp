// The differential suite: kernels with random inputs, whose results on a GPU are kept beside them.
//   differential check KERNELS GOLDEN [FILE...]     compares the current device's results; 77 without a device
//   differential record KERNELS GOLDEN [FILE...]    writes the current device's results, and all words to $OUT if set
// A FILE is a source of KERNELS without its ending, or "textures". DIFFERENTIAL_WORDS names a folder of recorded words:
// then differences are shown word by word.
#include "golden.hpp"
#include "textures.hpp"

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
using differential::Program;
using differential::Result;
using differential::Words;

struct Run {
  bool record = false;
  fs::path kernels, golden;
  std::vector<std::string> files;
  int programs = 0, differing = 0;

  bool wants(const std::string& file) const {
    return files.empty() || std::find(files.begin(), files.end(), file) != files.end();
  }
};

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

Words launched(const Program& program, const kiln::SourceModule& module) {
  const kiln::DeviceBuffer<std::uint32_t> in(differential::input_of(program));
  kiln::DeviceBuffer<std::uint32_t> out(Words(program.output_words, 0));
  kiln::LaunchConfig config{program.grid, program.block, program.shared};
  config.attributes.cooperative = program.cooperative;
  module.get_function(program.name)(config, in, out);
  return out.to_host();
}

Result result_of(const Program& program, const kiln::SourceModule& module) {
  Result result;
  if (program.prints)
    result.printed = printed_by([&] { result.words = launched(program, module); });
  else
    result.words = launched(program, module);
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

void judge(Run& run, const Program& program, const Result& result) {
  ++run.programs;
  if (run.record) {
    differential::write_golden(run.golden, program, result);
    keep_words(program, result);
    return;
  }
  const std::string difference = differential::difference(run.golden, program, result);
  if (difference.empty()) return;
  ++run.differing;
  std::printf("%s: differs\n%s", program.name.c_str(), difference.c_str());
  show_words(program, result);
}

template <class Work>
void guarded(Run& run, const std::string& name, Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    ++run.differing;
    std::printf("%s: %s\n", name.c_str(), error.what());
  }
}

kiln::CompileOptions options(const Run& run) {
  kiln::CompileOptions made;
  // Without contraction, which ptxas does as it likes.
  made.options = {"-fmad=false", "--device-int128"};
  made.include_dirs = {run.kernels};
  return made;
}

void run_kernels(Run& run) {
  std::map<std::string, std::unique_ptr<kiln::SourceModule>> modules;
  for (const Program& program : differential::read_programs(run.kernels)) {
    if (!run.wants(program.file)) continue;
    guarded(run, program.name, [&] {
      auto& module = modules[program.file];
      if (module == nullptr)
        module = std::make_unique<kiln::SourceModule>(
            kiln::SourceModule::from_file(run.kernels / (program.file + ".cu"), options(run)));
      judge(run, program, result_of(program, *module));
    });
  }
}

void run_textures(Run& run) {
  if (!run.wants("textures")) return;
  for (const differential::TextureProgram& each : differential::texture_programs())
    guarded(run, each.description.name, [&] {
      judge(run, each.description, {each.run(differential::input_of(each.description)), {}});
    });
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 4) {
    std::fputs("usage: differential check|record KERNELS GOLDEN [FILE...]\n", stderr);
    return 2;
  }
  if (kiln::Device::count() == 0) {
    std::puts("skipped: no device");
    return 77;
  }
  Run run;
  run.record = std::string(arguments[1]) == "record";
  run.kernels = arguments[2];
  run.golden = arguments[3];
  run.files.assign(arguments + 4, arguments + count);
  run_kernels(run);
  run_textures(run);
  std::printf("%d programs on %s, %d differ\n", run.programs, kiln::Device::current().name().c_str(), run.differing);
  return run.differing == 0 && run.programs > 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "differential: %s\n", error.what());
  return 1;
}
