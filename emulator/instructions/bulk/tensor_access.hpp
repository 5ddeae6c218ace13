// What a copy of a box moves, by its tensor map.
#pragma once

#include "emulator/instructions/bulk/bulk_access.hpp"
#include "emulator/tensor_map/box_rows.hpp"

#include <vector>

namespace kiln::emulator {

/// The tensor map at an address. Throws Fault unless cuTensorMapEncode* made it.
TensorMap read_tensor_map(BulkAccess& access, ptx::Space space, std::uint64_t address);

/// A box, or a column of pixels. Throws Fault if the map does not fit the instruction or the place.
class TensorBox {
 public:
  TensorBox(BulkAccess& access, const TensorMap& map, const BoxPlace& place);

  std::uint64_t bytes() const { return box_bytes(map_); }
  /// Copies it to shared memory, or from there to the tensor. What lies outside the tensor is filled, or not written.
  void load(std::uint64_t shared);
  void store(std::uint64_t shared);
  void reduce(std::uint64_t shared, std::string_view operation);

 private:
  void check_corner() const;
  void check_place_of_store() const;
  template <class Use>
  void each_row(std::uint64_t shared, Use use);
  std::vector<std::byte> from_tensor(const BoxRow& row);
  std::vector<std::byte> from_shared(std::uint64_t first, std::uint32_t size);

  BulkAccess& access_;
  const TensorMap map_;
  const BoxPlace place_;
};

}  // namespace kiln::emulator
