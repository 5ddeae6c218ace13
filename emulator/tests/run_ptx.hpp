// Runs a kernel of a PTX text on the emulator's machine, without the driver API: what tests of instructions use.
#pragma once

#include "emulator/lowering/image.hpp"
#include "emulator/machine/launch.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/ptx/parse.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

namespace kiln::emulator {

/// Device memory with a copy of some values in it, freed at the end.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::vector<T> values) : size_(values.size()) {
    address_ = AddressSpace::get().allocate(size_ * sizeof(T), Allocation::Kind::device, 0);
    REQUIRE(address_ != 0);
    std::memcpy(reinterpret_cast<void*>(address_), values.data(), size_ * sizeof(T));
    AddressSpace::get().mark_written(address_, size_ * sizeof(T));
  }
  ~Buffer() { AddressSpace::get().release(address_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::uint64_t address() const { return address_; }
  std::vector<T> values() const {
    std::vector<T> all(size_);
    std::memcpy(all.data(), reinterpret_cast<const void*>(address_), size_ * sizeof(T));
    return all;
  }

 private:
  std::size_t size_;
  std::uint64_t address_ = 0;
};

/// A PTX module around a kernel's body, or around whole functions.
inline std::string ptx_module(const std::string& rest, const std::string& target = "sm_90") {
  return ".version 9.0\n.target " + target + "\n.address_size 64\n" + rest;
}

/// The body of a kernel "k" with parameters out (b64), a, b (b64 each): `%out`, `%a`, `%b` hold this thread's element
/// of `size` bytes in each, `%i` the thread's number in the grid; registers of all usual types are there.
inline std::string elementwise(const std::string& body, unsigned size) {
  const std::string bytes = std::to_string(size);
  return ptx_module(
      ".visible .entry k(.param .u64 p_out, .param .u64 p_a, .param .u64 p_b)\n{\n"
      ".reg .pred %p<10>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .f32 %f<20>; .reg .b64 %d<20>; .reg .f64 %e<20>;\n"
      ".reg .b64 %out, %a, %b, %step; .reg .b32 %i, %n, %c;\n"
      "mov.u32 %i, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %i, %c, %n, %i;\n"
      "mul.wide.u32 %step, %i, " +
      bytes +
      ";\n"
      "ld.param.u64 %out, [p_out]; ld.param.u64 %a, [p_a]; ld.param.u64 %b, [p_b];\n"
      "add.s64 %out, %out, %step; add.s64 %a, %a, %step; add.s64 %b, %b, %step;\n" +
      body + "\nret;\n}\n");
}

/// One parsed, loaded module and its launches.
class TestModule {
 public:
  explicit TestModule(const std::string& text, unsigned sm = 90) : image_(Image::load(ptx::parse(text), 0, sm)) {}

  const Image& image() const { return *image_; }

  /// Launches with parameters of the given values, each laid out at its natural alignment.
  template <class... Args>
  LaunchOutcome launch(const std::string& kernel, Dim3 grid, Dim3 block, const Args&... args) {
    LaunchRequest request = made(kernel, grid, block);
    (append(request.params, args), ...);
    return run_launch(request);
  }
  LaunchRequest made(const std::string& kernel, Dim3 grid, Dim3 block) const {
    LaunchRequest request;
    request.kernel = image_->kernel(kernel);
    REQUIRE(request.kernel != nullptr);
    request.grid = grid;
    request.block = block;
    return request;
  }
  template <class T>
  static void append(std::vector<std::byte>& params, const T& value) {
    const std::size_t at = (params.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    params.resize(at + sizeof(T));
    std::memcpy(params.data() + at, &value, sizeof(T));
  }

 private:
  std::unique_ptr<Image> image_;
};

/// out[i] = body(a[i], b[i]) for all elements, in blocks of 32.
template <class Out, class In>
std::vector<Out> run_elementwise(const std::string& body, const std::vector<In>& a, const std::vector<In>& b) {
  static_assert(sizeof(Out) == sizeof(In));
  REQUIRE(a.size() % 32 == 0);
  REQUIRE(a.size() == b.size());
  TestModule module(elementwise(body, sizeof(In)));
  Buffer<Out> out(std::vector<Out>(a.size()));
  const Buffer<In> left(a), right(b);
  const LaunchOutcome outcome = module.launch("k", {static_cast<std::uint32_t>(a.size() / 32)}, {32}, out.address(),
                                              left.address(), right.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out.values();
}

}  // namespace kiln::emulator
