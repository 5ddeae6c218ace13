// A look-up by the number of entries that the cache folder holds: folders of all sizes at once, asked in turn for keys
// in random order. Usage: look_up_scale [the most entries]
#include "base/files.hpp"
#include "cache/listing.hpp"
#include "cache/open_stores.hpp"
#include "cache/store.hpp"
#include "measure.hpp"

#include <atomic>
#include <deque>
#include <random>
#include <thread>

using namespace kiln::bench;

namespace {

constexpr int rounds = 50;
constexpr int each = 200;  // look-ups of a folder a round
constexpr int fresh_processes = 41;

using Random = std::mt19937_64;

kiln::CacheKey key_of(std::uint64_t number) { return kiln::CacheKey("entry " + std::to_string(number)); }

/// Calls `work` with each number below `count`, in several threads.
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 2U, 16U); ++i)
    threads.emplace_back([&] {
      for (std::size_t number; (number = next++) < count;) work(number);
    });
  for (std::thread& thread : threads) thread.join();
}

/// A cache folder of that many entries of about 1 KB, which belong to requests that can include nothing.
struct Folder {
  explicit Folder(std::size_t entries)
      : size(entries), store(kiln::FileSystem::real(), (scratch.path() / "cache").string()) {
    // Published one by one, they would take four times as long. One entry is, for all that a folder has beside them.
    store.put(key_of(0), false, {}, content());
    const kiln::CacheFolder folder(kiln::FileSystem::real(), store.folder().root());
    for (unsigned shard = 0; shard < 256; ++shard) {
      kiln::Digest key;
      key.bytes[0] = static_cast<std::uint8_t>(shard);
      const std::filesystem::path path = folder.path(kiln::EntryKind::code, key);
      kiln::make_directories(kiln::FileSystem::real(), path.parent_path().string());
    }
    in_parallel(entries, [&](std::size_t number) {
      const kiln::CacheKey key = key_of(number);
      kiln::Sections sections = content();
      sections.add(kiln::request_label, key.request);
      std::ofstream(folder.path(kiln::EntryKind::code, key.name), std::ios::binary)
          << encode_entry(kiln::EntryKind::code, key.name, sections);
    });
  }
  // The shards side by side: one after another, a million files take as long as all the measurements.
  ~Folder() {
    std::vector<std::filesystem::path> shards;
    std::error_code ignored;
    for (const auto& shard : std::filesystem::directory_iterator(scratch.path() / "cache/v3/entries", ignored))
      shards.push_back(shard.path());
    in_parallel(shards.size(), [&](std::size_t i) {
      std::error_code failed;
      std::filesystem::remove_all(shards[i], failed);
    });
  }
  static kiln::Sections content() {
    kiln::Sections sections;
    sections.add("code", std::string(900, 'x'));
    return sections;
  }

  const std::size_t size;
  const ScratchFolder scratch;
  kiln::CacheStore store;
  std::vector<double> hits, uncounted_hits, misses, first_hits;
};

void require(bool expected, const char* what) {
  if (!expected) std::fprintf(stderr, "look_up_scale: %s\n", what), std::exit(1);
}

/// As a compile does.
std::optional<kiln::CacheStore::Hit> find_and_count(kiln::CacheStore& store, const kiln::CacheKey& key) {
  auto hit = store.find(key, false, {});
  store.folder().count(hit ? kiln::Counter::hits : kiln::Counter::misses);
  store.folder().write_counts();
  return hit;
}

void measure_round(Folder& folder, Random& random) {
  const auto present = [&] { return key_of(std::uniform_int_distribution<std::size_t>(0, folder.size - 1)(random)); };
  const auto time = [&](std::vector<double>& times, const kiln::CacheKey& key, bool expected, const auto& look) {
    bool found = false;
    times.push_back(nanoseconds([&] { found = look(key).has_value(); }) / 1e3);
    require(found == expected, expected ? "an entry is missing" : "an entry that nobody made");
  };
  const auto look_up = [&](const kiln::CacheKey& key) { return find_and_count(folder.store, key); };
  const auto find = [&](const kiln::CacheKey& key) { return folder.store.find(key, false, {}); };
  for (int i = 0; i < each; ++i) time(folder.hits, present(), true, look_up);
  for (int i = 0; i < each; ++i) time(folder.uncounted_hits, present(), true, find);
  for (int i = 0; i < each; ++i) time(folder.misses, key_of(random() | std::uint64_t{1} << 63), false, look_up);
}

/// The first look-up of a process.
void first_child(const char* directory, const char* number) {
  const kiln::CacheKey key = key_of(std::strtoull(number, nullptr, 10));
  bool found = false;
  std::printf("%.0f\n", nanoseconds([&] { found = find_and_count(kiln::open_store(directory), key).has_value(); }));
  require(found, "an entry is missing");
}

void measure_first(const char* program, Folder& folder, Random& random) {
  const std::size_t number = std::uniform_int_distribution<std::size_t>(0, folder.size - 1)(random);
  const std::string command =
      std::string(program) + " --first " + folder.store.folder().root() + " " + std::to_string(number);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  double time = 0;
  const bool told = pipe && std::fscanf(pipe, "%lf", &time) == 1;
  require(pipe && ::pclose(pipe) == 0 && told, "a process failed");
  folder.first_hits.push_back(time / 1e3);
}

void measure(const char* program, std::size_t most) {
  const auto start = Clock::now();
  std::deque<Folder> folders;
  for (unsigned size : {10U, 1000U, 100'000U, 1'000'000U})
    if (size <= most) folders.emplace_back(size);
  std::printf("(%.0f s to make the entries)\n", nanoseconds_since(start) / 1e9);
  Random random(1);
  for (int round = 0; round < rounds; ++round)
    for (Folder& folder : folders) measure_round(folder, random);
  for (int i = 0; i < fresh_processes; ++i)
    for (Folder& folder : folders) measure_first(program, folder, random);
  const auto column = [&](const std::vector<double>& times, const std::vector<double>& smallest) {
    std::printf("  %7.2f us (%.3fx)", median(times), median(times) / median(smallest));
  };
  std::printf("  entries  hit                 without counters    miss                first of a process  all files\n");
  for (Folder& folder : folders) {
    std::printf("%9zu", folder.size);
    column(folder.hits, folders.front().hits);
    column(folder.uncounted_hits, folders.front().uncounted_hits);
    column(folder.misses, folders.front().misses);
    column(folder.first_hits, folders.front().first_hits);
    // What stats() costs; a store does the same once a day, and when the folder is full.
    std::printf("  %7.1f ms\n", nanoseconds([&] { folder_stats(folder.store.folder()); }) / 1e6);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 3 && std::string(argv[1]) == "--first") {
    first_child(argv[2], argv[3]);
    return 0;
  }
  const auto start = Clock::now();
  measure(argv[0], argc > 1 ? std::max(std::strtoull(argv[1], nullptr, 10), 10ULL) : 1'000'000);
  std::printf("(%.0f s in all, with their removal)\n", nanoseconds_since(start) / 1e9);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "look_up_scale: %s\n", error.what());
  return 1;
}
