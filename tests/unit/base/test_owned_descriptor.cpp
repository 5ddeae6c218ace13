#include "base/owned_descriptor.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>

namespace owned_descriptor_test {

using namespace kiln;

namespace {

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }
int make() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

}  // namespace

TEST_CASE("a descriptor is closed with its owner, once, and not where it was given away") {
  int descriptor = -1;
  {
    OwnedDescriptor first(make());
    descriptor = first.get();
    const OwnedDescriptor second(std::move(first));
    CHECK(first.get() == -1);
    CHECK(second.get() == descriptor);
    CHECK(is_open(descriptor));
  }
  CHECK_FALSE(is_open(descriptor));
  {
    OwnedDescriptor owner(make());
    descriptor = owner.release();
  }
  REQUIRE(is_open(descriptor));
  OwnedDescriptor again(descriptor);
  again.close();
  CHECK_FALSE(is_open(descriptor));
}

TEST_CASE("an owner that is given another descriptor still closes its own") {
  OwnedDescriptor owner(make());
  const int before = owner.get();
  int after = -1;
  {
    OwnedDescriptor other(make());
    after = other.get();
    owner = std::move(other);
  }
  CHECK_FALSE(is_open(before));
  CHECK(owner.get() == after);
  CHECK(is_open(after));
}

}  // namespace owned_descriptor_test
