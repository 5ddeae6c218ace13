// The faces of a cube, and which one a direction hits.
#pragma once

#include <array>
#include <cstdint>

namespace kiln::emulator {

/// A direction relative to a face: across, down and forward (its major axis).
struct FaceVector {
  float across = 0, down = 0, forward = 0;
};

/// The face that a direction hits: 0 to 5 for +x, -x, +y, -y, +z, -z.
unsigned face_of(const std::array<float, 3>& direction);
FaceVector seen_from(unsigned face, const std::array<float, 3>& direction);
std::array<float, 3> direction_of(unsigned face, const FaceVector& vector);

/// Coordinates on a face, 0 to 1.
struct FacePlace {
  unsigned face = 0;
  float u = 0, v = 0;
};
FacePlace face_place(const std::array<float, 3>& direction);

/// An element of a face; x and y may be one outside its edges.
struct FaceElement {
  unsigned face = 0;
  std::int64_t x = 0, y = 0;
};
/// The element of the neighbouring face at that place. Not for corners, where there is none.
FaceElement across_edge(const FaceElement& element, std::int64_t size);

}  // namespace kiln::emulator
