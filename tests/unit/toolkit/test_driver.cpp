// The driver door of a whole process, so each case runs in a child; this process itself never opens a driver.
#include "toolkit/driver/driver.hpp"

#include "toolkit/driver/emulator_library.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <fake_cuda.hpp>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>

#include <stdlib.h>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "in_child.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

namespace driver_test {

using kiln::Driver;
using kiln::test::contains;
using kiln::test::in_child;
using kiln::test::message_of;

namespace {

// Runs checks in a child of fork; the first that fails is printed and ends it.
class Checks {
 public:
  void operator()(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "in the child: not true: %s\n", what);
    _exit(1);
  }
};
#define CHILD_CHECK(condition) check(condition, #condition)

template <class Body>
void check_in_child(const Body& body) {
  CHECK(in_child([&] {
          unsetenv("KILN_DRIVER");
          Checks check;
          body(check);
          return 0;
        }) == 0);
}

const std::string fake = fake_cuda::library_path();

}  // namespace

TEST_CASE("use_driver names the library, which is opened and initialised once") {
  check_in_child([](Checks& check) {
    kiln::use_driver(fake);
    CHILD_CHECK(Driver::if_open() == nullptr);
    CHILD_CHECK(fake_cuda::calls("cuInit") == 0);
    std::vector<const Driver*> seen(8);
    std::vector<std::thread> threads;
    for (auto& place : seen) threads.emplace_back([&place] { place = &Driver::get(); });
    for (std::thread& thread : threads) thread.join();
    for (const Driver* driver : seen) CHILD_CHECK(driver == Driver::if_open());
    CHILD_CHECK(Driver::get().path == fake);
    CHILD_CHECK(fake_cuda::calls("cuInit") == 1);
  });
}

TEST_CASE("KILN_DRIVER names the library, use_driver wins over it") {
  check_in_child([](Checks& check) {
    setenv("KILN_DRIVER", fake.c_str(), 1);
    CHILD_CHECK(Driver::get().path == fake);
  });
  check_in_child([](Checks& check) {
    setenv("KILN_DRIVER", "/nowhere/libcuda.so.1", 1);
    kiln::use_driver(fake);
    CHILD_CHECK(Driver::get().path == fake);
  });
}

TEST_CASE("another choice after the driver was opened is an error, the same one is not") {
  check_in_child([](Checks& check) {
    kiln::use_driver("/nowhere/libfirst.so");
    kiln::use_driver(fake);
    Driver::get();
    kiln::use_driver(fake);
    const std::string message = message_of<kiln::Error>([] { kiln::use_driver("/nowhere/libother.so"); });
    CHILD_CHECK(contains(message, "/nowhere/libother.so"));
    CHILD_CHECK(contains(message, fake));
    CHILD_CHECK(!message_of<kiln::Error>([] { kiln::use_driver(""); }).empty());
  });
}

TEST_CASE("a library that cannot be opened is named, with who asked for it") {
  check_in_child([](Checks& check) {
    setenv("KILN_DRIVER", "/nowhere/libcuda.so.1", 1);
    const std::string message = message_of<kiln::ToolkitError>([] { Driver::get(); });
    CHILD_CHECK(contains(message, "/nowhere/libcuda.so.1"));
    CHILD_CHECK(contains(message, "KILN_DRIVER"));
    CHILD_CHECK(message.find("/nowhere") == message.rfind("/nowhere"));
    CHILD_CHECK(!contains(message, "install"));
    CHILD_CHECK(!kiln::has_device());
    // It is not remembered: the next call looks again.
    setenv("KILN_DRIVER", fake.c_str(), 1);
    CHILD_CHECK(kiln::has_device());
  });
}

