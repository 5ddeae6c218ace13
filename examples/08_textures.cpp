// Textures and surfaces: an image is enlarged by the texture unit, which mixes neighbouring pixels by itself.
#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

#include "find_device.hpp"

const char* const source = R"(
// Coordinates run from 0 to 1 over the image, whatever its size. A surface's x counts bytes.
__global__ void enlarge(cudaTextureObject_t image, cudaSurfaceObject_t enlarged, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 colour = tex2D<float4>(image, (x + 0.5f) / width, (y + 0.5f) / height);
  surf2Dwrite(colour, enlarged, x * sizeof(float4), y);
})";

// Kiln takes every struct of 1, 2 or 4 equal members x, y, z, w as an element: CUDA's own types, or yours.
struct Colour {
  unsigned char x, y, z, w;
};
struct FloatColour {
  float x, y, z, w;
};

int main() {
  find_device();
  kiln::SourceModule module(source);
  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so the kernel was compiled and no texture was made.");
    return 0;
  }

  // Two pixels, black and white, in an array: memory in the layout that texture units read.
  const std::vector<Colour> pixels = {{0, 0, 0, 255}, {255, 255, 255, 255}};
  const kiln::Array image = kiln::array_from(pixels, 2, 1);

  // How the array is read: bytes as floats from 0 to 1, mixed between the pixels, the edge's colour outside.
  kiln::TextureDescriptor descriptor;
  descriptor.normalized_coords = true;
  descriptor.filter_mode = kiln::FilterMode::linear;
  descriptor.read_mode = kiln::ReadMode::normalized_float;
  const auto texture = kiln::TextureObject::of<Colour>(image, descriptor);  // the element type is checked

  // A kernel may write an array that was made for it.
  const int width = 8;
  const auto enlarged = kiln::Array::make<FloatColour>(width, 1, 0, kiln::ArrayFlags::surface_load_store);
  const kiln::SurfaceObject surface(enlarged);

  module.get_function("enlarge")({1, {width, 1}}, texture, surface, width, 1);

  // From black to white in steps of 1/4; outside of the pixels' centres there is nothing to mix.
  const float expected[width] = {0, 0, 0.125F, 0.375F, 0.625F, 0.875F, 1, 1};
  const std::vector<FloatColour> colours = enlarged.to_host<FloatColour>();
  bool right = true;
  for (int x = 0; x < width; ++x) {
    const auto i = static_cast<std::size_t>(x);
    std::printf("%.3f ", static_cast<double>(colours[i].x));
    right = right && std::abs(colours[i].x - expected[i]) < 0.01F && colours[i].w == 1;
  }
  std::puts(right ? "as expected" : "WRONG");

  // What a texture cannot do is told with the way out.
  try {
    descriptor.read_mode = kiln::ReadMode::element_type;
    const kiln::TextureObject refused(image, descriptor);
  } catch (const kiln::ArgumentError& error) {
    std::printf("refused, as it should be: %s\n", error.what());
  }
  return right ? 0 : 1;
}
