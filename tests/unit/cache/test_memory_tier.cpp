#include "cache/memory_tier.hpp"

#include "in_child.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace memory_tier_test {

using namespace kiln;

TEST_CASE("values are found by their whole key") {
  MemoryTier<int> tier(1000);
  const std::string key(4096, 'k');
  std::string other = key;
  other.back() = 'x';
  const auto value = std::make_shared<int>(7);
  tier.insert(key, value, 10);
  CHECK(tier.find(key) == value);
  CHECK(tier.find(other) == nullptr);
  CHECK(tier.find("") == nullptr);
}

TEST_CASE("a new value takes the place of the old one and of its weight") {
  MemoryTier<int> tier(100);
  for (int i = 0; i < 10; ++i) tier.insert("a", std::make_shared<int>(i), 60);
  CHECK(*tier.find("a") == 9);
  tier.insert("b", std::make_shared<int>(1), 40);
  CHECK(tier.find("a") != nullptr);
  CHECK(tier.find("b") != nullptr);
}

TEST_CASE("what is removed frees its share of the budget, and is destroyed") {
  MemoryTier<int> tier(100);
  const auto kept = std::make_shared<int>(2);
  const auto removed = std::make_shared<int>(1);
  tier.insert("a", removed, 60);
  tier.insert("b", kept, 40);
  tier.remove_if([](int value) { return value == 1; });
  CHECK(removed.use_count() == 1);
  CHECK(tier.find("a") == nullptr);
  tier.insert("c", std::make_shared<int>(3), 60);
  CHECK(tier.find("b") == kept);
  tier.remove_if([](int) { return true; });
  CHECK(kept.use_count() == 1);
}

TEST_CASE("what was used longest ago goes first") {
  MemoryTier<int> tier(30);
  for (const char* key : {"a", "b", "c"}) tier.insert(key, std::make_shared<int>(0), 10);
  tier.find("a");
  tier.insert("d", std::make_shared<int>(0), 10);
  CHECK(tier.find("b") == nullptr);
  CHECK(tier.find("a") != nullptr);
  CHECK(tier.find("c") != nullptr);
  tier.insert("e", std::make_shared<int>(0), 25);
  for (const char* key : {"a", "c", "d"}) CHECK(tier.find(key) == nullptr);
  CHECK(tier.find("e") != nullptr);
}

TEST_CASE("an item above the whole budget is not kept, nor the one that it replaces") {
  MemoryTier<int> tier(30);
  tier.insert("a", std::make_shared<int>(0), 10);
  tier.insert("b", std::make_shared<int>(0), 10);
  tier.insert("a", std::make_shared<int>(1), 31);
  CHECK(tier.find("a") == nullptr);
  CHECK(tier.find("b") != nullptr);
}

TEST_CASE("another budget holds from the next item on") {
  MemoryTier<int> tier(1000);
  for (const char* key : {"a", "b", "c"}) tier.insert(key, std::make_shared<int>(0), 10);
  tier.set_budget(20);
  CHECK(tier.find("a") != nullptr);
  tier.insert("d", std::make_shared<int>(0), 10);
  CHECK(tier.find("b") == nullptr);
  CHECK(tier.find("c") == nullptr);
  CHECK(tier.find("a") != nullptr);
  CHECK(tier.find("d") != nullptr);
}

TEST_CASE("each value is visited once") {
  MemoryTier<int> tier(1000);
  for (int i = 1; i <= 3; ++i) tier.insert(std::to_string(i), std::make_shared<int>(i), 10);
  int sum = 0;
  tier.for_each([&](int value) { sum += value; });
  CHECK(sum == 6);
}

TEST_CASE("a value may use the tier while it is destroyed") {
  struct Nosy {
    MemoryTier<Nosy>& tier;
    bool& is_gone;
    ~Nosy() { is_gone = tier.find("a") == nullptr; }
  };
  MemoryTier<Nosy> tier(10);
  bool is_gone = false;
  tier.insert("a", std::shared_ptr<Nosy>(new Nosy{tier, is_gone}), 10);
  tier.insert("b", nullptr, 10);
  CHECK(is_gone);
}

TEST_CASE("threads, and children that are forked while threads work") {
  MemoryTier<int> tier(50);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; !stop; ++i) {
        const std::string key = std::to_string((i + t) % 9);
        tier.insert(key, std::make_shared<int>((i + t) % 9), 10);
        if (const auto found = tier.find(key)) REQUIRE(std::to_string(*found) == key);
      }
    });
  for (int i = 0; i < 30; ++i) {
    const int status = test::in_child([&] {
      for (int n = 0; n < 20; ++n) tier.insert(std::to_string(n), std::make_shared<int>(n), 10);
      const auto found = tier.find("19");
      return found && *found == 19 && tier.find("15") && !tier.find("14") ? 0 : 1;
    });
    CHECK(status == 0);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace memory_tier_test
