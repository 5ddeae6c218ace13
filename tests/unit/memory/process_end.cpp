// What happens where a process ends or forks: objects of static lifetime give back what they own, a child of fork
// leaves its parent's alone. And without a driver there are no devices. Usage: process_end static|fork|no_driver
#include "fake_arrays.hpp"
#include "fake_cuda.hpp"

#include <kiln/array.hpp>
#include <kiln/context.hpp>
#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>
#include <kiln/event.hpp>
#include <kiln/host_registration.hpp>
#include <kiln/l2_window.hpp>
#include <kiln/managed_buffer.hpp>
#include <kiln/mipmapped_array.hpp>
#include <kiln/pinned_buffer.hpp>
#include <kiln/stream.hpp>
#include <kiln/surface_object.hpp>
#include <kiln/texture_object.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string_view>

namespace {

bool expect_nothing_live = false;

// Destroyed after the objects below, which are made later.
struct LastLook {
  ~LastLook() {
    const auto live = fake_cuda::live_allocations() + fake_cuda::live_streams() + fake_cuda::live_events() +
                      fake_cuda::live_host_allocations() + fake_cuda::live_registrations() + fake_cuda::live_arrays() +
                      fake_cuda::live_mipmapped_arrays() + fake_cuda::live_textures() + fake_cuda::live_surfaces() +
                      fake_cuda::live_contexts();
    if (!expect_nothing_live || live == 0) return;
    std::fprintf(stderr, "%zu objects were not given back\n", live);
    ::_exit(1);
  }
} last_look;

std::optional<kiln::Context> context;  // destroyed last
std::optional<kiln::DeviceBuffer<int>> buffer;
std::optional<kiln::Event> event;
int own_memory[4];
std::optional<kiln::DeviceBuffer<int>> ordered_buffer;
std::optional<kiln::PinnedBuffer<int>> pinned;
std::optional<kiln::ManagedBuffer<int>> managed;
std::optional<kiln::HostRegistration> registration;
std::optional<kiln::L2Window> window;
std::optional<kiln::MipmappedArray> levels;
std::optional<kiln::TextureObject> texture;
std::optional<kiln::SurfaceObject> surface;
// Destroyed first: what was made on it keeps it.
std::optional<kiln::Stream> stream;

void make_all() {
  buffer.emplace(10);
  stream.emplace();
  event.emplace();
  ordered_buffer.emplace(kiln::DeviceBuffer<int>::on_stream(10, *stream));
  pinned.emplace(4);
  managed.emplace(4);
  registration.emplace(own_memory);
  window.emplace(*stream, *buffer);
  levels.emplace(kiln::MipmappedArray::make<float>(4));
  const auto array = kiln::Array::make<float>(4, 4, 0, kiln::ArrayFlags::surface_load_store);
  texture.emplace(array);
  surface.emplace(array);
  context.emplace(kiln::Device(0));
}

int leave_to_static_destructors() {
  expect_nothing_live =
      fake_cuda::live_allocations() == 3 && fake_cuda::live_arrays() == 1 && fake_cuda::live_contexts() == 1;
  return expect_nothing_live ? 0 : 1;
}

// The child's exit status: 0 where its destructors made no driver call and a new stream is refused.
int end_as_child() {
  fake_cuda::reset();
  surface.reset();
  texture.reset();
  levels.reset();
  window.reset();
  registration.reset();
  managed.reset();
  pinned.reset();
  ordered_buffer.reset();
  buffer.reset();
  stream.reset();
  event.reset();
  context.reset();
  bool refused = false;
  try {
    const kiln::Stream another;
  } catch (const kiln::DriverError&) {
    refused = true;
  }
  return fake_cuda::calls().empty() && refused ? 0 : 1;
}

int end_child_of_fork() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(end_as_child());
  int status = 1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int count_without_driver() {
  kiln::use_driver("/nonexistent/libcuda.so");
  if (kiln::Device::count() != 0) return 1;
  try {
    (void)kiln::Device::current();
  } catch (const kiln::ToolkitError&) {
    return 0;
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 2 ? argv[1] : "";
  if (mode == "no_driver") return count_without_driver();
  kiln::use_driver(fake_cuda::library_path());
  make_all();
  if (mode == "static") return leave_to_static_destructors();
  if (mode == "fork") return end_child_of_fork();
  return 2;
}
