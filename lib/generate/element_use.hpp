// How a statement about element i uses a vector, as far as its tokens show.
#pragma once

#include "generate/parameter_list.hpp"

#include <string_view>
#include <vector>

namespace kiln {

struct ElementUse {
  /// At [i] alone, so that its length is the number of elements.
  bool only_at_i = false;
  /// And in such a way that several of its elements may be read before the statement and written after it.
  bool can_be_staged = false;
  bool is_loaded = false;  // before the statement
  enum class Store { never, where_changed, always } store = Store::never;
};

/// What stands around the statement, and could make its words mean something else. Views.
struct OperationContext {
  std::string_view preamble = {};
  std::string_view defines = {};  // directives
  std::string_view loop_prep = {};
};

/// Macros of headers are not seen: a statement that begins with a word in capitals is taken for one.
std::vector<ElementUse> element_uses(const std::vector<GeneratedParameter>& parameters, std::string_view statement,
                                     const OperationContext& context);

/// Whether the statement uses i in no other way than v[i], of vectors that it uses so alone: then the elements may come
/// in any order. False where a macro has an i.
bool is_any_order(const std::vector<GeneratedParameter>& parameters, const std::vector<ElementUse>& uses,
                  std::string_view statement, const OperationContext& context);

/// Whether the statement is one assignment to an element, done once: all that it reads is read before anything is
/// written.
bool is_one_assignment(std::string_view statement);

}  // namespace kiln
