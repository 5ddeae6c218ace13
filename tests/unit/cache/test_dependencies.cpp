#include "cache/dependencies.hpp"

#include "cache/device_numbers.hpp"

#include "check_now.hpp"
#include "fault_file_system.hpp"
#include "old_file.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <utility>

namespace dependencies_test {

using namespace kiln;
using kiln::test::FaultFileSystem;
using kiln::test::ScratchFolder;
using kiln::test::wait_until_old;

namespace {

constexpr std::int64_t minute = 60'000'000'000;

// A scratch folder with a header of its own, a package's folder with two, and nothing at "first/own.h".
struct Tree {
  Tree() {
    folder.write("own.h", "own");
    folder.write("package/a.h", "a");
    folder.write("package/b.h", "b");
    roots = {{(folder / "package").string()}};
    // A change within a tick of the kernel's clock need not show: where times are coarse, and on a tmpfs of any kernel
    // where a file is removed or replaced. What follows must be in another tick.
    wait_until_old(folder / "package");
    record();
  }
  void record() {
    files.set_clock(files.FileSystem::now_ns() + minute);  // no state is new
    dependencies = {};
    FileDependency file;
    file.path = {-1, (folder / "own.h").string()};
    files.status(file.path.path, file.status);
    file.digest = digest_of(folder.read("own.h"));
    dependencies.files.push_back(file);
    FolderDependency package;
    package.path = {0, ""};
    files.status((folder / "package").string(), package.status);
    package.headers = {{"a.h", digest_of("a")}, {"b.h", digest_of("b")}};
    dependencies.folders.push_back(package);
    dependencies.absent.push_back({-1, (folder / "first/own.h").string()});
    files.reset_counts();
  }
  Freshness check() {
    what.clear();
    return kiln::test::check_now(files, roots, dependencies, &what);
  }
  ScratchFolder folder;
  FaultFileSystem files;
  Roots roots;
  Dependencies dependencies;
  std::string what;
};

}  // namespace

TEST_CASE("nothing moved: one status call each and no more") {
  Tree tree;
  CHECK(tree.check() == Freshness::unchanged);
  CHECK(tree.files.total() == 3);
  CHECK(unchanged(tree.files, tree.roots, tree.dependencies));
  CHECK(tree.files.total() == 6);
  CHECK(tree.files.count("status") == 6);
}

TEST_CASE("a header that was touched is read, and its state refreshed") {
  Tree tree;
  const FileStatus before = tree.dependencies.files[0].status;
  std::filesystem::last_write_time(tree.folder / "own.h", std::filesystem::file_time_type::clock::now());
  CHECK_FALSE(unchanged(tree.files, tree.roots, tree.dependencies));
  tree.files.reset_counts();
  CHECK(tree.check() == Freshness::refreshed);
  CHECK(tree.files.count("open") == 1);
  CHECK_FALSE(same_state(before, tree.dependencies.files[0].status));
  CHECK(tree.check() == Freshness::unchanged);
  CHECK(tree.files.count("open") == 1);
}

TEST_CASE("a header with other content of the same size") {
  Tree tree;
  tree.folder.write("own.h", "OWN");
  CHECK(tree.check() == Freshness::changed);
  CHECK(tree.what == (tree.folder / "own.h").string());
}

TEST_CASE("an edit whose modification time and size were put back shows in the change time") {
  Tree tree;
  const auto time = std::filesystem::last_write_time(tree.folder / "own.h");
  tree.folder.write("own.h", "OWN");
  std::filesystem::last_write_time(tree.folder / "own.h", time);
  CHECK_FALSE(unchanged(tree.files, tree.roots, tree.dependencies));
  CHECK(tree.check() == Freshness::changed);
}

TEST_CASE("a header of another size is not read") {
  Tree tree;
  tree.folder.write("own.h", "longer");
  CHECK(tree.check() == Freshness::changed);
  CHECK(tree.files.count("open") == 0);
  CHECK(tree.what == (tree.folder / "own.h").string());
}

TEST_CASE("a header that is gone, a folder now, or cannot be looked at") {
  Tree tree;
  SUBCASE("gone") { std::filesystem::remove(tree.folder / "own.h"); }
  SUBCASE("a folder") {
    std::filesystem::remove(tree.folder / "own.h");
    std::filesystem::create_directory(tree.folder / "own.h");
  }
  SUBCASE("not to be looked at") { tree.files.fail_nth("status", 1, EACCES); }
  CHECK(tree.check() == Freshness::changed);
  CHECK(tree.what == (tree.folder / "own.h").string());
}

TEST_CASE("an unreadable header counts as changed") {
  Tree tree;
  std::filesystem::last_write_time(tree.folder / "own.h", std::filesystem::file_time_type::clock::now());
  for (const char* name : {"open", "read"}) {
    tree.files.reset_counts();
    tree.files.fail_nth(name, 1, EIO);
    CHECK(tree.check() == Freshness::changed);
  }
}

TEST_CASE("a file where a header would have been found first") {
  Tree tree;
  SUBCASE("the folder appears, the file does not") {
    std::filesystem::create_directory(tree.folder / "first");
    CHECK(tree.check() == Freshness::unchanged);
  }
  SUBCASE("a file in the folder's place") {
    tree.folder.write("first", "");
    CHECK(tree.check() == Freshness::unchanged);
  }
  SUBCASE("the file appears") {
    tree.folder.write("first/own.h", "own");
    CHECK(tree.check() == Freshness::changed);
    CHECK(tree.what == (tree.folder / "first/own.h").string());
    CHECK_FALSE(unchanged(tree.files, tree.roots, tree.dependencies));
  }
  SUBCASE("nobody knows") {
    tree.files.fail_nth("status", 3, EACCES);
    CHECK(tree.check() == Freshness::changed);
  }
}

TEST_CASE("a package's folder: headers are read only where the folder moved") {
  Tree tree;
  SUBCASE("edited in place: the stated exception") {
    tree.folder.write("package/a.h", "edited");
    CHECK(tree.check() == Freshness::unchanged);
  }
  SUBCASE("another file came in") {
    tree.folder.write("package/c.h", "c");
    CHECK(tree.check() == Freshness::refreshed);
    CHECK(tree.files.count("open") == 2);
    CHECK(tree.check() == Freshness::unchanged);
  }
  SUBCASE("a header was replaced") {
    tree.folder.write("new.h", "new");
    std::filesystem::rename(tree.folder / "new.h", tree.folder / "package/b.h");
    CHECK(tree.check() == Freshness::changed);
    CHECK(tree.what == (tree.folder / "package/b.h").string());
  }
  SUBCASE("the package is gone") {
    std::filesystem::remove_all(tree.folder / "package");
    CHECK(tree.check() == Freshness::changed);
    CHECK(tree.what == (tree.folder / "package").string());
  }
}

TEST_CASE("a folder that moved and whose headers are not known") {
  Tree tree;
  const std::vector<FolderDependency::Header> headers = tree.dependencies.folders[0].headers;
  tree.dependencies.folders[0].headers.clear();
  tree.dependencies.headers_known = false;
  FileObserver observer(tree.files, false);
  int loads = 0;
  bool known = true;
  const HeaderLoader load = [&](Dependencies& dependencies) {
    ++loads;
    dependencies.folders[0].headers = headers;
    return known;
  };
  CHECK(check_dependencies(observer, tree.roots, tree.dependencies, nullptr, load) == Freshness::unchanged);
  CHECK(loads == 0);
  tree.folder.write("package/c.h", "c");
  CHECK(tree.check() == Freshness::changed);  // without a loader
  CHECK(tree.what == (tree.folder / "package").string());
  known = false;
  CHECK(check_dependencies(observer, tree.roots, tree.dependencies, nullptr, load) == Freshness::changed);
  known = true;
  CHECK(check_dependencies(observer, tree.roots, tree.dependencies, nullptr, load) == Freshness::refreshed);
  CHECK(loads == 2);
}

TEST_CASE("a new state is not trusted the next time") {
  Tree tree;
  tree.files.stop_steady_clock();
  std::int64_t age = 0;
  const auto check = [&] {
    FileObserver observer(tree.files, false);
    observer.find_age_by([&] { return age; });
    return check_dependencies(observer, tree.roots, tree.dependencies, nullptr, {});
  };
  auto opens = [&, before = 0]() mutable {
    const int now = tree.files.count("open");
    return now - std::exchange(before, now);
  };
  SUBCASE("of a file") {
    tree.folder.write("own.h", "own");
    CHECK(check() == Freshness::refreshed);
    CHECK_FALSE(tree.dependencies.files[0].reliable_times);
    CHECK(opens() == 1);
    CHECK(check() == Freshness::confirmed);  // nothing new to keep
    CHECK(opens() == 1);
    age = 21'000'000;  // it was recorded before the present tick
    CHECK(check() == Freshness::refreshed);
    CHECK(opens() == 1);
    CHECK(check() == Freshness::unchanged);
    CHECK(opens() == 0);
  }
  SUBCASE("of a package's folder") {
    tree.folder.write("package/c.h", "c");
    CHECK(check() == Freshness::refreshed);
    CHECK_FALSE(tree.dependencies.folders[0].reliable_times);
    CHECK(opens() == 2);
    CHECK(check() == Freshness::confirmed);
    CHECK(opens() == 2);
    age = 21'000'000;
    CHECK(check() == Freshness::refreshed);
    CHECK(check() == Freshness::unchanged);
  }
  SUBCASE("a file that changes within the tick, and keeps its state") {
    tree.dependencies.files[0].reliable_times = false;
    tree.dependencies.files[0].digest = digest_of("OWN");
    CHECK(check() == Freshness::changed);
  }
}

namespace {

// One image after another at one place, as squashfs shows them: times in whole seconds, which the build fixed, and
// inodes that are counted.
class ImageFileSystem : public FaultFileSystem {
 protected:
  int do_status(const std::string& path, FileStatus& status) override {
    const int code = FaultFileSystem::do_status(path, status);
    fix(status);
    return code;
  }
  int do_status(int descriptor, FileStatus& status) override {
    const int code = FaultFileSystem::do_status(descriptor, status);
    fix(status);
    return code;
  }

