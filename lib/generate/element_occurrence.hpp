// One v[i] in a statement.
#pragma once

#include "generate/operation_tokens.hpp"

#include <cstddef>
#include <string_view>

namespace kiln {

template <class... Words>
bool is_one_of(std::string_view token, Words... words) {
  return ((token == words) || ...);
}

/// Empty before the first and after the last one.
std::string_view token_at(const OperationTokens& tokens, std::size_t index);

/// Of a type that has no references in it.
bool is_type_word(std::string_view token);

/// Whether the word there is one of a class or a namespace, so that it is no vector of that name.
bool is_member(const OperationTokens& tokens, std::size_t index);

/// How the vector whose name stands there is used. An access that is not certainly a read may be a write.
struct ElementOccurrence {
  bool is_at_i = false;
  bool is_address = false;   // &v[i], or what cannot be distinguished from it
  bool is_assigned = false;  // v[i] = ..., as a statement
  bool is_only_read = false;
  bool is_read = false;  // or changed: it has a value before
};

ElementOccurrence look_at(const OperationTokens& tokens, std::size_t from);

}  // namespace kiln
