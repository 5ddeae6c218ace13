// Precompiled headers between processes: sources that no cache knows, whose headers were compiled before, or were not.
// Each process of Kiln is measured in turn with a bare one, or with one whose KILN_PCH is off. Needs no GPU.
// Usage: known_headers [section]... [rounds=N] [processes=N] [variants=N]; the sections are at the end of this file.
#include "bare_nvrtc.hpp"
#include "compile/worker/worker_pool.hpp"
#include "known_headers_child.hpp"
#include "known_headers_sources.hpp"
#include "measure.hpp"
#include "own_processes.hpp"

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

using namespace kiln::bench;

namespace {

struct Settings {
  int rounds = 5;
  unsigned processes = std::max(std::thread::hardware_concurrency(), 1U);
  unsigned variants = 100;
};

bool all_good = true;

void require(bool good, const char* what) {
  if (!good) std::printf("  FAILED: %s\n", what);
  all_good = all_good && good;
}

/// No two sources of this run have the same number.
unsigned new_numbers(unsigned count) {
  static unsigned next = 1;
  next += count;
  return next - count;
}

/// Cache folders that are empty at first, for the processes that are started between use() and the next one's.
class Folders {
 public:
  void use(bool with_pch = true) const {
    ::setenv("KILN_CACHE_DIR", (scratch_.path() / "cache").c_str(), 1);
    ::setenv("KILN_PCH_DIR", (scratch_.path() / "pch").c_str(), 1);
    ::setenv("KILN_PCH", with_pch ? "on" : "off", 1);
  }
  kiln::CacheStats stats() const {
    use();
    return kiln::Cache(scratch_.path() / "cache").stats();
  }

 private:
  ScratchFolder scratch_;
};

std::vector<std::string> kiln_arguments(std::size_t kernel) {
  return {"--kiln", std::to_string(kernel), std::to_string(new_numbers(1))};
}

std::vector<std::string> bare_arguments(std::size_t kernel) {
  static const std::vector<std::string> options = [] {
    ::setenv("KILN_PCH", "off", 1);
    std::vector<std::string> found = options_of(source(cub, 0), kiln::CompileOptions{}.with_arch(arch));
    kiln::WorkerPool::get().clear();  // its worker would be waited for too
    return found;
  }();
  std::vector<std::string> arguments = {"--bare", std::to_string(kernel), std::to_string(new_numbers(2)),
                                        kiln::NvrtcLibrary::get().path};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

double wall_of(const std::vector<std::string>& arguments) {
  OwnProcess process(arguments);
  process.finish();
  wait_for_descendants();
  return process.wall();
}

/// After this the headers are known, unless they are too small. One process should do.
void learn(const Folders& folders, std::size_t kernel) {
  constexpr int most = 5;
  int processes = 0;
  do {
    folders.use();
    wall_of(kiln_arguments(kernel));
    ++processes;
  } while (kernel != fp16 && folders.stats().pch_made == 0 && processes < most);
  if (processes > 1) std::printf("  it took %d processes until one had the headers precompiled\n", processes);
  require(kernel == fp16 || folders.stats().pch_made == 1, "the headers were not precompiled");
}

struct Side {
  const char* name;
  std::function<double()> milliseconds;
  std::vector<double> times = {}, ratios = {};
};

/// Each goes first in turn; ratios are to the first side.
void measure(std::vector<Side> sides, int rounds, const char* goal = "") {
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> times(sides.size());
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::size_t side = (i + static_cast<std::size_t>(round)) % sides.size();
      times[side] = sides[side].milliseconds();
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
      sides[i].times.push_back(times[i]);
      sides[i].ratios.push_back(times[i] / times[0]);
    }
  }
  for (const Side& side : sides)
    std::printf("  %-36s %s ms, %.3fx; by rounds %s\n", side.name, quartiles(side.times).c_str(),
                median(side.times) / median(sides[0].times), quartiles(side.ratios).c_str());
  if (*goal) std::printf("  goal: %s\n", goal);
  std::fflush(stdout);
}

void title(const char* section, const std::string& text) { std::printf("%s: %s\n", section, text.c_str()); }

void measure_known(std::size_t kernel, int rounds, const char* goal) {
  const Folders folders;
  learn(folders, kernel);
  const auto kiln = [&] {
    folders.use();
    return wall_of(kiln_arguments(kernel));
  };
  const auto bare = [&] { return wall_of(bare_arguments(kernel)); };
  bare(), kiln();  // the first ones warm the file system
  measure({{"bare NVRTC", bare}, {"Kiln", kiln}}, rounds, goal);
  require(folders.stats().pch_used == static_cast<std::uint64_t>(rounds) + 1, "not all used the precompiled headers");
}