 private:
  static void fix(FileStatus& status) {
    status.inode = 7;
    status.mtime_ns = status.ctime_ns = 1'700'000'000'000'000'000;
  }
};

}  // namespace

TEST_CASE("times in whole seconds do not tell that a file is the same: its content is compared") {
  ScratchFolder folder;
  ImageFileSystem files;
  const std::string path = (folder / "own.h").string();
  folder.write("own.h", "#define N 4");
  Dependencies dependencies;
  FileDependency file;
  file.path = {-1, path};
  files.status(path, file.status);
  file.digest = digest_of("#define N 4");
  dependencies.files.push_back(file);
  CHECK(kiln::test::check_now(files, {}, dependencies) == Freshness::confirmed);
  CHECK_FALSE(dependencies.files[0].reliable_times);
  CHECK(unchanged(files, {}, dependencies));
  CHECK_FALSE(are_reliable(dependencies));
  FileObserver observer(files, false);
  CHECK_FALSE(unchanged(observer, {}, dependencies));
  folder.write("own.h", "#define N 8");
  CHECK(kiln::test::check_now(files, {}, dependencies) == Freshness::changed);
}

TEST_CASE("where times are whole seconds a tick is longer") {
  constexpr std::int64_t second = 1'000'000'000;
  FileStatus status;
  status.mtime_ns = status.ctime_ns = 1'700'000'000 * second;
  CHECK(has_coarse_times(status));
  CHECK(longest_tick_ns(status) > 2 * second);
  status.ctime_ns += 1;
  CHECK_FALSE(has_coarse_times(status));
  CHECK(longest_tick_ns(status) < second);
}

TEST_CASE("a device of another number: contents decide, and the number stands for itself from then on") {
  Tree tree;
  const std::uint64_t here = tree.dependencies.files[0].status.device;
  tree.dependencies.files[0].status.device = tree.dependencies.folders[0].status.device = here + 1;
  SUBCASE("equal contents") {
    CHECK_FALSE(unchanged(tree.files, tree.roots, tree.dependencies));
    tree.files.reset_counts();
    CHECK(tree.check() == Freshness::refreshed);
    CHECK(tree.files.count("open") == 3);
    CHECK(tree.dependencies.files[0].status.device == here);
    CHECK(tree.dependencies.folders[0].status.device == here);
    CHECK(tree.check() == Freshness::unchanged);
    CHECK(unchanged(tree.files, tree.roots, tree.dependencies));
    CHECK(tree.files.count("open") == 3);
  }
  SUBCASE("another file system at that place, with a file in the very same state") {
    tree.dependencies.files[0].digest = digest_of("OWN");
    CHECK(tree.check() == Freshness::changed);
    CHECK(tree.what == (tree.folder / "own.h").string());
  }
  SUBCASE("another package in the very same state") {
    tree.dependencies.folders[0].headers[1].digest = digest_of("B");
    CHECK(tree.check() == Freshness::changed);
    CHECK(tree.what == (tree.folder / "package/b.h").string());
  }
}

TEST_CASE("a number that the device had where contents were compared") {
  Tree tree;
  const std::uint64_t here = tree.dependencies.files[0].status.device;
  tree.dependencies.files[0].status.device = tree.dependencies.folders[0].status.device = here + 1;
  tree.dependencies.other_devices = {{here + 2, here}};
  Dependencies again = tree.dependencies;
  CHECK(tree.check() == Freshness::unchanged);
  CHECK(tree.files.total() == 3);
  CHECK(tree.dependencies.files[0].status.device == here);
  CHECK(unchanged(tree.files, tree.roots, tree.dependencies));
  FileObserver observer(tree.files, false);
  CHECK(unchanged(observer, tree.roots, again));
  CHECK(again.folders[0].status.device == here);
  SUBCASE("of one device it says nothing of another") {
    tree.dependencies.files[0].status.device = here + 1;
    tree.dependencies.folders[0].status.device = here + 3;
    tree.dependencies.other_devices = {{here}, {here + 4}};
    tree.files.reset_counts();
    CHECK(tree.check() == Freshness::refreshed);
    CHECK(tree.files.count("open") == 2);  // the folder's headers
  }
}

TEST_CASE("of what was one device and is two, each is looked at") {
  Tree tree;
  const std::uint64_t here = tree.dependencies.files[0].status.device;
  DeviceMap devices;
  CHECK(devices.note(here + 1, here));
  CHECK(devices.note(here + 1, here));
  CHECK_FALSE(devices.note(here + 1, here + 2));
  CHECK(devices.now(here + 1) == here);
  CHECK(devices.now(here + 2) == here + 2);
  tree.dependencies.files[0].status.device = here + 1;
  CHECK(devices.unknown(tree.dependencies) == DeviceNumbers{here + 1});
  tree.dependencies.other_devices = {{}, {here}};  // not the first device's
  CHECK(devices_of(tree.dependencies) == DeviceNumbers{here + 1, here});
  CHECK_FALSE(devices.unknown(tree.dependencies).empty());
  tree.dependencies.other_devices = {{here}};
  CHECK(devices.unknown(tree.dependencies).empty());
}

TEST_CASE("files whose times do not tell are read each time, and nothing new is learned of it") {
  Tree tree;
  tree.files.fail_always("file_system_type", ENOSYS);
  tree.dependencies.files[0].reliable_times = false;
  FileObserver observer(tree.files, false);
  CHECK_FALSE(unchanged(observer, tree.roots, tree.dependencies));
  CHECK(tree.check() == Freshness::confirmed);
  CHECK(tree.files.count("open") == 1);
  tree.dependencies.files[0].reliable_times = true;
  tree.dependencies.folders[0].headers = {{"c.h", Digest{}}};  // of a folder the names
  tree.dependencies.folders[0].reliable_times = false;
  tree.files.reset_counts();
  CHECK_FALSE(unchanged(observer, tree.roots, tree.dependencies));
  CHECK(tree.check() == Freshness::confirmed);
  CHECK(tree.files.count("open") == 0);
  tree.dependencies.folders[0].reliable_times = false;
  tree.folder.write("package/c.h", "");
  CHECK(tree.check() == Freshness::changed);
}

namespace {

/// All files are on a file system of that type.
struct TypedFileSystem : FaultFileSystem {
  std::uint64_t type = 0;

