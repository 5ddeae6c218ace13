// The device memory of the process: where allocations lie, and whether an address may be touched.
#pragma once

#include "emulator/memory/page_directory.hpp"
#include "emulator/memory/registered_ranges.hpp"

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

/// All devices share one space, as under unified addressing. Addresses are the host's own: an allocation's bytes are at
/// reinterpret_cast<void*>(base). Thread-safe; the checks take no lock.
class AddressSpace {
 public:
  static AddressSpace& get();

  /// New memory, its bytes of no promised value, aligned to at least 256 bytes, with untouchable room around it; 0
  /// where the device's total is used up. Never gives freed memory again soon, so that its late users are noticed.
  std::uint64_t allocate(std::uint64_t size, Allocation::Kind kind, int device, const std::string& name = {},
                         std::uint64_t alignment = 256);
  /// False where no live allocation begins there.
  bool release(std::uint64_t base);
  /// Host memory that the program registered; false where it overlaps another.
  bool add_registered(const void* pointer, std::uint64_t size, int device);
  bool remove_registered(const void* pointer);

  /// The live allocation that holds the address.
  std::optional<Allocation> find(std::uint64_t address) const;
  /// The allocation nearest to the address, live or freed not long ago: for reports.
  std::optional<Allocation> nearest(std::uint64_t address) const;
  std::uint64_t used(int device) const;
  std::uint64_t total() const;  // bytes a device has

  /// Whether [address, address + size) lies in one live allocation (size <= 16 MiB). For writes: and is not constant
  /// memory. Fast: this is every load and store of a kernel.
  bool readable(std::uint64_t address, std::uint64_t size) const noexcept {
    if (directory_.covers(address)) return directory_.readable(address, size);
    return registered_.holds(address, size);
  }
  bool writable(std::uint64_t address, std::uint64_t size) const noexcept {
    if (directory_.covers(address)) return directory_.writable(address, size);
    return registered_.holds(address, size);
  }
  /// Whether all of the address's page may be touched: one question for a whole warp.
  bool whole_page(std::uint64_t address, bool write) const noexcept {
    return directory_.covers(address) && directory_.whole_page(address, write);
  }

  /// Where KILN_EMULATOR_CHECK=init is on: memory of these bytes has a value now. Copies and fills of the host's side
  /// tell it; stores of kernels do by themselves.
  void mark_written(std::uint64_t address, std::uint64_t size) noexcept;
  /// Whether all bytes have been written, or their writes are not followed (memory that the host shares).
  bool written(std::uint64_t address, std::uint64_t size) const noexcept;

  /// Packed memory for small blocks, of which none is valid yet: see DeviceHeap.
  std::uint64_t allocate_packed(std::uint64_t size, int device);
  void set_block(std::uint64_t address, std::uint64_t size, bool valid);

 private:
  AddressSpace();

  Reservation range_;
  PageDirectory directory_;
  RegisteredRanges registered_;
  struct Contents;  // what is behind the lock
  std::unique_ptr<Contents> contents_;
};

}  // namespace kiln::emulator
