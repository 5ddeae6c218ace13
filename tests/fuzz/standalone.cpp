// Drives a target without libFuzzer: each corpus file, then mutations of them, the same ones at every run.
//
//   fuzz TARGET CORPUS [COUNT [SEED]]    mutations SEED to SEED + COUNT - 1 (20000 from 1); CORPUS is a folder or a
//   file
//
// The target runs in a child, so that its death can be reported with the seed that makes the same input again:
// `fuzz TARGET CORPUS 1 SEED`. The child is also where no allocation may be larger than an input can call for.
#include "allocation_limit.hpp"
#include "mutate.hpp"
#include "targets.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr unsigned seconds_an_input = 20;

/// Shared with the child: what it was at when it ended.
struct Progress {
  std::uint64_t seed;  // 0: a corpus file as it is
  std::uint64_t file;
};

void run(kiln::fuzz::TargetFunction target, const std::string& input) {
  ::alarm(seconds_an_input);
  // A copy of exactly its size, so that a sanitizer sees a read behind it.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  kiln::fuzz::limit_allocations(64 * 1024 + 256 * bytes.size());
  target(bytes.data(), bytes.size());
  kiln::fuzz::limit_allocations(~std::size_t{0});
}

void run_all(kiln::fuzz::TargetFunction target, const std::vector<std::string>& corpus, std::uint64_t count,
             std::uint64_t first, Progress& progress) {
  for (; progress.file < corpus.size(); ++progress.file) run(target, corpus[progress.file]);
  for (progress.seed = first; progress.seed < first + count; ++progress.seed)
    run(target, kiln::fuzz::mutation(corpus, progress.seed));
}

// Empty where one cannot be read.
std::vector<std::string> read_corpus(const std::filesystem::path& place, std::vector<std::string>& names) {
  if (std::filesystem::is_directory(place)) {
    // Sorted: a seed means the same input everywhere.
    for (const auto& item : std::filesystem::directory_iterator(place)) names.push_back(item.path().string());
    std::sort(names.begin(), names.end());
  } else {
    names.push_back(place.string());
  }
  std::vector<std::string> corpus;
  for (const std::string& name : names) {
    std::ifstream in(name, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    if (!in) return {};
  }
  return corpus;
}

}  // namespace

int main(int argc, char** argv) {
  const kiln::fuzz::TargetFunction target = argc > 1 ? kiln::fuzz::target_named(argv[1]) : nullptr;
  if (target == nullptr || argc < 3 || argc > 5) {
    std::fprintf(stderr, "usage: %s TARGET CORPUS [COUNT [SEED]]; a target is a fuzz_TARGET.cpp\n", argv[0]);
    return 2;
  }
  const std::uint64_t count = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 20'000;
  const std::uint64_t first = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  std::vector<std::string> names;
  const std::vector<std::string> corpus = read_corpus(argv[2], names);
  void* shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (corpus.empty() || shared == MAP_FAILED) {
    std::fprintf(stderr, "cannot read the corpus %s\n", argv[2]);
    return 2;
  }
  auto& progress = *new (shared) Progress{};
  const pid_t child = ::fork();
  if (child == 0) {
    run_all(target, corpus, count, first, progress);
    return 0;
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return 2;
  if (status == 0) {
    std::printf("%zu files, %llu mutations\n", corpus.size(), static_cast<unsigned long long>(count));
    return 0;
  }
  const auto seed = static_cast<unsigned long long>(progress.seed);
  if (seed == 0) {
    std::fprintf(stderr, "failed at %s\n", names[std::min<std::size_t>(progress.file, names.size() - 1)].c_str());
  } else {
    std::fprintf(stderr, "failed at seed %llu; again: %s %s %s 1 %llu\n", seed, argv[0], argv[1], argv[2], seed);
    const std::string place = std::string("fuzz-") + argv[1] + "-failure";
    std::ofstream(place, std::ios::binary) << kiln::fuzz::mutation(corpus, progress.seed);
    std::fprintf(stderr, "the input: ./%s\n", place.c_str());
  }
  return 1;
}