 protected:
  int do_file_system_type(const std::string& path, std::uint64_t& found) override {
    const int code = FaultFileSystem::do_file_system_type(path, found);
    found = type;
    return code;
  }
};

}  // namespace

TEST_CASE("a change time that is the modification time tells where the file system keeps one of its own") {
  TypedFileSystem files;
  FileStatus status;
  status.device = 1;
  status.mtime_ns = status.ctime_ns = 1'700'000'000'123'456'789;
  constexpr std::uint64_t ext4 = 0xef53, erofs = 0xe0f5e1e2, fuse = 0x65735546;
  for (const std::uint64_t type : {erofs, fuse, ext4}) {
    files.type = type;
    FileObserver observer(files, false);
    CHECK(observer.has_reliable_times("/", status) == (type == ext4));
    files.reset_counts();
    CHECK(observer.has_reliable_times("/", status) == (type == ext4));  // asked once a device
    FileStatus moved = status;
    moved.ctime_ns += 1;
    CHECK(observer.has_reliable_times("/", moved));
    moved.ctime_ns = 1'700'000'000'000'000'000;
    CHECK_FALSE(observer.has_reliable_times("/", moved));
    CHECK(files.total() == 0);
  }
  files.fail_always("file_system_type", ENOSYS);
  FileObserver observer(files, false);
  CHECK_FALSE(observer.has_reliable_times("/", status));
}

TEST_CASE("an image in place of another, all states equal, and times not in whole seconds") {
  Tree tree;
  tree.files.fail_always("file_system_type", ENOSYS);
  tree.dependencies.files[0].reliable_times = false;
  CHECK(tree.check() == Freshness::confirmed);
  tree.dependencies.files[0].reliable_times = false;
  tree.dependencies.files[0].digest = digest_of("OWN");
  CHECK(tree.check() == Freshness::changed);
}

TEST_CASE("what stands in the place of a header, and is none, must stay what it is") {
  Tree tree;
  using Kind = ObstacleDependency::Kind;
  std::filesystem::create_directory(tree.folder / "folder.h");
  REQUIRE(::mkfifo((tree.folder / "pipe.h").c_str(), 0600) == 0);
  tree.folder.write("locked.h", "");
  const auto set = [&](const char* name, Kind kind) {
    tree.dependencies = {};
    tree.dependencies.obstacles.push_back({{-1, (tree.folder / name).string()}, kind});
    tree.files.reset_counts();
  };
  const auto stands = [&] {
    FileObserver observer(tree.files, false);
    const bool by_state = unchanged(observer, tree.roots, tree.dependencies);
    CHECK(by_state == unchanged(tree.files, tree.roots, tree.dependencies));
    CHECK((tree.check() == Freshness::unchanged) == by_state);
    return by_state;
  };
  SUBCASE("a folder") {
    set("folder.h", Kind::folder);
    CHECK(stands());
    CHECK(tree.files.total() == 3);
    tree.folder.write("folder.h/more", "");
    CHECK(stands());
    std::filesystem::remove_all(tree.folder / "folder.h");
    CHECK_FALSE(stands());
    tree.folder.write("folder.h", "");
    CHECK_FALSE(stands());
    CHECK(tree.what == (tree.folder / "folder.h").string());
  }
  SUBCASE("a pipe, which is not opened") {
    set("pipe.h", Kind::other);
    CHECK(stands());
    CHECK(tree.files.count("open") == 0);
    std::filesystem::remove(tree.folder / "pipe.h");
    std::filesystem::create_directory(tree.folder / "pipe.h");
    CHECK_FALSE(stands());
  }
  SUBCASE("a file that cannot be opened") {
    set("locked.h", Kind::unreadable);
    tree.files.fail_always("open", EACCES);
    CHECK(stands());
    CHECK(tree.files.total() == 6);
    tree.files.fail_always("open", 0);
    CHECK_FALSE(stands());
    std::filesystem::remove(tree.folder / "locked.h");
    CHECK_FALSE(stands());
  }
  SUBCASE("a place that cannot be looked at") {
    set("locked.h", Kind::unreadable);
    tree.files.fail_always("status", EACCES);
    CHECK(stands());
  }
  SUBCASE("on a machine that lacks its root") {
    set("none.h", Kind::folder);
    tree.dependencies.obstacles[0].path.root = 5;
    CHECK_FALSE(stands());
    tree.roots.complete = false;
    CHECK(stands());
  }
}

TEST_CASE("names that were missing in a folder are looked for where it changed, and no file is read") {
  Tree tree;
  tree.dependencies = {};
  FolderDependency folder;
  folder.path = {0, ""};
  tree.files.status((tree.folder / "package").string(), folder.status);
  folder.headers = {{"x.h", Digest{}}, {"y.h", Digest{}}};
  tree.dependencies.folders.push_back(folder);
  tree.files.reset_counts();
  CHECK(tree.check() == Freshness::unchanged);
  CHECK(tree.files.total() == 1);
  tree.folder.write("package/other", "");
  Dependencies at_once = tree.dependencies;
  tree.files.reset_counts();
  CHECK(tree.check() == Freshness::confirmed);
  CHECK(tree.files.total() == 3 + tree.files.count("file_system_type"));
  CHECK(tree.files.count("open") == 0);
  CHECK(tree.check() == Freshness::unchanged);
  CHECK_FALSE(unchanged(tree.files, tree.roots, at_once));
  CHECK(has_only_folder_changes(tree.files, tree.roots, at_once));
  CHECK(unchanged(tree.files, tree.roots, at_once));
  SUBCASE("one of them comes") {
    tree.folder.write("package/y.h", "");
    CHECK(tree.check() == Freshness::changed);
    CHECK(tree.what == (tree.folder / "package/y.h").string());
    CHECK_FALSE(has_only_folder_changes(tree.files, tree.roots, at_once));
  }
  SUBCASE("another folder in its place is worth keeping") {
    std::filesystem::create_directory(tree.folder / "new");
    std::filesystem::rename(tree.folder / "package", tree.folder / "old");
    std::filesystem::rename(tree.folder / "new", tree.folder / "package");
    CHECK(tree.check() == Freshness::refreshed);
    CHECK(tree.check() == Freshness::unchanged);
  }
  SUBCASE("a link that leads elsewhere now") {
    tree.folder.write("elsewhere/x.h", "");
    std::filesystem::rename(tree.folder / "package", tree.folder / "old");
    std::filesystem::create_directory_symlink(tree.folder / "old", tree.folder / "package");
    CHECK(tree.check() != Freshness::changed);
    std::filesystem::remove(tree.folder / "package");
    std::filesystem::create_directory_symlink(tree.folder / "elsewhere", tree.folder / "package");
    CHECK(tree.check() == Freshness::changed);
  }
  SUBCASE("without reading nothing is said where a header's content would have to be compared") {
    at_once.folders[0].headers.push_back({"a.h", digest_of("a")});
    tree.folder.write("package/third", "");
    CHECK_FALSE(has_only_folder_changes(tree.files, tree.roots, at_once));
    at_once.folders[0].headers.pop_back();
    at_once.headers_known = false;
    CHECK_FALSE(has_only_folder_changes(tree.files, tree.roots, at_once));
  }
}

TEST_CASE("files that #pragma once takes for one: what they are to each other must stay") {
  Tree tree;
  tree.folder.write("twin.h", "own");
  std::filesystem::last_write_time(tree.folder / "twin.h", std::filesystem::last_write_time(tree.folder / "own.h"));
  bool linked = false;
  SUBCASE("a copy, times and all") {}
  SUBCASE("a second name of the file") {
    linked = true;
    std::filesystem::remove(tree.folder / "twin.h");
    std::filesystem::create_hard_link(tree.folder / "own.h", tree.folder / "twin.h");
  }
  tree.record();
  FileDependency twin = tree.dependencies.files[0];
  twin.path.path = (tree.folder / "twin.h").string();
  tree.files.status(twin.path.path, twin.status);
  tree.dependencies.files.push_back(twin);
  const Dependencies before = tree.dependencies;
  // Both in new states, as a checkout elsewhere has them.
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const char* name : {"own.h", "twin.h"}) std::filesystem::last_write_time(tree.folder / name, now);
  CHECK(tree.check() == Freshness::refreshed);
  tree.dependencies = before;
  if (linked) {
    std::filesystem::remove(tree.folder / "twin.h");
    tree.folder.write("twin.h", "own");
  }
  if (!linked) std::filesystem::last_write_time(tree.folder / "twin.h", now - std::chrono::hours(1));
  CHECK(tree.check() == Freshness::changed);
}

