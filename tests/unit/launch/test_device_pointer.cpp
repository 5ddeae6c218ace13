// What is passed as a device address: types of other libraries, by their shape, and types with a trait.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/device_pointer.hpp>
#include <kiln/typed_function.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

// The shape of thrust's types: a pointer that * turns into a proxy.
template <class T>
struct Proxy {
  explicit operator T() const;
};
template <class T>
class ThrustPointer {
 public:
  explicit ThrustPointer(T* pointer) : pointer_(pointer) {}
  T* get() const { return pointer_; }
  Proxy<T> operator*() const;

 private:
  T* pointer_;
};
template <class T>
class ThrustVector {
 public:
  explicit ThrustVector(T* pointer) : pointer_(pointer) {}
  ~ThrustVector() {}  // not trivially copyable
  ThrustPointer<T> data() { return ThrustPointer<T>(pointer_); }
  ThrustPointer<const T> data() const { return ThrustPointer<const T>(pointer_); }
  ThrustPointer<const T> begin() const { return data(); }
  ThrustPointer<const T> end() const { return data(); }

 private:
  T* pointer_;
};

// The shape of rmm's: memory that knows its stream.
struct StreamView {
  operator CUstream() const { return nullptr; }
};
template <class T>
class RmmVector {
 public:
  explicit RmmVector(T* pointer) : pointer_(pointer) {}
  RmmVector(const RmmVector&) = delete;
  const T* data() const { return pointer_; }
  const T* begin() const { return pointer_; }
  const T* end() const { return pointer_; }
  StreamView stream() const { return {}; }

 private:
  T* pointer_;
};

class Mine {
 public:
  explicit Mine(float* pointer) : pointer_(pointer) {}
  Mine(const Mine&) = delete;
  float* address() const { return pointer_; }

 private:
  float* pointer_;
};
class Handle {
 public:
  explicit Handle(float* pointer) : address_(reinterpret_cast<CUdeviceptr>(pointer)) {}
  Handle(const Handle&) = delete;
  CUdeviceptr address_;
};

}  // namespace

template <>
struct kiln::DevicePointer<Mine> {
  static auto get(const Mine& mine) { return mine.address(); }
};
template <>
struct kiln::DevicePointer<Handle> {
  static auto get(const Handle& handle) { return handle.address_; }
};

namespace {

template <class Argument>
void check(const Argument& argument, float* expected) {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  const std::string bytes(reinterpret_cast<const char*>(&expected), sizeof expected);
  const auto passed = [] { return fake_cuda::launches().back().parameters.at(0); };
  scale({1, 32}, argument, 1, 2.0f);
  CHECK(passed() == bytes);
  fake_cuda::reset();
  scale.prepare("Pif", 32).prepared_call(1, argument, 1, 2.0f);
  CHECK(passed() == bytes);
  fake_cuda::reset();
  if constexpr (!std::is_same_v<Argument, Handle>) {
    kiln::TypedFunction<void(float*, int, float)> typed(scale);
    typed({1, 32}, argument, short{1}, 2.0);
    CHECK(passed() == bytes);
    fake_cuda::reset();
    (void)typed.timed({1, 32}, argument, 1, 2);
    CHECK(passed() == bytes);
  }
}

}  // namespace

TEST_CASE("types of device memory are passed as their address") {
  float* const pointer = reinterpret_cast<float*>(0x1234567890);
  check(ThrustPointer<float>(pointer), pointer);
  check(ThrustVector<float>(pointer), pointer);
  check(RmmVector<float>(pointer), pointer);
  check(Mine(pointer), pointer);
  check(Handle(pointer), pointer);
}

TEST_CASE("what the host can read is no device memory") {
  struct HostPointer {
    float* get() const;
    float& operator*() const;
  };
  CHECK_FALSE(kiln::detail::is_device_memory<HostPointer>);
  CHECK_FALSE(kiln::detail::is_device_memory<std::vector<float>>);
  CHECK_FALSE(kiln::detail::is_device_memory<std::string>);
  CHECK_FALSE(kiln::detail::is_device_memory<float*>);
  CHECK_FALSE(kiln::detail::is_device_memory<std::unique_ptr<float>>);
}
