// The faces of a cube, and where a direction meets them.
#pragma once

#include <array>
#include <cstdint>

namespace kiln::emulator {

/// A direction as a face sees it: across, down and forward (its major axis).
struct FaceVector {
  float across = 0, down = 0, forward = 0;
};

/// The face that a direction meets: 0 to 5 for +x, -x, +y, -y, +z, -z.
unsigned face_of(const std::array<float, 3>& direction);
FaceVector seen_from(unsigned face, const std::array<float, 3>& direction);
std::array<float, 3> direction_of(unsigned face, const FaceVector& vector);

/// Coordinates on a face, 0 to 1.
struct FacePlace {
  unsigned face = 0;
  float u = 0, v = 0;
};
FacePlace face_place(const std::array<float, 3>& direction);

/// An element of a face; x and y may be one beyond its edges.
struct FaceElement {
  unsigned face = 0;
  std::int64_t x = 0, y = 0;
};
/// The element of the neighbouring face that lies there. Not for corners, where no element is.
FaceElement across_edge(const FaceElement& element, std::int64_t size);

}  // namespace kiln::emulator
