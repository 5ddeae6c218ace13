// Folders that must not be used, or cannot be, or go away: the right results, at most one warning a process, which says
// why and what to do, and nothing changed in a folder that is refused.
#include "crew.hpp"
#include "file_tree.hpp"
#include "locked_compile.hpp"

#include "environment_guard.hpp"

#include <kiln/compile.hpp>
#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;

namespace {

constexpr unsigned nobody = 65534;

void leave_out(const std::string& why) { MESSAGE("left out: " << why); }

bool is_root() { return ::geteuid() == 0; }

/// What one process saw.
struct Report {
  bool finished = false;
  int warnings = 0;
  int wrong = 0;
  int from_cache = 0;
  char text[4096] = {};  // of the first warning

  bool says(const std::string& part) const { return std::string(text).find(part) != std::string::npos; }
};

/// A process of its own, whose one warning is not spent yet. `body` fills in the report.
Report in_process(const std::function<void(Report& report)>& body) {
  const Shared<Report> report;
  Crew crew;
  crew.add([&] {
    set_log_handler([&](LogLevel level, const std::string& message) {
      if (level != LogLevel::warn || report->warnings++ > 0) return;
      message.copy(report->text, sizeof report->text - 1);
    });
    body(*report);
    report->finished = true;
    return true;
  });
  CHECK(crew.run() == 1);
  CHECK(report->finished);
  return *report;
}

/// Compiles, looks up, and compiles something else.
void use(Report& report, CacheStore& store, FileSystem& files) {
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 3; ++i) {
      bool compiled = false;
      const Source source = plain_source(i);
      const std::string code = locked_compile(store, files, source, [&] {
        compiled = true;
        return right_code(source.request);
      });
      report.wrong += code != right_code(source.request);
      report.from_cache += !compiled;
    }
}

Report use(const fs::path& directory, std::optional<std::uint32_t> user = {}) {
  return in_process([&](Report& report) {
    FaultFileSystem files;
    files.set_user(user);
    CacheStore store(files, directory.string());
    use(report, store, files);
  });
}

/// A folder with an entry in it that must not be served.
struct Warmed {
  ScratchFolder scratch;
  fs::path root = scratch / "cache";
  Warmed() {
    CacheStore store(FileSystem::real(), root.string());
    locked_compile(store, FileSystem::real(), plain_source(0));
    REQUIRE(find_code(store, plain_source(0)) == right_code(plain_source(0).request));
  }
  fs::path entry() const {
    const std::string hex = plain_source(0).request.hex();
    return root / "v1/entries" / hex.substr(0, 2) / (hex.substr(2) + ".code");
  }
};

void check_refused(const Warmed& cache, const fs::path& directory, const std::string& reason,
                   std::optional<std::uint32_t> user = {}) {
  CAPTURE(reason);
  const FileTree before = read_tree(cache.scratch.path());
  const Report report = use(directory, user);
  CAPTURE(report.text);
  CHECK(report.wrong == 0);
  CHECK(report.from_cache == 0);
  CHECK(report.warnings == 1);
  for (const std::string& part : {directory.string(), reason, std::string("KILN_CACHE_DIR")}) CHECK(report.says(part));
  CHECK(read_tree(cache.scratch.path()) == before);
}

}  // namespace

TEST_CASE("folders that another can write") {
  const Warmed cache;
  for (const auto mode : {0777U, 0770U, 0702U})
    for (const fs::path& folder : {cache.root, cache.root / "v1"}) {
      CAPTURE(folder);
      fs::permissions(folder, static_cast<fs::perms>(mode));
      check_refused(cache, cache.root, "can be written by other users");
      fs::permissions(folder, fs::perms::owner_all);
    }
  CHECK(use(cache.root).from_cache == 4);
}

TEST_CASE("folders that are links") {
  const Warmed cache;
  fs::create_directory_symlink(cache.root, cache.scratch / "link");
  check_refused(cache, cache.scratch / "link", "is a symbolic link");
  const Warmed inner;
  fs::create_directory(inner.scratch / "outer");
  fs::permissions(inner.scratch / "outer", fs::perms::owner_all);
  fs::create_directory_symlink(inner.root / "v1", inner.scratch / "outer/v1");
  check_refused(inner, inner.scratch / "outer", "is a symbolic link");
}

TEST_CASE("folders of another user") {
  const Warmed cache;
  check_refused(cache, cache.root, "belongs to user " + std::to_string(::geteuid()), ::geteuid() + 1);
  if (!is_root()) return leave_out("not root: no folder is really another's");
  for (const fs::path& folder : {cache.root, cache.root / "v1"}) {
    REQUIRE(::chown(folder.c_str(), nobody, nobody) == 0);
    check_refused(cache, cache.root, "belongs to user " + std::to_string(nobody));
    REQUIRE(::chown(folder.c_str(), 0, 0) == 0);
  }
}

