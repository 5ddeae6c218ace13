// What ReductionKernel is made of: the same for all types of values.
#pragma once

#include <kiln/detail/vector_call.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace kiln {

struct ReductionOptions;
class StreamMemory;

namespace detail {

/// Device memory with one value, that a stream works on. Movable.
class KILN_EXPORT ResultMemory {
 public:
  /// Gives a slot of `slots` back in the end, or drops `own`; memory of the program's has neither.
  ResultMemory(CUdeviceptr place, CUstream order, std::shared_ptr<StreamMemory> slots, std::shared_ptr<void> own)
      : address(place), stream(order), slots_(std::move(slots)), own_(std::move(own)) {}
  ~ResultMemory();
  ResultMemory(ResultMemory&&) noexcept = default;
  ResultMemory& operator=(ResultMemory&& other) noexcept;
  ResultMemory(const ResultMemory&) = delete;
  ResultMemory& operator=(const ResultMemory&) = delete;

  CUdeviceptr address;
  CUstream stream;

 private:
  std::shared_ptr<StreamMemory> slots_;
  std::shared_ptr<void> own_;
};

/// Waits for the stream, and copies.
KILN_EXPORT void read_result(const ResultMemory& memory, void* value, std::size_t size);

/// What a kernel takes after its arguments.
struct ReductionPlaces {
  void* out;
  void* partials;
  void* counter;
  long n;
};

/// Copies share the code. Thread-safe.
class KILN_EXPORT Reduction {
 public:
  Reduction(const ReductionOptions& options, const std::string& type, std::size_t size);
  /// Fills `places`, to which the call's pointers lead. Without places.out the result gets memory.
  ResultMemory launch(CUstream stream, const VectorCall& call, ReductionPlaces& places) const;
  /// Throws ArgumentError for null.
  void check_place(const void* out) const;
  const std::string& source() const noexcept;

  struct Impl;

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace detail

}  // namespace kiln
