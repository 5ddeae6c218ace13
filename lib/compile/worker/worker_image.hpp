// The program kiln-worker as this library, or a program that holds it, carries it.
#pragma once

#include <string_view>

namespace kiln {

/// Its bytes; of static lifetime. Empty in the worker itself.
std::string_view worker_image();
/// What library_identity() says of a file of these bytes, stripped or not.
std::string_view worker_image_identity();

}  // namespace kiln
