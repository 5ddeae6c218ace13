// A kernel from the days of texture references, which CUDA 12 removed: it compiles and runs unchanged. The program
// turns an image by a texture that is bound by name, as PyCUDA programs do.
#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

#include "find_device.hpp"

// As PyCUDA would wrap it: the source says no extern "C", and asks for no header.
const char* const source = R"(
texture<float, 2, cudaReadModeElementType> image;

__global__ void rotate(float* out, int width, int height, float angle) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float u = x + 0.5f - width / 2.0f, v = y + 0.5f - height / 2.0f;
  const float s = sinf(angle), c = cosf(angle);
  out[y * width + x] = tex2D(image, c * u - s * v + width / 2.0f, s * u + c * v + height / 2.0f);
}
)";

int main() {
  find_device();
  kiln::SourceModule module(source, kiln::CompileOptions{}.with_no_extern_c(false));
  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so the kernel was compiled and not launched.");
    return 0;
  }

  constexpr unsigned size = 64;
  std::vector<float> pixels(std::size_t{size} * size);
  for (unsigned y = 0; y < size; ++y)
    for (unsigned x = 0; x < size; ++x) pixels[y * size + x] = static_cast<float>(x + 3 * y);

  // The reference begins as the source declares it. What is set here holds for all launches from now on.
  kiln::TextureReference image = module.get_texref("image");
  image.set_array(kiln::array_from(pixels, size, size));
  image.set_filter_mode(kiln::FilterMode::linear);
  image.set_address_mode(0, kiln::AddressMode::clamp);

  kiln::DeviceBuffer<float> out(pixels.size());
  kiln::LaunchConfig config{{size / 16, size / 16}, {16, 16}};
  config.texrefs = image;  // checks that it is bound, as PyCUDA's texrefs=[...] does; may be left out
  const float quarter_turn = std::acos(-1.0F) / 2;
  module.get_function("rotate")(config, out, size, size, quarter_turn);
  const std::vector<float> turned = out.to_host();

  // A quarter turn moves every pixel exactly onto another one: (x, y) comes from column size - 1 - y of row x.
  int wrong = 0;
  for (unsigned y = 0; y < size; ++y)
    for (unsigned x = 0; x < size; ++x) {
      const float expected = pixels[x * size + (size - 1 - y)];
      if (std::fabs(turned[y * size + x] - expected) > 0.5F) ++wrong;
    }
  std::printf(wrong == 0 ? "the image is turned as it should be\n" : "%d pixels are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
