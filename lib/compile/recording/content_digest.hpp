// The digest of an open file's content, for the recorder: it may not move the file's position, and see
// record_question.cpp for what it may use.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln {

/// XXH3 of 64 bits.
std::uint64_t hash_of(const char* text, std::size_t length) noexcept;

/// Puts the digest_of() of the file's first `size` bytes, or of all where it has fewer. False where it cannot be read.
bool put_content_digest(int descriptor, std::uint64_t size, std::uint8_t (&digest)[16]) noexcept;

}  // namespace kiln
