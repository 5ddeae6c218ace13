// Arrays of structs and structs of arrays: several loads a thread, each of its own member.
#include "parameters.hpp"

struct Point {  // 12 bytes: three loads of 4, none of which may be joined
  float x, y, z;
};
struct Particle {  // 28 bytes
  float x, y, z, vx, vy, vz, mass;
};
struct alignas(16) Quad {  // one load of 16
  float x, y, z, w;
};
struct Mixed {  // 24 bytes: a byte, 8 bytes, 2 bytes
  char tag;
  double value;
  short count;
};

extern "C" __global__ void points_read(PARAMETERS(float)) {
  const unsigned i = global_thread();
  const Point point = reinterpret_cast<const Point*>(in)[i];
  out[i] = point.x * point.y + point.z;
}

extern "C" __global__ void points_write(PARAMETERS(float)) {
  const unsigned i = global_thread();
  reinterpret_cast<Point*>(out)[i] = {in[i], 2 * in[i], 3};
}

extern "C" __global__ void one_member(PARAMETERS(float)) {
  const unsigned i = global_thread();
  out[i] = reinterpret_cast<const Particle*>(in)[i].vy;
}

extern "C" __global__ void particles_move(PARAMETERS(float)) {
  const unsigned i = global_thread();
  const Particle& from = reinterpret_cast<const Particle*>(in)[i];
  Particle& to = reinterpret_cast<Particle*>(out)[i];
  to.x = from.x + from.vx;
  to.y = from.y + from.vy;
  to.z = from.z + from.vz;
}

// p: elements in each of the arrays.
extern "C" __global__ void arrays_read(PARAMETERS(float)) {
  const unsigned i = global_thread();
  out[i] = in[i] * in[i + p] + in[i + 2 * p];
}

extern "C" __global__ void arrays_move(PARAMETERS(float)) {
  const unsigned i = global_thread();
  out[i] = in[i] + in[i + 3 * p];
  out[i + p] = in[i + p] + in[i + 4 * p];
  out[i + 2 * p] = in[i + 2 * p] + in[i + 5 * p];
}

extern "C" __global__ void quads_read(PARAMETERS(float)) {
  const unsigned i = global_thread();
  const Quad quad = reinterpret_cast<const Quad*>(in)[i];
  out[i] = quad.x * quad.y + quad.z * quad.w;
}

extern "C" __global__ void mixed_read(PARAMETERS(double)) {
  const unsigned i = global_thread();
  const Mixed& from = reinterpret_cast<const Mixed*>(in)[i];
  out[i] = from.value + from.tag * from.count;
}
