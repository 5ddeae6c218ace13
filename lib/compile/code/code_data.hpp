// CodeData: what all copies of a CodeObject share.
#pragma once

#include "base/digest.hpp"
#include "cache/entry.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/parameter_kinds.hpp"

#include <kiln/code_object.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

class CacheStore;

/// The request that made some code, kept so that it can be made again for another device or with another instance.
struct Recipe {
  std::string source;
  CompileOptions options;  // as the user gave them
};

struct CodeData {
  /// The code. Behind PTX there is a zero byte, as the driver wants it.
  std::string_view bytes;
  Target target = Target::cubin;
  std::string arch;
  std::string log;
  std::vector<std::pair<std::string, std::string>> lowered_names;  // canonical expression, symbol
  /// Where the code was made here: what its compile or link knows of its kernels' parameters beyond the code itself. To
  /// be set before info() is called; an entry has it in its tables.
  ParameterKinds parameter_kinds;
  std::optional<std::string> ptx;              // that a cubin was made of, where it was to be kept
  std::vector<std::string> effective_options;  // as the compiler took them; none of linked code
  Backend backend = Backend::nvrtc;
  std::shared_ptr<const Recipe> recipe;  // null for code that was not compiled here
  std::string name;                      // the user's, or what stands for it
  /// Of linked code whose arch was left to Kiln: links the same inputs for devices of that architecture ("sm_90"), or
  /// finds that. Null where there is a recipe, or the arch was given.
  std::function<CodeObject(const std::string& device_arch)> relink;
  CacheStore* store = nullptr;  // that has an entry of it, where one has
  Digest store_key;             // of that entry
  /// Set when a driver refused the code: it must not be used again.
  mutable std::atomic<bool> discarded = false;

  CodeData() = default;
  CodeData(const CodeData&) = delete;  // `bytes` is a view into it
  CodeData& operator=(const CodeData&) = delete;

  /// Takes the code over.
  void own(std::string code) {
    made_ = std::move(code);
    bytes = made_;
  }
  /// Takes the sections of a cache entry over, of which the code is one, so that it is not copied.
  void own(Sections sections) {
    read_ = std::move(sections);
    bytes = read_.find("code").value_or(std::string_view());
    if (target == Target::ptx) own(std::string(bytes));
  }

  /// Bytes that it holds, with its recipe.
  std::size_t memory_size() const;

  /// The code's own tables, read at the first call. Throws Error where it is damaged. Thread-safe.
  const CodeInfo& info() const;
  /// The same, or null for code whose kernels the driver must be asked for: a fatbin that was not compiled here, which
  /// would have to be decompressed, and one in which no reader finds anything.
  const CodeInfo* listed_info() const;
  /// Of the PTX in a fatbin for which listed_info() returns null, unpacked and read at the first call. Thread-safe.
  const ParameterKinds& fatbin_kinds() const;

  /// A place for the loaded image that the modules of this code share; what it holds is the module room's business.
  struct ImageSlot {
    std::mutex mutex;
    std::shared_ptr<void> image;
  };
  ImageSlot& image_slot() const noexcept { return image_slot_; }

 private:
  CodeInfo read_info() const;
  CodeInfo read_code() const;

  // Not std::call_once: under TSan one that threw is never entered again.
  mutable std::mutex info_mutex_;
  mutable std::optional<CodeInfo> info_;
  mutable std::optional<ParameterKinds> fatbin_kinds_;
  mutable ImageSlot image_slot_;
  std::string made_;
  Sections read_;
};

}  // namespace kiln
