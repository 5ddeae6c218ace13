// The files of a folder that this process looks at.
#pragma once

#include <cstddef>
#include <string>

namespace kiln::test {

/// From now on counts each call that names something in that folder, or the folder itself: of this process, and so of
/// libkiln in it, but not of its workers. Empty: none.
void watch_folder(const std::string& folder);

std::size_t touched_files();

}  // namespace kiln::test