TEST_CASE("paths below roots") {
  const Roots roots = {{"/usr/local/cuda", "/usr/local/cuda/extra/"}};
  CHECK(RootedPath::relate("/usr/local/cuda/include/a.h", roots) == RootedPath{0, "include/a.h"});
  CHECK(RootedPath::relate("/usr/local/cuda/extra/a.h", roots) == RootedPath{1, "a.h"});
  CHECK(RootedPath::relate("/usr/local/cuda", roots) == RootedPath{0, ""});
  CHECK(RootedPath::relate("/usr/local/cuda-12/a.h", roots) == RootedPath{-1, "/usr/local/cuda-12/a.h"});
  for (const char* path : {"/usr/local/cuda/include/a.h", "/usr/local/cuda/extra/a.h", "/usr/local/cuda", "/a"})
    CHECK(RootedPath::relate(path, roots).resolve(roots) == path);
  std::string resolved;
  CHECK_FALSE(RootedPath{2, "a.h"}.resolve(roots, resolved));
}

TEST_CASE("a root that this machine lacks is a change") {
  Tree tree;
  Dependencies only_absent;
  only_absent.absent.push_back({1, "nothing"});
  CHECK(kiln::test::check_now(tree.files, tree.roots, only_absent) == Freshness::changed);
  CHECK_FALSE(unchanged(tree.files, tree.roots, only_absent));
  CHECK(kiln::test::check_now(tree.files, {}, tree.dependencies) == Freshness::changed);
}

