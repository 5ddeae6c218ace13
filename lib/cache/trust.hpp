// Whose files may be used: what the cache serves is executed.
#pragma once

#include "base/file_system.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The effective user trusts itself, and no file that another may write. Of a cache that is only read it can trust
/// more: root, and the owners that the user named. A checksum is against damage; this is against intent.
struct Trust {
  /// Beside the effective user; sorted.
  std::vector<std::uint32_t> owners;

  /// What speaks against using the file or folder, as words to put behind its path; empty where nothing does.
  std::string objection(FileSystem& files, const FileStatus& status) const;
  /// The same for a folder, which must be one and no link. -ENOENT and the like where it cannot be looked at.
  int check_folder(FileSystem& files, const std::string& path, std::string& objection) const;

  friend bool operator==(const Trust&, const Trust&) = default;
};

/// Root and the owners, by name or number. A name that this system does not know is an ArgumentError in `owners`, which
/// the program gave, and left out with one warning in `environments`: not every machine of a site knows every user, and
/// no program is to fail for that.
Trust trust_of(const std::vector<std::string>& owners, const std::vector<std::string>& environments = {});

}  // namespace kiln
