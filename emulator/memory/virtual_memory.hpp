// Addresses and memory apart, as the driver's virtual memory calls have them: ranges are reserved, and blocks of memory
// are mapped into them.
#pragma once

#include "emulator/memory/address_space.hpp"
#include "emulator/memory/physical_memory.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace kiln::emulator {

struct AllocationTable;

/// What cuMemCreate made. Its bytes are at no address of their own; mapped twice they are the same bytes.
struct PhysicalBlock {
  std::uint64_t id = 0;      // a handle's number
  std::uint64_t offset = 0;  // in PhysicalMemory
  std::uint64_t size = 0;    // bytes
  int device = 0;
  unsigned handle_types = 0;    // that the program asked for
  bool follows_writes = false;  // for KILN_EMULATOR_CHECK=init
};
/// The memory goes back with the last handle and the last mapping.
using PhysicalBlockPtr = std::shared_ptr<const PhysicalBlock>;

enum class Rights : std::uint8_t { none, read, read_write };
using RightsByDevice = std::map<int, Rights>;

struct Mapping {
  std::uint64_t base = 0, size = 0;
  PhysicalBlockPtr block;
  RightsByDevice rights;

  /// What any device may do. Kernels of all devices may do that: pages belong to no device.
  Rights largest_rights() const;
  Allocation allocation() const;
};

/// A part of AddressSpace, which finds what is mapped, and copies and kernels with it. Wrong arguments are a
/// CallError(CUDA_ERROR_INVALID_VALUE) whose text says why. Thread-safe.
class VirtualMemory {
 public:
  VirtualMemory(AllocationTable& table, const Reservation& range, PageDirectory& directory);
  VirtualMemory(const VirtualMemory&) = delete;
  VirtualMemory& operator=(const VirtualMemory&) = delete;
  /// That of AddressSpace::get().
  static VirtualMemory& get();

  /// Sizes and addresses of blocks and mappings are multiples of it.
  static constexpr std::uint64_t granularity = std::uint64_t{2} << 20;

  /// Null if the device's memory is used up.
  PhysicalBlockPtr create(std::uint64_t size, int device, unsigned handle_types);
  /// A range of addresses, at `wanted` if it is free there. 0 if there is none.
  std::uint64_t reserve(std::uint64_t size, std::uint64_t alignment, std::uint64_t wanted);
  void unreserve(std::uint64_t base, std::uint64_t size);
  /// Shows the first bytes of the block at [address, address + size), which nobody may access yet.
  void map(std::uint64_t address, std::uint64_t size, const PhysicalBlockPtr& block);
  /// Of one or more whole mappings.
  void unmap(std::uint64_t address, std::uint64_t size);
  void set_rights(std::uint64_t address, std::uint64_t size, const RightsByDevice& rights);

  std::optional<Mapping> mapping(std::uint64_t address) const;
  /// The reserved range that holds the address.
  std::optional<Allocation> range(std::uint64_t address) const;

  /// Why an access to an address in a reserved range fails: "reserved, but nothing is mapped there". Empty if it does
  /// not, and for other addresses.
  std::string why_refused(std::uint64_t address, bool write) const;

  /// The first address of mapped memory that cuMemSetAccess lets be read only. Nothing in other memory.
  std::optional<std::uint64_t> first_read_only(std::uint64_t address, std::uint64_t size) const;

  // For AddressSpace, which has the lock.
  /// The mappings side by side around an address, if they may be accessed: copies may go from one into the next.
  std::optional<Allocation> accessible_run(std::uint64_t address) const;
  /// The mapping that holds the address, else the nearest reserved range.
  std::optional<Allocation> nearest(std::uint64_t address) const;

 private:
  void give_back(const PhysicalBlock& block);
  const Mapping* mapping_at(std::uint64_t address) const;
  std::optional<Allocation> range_at(std::uint64_t address) const;
  bool show(const Mapping& mapping);

  AllocationTable& table_;
  const Reservation& all_;
  PageDirectory& directory_;
  // Under the table's lock.
  std::map<std::uint64_t, Mapping> mappings_;  // by base
  PhysicalMemory physical_;
  std::uint64_t cursor_ = 0;  // where the next range is looked for
};

}  // namespace kiln::emulator
