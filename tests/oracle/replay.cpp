#include "replay.hpp"

#include "base/text_parts.hpp"
#include "compile/compiler.hpp"
#include "environment_guard.hpp"
#include "scratch_folder.hpp"
#include "tree.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>

#include <chrono>
#include <map>
#include <set>
#include <thread>

namespace kiln::oracle {

namespace {

/// What one request got.
struct Answer {
  std::string code;  // empty where the compile failed
  bool from_cache = false;
};

/// The lines of PTX that define variables, whatever else line or debug information changes.
std::string definitions(std::string_view ptx) {
  std::set<std::string_view> lines;
  while (!ptx.empty()) {
    const std::string_view line = next_line(ptx);
    if (line.find(".global ") != line.npos || line.find(".const ") != line.npos) lines.insert(line);
  }
  std::string text;
  for (const std::string_view line : lines) text.append(line).append("\n");
  return text;
}

class Replay {
 public:
  Replay(const Scenario& scenario, Tally& tally, const std::filesystem::path& cache)
      : scenario_(scenario), tally_(tally), cache_(cache.empty() ? scratch_ / "cache" : cache) {}

  std::optional<Difference> run() {
    const std::filesystem::path before = std::filesystem::current_path();
    std::optional<Difference> difference;
    for (std::size_t at = 0; at < scenario_.steps.size() && !difference; ++at) {
      change(scenario_.steps[at]);
      if (!scenario_.steps[at].asks) continue;
      difference = compare();
      if (difference) difference->step = at;
    }
    std::filesystem::current_path(before);
    if (scenario_.setup.precompiles) tally_.precompiled += Cache(cache_).stats().pch_used;
    return difference;
  }

 private:
  void change(const Step& step) {
    if (step.kind == Step::Kind::go) {
      here_ = step.path;
    } else if (step.kind == Step::Kind::memory) {
      memory_.erase(step.path);
      for (const std::string& piece : step.text) memory_[step.path] += piece;
    } else if (step.kind == Step::Kind::macro || step.kind == Step::Kind::late_macro) {
      auto& macros = step.kind == Step::Kind::macro ? macros_ : late_macros_;
      macros.erase(step.path);
      if (!step.to.empty()) macros[step.path] = step.to;
    } else if (step.kind == Step::Kind::wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    } else if (step.kind == Step::Kind::meanwhile) {
      compile_meanwhile(step);
    } else {
      tree_.apply(step);
    }
  }

  /// A compile may read the tree before or after each change. Cached code must be filed under what the compile read.
  void compile_meanwhile(const Step& step) {
    const CompileOptions options = settle();
    std::thread changes([&] {
      const auto start = std::chrono::steady_clock::now();
      for (const unsigned moment : step.moments) {
        std::this_thread::sleep_until(start + std::chrono::milliseconds(moment));
        tree_.apply(step);
      }
    });
    answer(as_new_process(options));
    changes.join();
    ++tally_.asked;  // the next source is another one
  }

  std::optional<Difference> compare() {
    std::map<std::string, Answer> served;
    const CompileOptions options = settle();
    served["disk"] = answer(as_new_process(options));
    served["memory"] = answer(options);
    if (scenario_.setup.way == Setup::Way::read_only) {
      CompileOptions reading = as_new_process(options);
      reading.caching.dir = scratch_ / ("own cache " + std::to_string(tally_.asked));
      reading.caching.read_only_dirs = {cache_};
      served["read-only cache"] = answer(reading);
    }
    const bool compiled = !served["disk"].from_cache;
    // These are also compared where they were compiled.
    const bool compares_all = scenario_.setup.precompiles || !scenario_.setup.lines.empty();
    const Answer fresh = compiled && !compares_all ? served["disk"] : answer(without_lines(options.with_cache(false)));
    ++tally_.asked;
    if (!compiled) ++tally_.from_cache;
    if (fresh.code.empty()) ++tally_.failed;
    for (const auto& [by, got] : served)
      if ((got.from_cache || compares_all) && got.code != fresh.code) return Difference{0, by, got.code, fresh.code};
    return std::nullopt;
  }

