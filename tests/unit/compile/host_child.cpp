// A fresh process for the tests of what a compile leaves of a host: compiles in one way, cold, and says what of this
// process is other than before. Usage: host_child nvrtc|nvcc|nvvm|link|refused|version|preprocess CACHE-FOLDER
#include <kiln/compile.hpp>
#include <kiln/error.hpp>
#include <kiln/linker.hpp>

#include "ir_texts.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using kiln::CompileOptions;

struct Fact {
  std::string name;
  std::string value;
};

std::string mapped_compilers() {
  std::string found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    for (const char* library : {"libnvrtc", "libnvvm", "libnvJitLink", "libnvptxcompiler"})
      if (line.find(library) != std::string::npos && found.find(library) == std::string::npos)
        found += std::string(" ") + library;
  return found;
}

std::string signal_handlers() {
  std::string all;
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action = {};
    if (::sigaction(number, nullptr, &action) != 0) continue;
    const bool is_default = action.sa_handler == SIG_DFL;
    all += is_default ? '.' : action.sa_handler == SIG_IGN ? 'i' : 'h';
  }
  return all;
}

std::string blocked_signals() {
  sigset_t blocked;
  ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
  std::string all;
  for (int number = 1; number < NSIG; ++number) all += sigismember(&blocked, number) == 1 ? 'b' : '.';
  return all;
}

std::string limit(int resource) {
  rlimit now = {};
  ::getrlimit(static_cast<__rlimit_resource>(resource), &now);
  return std::to_string(now.rlim_cur) + "/" + std::to_string(now.rlim_max);
}

std::string variables() {
  std::string all;
  for (char** variable = ::environ; *variable != nullptr; ++variable) all += std::string(*variable) + "\n";
  return all;
}

std::string creation_mask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return std::to_string(mask);
}

std::vector<Fact> facts() {
  return {{"compilers", mapped_compilers()},
          {"signal handlers", signal_handlers()},
          {"blocked signals", blocked_signals()},
          {"stack limit", limit(RLIMIT_STACK)},
          {"core limit", limit(RLIMIT_CORE)},
          {"locale", std::setlocale(LC_ALL, nullptr)},
          {"umask", creation_mask()},
          {"working folder", std::filesystem::current_path().string()},
          {"environment", variables()}};
}

const char* const source = "extern \"C\" __global__ void k(float* a) { *a = 1; }";

void work(const std::string& way, const std::string& cache) {
  const CompileOptions options = CompileOptions{}.with_arch("sm_80").with_caching({cache});
  if (way == "nvrtc") {
    kiln::compile(source, options);
  } else if (way == "refused") {
    try {
      kiln::compile("this is no CUDA", options);
    } catch (const kiln::CompileError&) {
      return;
    }
    std::puts("compiled");
  } else if (way == "nvcc") {
    kiln::compile(source, options.with_backend(kiln::Backend::nvcc));
  } else if (way == "nvvm") {
    kiln::compile(kiln::test::number_ir, options.with(&kiln::CompileOptions::language, kiln::Language::nvvm_ir));
  } else if (way == "link") {
    kiln::Linker linker({.caching = {cache}});
    linker.add(kiln::compile(source, options.with_target(kiln::Target::ltoir).with_options({"-rdc=true"}))).link();
  } else if (way == "version") {
    kiln::get_nvcc_version();
  } else if (way == "preprocess") {
    kiln::preprocess_source(source);
  }
}

}  // namespace

int main(int, char** argv) try {
  const std::vector<Fact> before = facts();
  work(argv[1], argv[2]);
  const std::vector<Fact> after = facts();
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i].value != after[i].value)
      std::printf("%s: %s, was %s\n", before[i].name.c_str(), after[i].value.c_str(), before[i].value.c_str());
  std::puts("done");
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
}
