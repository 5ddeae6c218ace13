// The texture and surface references of one module that were asked for.
#pragma once

#include "module/reference.hpp"

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace kiln {

/// References are added and never removed.
struct ReferenceTable {
  /// Held by every launch of the module's kernels, from the first write of a binding to the launch's last mark.
  std::mutex mutex;
  std::vector<std::shared_ptr<Reference>> references;

  /// Null where there is none of that symbol yet.
  std::shared_ptr<Reference> find(std::string_view symbol) const {
    for (const auto& reference : references)
      if (reference->symbol() == symbol) return reference;
    return nullptr;
  }
};

}  // namespace kiln
