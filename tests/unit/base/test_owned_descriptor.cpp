#include "base/owned_descriptor.hpp"

#include "base/file_lock.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>

#include <cerrno>

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

TEST_CASE("a descriptor that the program closed, and whose number it uses, is no more the owner's") {
  const test::ScratchFolder folder;
  folder.write("kilns", "");
  folder.write("programs", "");
  const auto open_at = [&](const char* name) { return ::open((folder / name).c_str(), O_RDWR | O_CLOEXEC); };
  int descriptor = -1;
  {
    const OwnedDescriptor owner(open_at("kilns"));
    descriptor = owner.get();
    CHECK(owner.is_own());
    REQUIRE(::close(descriptor) == 0);  // as a program does that closes all descriptors
    CHECK_FALSE(owner.is_own());
    REQUIRE(::dup2(open_at("programs"), descriptor) == descriptor);
    CHECK_FALSE(owner.is_own());
  }
  CHECK(is_open(descriptor));
  ::close(descriptor);
}

TEST_CASE("likewise a lock on a file") {
  const test::ScratchFolder folder;
  folder.write("programs", "");
  int descriptor = -1;
  {
    FileLock lock(FileSystem::real());
    REQUIRE(lock.open((folder / "lock").string()) == 0);
    REQUIRE(lock.try_lock(0) == 0);
    descriptor = lock.descriptor();
    const int own = ::open((folder / "programs").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(::dup2(own, descriptor) == descriptor);
    ::close(own);
    CHECK(lock.try_lock(1) == -EBADF);
    CHECK(test::in_child([&] { return is_open(descriptor) ? 0 : 1; }) == 0);  // a child closes its copies of locks
  }
  CHECK(is_open(descriptor));
  ::close(descriptor);
}

}  // namespace owned_descriptor_test
