// CodeData: what all copies of a CodeObject share.
#pragma once

#include "base/digest.hpp"
#include "toolkit/code_info.hpp"

#include <kiln/code_object.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// The request that made some code, kept so that it can be made again for another device or with another instance.
struct Recipe {
  std::string source;
  CompileOptions options;  // as the user gave them
};

struct CodeData {
  std::string bytes;
  Target target = Target::cubin;
  std::string arch;
  std::string log;
  std::vector<std::pair<std::string, std::string>> lowered_names;  // canonical expression, symbol
  Backend backend = Backend::nvrtc;
  std::shared_ptr<const Recipe> recipe;  // null for code that was not compiled here
  std::optional<Digest> cache_key;       // the disk entry that holds it
  std::string cache_dir;                 // the folder of that entry
  /// Set when a driver refused the code: nobody is to be given it again.
  mutable std::atomic<bool> forgotten = false;

  /// The code's own tables, read at the first call. Throws Error where it is damaged. Thread-safe.
  const CodeInfo& info() const;

  /// A place for the loaded image that the modules of this code share; what it holds is the module room's business.
  struct ImageSlot {
    std::mutex mutex;
    std::shared_ptr<void> image;
  };
  ImageSlot& image_slot() const noexcept { return image_slot_; }

 private:
  mutable std::once_flag info_once_;
  mutable CodeInfo info_;
  mutable ImageSlot image_slot_;
};

}  // namespace kiln