TEST_CASE("without any driver the error lists the places and the advice") {
  check_in_child([](Checks& check) {
    std::string message;
    try {
      Driver::get();
      return;  // a machine with a driver
    } catch (const kiln::DriverError&) {
      return;  // a driver without a device
    } catch (const kiln::ToolkitError& error) {
      message = error.what();
      CHILD_CHECK(error.searched().size() > 4);
      CHILD_CHECK(contains(error.searched()[0], "libcuda.so.1"));
    }
    CHILD_CHECK(message.find("/usr/lib64/libcuda") == message.rfind("/usr/lib64/libcuda"));
    CHILD_CHECK(contains(message, "/usr/lib64/libcuda.so.1"));
    CHILD_CHECK(contains(message, "/usr/lib/wsl/lib/libcuda.so.1"));
    CHILD_CHECK(contains(message, "install"));
  });
}

TEST_CASE("an emulator that another user put into a folder above Kiln's is not looked at") {
  struct : kiln::FileSystem {
    int do_link_status(const std::string& path, kiln::FileStatus& status) override {
      const int code = FileSystem::do_link_status(path, status);
      if (path == others) ++status.owner;
      return code;
    }
    std::string others;
  } files;
  const kiln::test::ScratchFolder folder;
  const std::string above = folder.write("build/emulator/libkiln_emulator.so", "").string();
  const auto is_looked_at = [&] {
    const std::vector<std::string> near = kiln::emulators_near(files, folder / "build/tools/kiln");
    CHECK(near.size() >= 4);
    return std::find(near.begin(), near.end(), above) != near.end();
  };
  CHECK(is_looked_at());
  for (const char* name : {"build/emulator/libkiln_emulator.so", "build/emulator", "build"}) {
    files.others = (folder / name).string();
    CHECK_FALSE(is_looked_at());
  }
}

TEST_CASE("the emulator is a library of that name beside Kiln") {
  check_in_child([](Checks& check) {
    setenv("KILN_DRIVER", "emulator", 1);
    // It may have been built, or not: the place is the same.
    std::string place;
    try {
      place = Driver::get().path;
    } catch (const kiln::ToolkitError& error) {
      place = error.what();
    }
    CHILD_CHECK(contains(place, "libkiln_emulator.so"));
  });
}

TEST_CASE("a cuInit that fails says why, and is tried again") {
  check_in_child([](Checks& check) {
    kiln::use_driver(fake);
    fake_cuda::fail("cuInit", CUDA_ERROR_NO_DEVICE);
    try {
      Driver::get();
      CHILD_CHECK(false);
    } catch (const kiln::DriverError& error) {
      CHILD_CHECK(error.result() == CUDA_ERROR_NO_DEVICE);
      CHILD_CHECK(error.result_name() == "CUDA_ERROR_NO_DEVICE");
      CHILD_CHECK(error.call() == "cuInit");
      CHILD_CHECK(contains(error.what(), "CUDA_VISIBLE_DEVICES"));
    }
    CHILD_CHECK(Driver::if_open() == nullptr);
    CHILD_CHECK(&Driver::get() == Driver::if_open());
    CHILD_CHECK(fake_cuda::calls("cuInit") == 2);
  });
  check_in_child([](Checks& check) {
    kiln::use_driver(fake);
    fake_cuda::fail("cuInit", CUDA_ERROR_STUB_LIBRARY);
    CHILD_CHECK(contains(message_of<kiln::DriverError>([] { Driver::get(); }), "stub"));
  });
}

TEST_CASE("a child of fork is refused once the driver is open, and allowed before") {
  check_in_child([](Checks& check) {
    kiln::use_driver(fake);
    fake_cuda::fail("cuInit", CUDA_ERROR_NO_DEVICE);
    CHILD_CHECK(!kiln::has_device());
    // The failed attempt left nothing that a child would have to fear.
    CHILD_CHECK(in_child([] { return kiln::has_device() ? 0 : 1; }) == 0);
    Driver::get();
    CHILD_CHECK(in_child([&] {
                  CHILD_CHECK(Driver::if_open() == nullptr);
                  CHILD_CHECK(!kiln::has_device());
                  CHILD_CHECK(!kiln::initialised_device_arch());
                  try {
                    Driver::get();
                  } catch (const kiln::DriverError& error) {
                    CHILD_CHECK(error.result() == CUDA_ERROR_NOT_INITIALIZED);
                    CHILD_CHECK(error.result_name() == "CUDA_ERROR_NOT_INITIALIZED");
                    CHILD_CHECK(contains(error.what(), "fork"));
                    CHILD_CHECK(contains(error.what(), "exec"));
                    return 0;
                  }
                  return 1;
                }) == 0);
    // The parent goes on.
    CHILD_CHECK(kiln::has_device());
  });
}

