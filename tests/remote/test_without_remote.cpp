// What remote caches cost a program that names none, or finds all on its disk: counted, by standing before functions of
// the C library.
#include "environment_guard.hpp"
#include "run_program.hpp"
#include "scratch_folder.hpp"

#include <kiln/compile.hpp>
#include <kiln/compile_options.hpp>

#include <doctest/doctest.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace without_remote_test {

namespace {

std::atomic<bool> is_told{false};
std::atomic<int> opened_files{0};

/// A line of output for each call.
void tell(const char* what, const char* name) {
  if (is_told) std::printf("%s %s\n", what, name);
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

char* secure_getenv(const char* name) noexcept {
  tell("variable", name);
  return real<char*(const char*)>("secure_getenv")(name);
}

/// By which the cache opens all its files.
int open64(const char* path, int flags, ...) {
  ++opened_files;
  tell("file", path);
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);  // NOLINT(clang-analyzer-valist.Uninitialized)
    va_end(arguments);
  }
  return real<int(const char*, int, ...)>("open64")(path, flags, mode);
}

int socket(int domain, int type, int protocol) noexcept {
  tell("socket", "");
  return real<int(int, int, int)>("socket")(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  tell("pair", "");
  return real<int(int, int, int, int*)>("socketpair")(domain, type, protocol, ends);
}
}

using namespace kiln;
using kiln::test::EnvironmentGuard;
using kiln::test::run_program;
using kiln::test::ScratchFolder;

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What a process of remote caches, or of nothing else, has in its memory.
std::string network_libraries(const std::filesystem::path& process) {
  const std::string maps = text_of(process / "maps");
  std::string found;
  for (const char* const library : {"libcurl", "libssl", "libcrypto", "libgnutls", "libhiredis", "libresolv", "libnss"})
    if (maps.find(library) != std::string::npos) found += std::string(" ") + library;
  return found;
}

/// The monitor and the compiler of each worker of this process.
std::vector<std::filesystem::path> workers_of_this_process() {
  const std::string host = std::string(1, '\0') + std::to_string(::getpid()) + std::string(1, '\0');
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string line = text_of(entry.path() / "cmdline");
    if (line.find("kiln-worker" + host) != std::string::npos) all.push_back(entry.path());
  }
  return all;
}

/// What a process that compiles did, one thing a line.
struct Told {
  explicit Told(const std::string& output) {
    std::istringstream stream(output);
    std::vector<std::string>* part = &lines;
    for (std::string line; std::getline(stream, line);) {
      if (line == "again") {
        part = &again;
      } else if (line == "done") {
        part = &lines;
      } else {
        part->push_back(line);
      }
    }
  }
  auto count(const std::string& line) const { return std::count(lines.begin(), lines.end(), line); }
  /// Those that begin so.
  std::vector<std::string> all(const std::string& beginning) const {
    std::vector<std::string> some;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(some),
                 [&](const std::string& line) { return line.compare(0, beginning.size(), beginning) == 0; });
    return some;
  }
  bool reads_header() const {
    return std::any_of(lines.begin(), lines.end(),
                       [](const std::string& line) { return line.find("/vector_types.h") != std::string::npos; });
  }
  std::vector<std::string> lines;
  std::vector<std::string> again;  // a later compile of the process, whose code is in memory
};

/// A process of its own, with an environment that names neither remotes nor keys.
Told compile_in_child(const ScratchFolder& cache, const char* remote = nullptr) {
  EnvironmentGuard guard({{"KILN_CACHE_DIR", (cache / "cache").string()},
                          {"KILN_CACHE_REMOTE", std::nullopt},
                          {"KILN_CACHE_PUBLIC_KEYS", std::nullopt},
                          {"KILN_CACHE_SIGNING_KEY", std::nullopt},
                          {"KILN_RECORD", std::nullopt},
                          {"KILN_PCH", "off"}});  // its maker is another process of a worker
  if (remote != nullptr) guard.set("KILN_CACHE_REMOTE", remote);
  const auto result =
      run_program(std::filesystem::read_symlink("/proc/self/exe"), {"--no-skip", "--test-case=child: compiles"});
  CHECK_MESSAGE(result.status == 0, result.output);
  return Told(result.output);
}

/// Nobody is there, which nobody finds out who does not ask.
constexpr const char* nowhere = "redis://127.0.0.1:1 http://127.0.0.1:1 @unsigned";

}  // namespace

TEST_CASE("child: compiles" * doctest::skip()) {
  is_told = true;
  const char* const source = "#include \"vector_types.h\"\nextern \"C\" __global__ void k(float4* a) { a->x = 1; }";
  const CompileOptions options = CompileOptions{}.with_arch("sm_80");
  const CodeObject code = compile(source, options);
  is_told = false;
  // A header's content is compared until its state was seen a tick ago.
  for (int before = -1; before != opened_files; compile(source, options)) before = opened_files;
  is_told = true;
  std::puts("again");
  compile(source, options);
  is_told = false;
  std::printf("done\n%s\n", code.from_cache() ? "found" : "compiled");
  std::printf("libraries%s\n", network_libraries("/proc/self").c_str());
  for (const auto& worker : workers_of_this_process())
    std::printf("worker libraries%s\n", network_libraries(worker).c_str());
}

TEST_CASE("without a remote a compile asks for its name once, and opens nothing and loads nothing for it") {
  const ScratchFolder cache;
  for (const char* const found : {"compiled", "found"}) {
    const Told told = compile_in_child(cache);
    CAPTURE(found);
    REQUIRE(told.count(found) == 1);
    CHECK(told.count("variable KILN_CACHE_REMOTE") == 1);
    CHECK(told.count("variable KILN_RECORD") == 1);
    CHECK(told.again == std::vector<std::string>{"variable KILN_RECORD"});
    CHECK(told.all("variable KILN_CACHE_PUBLIC_KEYS").empty());
    CHECK(told.all("variable KILN_CACHE_SIGNING_KEY").empty());
    CHECK(told.all("socket").empty());
    CHECK(told.count("libraries") == 1);
    const bool is_compiled = found == std::string("compiled");
    CHECK(told.all("pair").empty() == !is_compiled);
    CHECK(told.all("worker libraries") == std::vector<std::string>(is_compiled ? 2 : 0, "worker libraries"));
  }
  CHECK_FALSE(std::filesystem::exists(cache / "cache/v3/remotes"));
}

TEST_CASE("a hit on disk is the same with remotes as without") {
  const ScratchFolder cache;
  compile_in_child(cache);
  Told without = compile_in_child(cache);
  while (without.reads_header()) without = compile_in_child(cache);  // until its state was seen a tick ago
  const Told with = compile_in_child(cache, nowhere);
  REQUIRE(without.count("found") == 1);
  REQUIRE(with.count("found") == 1);
  CHECK(without.all("file").size() >= 3);  // a manifest, an entry and the counters
  CHECK(with.all("file") == without.all("file"));
  CHECK(with.all("socket").empty());
  CHECK(with.all("pair").empty());
  CHECK(with.count("libraries") == 1);
  CHECK_FALSE(std::filesystem::exists(cache / "cache/v3/remotes"));
}

}  // namespace without_remote_test
