// A store over a scratch folder, with a source that includes one header of its own and one of a package.
#pragma once

#include "cache/store.hpp"

#include "fault_file_system.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace kiln::test {

inline Sections code_sections(const std::string& code) {
  Sections sections;
  sections.add("code", code);
  sections.add("log", "");
  return sections;
}

inline std::string code_of(const std::optional<CacheStore::Hit>& hit) {
  return hit ? std::string(hit->sections.find("code").value_or("(no section)")) : "(miss)";
}

/// Finds, and counts one hit or one miss, as a compile does.
inline std::optional<CacheStore::Hit> find_and_count(CacheStore& store, const CacheKey& request, bool has_dependencies,
                                                     const Roots& roots) {
  std::optional<CacheStore::Hit> hit = store.find(request, has_dependencies, roots);
  store.folder().count(hit ? Counter::hits : Counter::misses);
  store.folder().write_counts();
  return hit;
}

struct StoreFixture {
  StoreFixture() {
    // As if all that the tests write were an hour old: states of this very moment are distrusted.
    files.set_clock(FileSystem::real().now_ns() + 3'600'000'000'000);
    folder.write("own.h", "own");
    folder.write("package/a.h", "a");
    roots = {{(folder / "package").string()}};
  }

  /// What a compile would report now.
  Dependencies dependencies() {
    Dependencies found;
    FileDependency file;
    file.path = {-1, (folder / "own.h").string()};
    FileSystem::real().status(file.path.path, file.status);
    file.digest = digest_of(folder.read("own.h"));
    found.files.push_back(file);
    FolderDependency package;
    package.path = {0, ""};
    FileSystem::real().status(roots.paths[0], package.status);
    package.headers = {{"a.h", digest_of(folder.read("package/a.h"))}};
    found.folders.push_back(package);
    found.absent.push_back({-1, (folder / "first/own.h").string()});
    return found;
  }

  std::optional<CacheStore::Hit> look_up() { return find_and_count(store, request, true, roots); }
  Digest put(const std::string& code) { return store.put(request, true, dependencies(), code_sections(code)); }

  /// The names of the cache's files below v2/entries of that kind (".code"), or of v2/tmp (".tmp").
  std::vector<std::filesystem::path> files_of(const std::string& kind) const {
    std::vector<std::filesystem::path> found;
    const std::filesystem::path root = directory();
    if (std::filesystem::exists(root))
      for (const auto& item : std::filesystem::recursive_directory_iterator(root))
        if (item.path().extension() == kind) found.push_back(item.path());
    std::sort(found.begin(), found.end());
    return found;
  }
  std::filesystem::path directory() const { return folder / "cache"; }

  ScratchFolder folder;
  FaultFileSystem files;
  Roots roots;
  CacheKey request{"request"};
  CacheStore store{files, directory().string()};
};

}  // namespace kiln::test