TEST_CASE("an observer that remembers looks once") {
  Tree tree;
  std::filesystem::last_write_time(tree.folder / "own.h", std::filesystem::file_time_type::clock::now());
  FileObserver observer(tree.files, true);
  Dependencies again = tree.dependencies;
  CHECK(check_dependencies(observer, tree.roots, tree.dependencies, nullptr, {}) == Freshness::refreshed);
  const int calls = tree.files.total();
  CHECK(check_dependencies(observer, tree.roots, again, nullptr, {}) == Freshness::refreshed);
  CHECK(tree.files.total() == calls);
}

TEST_CASE("a name that a package's folder must not have is looked for where the folder moved") {
  Tree tree;
  tree.dependencies.folders[0].headers.push_back({"c.h", Digest{}});
  CHECK(tree.check() == Freshness::unchanged);
  tree.folder.write("package/other.h", "another name");
  CHECK(tree.check() == Freshness::refreshed);
  tree.folder.write("package/c.h", "");
  CHECK(tree.check() == Freshness::changed);
  CHECK(tree.what == (tree.folder / "package/c.h").string());
}

TEST_CASE("a root that must lie at one place") {
  Tree tree;
  tree.dependencies.absolute_paths.push_back({0, tree.roots.paths[0]});
  CHECK(tree.check() == Freshness::unchanged);
  CHECK(unchanged(tree.files, tree.roots, tree.dependencies));
  for (const AbsolutePathDependency& wrong :
       {AbsolutePathDependency{0, tree.roots.paths[0] + "/"}, AbsolutePathDependency{1, tree.roots.paths[0]}}) {
    tree.dependencies.absolute_paths = {wrong};
    tree.files.reset_counts();
    CHECK(tree.check() == Freshness::changed);
    CHECK(tree.what == wrong.path + "/");
    CHECK_FALSE(unchanged(tree.files, tree.roots, tree.dependencies));
    CHECK(tree.files.total() == 0);
    tree.roots.complete = false;
    CHECK(tree.check() == Freshness::changed);
    tree.roots.complete = true;
  }
}

