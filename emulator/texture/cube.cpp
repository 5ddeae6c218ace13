#include "emulator/texture/cube.hpp"

#include <algorithm>
#include <cmath>

namespace kiln::emulator {
namespace {

// For each face: which component of a direction goes across, down and forward, and with which sign (the table of
// "Cubemap Textures" in the CUDA Programming Guide).
struct Axis {
  unsigned component;
  float sign;
};
struct FaceAxes {
  Axis across, down, forward;
};
constexpr FaceAxes faces[6] = {{{2, -1}, {1, -1}, {0, 1}}, {{2, 1}, {1, -1}, {0, -1}}, {{0, 1}, {2, 1}, {1, 1}},
                               {{0, 1}, {2, -1}, {1, -1}}, {{0, 1}, {1, -1}, {2, 1}},  {{0, -1}, {1, -1}, {2, -1}}};

}  // namespace

unsigned face_of(const std::array<float, 3>& direction) {
  const float x = std::fabs(direction[0]), y = std::fabs(direction[1]), z = std::fabs(direction[2]);
  const unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  return 2 * axis + (std::signbit(direction[axis]) ? 1 : 0);
}

FaceVector seen_from(unsigned face, const std::array<float, 3>& direction) {
  const FaceAxes& axes = faces[face];
  const auto along = [&](Axis axis) { return axis.sign * direction[axis.component]; };
  return {along(axes.across), along(axes.down), along(axes.forward)};
}

std::array<float, 3> direction_of(unsigned face, const FaceVector& vector) {
  const FaceAxes& axes = faces[face];
  std::array<float, 3> direction = {};
  direction[axes.across.component] = axes.across.sign * vector.across;
  direction[axes.down.component] = axes.down.sign * vector.down;
  direction[axes.forward.component] = axes.forward.sign * vector.forward;
  return direction;
}

FacePlace face_place(const std::array<float, 3>& direction) {
  const unsigned face = face_of(direction);
  const FaceVector seen = seen_from(face, direction);
  if (!(seen.forward > 0)) return {face, 0.5F, 0.5F};  // a zero vector
  return {face, (seen.across / seen.forward + 1) / 2, (seen.down / seen.forward + 1) / 2};
}

FaceElement across_edge(const FaceElement& element, std::int64_t size) {
  const auto from_middle = [&](std::int64_t at) {
    return static_cast<float>(2 * at + 1) / static_cast<float>(size) - 1;
  };
  const FacePlace place = face_place(direction_of(element.face, {from_middle(element.x), from_middle(element.y), 1}));
  const auto index = [&](float at) {
    const auto whole = static_cast<std::int64_t>(std::floor(static_cast<double>(at) * static_cast<double>(size)));
    return std::clamp<std::int64_t>(whole, 0, size - 1);
  };
  return {place.face, index(place.u), index(place.v)};
}

}  // namespace kiln::emulator
