// Lesson 9, textures: an image is enlarged by arithmetic and four loads a pixel, and by the texture unit.
#include <algorithm>

#include "lesson.hpp"

const char* const source = R"(// Twice as wide and high: each new pixel is mixed from the four pixels around its place.
__global__ void by_hand(const float* image, float* enlarged, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float x = (column + 0.5f) / 2 - 0.5f, y = (row + 0.5f) / 2 - 0.5f;
  int left = floorf(x), top = floorf(y);
  float right_part = x - left, lower_part = y - top;
  int x0 = max(left, 0), x1 = min(left + 1, n - 1), y0 = max(top, 0), y1 = min(top + 1, n - 1);
  float upper = (1 - right_part) * image[y0 * n + x0] + right_part * image[y0 * n + x1];
  float lower = (1 - right_part) * image[y1 * n + x0] + right_part * image[y1 * n + x1];
  enlarged[row * 2 * n + column] = (1 - lower_part) * upper + lower_part * lower;
}

// The texture unit does all of that: the middle of the first pixel is at 0.5, and outside is the edge's colour.
__global__ void by_texture(cudaTextureObject_t image, float* enlarged, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  enlarged[row * 2 * n + column] = tex2D<float>(image, (column + 0.5f) / 2, (row + 0.5f) / 2);
}
)";

const int side = 32;

// All weights are quarters and the pixels small whole numbers, so that results are exact.
std::vector<float> make_image() {
  std::vector<float> image;
  for (int i = 0; i < side * side; ++i) image.push_back(static_cast<float>(i * 37 % 64));
  return image;
}

std::vector<float> enlarge(const std::vector<float>& image) {
  const auto pixel = [&](int x, int y) {
    return image[static_cast<std::size_t>(std::clamp(y, 0, side - 1) * side + std::clamp(x, 0, side - 1))];
  };
  std::vector<float> enlarged;
  for (int row = 0; row < 2 * side; ++row) {
    for (int column = 0; column < 2 * side; ++column) {
      // An even pixel lies a quarter before the middle of the old one, an odd one a quarter behind.
      const int x = column / 2, y = row / 2, next_x = column % 2 == 0 ? x - 1 : x + 1,
                next_y = row % 2 == 0 ? y - 1 : y + 1;
      enlarged.push_back((9 * pixel(x, y) + 3 * pixel(next_x, y) + 3 * pixel(x, next_y) + pixel(next_x, next_y)) / 16);
    }
  }
  return enlarged;
}

int main(int argc, char** argv) {
  begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("textures.cu"));
  const std::vector<float> image = make_image(), expected = enlarge(image);
  const kiln::LaunchConfig config = {{2, 8}, {32, 8}};
  const kiln::DeviceBuffer<float> in(image), by_hand(4 * side * side), by_texture(4 * side * side);

  module.get_function("by_hand")(config, in, by_hand, side);

  kiln::TextureDescriptor descriptor;
  descriptor.filter_mode = kiln::FilterMode::linear;
  const kiln::Array array = kiln::array_from(image, side, side);
  const auto texture = kiln::TextureObject::of<float>(array, descriptor);
  module.get_function("by_texture")(config, texture, by_texture, side);

  bool right = is_right("by_hand", by_hand.to_host(), expected);
  right &= is_right("by_texture", by_texture.to_host(), expected);
  std::puts("Look at: loads and arithmetic, which the texture unit takes over. What it does itself is not counted.");
  return right ? 0 : 1;
}