void new_source(const Settings& settings) {
  for (const std::size_t kernel : {cub, cooperative_groups}) {
    title("new", std::string(kernels[kernel].name) + ", known headers, a new source: a process, start to end");
    measure_known(kernel, settings.rounds, "0.15 on 16 cores, 0.27 on 2 (NVRTC 13.0)");
  }
}

void edit(const Settings& settings) {
  title("edit", std::string(kernels[edited].name) + ", one line changed: a process, start to end");
  measure_known(edited, settings.rounds, "300 ms");
}

/// Until the last of them has ended.
double wall_of_all(const std::vector<std::vector<std::string>>& processes) {
  std::vector<std::unique_ptr<OwnProcess>> started;
  const double time = nanoseconds([&] {
    for (const auto& arguments : processes) started.push_back(std::make_unique<OwnProcess>(arguments));
    for (const auto& process : started) process->finish();
  });
  wait_for_descendants();
  return time / 1e6;
}

void storm(const Settings& settings) {
  title("storm", std::to_string(settings.processes) + " processes at once, each a new source, known headers (" +
                     kernels[cub].name + ")");
  const Folders folders;
  learn(folders, cub);
  const auto together = [&](const auto& arguments) {
    std::vector<std::vector<std::string>> processes;
    for (unsigned i = 0; i < settings.processes; ++i) processes.push_back(arguments(cub));
    folders.use();
    return wall_of_all(processes);
  };
  const int rounds = (settings.rounds + 1) / 2;
  measure(
      {{"bare NVRTC", [&] { return together(bare_arguments); }}, {"Kiln", [&] { return together(kiln_arguments); }}},
      rounds, "0.25");
  require(folders.stats().pch_used == static_cast<std::uint64_t>(rounds) * settings.processes,
          "not all used the precompiled headers");
}

/// A process's compile_all of so many sources; the number of them is in `way`.
double compile_all(std::size_t kernel, unsigned count, const char* way) {
  OwnProcess process({"--all", std::to_string(kernel), std::to_string(new_numbers(count)), std::to_string(count), way});
  process.finish();
  wait_for_descendants();
  return process.report().first;
}

double compile_all_unknown(std::size_t kernel, unsigned count, const char* way, bool with_pch) {
  const Folders folders;
  folders.use(with_pch);
  return compile_all(kernel, count, way);
}

void variants(const Settings& settings) {
  const Folders folders;
  learn(folders, cub);
  const auto unknown = [&](const char* way, bool with_pch) {
    return [&settings, way, with_pch] { return compile_all_unknown(cub, settings.variants, way, with_pch); };
  };
  const auto known = [&] {
    folders.use();
    return compile_all(cub, settings.variants, "late");
  };
  title("variants", std::to_string(settings.variants) + " variants of a kernel by compile_all (" + kernels[cub].name +
                        "), by late_defines, and by defines");
  measure({{"late_defines, KILN_PCH=off", unknown("late", false)},
           {"late_defines, unknown headers", unknown("late", true)},
           {"late_defines, known headers", known}},
          1, "0.25 on 16 cores");
  require(folders.stats().pch_used == settings.variants, "not all used the precompiled headers");
  measure({{"defines, KILN_PCH=off", unknown("defines", false)}, {"defines, each its own", unknown("defines", true)}},
          1, "1.05: no two have the same headers");
}

void batch(const Settings& settings) {
  struct {
    std::size_t kernel;
    unsigned sources;
    int rounds;
    const char* goal;
  } const cases[] = {{cub, 16, (settings.rounds + 1) / 2, "1.05"},
                     {cub, 200, 1, "far below 1"},
                     {fp16, 16, settings.rounds * 2 + 1, "1.05"}};
  for (const auto& one : cases) {
    title("batch",
          std::to_string(one.sources) + " sources, unknown headers, by compile_all (" + kernels[one.kernel].name + ")");
    const auto side = [&one](bool with_pch) {
      return [&one, with_pch] { return compile_all_unknown(one.kernel, one.sources, "text", with_pch); };
    };
    measure({{"KILN_PCH=off", side(false)}, {"KILN_PCH=on", side(true)}}, one.rounds, one.goal);
  }
}