TEST_CASE("a file where the folder should be") {
  const Warmed cache;
  cache.scratch.write("file", "mine");
  check_refused(cache, cache.scratch / "file", "is no folder");
}

TEST_CASE("an entry that another owns or can write is not served, and replaced") {
  const Warmed cache;
  const std::string right = right_code(plain_source(0).request);
  const auto check = [&] {
    CacheStore store(FileSystem::real(), cache.root.string());
    const CacheStats before = store.stats();
    CHECK(find_code(store, plain_source(0)) == "(miss)");
    CHECK(store.stats().refused_untrusted == before.refused_untrusted + 1);
    CHECK(store.stats().corrupt == before.corrupt);
    CHECK(fs::exists(cache.entry()));
    CHECK(locked_compile(store, FileSystem::real(), plain_source(0)) == right);
    CHECK(find_code(store, plain_source(0)) == right);
    FileStatus status;
    CHECK(FileSystem::real().status(cache.entry().string(), status) == 0);
    CHECK((status.mode & 07777) == 0600);
    CHECK(status.owner == ::geteuid());
  };
  for (const auto mode : {0666U, 0620U, 0602U}) {
    fs::permissions(cache.entry(), static_cast<fs::perms>(mode));
    check();
  }
  if (!is_root()) return leave_out("not root: no entry is really another's");
  REQUIRE(::chown(cache.entry().c_str(), nobody, nobody) == 0);
  check();
}

TEST_CASE("an entry that is a link, a pipe or a folder") {
  const Warmed cache;
  const std::string right = right_code(plain_source(0).request);
  const fs::path outside = cache.scratch / "outside";
  fs::rename(cache.entry(), outside);
  const std::string good = file_bytes(outside);
  const auto check = [&](bool replaced) {
    const Report report = use(cache.root);
    CHECK(report.wrong == 0);
    CHECK(report.from_cache == (replaced ? 3 : 2));
    CHECK(fs::is_regular_file(fs::symlink_status(cache.entry())) == replaced);
    CHECK(report.warnings == (replaced ? 0 : 1));
    if (!replaced) CHECK(report.says("KILN_CACHE_DIR"));
    std::error_code ignored;
    fs::remove_all(cache.root / "v1/entries", ignored);
    fs::create_directories(cache.entry().parent_path());
    CHECK(file_bytes(outside) == good);
  };
  fs::create_symlink(outside, cache.entry());
  check(true);
  fs::create_symlink(cache.scratch / "nothing", cache.entry());
  check(true);
  CHECK_FALSE(fs::exists(cache.scratch / "nothing"));
  REQUIRE(::mkfifo(cache.entry().c_str(), 0600) == 0);
  check(true);
  fs::create_directory(cache.entry());
  check(false);
}

TEST_CASE("a lock file, and counters, that are no files") {
  for (const char* name : {"v1/lock", "v1/statistics"})
    for (const bool link : {false, true}) {
      CAPTURE(name);
      CAPTURE(link);
      const Warmed cache;
      const fs::path outside = cache.scratch.write("outside", "outside");
      fs::remove(cache.root / name);
      if (link) fs::create_symlink(outside, cache.root / name);
      if (!link) fs::create_directory(cache.root / name);
      const Report report = use(cache.root);
      CHECK(report.wrong == 0);
      CHECK(report.from_cache == 4);
      CHECK(file_bytes(outside) == "outside");
    }
}

