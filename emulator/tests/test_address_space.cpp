#include "emulator/memory/address_space.hpp"
#include "emulator/memory/device_heap.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace address_space_test {

using namespace kiln::emulator;

namespace {

using Kind = Allocation::Kind;

AddressSpace& space() { return AddressSpace::get(); }

}  // namespace

TEST_CASE("emulator memory: an allocation is usable to its last byte and no further") {
  for (const std::uint64_t size : {1ull, 255ull, 4095ull, 4096ull, 4097ull, 1000000ull}) {
    CAPTURE(size);
    const std::uint64_t base = space().allocate(size, Kind::device, 0);
    REQUIRE(base != 0);
    CHECK(base % 256 == 0);
    std::memset(reinterpret_cast<void*>(base), 1, size);
    CHECK(space().readable(base, 1));
    CHECK(space().readable(base + size - 1, 1));
    CHECK(space().writable(base, size));
    CHECK_FALSE(space().readable(base - 1, 1));
    CHECK_FALSE(space().readable(base + size, 1));
    CHECK_FALSE(space().readable(base + size - 1, 2));
    CHECK_FALSE(space().readable(base, size + 1));
    CHECK_FALSE(space().writable(base, size + 1));
    CHECK(space().find(base + size - 1)->base == base);
    CHECK_FALSE(space().find(base + size).has_value());
    CHECK(space().release(base));
    CHECK_FALSE(space().readable(base, 1));
    CHECK_FALSE(space().release(base));
  }
}

TEST_CASE("emulator memory: freed memory is known, empty, and not given again soon") {
  const std::uint64_t first = space().allocate(100, Kind::device, 0);
  std::memset(reinterpret_cast<void*>(first), 7, 100);
  REQUIRE(space().release(first));
  CHECK(*reinterpret_cast<const unsigned char*>(first) == 0);
  const auto nearest = space().nearest(first + 4);
  REQUIRE(nearest.has_value());
  CHECK(nearest->base == first);
  CHECK(nearest->freed);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t next = space().allocate(100, Kind::device, 0);
    CHECK(next != first);
    CHECK(space().release(next));
  }
}

TEST_CASE("emulator memory: constant memory is read only, and alignment is kept") {
  const std::uint64_t constant = space().allocate(5000, Kind::constant, 0, "table", 65536);
  CHECK(constant % 65536 == 0);
  CHECK(space().readable(constant, 5000));
  CHECK_FALSE(space().writable(constant, 4));
  CHECK_FALSE(space().writable(constant + 4996, 4));
  CHECK_FALSE(space().whole_page(constant, true));
  CHECK(space().whole_page(constant, false));
  CHECK_FALSE(space().whole_page(constant + 4096, false));
  CHECK(space().find(constant)->name == "table");
  CHECK(space().release(constant));
}

TEST_CASE("emulator memory: what a device has is counted, and not more is given") {
  const std::uint64_t before = space().used(3);
  const std::uint64_t base = space().allocate(12345, Kind::device, 3);
  CHECK(space().used(3) == before + 12345);
  CHECK(space().allocate(space().total(), Kind::device, 3) == 0);
  CHECK(space().allocate(0, Kind::device, 3) == 0);
  CHECK(space().allocate(~std::uint64_t{0} - 4096, Kind::device, 3) == 0);
  CHECK(space().used(3) == before + 12345);
  CHECK(space().release(base));
  CHECK(space().used(3) == before);
  const std::uint64_t all = space().allocate(space().total(), Kind::device, 3);
  CHECK(all != 0);
  CHECK(space().release(all));
}

TEST_CASE("emulator memory: host memory can be touched while it is registered") {
  std::vector<char> memory(1000);
  const auto address = reinterpret_cast<std::uint64_t>(memory.data());
  CHECK_FALSE(space().readable(address, 1));
  REQUIRE(space().add_registered(memory.data() + 100, 800, 0));
  CHECK_FALSE(space().readable(address + 99, 1));
  CHECK(space().writable(address + 100, 800));
  CHECK_FALSE(space().readable(address + 100, 801));
  CHECK_FALSE(space().add_registered(memory.data(), 101, 0));
  CHECK_FALSE(space().add_registered(memory.data() + 899, 50, 0));
  CHECK(space().add_registered(memory.data(), 100, 0));
  CHECK_FALSE(space().release(address + 100));
  CHECK_FALSE(space().remove_registered(memory.data() + 101));
  CHECK(space().remove_registered(memory.data() + 100));
  CHECK_FALSE(space().readable(address + 100, 1));
  CHECK(space().readable(address, 100));
  CHECK(space().remove_registered(memory.data()));
  const std::uint64_t device = space().allocate(100, Kind::device, 0);
  CHECK_FALSE(space().add_registered(reinterpret_cast<const void*>(device), 100, 0));
  CHECK(space().release(device));
}

TEST_CASE("emulator memory: threads allocate and free side by side") {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 200; ++i) {
        const std::uint64_t base = space().allocate(64, Kind::device, 0);
        auto* const value = reinterpret_cast<int*>(base);
        *value = t;
        if (!space().readable(base, 64) || *value != t || !space().release(base)) FAIL_CHECK("memory was shared");
      }
    });
  for (std::thread& each : threads) each.join();
}

TEST_CASE("emulator memory: blocks of the kernel's heap have their own bounds") {
  DeviceHeap& heap = DeviceHeap::get();
  const std::uint64_t small = heap.allocate(20), next = heap.allocate(8);
  REQUIRE(small != 0);
  CHECK(small % 16 == 0);
  CHECK(space().writable(small, 16));
  CHECK(space().writable(small + 16, 4));
  CHECK_FALSE(space().writable(small + 16, 8));
  CHECK_FALSE(space().readable(small + 20, 1));
  CHECK_FALSE(space().readable(next - 1, 1));
  CHECK_FALSE(space().whole_page(small, false));
  CHECK(heap.nearest(small + 21)->base == small);
  CHECK(heap.release(small));
  CHECK_FALSE(space().readable(small, 1));
  CHECK(heap.nearest(small)->freed);
  CHECK_FALSE(heap.release(small));
  CHECK_FALSE(heap.release(next + 1));
  CHECK(heap.release(next));
  CHECK(heap.allocate(heap.limit() + 1) == 0);
  CHECK(heap.allocate(8, 24) == 0);
  const std::uint64_t wide = heap.allocate(8, 1024);
  CHECK(wide % 1024 == 0);
  CHECK(heap.release(wide));
}

TEST_CASE("emulator memory: the kernel's heap has no end where blocks are freed, and one where they are not") {
  DeviceHeap& heap = DeviceHeap::get();
  const std::uint64_t size = 100000;
  for (std::uint64_t done = 0; done < 10 * heap.limit(); done += size) REQUIRE(heap.release(heap.allocate(size)));
  std::set<std::uint64_t> blocks;
  while (const std::uint64_t block = heap.allocate(size)) REQUIRE(blocks.insert(block).second);
  CHECK(blocks.size() > heap.limit() / size / 2);
  CHECK(blocks.size() <= heap.limit() / size);
  std::uint64_t end = 0;
  for (const std::uint64_t block : blocks) {
    CHECK(block >= end);
    CHECK(space().writable(block, size));
    end = block + size;
  }
  for (const std::uint64_t block : blocks) CHECK(heap.release(block));
}

}  // namespace address_space_test