  /// The request, and the process's state that belongs to it.
  CompileOptions settle() {
    const Setup& setup = scenario_.setup;
    using Folders = Setup::Folders;
    const std::string root = tree_.checkout(here_);
    std::filesystem::create_directories(root);
    const std::filesystem::path elsewhere = scratch_ / "elsewhere";
    std::filesystem::create_directories(elsewhere);
    std::filesystem::current_path(setup.works_elsewhere ? elsewhere : std::filesystem::path(root));
    CompileOptions options;
    options.arch = "sm_80";
    options.caching.dir = cache_;
    options.backend = setup.backend;
    options.target = setup.target;
    options.caching.strict_headers = setup.strict;
    for (const auto& [name, text] : memory_) options.headers[name] = tree_.expanded(text, here_);
    if (setup.extern_c) options.no_extern_c = false;
    if (setup.name == Setup::Name::relative) options.name = "src/k.cu";
    if (setup.name == Setup::Name::absolute) options.name = root + "/src/k.cu";
    for (const std::string& option : setup.options) options.options.push_back(tree_.expanded(option, here_));
    const std::string base = setup.folders == Folders::relative ? "" : root + "/";
    const std::string one = base + "one", two = base + "two", three = base + "three";
    if (setup.folders == Folders::members || setup.folders == Folders::relative) {
      options.include_dirs = {one, two, three};
    } else if (setup.folders == Folders::environment) {
      options.include_dirs = {one};
      environment_.set("CPATH", two);
      environment_.set("CPLUS_INCLUDE_PATH", three);
    } else if (setup.folders == Folders::options) {
      options.options.insert(options.options.end(), {"-I" + one, "-I", two, "--include-path=" + three});
    } else {
      options.options.insert(options.options.end(), {"-I" + one, "-isystem", two});
      options.include_dirs = {three};
    }
    for (const auto& [name, value] : macros_) options.defines.emplace_back(name, value);
    for (const auto& [name, value] : late_macros_) options.late_defines.emplace_back(name, value);
    if (!setup.lines.empty()) options.options.push_back(setup.lines);
    return options;
  }

  CompileOptions without_lines(CompileOptions options) const {
    if (!scenario_.setup.lines.empty()) options.options.pop_back();
    return options;
  }

  /// Code in memory is found by all that is asked with. This part of it changes nothing else.
  CompileOptions as_new_process(CompileOptions options) {
    options.caching.trusted_owners = {std::to_string(100'000 + ++processes_)};
    return options;
  }

  Answer answer(const CompileOptions& options) const try {
    const CodeObject code = ask(options);
    return {scenario_.setup.lines.empty() ? std::string(code.bytes()) : definitions(code.bytes()), code.from_cache()};
  } catch (const CompileError&) {
    return {};
  }

  CodeObject ask(const CompileOptions& options) const {
    std::string source;
    for (const std::string& piece : scenario_.source) source += tree_.expanded(piece, here_);
    if (scenario_.setup.precompiles) source += "__device__ int turn = " + std::to_string(tally_.asked / 2) + ";\n";
    if (scenario_.setup.way == Setup::Way::worker) return compile_all({{source, options}}, {}, 1).front().get();
    CompileContext context;
    context.loads_cubin = !scenario_.setup.for_emulator;
    return compile_for(source, options, context);
  }

  const Scenario& scenario_;
  Tally& tally_;
  const test::ScratchFolder scratch_;
  const std::filesystem::path cache_;
  const Tree tree_{scratch_.path()};
  test::EnvironmentGuard environment_;
  std::string here_ = "A";
  std::map<std::string, std::string> memory_;
  std::map<std::string, std::string> macros_;
  std::map<std::string, std::string> late_macros_;
  int processes_ = 0;
};

}  // namespace

std::optional<Difference> replay(const Scenario& scenario, Tally& tally, const std::filesystem::path& cache) {
  return Replay(scenario, tally, cache).run();
}

}  // namespace kiln::oracle
