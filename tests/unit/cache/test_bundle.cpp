// Bundles: what goes in comes out on another machine; damaged ones publish nothing.
#include "base/checksum.hpp"
#include "cache/bundle.hpp"
#include "cache/bundle_transfer.hpp"
#include "cache/explain_miss.hpp"
#include "cache/listing.hpp"
#include "cache/makers.hpp"
#include "store_fixture.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <set>

namespace bundle_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// A cache with code, headers and manifest of one request, code that needs no manifest, and a history.
struct Exporter : StoreFixture {
  Exporter() {
    put("code");
    store.put(CacheKey("alone"), false, {}, code_sections("alone"));
    record_request(store.folder(), "a.cu", {{"arch", {"sm_90"}, false}});
  }
  std::string bundle() {
    export_entries(store.folder(), file());
    return file_bytes(file());
  }
  std::string file() const { return (folder / "bundle").string(); }
};

/// Another folder that can take a bundle in.
struct Importer {
  std::string directory() const { return (folder / "cache").string(); }
  std::uint64_t import(const std::string& bytes) {
    return import_entries(store.folder(), folder.write("bundle", bytes).string());
  }
  /// Every entry's path within the cache, and its content.
  std::set<std::pair<std::string, std::string>> content() const {
    std::set<std::pair<std::string, std::string>> all;
    if (std::filesystem::exists(directory()))
      for (const auto& item : std::filesystem::recursive_directory_iterator(directory()))
        if (item.is_regular_file()) all.emplace(item.path().filename().string(), file_bytes(item.path()));
    return all;
  }
  ScratchFolder folder;
  FaultFileSystem files;
  CacheStore store{files, directory()};
};

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string with_integers(std::string text, std::initializer_list<std::uint64_t> values) {
  for (const std::uint64_t value : values)
    for (int i = 0; i < 8; ++i) text.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  return text;
}

std::string with_checksum(std::string bytes) { return bytes.append(checksum_of(bytes).view()); }

}  // namespace

TEST_CASE("export, import, hit: with the headers compared by content once") {
  Exporter from;
  CHECK(export_entries(from.store.folder(), from.file()) == 2);
  Importer to;
  CHECK(to.import(file_bytes(from.file())) == 2);
  CHECK(code_of(find_and_count(to.store, CacheKey("alone"), false, {})) == "alone");
  to.files.set_clock(FileSystem::real().now_ns() + 3'600'000'000'000);
  to.files.clear_opened();
  CHECK(code_of(find_and_count(to.store, from.request, true, from.roots)) == "code");
  const auto opened = to.files.opened();
  CHECK(std::count(opened.begin(), opened.end(), (from.folder / "own.h").string()) == 1);
  to.files.clear_opened();
  CHECK(code_of(find_and_count(to.store, from.request, true, from.roots)) == "code");
  const auto again = to.files.opened();
  CHECK(std::count(again.begin(), again.end(), (from.folder / "own.h").string()) == 0);
  from.folder.write("own.h", "new");
  CHECK(code_of(find_and_count(to.store, from.request, true, from.roots)) == "(miss)");
}

TEST_CASE("several own headers are compared one by one, and not taken for one file") {
  Exporter from;
  Dependencies both = from.dependencies();
  FileDependency second;
  second.path = {-1, from.folder.write("second.h", "second").string()};
  FileSystem::real().status(second.path.path, second.status);
  second.digest = digest_of("second");
  both.files.push_back(second);
  from.store.put(from.request, true, both, code_sections("of both"));
  Importer to;
  REQUIRE(to.import(from.bundle()) == 3);
  CHECK(code_of(find_and_count(to.store, from.request, true, from.roots)) == "of both");
}

TEST_CASE("the states of another machine are not believed, even where they are the same by chance") {
  // Another content in the recorded state: only a look at the content can tell.
  struct Twin : FaultFileSystem {
    int do_status(const std::string& path, FileStatus& status) override {
      const int code = FaultFileSystem::do_status(path, status);
      if (path == recorded) status = state;
      return code;
    }
    std::string recorded;
    FileStatus state;
  };
  for (const bool folder : {false, true}) {
    CAPTURE(folder);
    Exporter from;
    const std::string bundle = from.bundle();
    Twin twin;
    twin.recorded = folder ? from.roots.paths[0] : (from.folder / "own.h").string();
    FileSystem::real().status(twin.recorded, twin.state);
    from.folder.write(folder ? "package/a.h" : "own.h", folder ? "b" : "wno");
    CacheStore exported(twin, from.directory().string());
    CHECK(code_of(find_and_count(exported, from.request, true, from.roots)) == "code");
    Importer to;
    CacheStore store(twin, to.directory());
    REQUIRE(import_entries(store.folder(), from.file()) == 2);
    CHECK(code_of(find_and_count(store, from.request, true, from.roots)) == "(miss)");
  }
}

