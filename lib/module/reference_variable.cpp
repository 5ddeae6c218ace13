#include "module/reference_variable.hpp"

#include <cstring>

namespace kiln {

namespace {

// cudaTextureType1D and so on, which are the cudaSurfaceType ones too.
constexpr int cubemap = 0x0c;
constexpr int layered = 0xf0;

std::string type_word(int type) {
  const std::string word = (type & ~layered) == cubemap ? "Cubemap" : std::to_string(type & ~layered) + "D";
  return (type & layered) != 0 ? word + "Layered" : word;
}

}  // namespace

std::optional<ReferenceVariable> read_reference(std::string_view bytes) {
  ReferenceVariable reference;
  if (bytes.size() != sizeof reference) return std::nullopt;
  std::memcpy(&reference, bytes.data(), sizeof reference);
  if (reference.mark != ReferenceVariable::known_mark) return std::nullopt;
  return reference;
}

std::string element_name(ArrayFormat format, unsigned num_channels) {
  struct Names {
    ArrayFormat format;
    const char* scalar;
    const char* vector;
  };
  constexpr Names names[] = {
      {ArrayFormat::unsigned_int8, "unsigned char", "uchar"},
      {ArrayFormat::unsigned_int16, "unsigned short", "ushort"},
      {ArrayFormat::unsigned_int32, "unsigned int", "uint"},
      {ArrayFormat::signed_int8, "char", "char"},
      {ArrayFormat::signed_int16, "short", "short"},
      {ArrayFormat::signed_int32, "int", "int"},
      {ArrayFormat::half, "half", "half"},
      {ArrayFormat::float32, "float", "float"},
  };
  for (const Names& name : names)
    if (name.format == format) return num_channels == 1 ? name.scalar : name.vector + std::to_string(num_channels);
  return "format " + std::to_string(static_cast<int>(format)) + " x " + std::to_string(num_channels);
}

std::string declaration(const ReferenceVariable& reference) {
  const bool is_plain = reference.type <= 3;
  const std::string type =
      is_plain ? std::to_string(reference.type)
               : (reference.is_texture() ? "cudaTextureType" : "cudaSurfaceType") + type_word(reference.type);
  if (!reference.is_texture()) return "surface<void, " + type + ">";
  return "texture<" + element_name(static_cast<ArrayFormat>(reference.format), reference.channels) + ", " + type +
         (reference.reads_floats != 0 ? ", cudaReadModeNormalizedFloat>" : ", cudaReadModeElementType>");
}

bool reads_element(const ReferenceVariable& reference, ArrayFormat format, unsigned num_channels) {
  if (num_channels != reference.channels) return false;
  const auto declared = static_cast<ArrayFormat>(reference.format);
  if (declared == format || (declared == ArrayFormat::float32 && format == ArrayFormat::half)) return true;
  // A fetch gives the bits as they are, but for half, which it makes floats, and where the reference wants fractions.
  const bool keeps_bits = reference.reads_floats == 0 && declared != ArrayFormat::half && format != ArrayFormat::half;
  return keeps_bits && channel_size(declared) == channel_size(format);
}

int texture_type(const ArrayDescriptor& descriptor) {
  const int layers = has_flags(descriptor.flags, ArrayFlags::layered) ? layered : 0;
  if (has_flags(descriptor.flags, ArrayFlags::cubemap)) return cubemap | layers;
  if (layers == 0 && descriptor.depth != 0) return 3;
  return (descriptor.height != 0 ? 2 : 1) | layers;
}

std::string type_text(int texture_type) {
  const int dimensions = texture_type & ~layered;
  const std::string text = dimensions == cubemap ? "cubemap" : std::to_string(dimensions) + "-D";
  return (texture_type & layered) != 0 ? text + " layered" : text;
}

}  // namespace kiln
