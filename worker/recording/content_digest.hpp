// The digest of an open file's content, for the recorder. It must not move the file's position; record_question.cpp
// says what it may use.
#pragma once

#include <cstdint>

namespace kiln {

/// Writes the digest_of() of the file's first `size` bytes, or of all if it has fewer. False if it cannot be read.
bool put_content_digest(int descriptor, std::uint64_t size, std::uint8_t (&digest)[32]) noexcept;

}  // namespace kiln
