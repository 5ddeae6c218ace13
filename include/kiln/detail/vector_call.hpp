// The arguments of one call of a generated kernel.
#pragma once

#include <kiln/detail/element_layout.hpp>
#include <kiln/detail/host_argument.hpp>

#include <cstddef>

namespace kiln::detail {

struct VectorCall {
  void** pointers;            // to the values, then to what the kernel takes beside them
  const std::size_t* counts;  // element_count of each
  std::size_t count;          // of arguments
  const Signature* types;     // of these, and of what follows them
  HostSlots slots;
  const ElementLayout* layouts = nullptr;  // of each, where any has one
};

/// The layouts of a call's arguments, null where none has one.
template <class... Args>
class Layouts {
 public:
  explicit Layouts(const Args&... args) : layouts_{element_layout(args)...} {}
  const ElementLayout* get() const noexcept { return layouts_; }

 private:
  ElementLayout layouts_[sizeof...(Args)];
};
struct NoLayouts {
  template <class... Args>
  explicit NoLayouts(const Args&...) {}
  const ElementLayout* get() const noexcept { return nullptr; }
};
template <class... Args>
using LayoutsOf = std::conditional_t<(LayoutOf<Args>::value || ...), Layouts<Args...>, NoLayouts>;

}  // namespace kiln::detail
