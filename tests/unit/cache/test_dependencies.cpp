#include "cache/dependencies.hpp"

#include "fault_file_system.hpp"
#include "old_file.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <filesystem>

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
    // where a file is removed or replaced. Kiln distrusts such a state by the clock that record() sets forward.
    wait_until_old(folder / "package");
    record();
  }
  void record() {
    // As if all of it were old: a state of this very moment is distrusted.
    files.set_clock(files.FileSystem::now_ns() + minute);
    dependencies = {};
    FileDependency file;
    file.path = {-1, (folder / "own.h").string()};
    files.status(file.path.path, file.status);
    file.digest = sha256(folder.read("own.h"));
    dependencies.files.push_back(file);
    FolderDependency package;
    package.path = {0, ""};
    files.status((folder / "package").string(), package.status);
    package.headers = {{"a.h", sha256("a")}, {"b.h", sha256("b")}};
    dependencies.folders.push_back(package);
    dependencies.absent.push_back({-1, (folder / "first/own.h").string()});
    files.reset_counts();
  }
  Freshness check() {
    what.clear();
    return check_dependencies(files, roots, dependencies, &what);
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

TEST_CASE("a state of a moment ago is not trusted the next time") {
  Tree tree;
  tree.folder.write("own.h", "own");
  tree.folder.write("package/c.h", "c");
  tree.files.set_clock(std::nullopt);
  FileStatus status;
  tree.files.status((tree.folder / "own.h").string(), status);
  tree.files.set_clock(std::max(status.mtime_ns, status.ctime_ns) + 19'000'000);
  CHECK(tree.check() == Freshness::refreshed);
  CHECK(tree.check() == Freshness::refreshed);
  CHECK_FALSE(unchanged(tree.files, tree.roots, tree.dependencies));
  tree.files.set_clock(status.ctime_ns + minute);
  CHECK(tree.check() == Freshness::refreshed);
  CHECK(tree.check() == Freshness::unchanged);
}

TEST_CASE("so it is with a folder") {
  Tree tree;
  tree.folder.write("package/c.h", "c");
  FileStatus status;
  FileSystem::real().status((tree.folder / "package").string(), status);
  tree.files.set_clock(status.ctime_ns + 19'000'000);
  CHECK(tree.check() == Freshness::refreshed);
  CHECK(tree.check() == Freshness::refreshed);
  tree.files.set_clock(status.ctime_ns + minute);
  CHECK(tree.check() == Freshness::refreshed);
  CHECK(tree.check() == Freshness::unchanged);
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
  file.digest = sha256("#define N 4");
  dependencies.files.push_back(file);
  CHECK(check_dependencies(files, {}, dependencies) == Freshness::refreshed);
  CHECK(unchanged(files, {}, dependencies));  // within a process, where images are not exchanged
  FileObserver observer(files, false);
  CHECK_FALSE(unchanged(observer, {}, dependencies));
  folder.write("own.h", "#define N 8");
  CHECK(check_dependencies(files, {}, dependencies) == Freshness::changed);
}

TEST_CASE("where times are whole seconds a file is young for longer") {
  constexpr std::int64_t second = 1'000'000'000;
  FileStatus status;
  status.mtime_ns = status.ctime_ns = 1'700'000'000 * second;
  CHECK(has_coarse_times(status));
  CHECK(is_young(status, status.ctime_ns + 2 * second));
  CHECK_FALSE(is_young(status, status.ctime_ns + 3 * second));
  status.ctime_ns += 1;
  CHECK_FALSE(has_coarse_times(status));
  CHECK(is_young(status, status.ctime_ns + 19'000'000));
  CHECK_FALSE(is_young(status, status.ctime_ns + 21'000'000));
}

TEST_CASE("the device's number does not matter") {
  Tree tree;
  tree.dependencies.files[0].status.device += 1;
  tree.dependencies.folders[0].status.device += 1;
  CHECK(tree.check() == Freshness::unchanged);
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
  CHECK(check_dependencies(tree.files, tree.roots, only_absent) == Freshness::changed);
  CHECK_FALSE(unchanged(tree.files, tree.roots, only_absent));
  CHECK(check_dependencies(tree.files, {}, tree.dependencies) == Freshness::changed);
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
  tree.dependencies.places.push_back({0, tree.roots.paths[0]});
  CHECK(tree.check() == Freshness::unchanged);
  CHECK(unchanged(tree.files, tree.roots, tree.dependencies));
  for (const PlaceDependency& wrong :
       {PlaceDependency{0, tree.roots.paths[0] + "/"}, PlaceDependency{1, tree.roots.paths[0]}}) {
    tree.dependencies.places = {wrong};
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