TEST_CASE("forks while threads open the driver never hang") {
  check_in_child([](Checks& check) {
    kiln::use_driver(fake);
    fake_cuda::fail("cuInit", CUDA_ERROR_NO_DEVICE, 0, static_cast<std::size_t>(-1));
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&] {
        while (!stop) kiln::has_device();
      });
    int told = 0;
    for (int i = 0; i < 100; ++i)
      told += in_child([] {
                // Refused where a thread was opening the driver, else told that there is no device.
                const std::string message = message_of<kiln::DriverError>([] { Driver::get(); });
                return contains(message, "a child of fork") || contains(message, "CUDA_ERROR_NO_DEVICE") ? 0 : 1;
              }) == 0;
    stop = true;
    for (std::thread& thread : threads) thread.join();
    CHILD_CHECK(told == 100);
  });
}

TEST_CASE("the initialised device's architecture is found without initialising anything") {
  check_in_child([](Checks& check) {
    fake_cuda::set_devices({90, 86});
    kiln::use_driver(fake);
    CHILD_CHECK(!kiln::initialised_device_arch());
    CHILD_CHECK(fake_cuda::calls().empty());
    const Driver& driver = Driver::get();
    CHILD_CHECK(kiln::initialised_device_arch() == 90);
    CUcontext context = nullptr;
    CHILD_CHECK(driver.device_primary_ctx_retain(&context, 1) == CUDA_SUCCESS);
    CHILD_CHECK(driver.ctx_set_current(context) == CUDA_SUCCESS);
    CHILD_CHECK(kiln::initialised_device_arch() == 86);
  });
}

TEST_CASE("a program's own driver is asked where it is NVIDIA's and initialised") {
  check_in_child([](Checks& check) {
    // Found by its name, libcuda.so.1, once the program has brought it in.
    void* const own = dlopen(OWN_LIBCUDA, RTLD_NOW | RTLD_LOCAL);
    CHILD_CHECK(own != nullptr);
    CHILD_CHECK(!kiln::initialised_device_arch());
    const auto init = reinterpret_cast<decltype(&::cuInit)>(dlsym(own, "cuInit"));
    CHILD_CHECK(init(0) == CUDA_SUCCESS);
    CHILD_CHECK(kiln::initialised_device_arch() == 90);
    CHILD_CHECK(Driver::if_open() == nullptr);
    // Not where Kiln is to use another library.
    kiln::use_driver(fake);
    CHILD_CHECK(!kiln::initialised_device_arch());
  });
}

TEST_CASE("a failed call's error has its name, its text and the driver's name for the result") {
  CHECK(kiln::driver_result_name(1) == "CUresult 1");
  CHECK_NOTHROW(kiln::check_driver(0, "cuMemAlloc"));
  check_in_child([](Checks& check) {
    kiln::use_driver(fake);
    Driver::get();
    CHILD_CHECK(kiln::driver_result_name(2) == "CUDA_ERROR_OUT_OF_MEMORY");
    CHILD_CHECK(kiln::driver_result_name(998) == "CUresult 998");
    const std::string message = message_of<kiln::DriverError>([] { kiln::check_driver(2, "cuMemAlloc", " of 3 GiB"); });
    CHILD_CHECK(message == "cuMemAlloc failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY) of 3 GiB");
  });
}

}  // namespace driver_test
