// What the caches need to know of a request, whatever it is for.
#pragma once

#include "cache/key.hpp"
#include "compile/headers/header_search_paths.hpp"

#include <map>
#include <string>

namespace kiln {

/// A view: valid as long as what it was made of.
struct CacheRequest {
  const std::string& name;  // in logs and `kiln cache list`
  const CacheKey& key;
  const std::string& maker;                                     // the identity of the compiler or linker
  const HeaderSearchPaths* search = nullptr;                    // null where no file is looked for
  const std::map<std::string, std::string>* headers = nullptr;  // in memory
  bool may_include = false;
  bool relocates_paths = false;  // PTX whose absolute paths are put in when it is read (without_absolute_paths)

  const Roots& roots() const;
};

}  // namespace kiln
