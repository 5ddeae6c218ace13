// The content of a module's variable that is a texture or surface reference.
#pragma once

#include <kiln/array.hpp>
#include <kiln/texture_modes.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// The bytes of such a variable, as stand_ins/kiln_texture_references.h and kiln_surface_references.h of the component
/// compile lay it out: those, this and the mark change together.
struct ReferenceVariable {
  static constexpr std::uint64_t known_mark = 0x016665726e6c696bULL;

  std::uint64_t object;
  std::uint64_t mark;
  std::uint8_t kind;  // 1 for a texture, 2 for a surface
  std::uint8_t type;  // cudaTextureType1D and so on
  // Of a texture.
  std::uint8_t format;
  std::uint8_t channels;
  std::uint8_t reads_floats;
  std::uint8_t normalized;
  std::uint8_t filter_mode;
  std::uint8_t address_mode;

  bool is_texture() const noexcept { return kind == 1; }
  ReadMode read_mode() const noexcept {
    return reads_floats != 0 ? ReadMode::normalized_float : ReadMode::element_type;
  }
};
static_assert(sizeof(ReferenceVariable) == 24);

/// Nothing where the bytes are another kind of variable.
std::optional<ReferenceVariable> read_reference(std::string_view bytes);

/// As the source declares it: "texture<float4, 2, cudaReadModeElementType>", "surface<void, 2>".
std::string declaration(const ReferenceVariable& reference);

/// "float4", "unsigned char": a format and a number of channels as the source spells them; half has no such name.
std::string element_name(ArrayFormat format, unsigned num_channels);

/// Whether a texture that is declared for one element reads the other: the same one, one of as many channels with as
/// many bits, which the kernel gets unchanged, and half for float.
bool reads_element(const ReferenceVariable& reference, ArrayFormat format, unsigned num_channels);

/// cudaTextureType1D and so on, of an array.
int texture_type(const ArrayDescriptor& descriptor);
/// "2-D", "2-D layered", "cubemap".
std::string type_text(int texture_type);

}  // namespace kiln
