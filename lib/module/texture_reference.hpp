// What the copies of a TextureReference and of a SurfaceReference share.
#pragma once

#include "module/reference.hpp"

#include <kiln/surface_object.hpp>
#include <kiln/surface_reference.hpp>
#include <kiln/texture_object.hpp>
#include <kiln/texture_reference.hpp>

#include <array>
#include <variant>

namespace kiln {

struct TextureReference::Impl : Reference {
  /// `module` is what keeps the code.
  Impl(std::string name, std::string symbol, const ReferenceVariable& variable, std::shared_ptr<const void> keeps);

  bool is_bound(int device) const override { return bound.find(device) != nullptr; }
  BoundObject make(int device) const override;

  /// How the texture is read, over memory of that kind.
  TextureDescriptor descriptor(bool is_linear) const;
  void check_element(ArrayFormat given, unsigned given_channels) const;
  /// Changes a member, and has the next launch see it.
  template <class Member, class Value>
  void set(Member& member, Value value) {
    member = std::move(value);
    note_change();
  }
  template <class Memory>
  void bind(int device, Memory memory) {
    bound.set(device, std::move(memory));
    note_change();
  }

  /// Memory for tex1Dfetch, whose elements are of the reference's format.
  struct Linear {
    CUdeviceptr pointer;
    std::size_t bytes;
  };
  detail::TextureMemory memory_of(const Linear& linear) const;

  PerDevice<std::variant<Array, MipmappedArray, Linear, detail::TextureMemory>> bound;
  ArrayFormat format;
  unsigned num_channels;
  std::array<AddressMode, 3> address_mode;
  FilterMode filter_mode;
  unsigned flags = 0;
  unsigned max_anisotropy = 0;
  std::array<float, 4> border_color = {};
  const std::shared_ptr<const void> module;
};

struct SurfaceReference::Impl : Reference {
  Impl(std::string name, std::string symbol, const ReferenceVariable& variable, std::shared_ptr<const void> keeps)
      : Reference(std::move(name), std::move(symbol), variable), module(std::move(keeps)) {}

  bool is_bound(int device) const override { return bound.find(device) != nullptr; }
  BoundObject make(int device) const override;

  void bind(const Array& array) {
    bound.set(array.device(), array);
    note_change();
  }

  PerDevice<Array> bound;
  const std::shared_ptr<const void> module;
};

}  // namespace kiln
