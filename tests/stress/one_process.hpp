// What one process sees of a cache that is not as it should be.
#pragma once

#include "crew.hpp"
#include "locked_compile.hpp"

#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace kiln::test {

constexpr unsigned nobody = 65534;

inline bool is_root() { return ::geteuid() == 0; }

inline void leave_out(const std::string& why) { MESSAGE("left out: " << why); }

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
inline Report in_process(const std::function<void(Report& report)>& body) {
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
inline void use(Report& report, CacheStore& store) {
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 3; ++i) {
      bool compiled = false;
      const Source source = plain_source(i);
      const std::string code = locked_compile(store, source, [&] {
        compiled = true;
        return right_code(source.request);
      });
      report.wrong += code != right_code(source.request);
      report.from_cache += !compiled;
    }
}

inline Report use(const std::filesystem::path& directory, std::optional<std::uint32_t> user = {}) {
  return in_process([&](Report& report) {
    FaultFileSystem files;
    files.set_user(user);
    CacheStore store(files, directory.string());
    use(report, store);
  });
}

/// A folder with an entry in it that must not be served.
struct Warmed {
  ScratchFolder scratch;
  std::filesystem::path root = scratch / "cache";
  Warmed() {
    CacheStore store(FileSystem::real(), root.string());
    locked_compile(store, plain_source(0));
    REQUIRE(find_code(store, plain_source(0)) == right_code(plain_source(0).request));
  }
  std::filesystem::path entry() const {
    const std::string hex = plain_source(0).request.name.hex();
    return root / "v3/entries" / hex.substr(0, 2) / (hex.substr(2) + ".code");
  }
};

}  // namespace kiln::test