TEST_CASE("a second import changes nothing") {
  Exporter from;
  const std::string bundle = from.bundle();
  Importer to;
  CHECK(to.import(bundle) == 2);
  const auto before = to.content();
  to.files.reset_counts();
  CHECK(to.import(bundle) == 0);
  CHECK(to.content() == before);
  CHECK(to.files.count("rename") == 0);
}

TEST_CASE("a manifest that is here already is merged, this machine's variants first") {
  Exporter from;
  const std::string bundle = from.bundle();
  Importer to;
  from.folder.write("own.h", "mine");
  to.store.put(from.request, true, from.dependencies(), code_sections("mine"));
  CHECK(to.import(bundle) == 2);
  CHECK(code_of(find_and_count(to.store, from.request, true, from.roots)) == "mine");
  from.folder.write("own.h", "own");
  CHECK(code_of(find_and_count(to.store, from.request, true, from.roots)) == "code");
  from.folder.write("own.h", "mine");
  CHECK(code_of(find_and_count(to.store, from.request, true, from.roots)) == "mine");
}

TEST_CASE("damaged entries, and manifests that would lead to them, stay behind") {
  Exporter from;
  for (const auto& path : from.files_of(".code"))
    if (file_bytes(path).find("alone") == std::string::npos) write_file(path, "damaged");
  CHECK(export_entries(from.store.folder(), from.file()) == 1);
  CHECK(folder_stats(from.store.folder()).corrupt == 1);
  Importer to;
  CHECK(to.import(file_bytes(from.file())) == 1);
  for (const auto& [name, bytes] : to.content()) CHECK(name.find(".manifest") == std::string::npos);
  CHECK(code_of(find_and_count(to.store, from.request, true, from.roots)) == "(miss)");
  CHECK(folder_stats(to.store.folder()).corrupt == 0);
}

TEST_CASE("a damaged entry here is replaced by the bundle's") {
  Exporter from;
  const std::string bundle = from.bundle();
  for (const auto& path : from.files_of(".code")) write_file(path, "damaged");
  CHECK(import_entries(from.store.folder(), from.file()) == 2);
  CHECK(code_of(from.look_up()) == "code");
}

TEST_CASE("the history of a machine stays there") {
  Exporter from;
  REQUIRE(from.files_of(".history").size() == 1);
  Importer to;
  to.import(from.bundle());
  for (const auto& [name, bytes] : to.content()) CHECK(name.find(".history") == std::string::npos);
}

TEST_CASE("who made the entries goes along, beside those who made the others") {
  Exporter from;
  add_maker(from.store.folder(), "first");
  add_maker(from.store.folder(), "second");
  const std::string bundle = from.bundle();
  Importer to;
  to.store.put(CacheKey("own"), false, {}, code_sections("own"));
  add_maker(to.store.folder(), "own");
  to.import(bundle);
  CHECK(makers_in(to.store.folder()) == std::vector<std::string>{"second", "first", "own"});
  const auto before = to.content();
  to.import(bundle);
  CHECK(to.content() == before);
}

TEST_CASE("a folder that is not to be trusted gives and takes nothing") {
  Exporter from;
  const std::string bundle = from.bundle();
  Importer to;
  std::filesystem::create_directories(to.directory() + "/v3");
  std::filesystem::permissions(to.directory() + "/v3", std::filesystem::perms::all);
  CHECK(refusal([&] { to.import(bundle); }).find("is not used") != std::string::npos);
  CHECK(refusal([&] { export_entries(to.store.folder(), from.file()); }).find("is not used") != std::string::npos);
  CHECK(refusal([&] { verify_entries(to.store.folder()); }).find("is not used") != std::string::npos);
  CHECK(refusal([&] { list_entries(to.store.folder()); }).find("is not used") != std::string::npos);
  CHECK(to.content().empty());
  CHECK(file_bytes(from.file()) == bundle);
}