TEST_CASE("on a machine without the package its paths are as they were, and the others are looked at") {
  Tree tree;
  tree.dependencies.files.push_back({{1, "strict.h"}, {}, {}});
  tree.dependencies.absent.push_back({2, "first/a.h"});
  tree.dependencies.folders[0].path.root = 3;
  tree.roots.complete = false;
  CHECK(tree.check() == Freshness::unchanged);
  CHECK(unchanged(tree.files, tree.roots, tree.dependencies));
  CHECK(tree.files.total() == 4);  // own.h and what must be absent, twice
  tree.folder.write("own.h", "longer");
  CHECK(tree.check() == Freshness::changed);
  tree.folder.write("own.h", "own");
  CHECK(tree.check() == Freshness::refreshed);
  tree.folder.write("first/own.h", "");
  CHECK(tree.check() == Freshness::changed);
  CHECK_FALSE(unchanged(tree.files, tree.roots, tree.dependencies));
}

TEST_CASE("no path is below the root of all") {
  const Roots roots = {{"/", "/p"}};
  CHECK(RootedPath::relate("/a", roots) == RootedPath{-1, "/a"});
  CHECK(RootedPath::relate("/", roots) == RootedPath{-1, "/"});
  CHECK(RootedPath::relate("//a", roots) == RootedPath{-1, "//a"});
  CHECK(RootedPath::relate("/p/a", roots) == RootedPath{1, "a"});
}

TEST_CASE("of equal roots the first") {
  const Roots roots = {{"/p", "/p/inc", "/p/inc"}};
  CHECK(RootedPath::relate("/p/inc/a", roots) == RootedPath{1, "a"});
}

}  // namespace dependencies_test
