// The digest of an open file's content, for the recorder. It must not move the file's position; record_question.cpp
// says what it may use.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln {

/// XXH3 of 64 bits.
std::uint64_t hash_of(const char* text, std::size_t length) noexcept;

/// Writes the digest_of() of the file's first `size` bytes, or of all if it has fewer. False if it cannot be read.
bool put_content_digest(int descriptor, std::uint64_t size, std::uint8_t (&digest)[16]) noexcept;

}  // namespace kiln