TEST_CASE("an empty cache makes an empty bundle") {
  Importer from;
  const std::string file = (from.folder / "bundle").string();
  CHECK(export_entries(from.store.folder(), file) == 0);
  CHECK(file_bytes(file) == with_checksum(with_integers(std::string("kilnpack\4\0\0\0", 12), {0, 0})));
  Importer to;
  CHECK(to.import(file_bytes(file)) == 0);
  CHECK_FALSE(std::filesystem::exists(to.directory()));
}

TEST_CASE("every truncation is refused, and publishes nothing") {
  const std::string bundle = Exporter().bundle();
  Importer to;
  for (std::size_t size = 0; size < bundle.size(); ++size) {
    CAPTURE(size);
    const std::string text = refusal([&] { to.import(bundle.substr(0, size)); });
    CHECK(text.find(size < 8 ? "is no bundle" : "is damaged at byte ") != std::string::npos);
  }
  CHECK(refusal([&] { to.import(bundle + "x"); }).find(": export it again") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(to.directory()));
}

TEST_CASE("every flipped byte is refused, and publishes nothing") {
  const std::string bundle = Exporter().bundle();
  Importer to;
  for (std::size_t i = 0; i < bundle.size(); ++i) {
    CAPTURE(i);
    std::string flipped = bundle;
    flipped[i] = static_cast<char>(~flipped[i]);
    CHECK_FALSE(refusal([&] { to.import(flipped); }).empty());
  }
  CHECK_FALSE(std::filesystem::exists(to.directory()));
}

TEST_CASE("bundles whose checksum is right and whose content is not") {
  const std::string start("kilnpack\4\0\0\0", 12);
  const auto entry = [](EntryKind kind, const Digest& key, const Sections& sections) {
    const std::string file = encode_entry(kind, key, sections);
    return with_integers("", {file.size()}) + file;
  };
  const std::string code = entry(EntryKind::code, digest_of("key"), code_sections("code"));
  Sections headers;
  headers.add("headers", "not those of its name");
  Importer to;
  CHECK(to.import(with_checksum(with_integers(start + code, {0, 1}))) == 1);
  const auto before = to.content();
  const auto refused = [&](const std::string& bytes) {
    return refusal([&] { to.import(with_checksum(bytes)); }).find("damaged at byte ") != std::string::npos;
  };
  CHECK(refused(with_integers(start + code, {0, 2})));
  CHECK(refused(with_integers(start + code, {0, 0})));
  CHECK(refused(with_integers(start + code, {~std::uint64_t{0}, 1})));
  CHECK(refused(with_integers(start + code, {std::uint64_t{1} << 40, 1})));
  // Refused where the length stands, before anything of that length is made.
  const std::string where = "byte " + std::to_string(start.size() + code.size()) + ":";
  for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{9}, std::uint64_t{1} << 29})
    for (const std::size_t more : {0u, 7u, 8u}) {
      const std::string bytes = with_integers(start + code, {length, 1}) + std::string(more, '\0');
      CHECK(refusal([&] { to.import(with_checksum(bytes)); }).find(where) != std::string::npos);
    }
  CHECK(refused(with_integers(with_integers(start, {5}) + "hello", {0, 1})));
  CHECK(refused(with_integers(start + entry(EntryKind::headers, digest_of("key"), headers), {0, 1})));
  CHECK(refused(with_integers(start + entry(EntryKind::manifest, digest_of("key"), headers), {0, 1})));
  CHECK(refused(with_integers(start + entry(EntryKind::history, digest_of("key"), headers), {0, 1})));
  for (const int kind : {7, 8, 9, 10, 99})
    CHECK(refused(with_integers(start + entry(static_cast<EntryKind>(kind), digest_of("key"), headers), {0, 1})));
  CHECK(to.content() == before);
  const std::string later("kilnpack\6\0\0\0", 12);
  CHECK(refusal([&] { to.import(later); }).find("format 6") != std::string::npos);
}