double to_code(const std::vector<std::string>& arguments) {
  OwnProcess process(arguments);
  process.finish();
  wait_for_descendants();
  return process.to_code();
}

void unknown(const Settings& settings) {
  for (const std::size_t kernel : {cub, cooperative_groups}) {
    title("unknown", std::string(kernels[kernel].name) + ", unknown headers: a new process, to code in its hands");
    const auto side = [kernel](bool with_pch) {
      return [kernel, with_pch] {
        const Folders folders;
        folders.use(with_pch);
        return to_code(kiln_arguments(kernel));
      };
    };
    measure({{"bare NVRTC", [kernel] { return to_code(bare_arguments(kernel)); }},
             {"KILN_PCH=off", side(false)},
             {"KILN_PCH=on", side(true)}},
            settings.rounds, "1.05 of both");
  }
}

void own(const Settings& settings) {
  title("own", std::string("NVRTC's own --pch in one process: a second compile (") + kernels[cub].name + ")");
  const auto second = [](bool with_pch) {
    std::vector<std::string> arguments = bare_arguments(cub);
    arguments[0] = "--twice";
    const ScratchFolder scratch;
    if (with_pch) arguments.insert(arguments.end(), {"--pch", "--pch-dir=" + scratch.path().string()});
    OwnProcess process(arguments);
    process.finish();
    return process.report();
  };
  std::vector<double> makes;
  const auto by_pch = [&] {
    const Report report = second(true);
    makes.push_back(report.first);
    return report.second;
  };
  measure({{"without, the first compile", [&] { return second(false).first; }},
           {"without, the second one", [&] { return second(false).second; }},
           {"with --pch, the second one", by_pch}},
          (settings.rounds + 1) / 2);
  std::printf("  %-36s %s ms\n", "with --pch, the first compile", quartiles(makes).c_str());
}

void disk(const Settings&) {
  title("disk", "what a set of headers takes");
  for (const std::size_t kernel : {cub, edited, cooperative_groups, fp16}) {
    const Folders folders;
    learn(folders, kernel);
    const kiln::CacheStats stats = folders.stats();
    std::printf("  %-36s %.1f MB in %llu file(s)\n", kernels[kernel].name, static_cast<double>(stats.pch_bytes) / 1e6,
                static_cast<unsigned long long>(stats.pch_files));
  }
}

struct Section {
  const char* name;
  void (*measure)(const Settings&);
};
constexpr Section sections[] = {{"new", new_source}, {"edit", edit},       {"storm", storm}, {"variants", variants},
                                {"batch", batch},    {"unknown", unknown}, {"own", own},     {"disk", disk}};

/// Whether the argument is "name=number" of that name; then the number, at least 1.
bool takes_number(const std::string& argument, const char* name, unsigned& number) {
  if (argument.rfind(name, 0) != 0) return false;
  number = static_cast<unsigned>(std::max(std::atoi(argument.c_str() + std::strlen(name)), 1));
  return true;
}

int measure_sections(const std::vector<std::string>& arguments) {
  Settings settings;
  auto rounds = static_cast<unsigned>(settings.rounds);
  std::set<std::string> chosen;
  for (const std::string& argument : arguments) {
    if (takes_number(argument, "rounds=", rounds) || takes_number(argument, "processes=", settings.processes) ||
        takes_number(argument, "variants=", settings.variants))
      continue;
    const auto is_it = [&](const Section& section) { return argument == section.name; };
    if (std::none_of(std::begin(sections), std::end(sections), is_it))
      throw std::invalid_argument("there is no section " + argument);
    chosen.insert(argument);
  }
  settings.rounds = static_cast<int>(rounds);
  const kiln::NvrtcLibrary& nvrtc = kiln::NvrtcLibrary::get();
  if (!nvrtc.set_pch_heap_size) {
    std::printf("known_headers: skipped, %s has no precompiled headers (12.8 has)\n", nvrtc.title().c_str());
    return 0;
  }
  std::printf("%s, %u cores\n", nvrtc.title().c_str(), std::thread::hardware_concurrency());
  adopt_orphans();
  for (const Section& section : sections)
    if (chosen.empty() || chosen.count(section.name) != 0) section.measure(settings);
  return all_good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool is_child = !arguments.empty() && arguments[0].rfind("--", 0) == 0;
  return is_child ? child(arguments) : measure_sections(arguments);
} catch (const std::exception& error) {
  std::fprintf(stderr, "known_headers: %s\n", error.what());
  return 1;
}
