// Images that stay loaded for a while after their last module.
#pragma once

#include "module/image.hpp"

#include <memory>

namespace kiln {

/// Keeps the image loaded until a fixed number of others were given here after it, so that a program which makes the
/// same module again and again loads it once, and one that makes thousands does not fill the device. Thread-safe.
void keep_recent(std::shared_ptr<Image> image);

}  // namespace kiln