TEST_CASE("files that are no bundle, no file, or cannot be read") {
  Importer to;
  CHECK(refusal([&] { to.import("#!/bin/sh\n"); }).find("is no bundle of a Kiln cache") != std::string::npos);
  CHECK(refusal([&] { import_entries(to.store.folder(), to.directory() + "/none"); }).find("No such file") !=
        std::string::npos);
  CHECK(refusal([&] { import_entries(to.store.folder(), to.folder.path().string()); }).find("Is a directory") !=
        std::string::npos);
  CHECK(refusal([&] { import_entries(to.store.folder(), "/dev/null"); }).find("no regular file") != std::string::npos);
}

TEST_CASE("an export that cannot be written says so and leaves what was there") {
  Exporter from;
  CHECK(refusal([&] { export_entries(from.store.folder(), "/dev/null"); }).find("no regular file") !=
        std::string::npos);
  CHECK(refusal([&] { export_entries(from.store.folder(), from.folder.path().string()); }).find("Is a dir") !=
        std::string::npos);
  CHECK(refusal([&] { export_entries(from.store.folder(), (from.folder / "none/b").string()); }).find("No such") !=
        std::string::npos);
  from.folder.write("bundle", "old");
  from.files.fail_always("write", ENOSPC);
  CHECK(refusal([&] { export_entries(from.store.folder(), from.file()); }).find("No space left") != std::string::npos);
  CHECK(from.folder.read("bundle") == "old");
}

TEST_CASE("the N-th file operation of an export fails: no bundle, or the whole one") {
  Importer to;
  bool failed = true;
  int refusals = 0;
  for (int n = 1; failed; ++n) {
    REQUIRE(n < 500);
    CAPTURE(n);
    Exporter from;
    from.files.limit_transfers(100);
    from.files.fail_operation(n, EIO);
    const std::string text = refusal([&] { export_entries(from.store.folder(), from.file()); });
    failed = from.files.operation_failed();
    from.files.fail_operation(0, 0);
    CHECK(std::filesystem::exists(from.file()) == text.empty());
    std::size_t files = 0;
    for (const auto& item : std::filesystem::directory_iterator(from.folder.path()))
      if (item.path().extension() == ".tmp") ++files;
    CHECK(files == 0);
    CHECK(from.files_of(".code").size() == 2);
    if (!text.empty()) ++refusals;
    // An entry that could not be read now is left out; what is in the bundle is whole.
    if (text.empty()) CHECK(BundleReader(FileSystem::real(), from.file()).items().size() >= 3);
  }
  CHECK(refusals > 5);
}

TEST_CASE("the N-th file operation of an import fails: a clean error, and a second call adds the rest") {
  Exporter from;
  const std::string bundle = from.bundle();
  bool failed = true;
  int refusals = 0;
  for (int n = 1; failed; ++n) {
    REQUIRE(n < 500);
    CAPTURE(n);
    Importer to;
    to.files.limit_transfers(200);
    to.files.fail_operation(n, EIO);
    const std::string text = refusal([&] { to.import(bundle); });
    failed = to.files.operation_failed();
    to.files.fail_operation(0, 0);
    for (const auto& [name, bytes] : to.content()) CHECK(name.find(".tmp") == std::string::npos);
    const auto first = find_and_count(to.store, from.request, true, from.roots);
    CHECK(code_of(first) == (text.empty() ? "code" : code_of(first)));
    CHECK((code_of(first) == "code" || code_of(first) == "(miss)"));
    CHECK(folder_stats(to.store.folder()).corrupt == 0);
    if (!text.empty()) ++refusals;
    to.import(bundle);
    CHECK(code_of(find_and_count(to.store, from.request, true, from.roots)) == "code");
  }
  CHECK(refusals > 5);
}

TEST_CASE("a manifest that cannot be read now is not lost to an import") {
  Exporter from;
  const std::string bundle = from.bundle();
  bool failed = true;
  for (int n = 1; failed; ++n) {
    REQUIRE(n < 500);
    CAPTURE(n);
    Exporter to;  // has another variant beside the bundle's
    to.folder.write("own.h", "mine");
    const Dependencies mine = to.dependencies();
    to.store.put(from.request, true, mine, code_sections("mine"));
    to.files.fail_operation(n, EIO);
    refusal([&] { import_entries(to.store.folder(), from.file()); });
    failed = to.files.operation_failed();
    to.files.fail_operation(0, 0);
    CHECK(code_of(find_and_count(to.store, from.request, true, to.roots)) == "mine");
  }
}

}  // namespace bundle_test
