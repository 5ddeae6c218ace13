// Whose files may be used: the code in them is executed.
#pragma once

#include "base/file_system.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class PublicKeys;

/// Files of the effective user are trusted, unless other users may write them. In a cache that is only read, files of
/// root and of the owners that the user named are trusted, too, and whosoever's that a trusted key signed. A checksum
/// is against damage; this is against attacks.
struct Trust {
  /// Beside the effective user; sorted. None in the process's own cache, where no owner can be added.
  std::vector<std::uint32_t> owners;
  /// Not owned; null: owners alone count.
  const PublicKeys* keys = nullptr;

  /// Why the file or folder must not be used, as words to put after its path, with the way out; empty where it may be
  /// used.
  std::string objection(FileSystem& files, const FileStatus& status) const;
  /// The same for a folder, which must be one and no link; with keys that is enough, as each file in it is looked at.
  /// -ENOENT and the like where it cannot be looked at.
  int check_folder(FileSystem& files, const std::string& path, std::string& objection) const;
};

/// Root and the owners, by name or number. A name that this system does not know is an ArgumentError in `owners`, which
/// the program gave, and left out with one warning in `environments`: not every machine of a site knows every user, and
/// no program should fail for that.
Trust trust_of(const std::vector<std::string>& owners, const std::vector<std::string>& environments = {});

}  // namespace kiln