TEST_CASE("a folder that can only be read serves what it has") {
  const Warmed cache;
  if (is_root()) {
    fs::permissions(cache.scratch.path(), static_cast<fs::perms>(0755));
    for (const auto& item : fs::recursive_directory_iterator(cache.root))
      REQUIRE(::chown(item.path().c_str(), nobody, nobody) == 0);
    REQUIRE(::chown(cache.root.c_str(), nobody, nobody) == 0);
  }
  std::vector<fs::path> folders = {cache.root};
  for (const auto& item : fs::recursive_directory_iterator(cache.root))
    if (item.is_directory()) folders.push_back(item.path());
  for (const fs::path& folder : folders) fs::permissions(folder, static_cast<fs::perms>(0500));
  const Report report = in_process([&](Report& mine) {
    if (is_root() && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(3);
    CacheStore store(FileSystem::real(), cache.root.string());
    use(mine, store, FileSystem::real());
  });
  CAPTURE(report.text);
  CHECK(report.wrong == 0);
  CHECK(report.from_cache == 2);
  CHECK(report.warnings == 1);
  for (const std::string& part : {cache.root.string(), std::string("Permission denied"), std::string("KILN_CACHE_DIR")})
    CHECK(report.says(part));
  for (const fs::path& folder : folders) fs::permissions(folder, fs::perms::owner_all);
}

TEST_CASE("a folder that is removed while in use") {
  const Warmed cache;
  CacheStore store(FileSystem::real(), cache.root.string());
  FileSystem& files = FileSystem::real();
  const auto right = [](int number) { return right_code(plain_source(number).request); };
  REQUIRE(find_code(store, plain_source(0)) == right(0));

  fs::remove_all(cache.root);  // before a look-up
  CHECK(locked_compile(store, files, plain_source(0)) == right(0));
  CHECK(find_code(store, plain_source(0)) == right(0));

  const auto remove_meanwhile = [&](int number) {  // while the turn is held, between look-up and put
    return locked_compile(store, files, plain_source(number), [&] {
      fs::remove_all(cache.root);
      return right(number);
    });
  };
  CHECK(remove_meanwhile(1) == right(1));
  CHECK(find_code(store, plain_source(1)) == right(1));
  CHECK(find_code(store, plain_source(0)) == "(miss)");

  Turn turn(files);
  CHECK_FALSE(store.take_turn(plain_source(2).request, false, {}, turn));
  fs::remove_all(cache.root / "v1");
  turn.release();
  CHECK(locked_compile(store, files, plain_source(2)) == right(2));
  CHECK(find_code(store, plain_source(2)) == right(2));
  fs::remove_all(cache.root / "v1/entries");
  fs::remove_all(cache.root / "v1/tmp");
  CHECK(store.prune(0).bytes_left == 0);
  CHECK(store.clear() == 0);
  CHECK(locked_compile(store, files, plain_source(2)) == right(2));
  CHECK(find_code(store, plain_source(2)) == right(2));
  CHECK(store.stats().corrupt == 0);
}

namespace {

/// A file system of 64 KB at that folder, seen by this process only. False where that is not allowed.
bool mount_small(const fs::path& folder) {
  const std::string user = "0 " + std::to_string(::geteuid()) + " 1";
  if (is_root()) {
    if (::unshare(CLONE_NEWNS) != 0) return false;
  } else {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    const int map = ::open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
    const bool mapped = map >= 0 && ::write(map, user.data(), user.size()) == static_cast<ssize_t>(user.size());
    ::close(map);
    if (!mapped) return false;
  }
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k,mode=0700") == 0;
}

struct FullDisk {
  bool mounted = false;
  int wrong = 0;
  int wrong_later = 0;
  int temporary_files = 0;
  CacheStats stats;
  CacheStats later;
};

}  // namespace

TEST_CASE("a disk that is full") {
  const ScratchFolder folder;
  const Shared<FullDisk> disk;
  const Report report = in_process([&](Report& mine) {
    disk->mounted = mount_small(folder.path());
    if (!disk->mounted) return;
    constexpr int many = 40;
    constexpr std::size_t size = 5000;
    CacheStore store(FileSystem::real(), (folder / "cache").string());
    const auto round = [&](int& wrong) {
      for (int i = 0; i < many; ++i) {
        const Source source = plain_source(i);
        const std::string right = right_code(source.request, size);
        wrong += locked_compile(store, FileSystem::real(), source, [&] { return right; }) != right;
        const std::string found = find_code(store, source);
        wrong += found != right && found != "(miss)";
      }
    };
    round(mine.wrong);
    disk->stats = store.stats();
    for (const auto& item : fs::directory_iterator(folder / "cache/v1/tmp"))
      disk->temporary_files += item.is_regular_file();
    store.clear();
    round(disk->wrong_later);
    disk->later = store.stats();
  });
  if (!disk->mounted) return leave_out("no namespace of its own, or no mount, is allowed here");
  CAPTURE(report.text);
  CHECK(report.wrong == 0);
  CHECK(report.warnings == 1);
  CHECK(report.says("No space left on device"));
  CHECK(report.says("KILN_CACHE_DIR"));
  CHECK(disk->stats.stores > 2);
  CHECK(disk->stats.store_failures > 2);
  CHECK(disk->stats.stores + disk->stats.store_failures == disk->stats.misses);
  CHECK(disk->stats.entries == disk->stats.stores);
  CHECK(disk->stats.corrupt == 0);
  CHECK(disk->temporary_files == 0);
  CHECK(disk->wrong_later == 0);
  CHECK(disk->later.stores > disk->stats.stores);  // room again
}

namespace {

Report compile_with(const EnvironmentGuard&, const fs::path& working_folder) {
  return in_process([&](Report& report) {
    fs::current_path(working_folder);
    const CompileOptions options = CompileOptions{}.with_arch("sm_80");
    for (const char* source : {"__global__ void one() {}", "__global__ void two() {}"})
      report.wrong += compile(source, options).bytes().substr(1, 3) != "ELF";
  });
}

}  // namespace

TEST_CASE("an environment that names no folder, or one that cannot be: compiled all the same") {
  const ScratchFolder folder;
  fs::create_directory(folder / "work");
  const std::optional<std::string> unset;
  for (const std::optional<std::string>& standard : {unset, std::optional<std::string>("relative/cache")}) {
    const EnvironmentGuard guard(
        {{"KILN_CACHE_DIR", unset}, {"PYCUDA_CACHE_DIR", unset}, {"HOME", unset}, {"XDG_CACHE_HOME", standard}});
    const Report report = compile_with(guard, folder / "work");
    CHECK(report.wrong == 0);
    CHECK(report.warnings == 1);
    CHECK(report.says("XDG_CACHE_HOME and HOME"));
    CHECK(report.says("KILN_DISABLE_CACHE=1"));
    CHECK(fs::is_empty(folder / "work"));
  }
  const fs::path file = folder.write("file", "mine");
  const EnvironmentGuard guard({{"KILN_CACHE_DIR", file.string()}, {"PYCUDA_CACHE_DIR", unset}});
  const Report report = compile_with(guard, folder / "work");
  CHECK(report.wrong == 0);
  CHECK(report.warnings == 1);
  CHECK(report.says(file.string() + " is no folder"));
  CHECK(report.says("KILN_CACHE_DIR"));
  CHECK(file_bytes(file) == "mine");
}

namespace {

/// Runs the program as that user; what it printed.
std::string output_as(unsigned user, const fs::path& program, const std::vector<std::string>& environment) {
  int ends[2] = {-1, -1};
  REQUIRE(::pipe(ends) == 0);
  std::vector<char*> variables;
  for (const std::string& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
  variables.push_back(nullptr);
  char* arguments[] = {const_cast<char*>(program.c_str()), nullptr};
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    if (::setgid(user) == 0 && ::setuid(user) == 0) ::execve(program.c_str(), arguments, variables.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string output;
  char buffer[4096];
  for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<std::size_t>(count));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return output;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a set-user-id program heeds no environment and keeps nothing") {
  const char* built = std::getenv("KILN_PRIVILEGED_PROGRAM");
  REQUIRE(built != nullptr);
  if (!is_root()) return leave_out("not root: cannot make such a program");
  constexpr unsigned user = 12345;
  const EnvironmentGuard on_disk({{"TMPDIR", std::nullopt}});
  const ScratchFolder folder;
  fs::permissions(folder.path(), static_cast<fs::perms>(0755));
  const fs::path program = folder / "program";
  fs::copy_file(built, program);
  fs::create_directory(folder / "home");
  const std::vector<std::string> environment = {
      "HOME=" + (folder / "home").string(), "KILN_CACHE_DIR=" + (folder / "home/cache").string(),
      "KILN_CACHE_READ_ONLY_DIRS=" + (folder / "home/cache").string(), "KILN_LOG=info", "KILN_DEFAULT_OPTIONS=-DNEVER"};
  const auto own = [&](unsigned owner, unsigned mode) {
    REQUIRE(::chown(program.c_str(), owner, owner) == 0);
    REQUIRE(::chmod(program.c_str(), mode) == 0);
    REQUIRE(::chown((folder / "home").c_str(), owner, owner) == 0);
  };
  own(user, 0755);  // by the way: without the bit the environment counts
  const std::string plain = output_as(user, program, environment);
  CAPTURE(plain);
  CHECK(plain.find("privileged: 0\ncompiled: ELF\n") != plain.npos);
  CHECK(plain.find("kiln: info") != plain.npos);
  CHECK(fs::exists(folder / "home/cache/v1/entries"));
  fs::remove_all(folder / "home/cache");

  own(nobody, 04755);
  const std::string output = output_as(user, program, environment);
  CAPTURE(output);
  if (output.find("privileged: 0") != output.npos) return leave_out("set-user-id means nothing here (nosuid?)");
  CHECK(output.find("privileged: 1\ncompiled: ELF\n") != output.npos);
  CHECK(count_of(output, "kiln: ") == 1);
  CHECK(count_of(output, "kiln: warning: this process runs with more rights than its user") == 1);
  CHECK(fs::is_empty(folder / "home"));
}
