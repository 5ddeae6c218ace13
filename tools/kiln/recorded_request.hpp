// A line of KILN_RECORD's file, read. lib/compile/record writes it; docs/cache.md has the form.
#pragma once

#include "compile/link/link.hpp"

#include <kiln/compile_options.hpp>
#include <kiln/linker.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

/// What a request depends on beside itself: where, for which device and with which variables it was made.
struct RecordedPlace {
  std::string folder;
  std::string device_arch;  // empty where the request names its own, or none was known
  std::map<std::string, std::string> environment;

  friend auto operator<=>(const RecordedPlace&,
                          const RecordedPlace&) = default;  // NOLINT(modernize-use-nullptr): of clang-tidy 14
};

struct RecordedSource {
  std::string text;
  CompileOptions options;
};

struct RecordedInput {
  InputType type = InputType::detect;
  std::string name;
  std::string library;                 // of the toolkit's; else
  std::vector<RecordedSource> source;  // one, of what was compiled; else
  std::string bytes;
};

struct RecordedRequest {
  enum class Kind { compile, compile_plain, link };

  Kind kind = Kind::compile;
  RecordedPlace place;
  RecordedSource source;              // of a compile
  LinkOptions link;                   // of a link
  std::vector<RecordedInput> inputs;  // likewise

  const std::string& name() const { return kind == Kind::link ? link.name : source.options.name; }
  /// Whether the device decides what it is for.
  bool is_for_device() const;
};

/// Throws Error, which says what is wrong with the line.
RecordedRequest read_request(std::string_view line);

/// Compiles what the link is of, or finds it, and links for that device. Throws as Linker::link.
CodeObject link_recorded(const RecordedRequest& request);

}  // namespace kiln::tool
