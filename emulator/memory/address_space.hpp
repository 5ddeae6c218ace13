// The device memory of the process: allocations, and whether an address may be accessed.
#pragma once

#include "emulator/memory/page_directory.hpp"
#include "emulator/memory/registered_ranges.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace kiln::emulator {

struct Allocation {
  enum class Kind : std::uint8_t { device, managed, host, registered, variable, constant, heap };
  std::uint64_t base = 0;
  std::uint64_t size = 0;  // bytes
  Kind kind = Kind::device;
  int device = 0;
  bool freed = false;
  std::string name;  // of a module's variable
};

/// All devices share one address space (unified addressing). An address is a host address: the bytes of an allocation
/// are at reinterpret_cast<void*>(base). Thread-safe; readable() and writable() take no lock.
class AddressSpace {
 public:
  static AddressSpace& get();

  /// Allocates memory with undefined contents, aligned to at least 256 bytes, with inaccessible bytes around it. 0 if
  /// the device's total is used up. A freed range is reused late, so that use after free is noticed.
  std::uint64_t allocate(std::uint64_t size, Allocation::Kind kind, int device, const std::string& name = {},
                         std::uint64_t alignment = 256);
  /// False if no live allocation begins there.
  bool release(std::uint64_t base);
  /// Adds host memory that the program registered. False if it overlaps another allocation.
  bool add_registered(const void* pointer, std::uint64_t size, int device);
  bool remove_registered(const void* pointer);

  /// The live allocation that holds the address.
  std::optional<Allocation> find(std::uint64_t address) const;
  /// The nearest allocation, live or freed recently: for reports.
  std::optional<Allocation> nearest(std::uint64_t address) const;
  std::uint64_t used(int device) const;
  std::uint64_t total() const;  // bytes a device has

  /// The most bytes that readable() and writable() look at.
  static constexpr std::uint64_t largest_range = std::uint64_t{16} << 20;
  /// Whether [address, address + size) lies in one live allocation (size <= largest_range) and, for writes, not in
  /// constant memory. Fast: every load and store of a kernel calls one of these.
  bool readable(std::uint64_t address, std::uint64_t size) const noexcept {
    if (directory_.covers(address)) return directory_.readable(address, size);
    return registered_.holds(address, size);
  }
  bool writable(std::uint64_t address, std::uint64_t size) const noexcept {
    if (directory_.covers(address)) return directory_.writable(address, size);
    return registered_.holds(address, size);
  }
  /// Whether the address is one that allocations have, but for registered memory, which has the host's.
  bool covers(std::uint64_t address) const noexcept { return directory_.covers(address); }
  /// Whether the whole page of the address may be accessed: one check for a whole warp.
  bool whole_page(std::uint64_t address, bool write) const noexcept {
    return directory_.covers(address) && directory_.whole_page(address, write);
  }

  /// For KILN_EMULATOR_CHECK=init: marks the bytes as initialised. Copies and fills of the host call it; stores of
  /// kernels are marked by the check.
  void mark_written(std::uint64_t address, std::uint64_t size) noexcept;
  /// Whether all bytes are initialised. True for memory whose writes are not followed (shared with the host).
  bool written(std::uint64_t address, std::uint64_t size) const noexcept;
  /// From now on these bytes count as not written, and the stores of all kernels are tracked, whatever the settings
  /// are. False if the host has no memory for that, and for memory whose writes are not tracked.
  bool follow_writes(std::uint64_t address, std::uint64_t size);
  bool is_following() const noexcept { return is_following_.load(std::memory_order_relaxed); }

  /// Memory for small blocks, none of which is valid yet: see DeviceHeap.
  std::uint64_t allocate_packed(std::uint64_t size, int device);
  void set_block(std::uint64_t address, std::uint64_t size, bool valid);

 private:
  AddressSpace();

  Reservation range_;
  PageDirectory directory_;
  RegisteredRanges registered_;
  std::atomic<bool> is_following_{false};
  struct Contents;  // guarded by a lock
  std::unique_ptr<Contents> contents_;
};

}  // namespace kiln::emulator
