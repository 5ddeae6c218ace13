// kernel: areas
// out: float
// expect: 6 9 6 9 6 9 6 9 0
struct Shape {
  __device__ virtual float area() const = 0;
};
struct Rectangle : Shape {
  float a, b;
  __device__ Rectangle(float x, float y) : a(x), b(y) {}
  __device__ float area() const override { return a * b; }
};
struct Square : Rectangle {
  __device__ Square(float x) : Rectangle(x, x) {}
  __device__ float area() const override { return a * a; }
};
__global__ void areas(float* out, int n) {
  const Rectangle rectangle(2, 3);
  const Square square(3);
  const Shape* shape = threadIdx.x % 2 ? static_cast<const Shape*>(&square) : &rectangle;
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x < 8 ? shape->area() : 0;
}
