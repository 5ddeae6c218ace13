// The control side of the fake driver: a library that exports CUDA's driver API, keeps everything in host memory,
// launches nothing and remembers every call. Tests put it behind Kiln's driver door with
// kiln::use_driver(fake_cuda::library_path()) or KILN_DRIVER.
//
// For child processes the environment sets it up: KILN_FAKE_DEVICES="90,80" (or "none"), KILN_FAKE_CODE_KINDS="2" and
// KILN_FAKE_FAIL="cuInit=100,cuLibraryLoadData=200" (each failure for ever).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace fake_cuda {

/// The file of this library.
std::string library_path();

/// Forgets counts, calls, launches, failures, hidden functions and the recording switch. What the program holds stays
/// as it is: devices, contexts, handles, and the initialisation, because Kiln initialises a driver once a process.
void reset();

/// Compute capabilities, such as {90, 80}; one device of 90 where nobody says otherwise. To be called before the
/// program asks for devices.
void set_devices(const std::vector<int>& capabilities);
/// As cuDriverGetVersion tells it, such as 12040; functions newer than it are not found. To be called before the
/// library is bound.
void set_driver_version(int version);
/// Bit 0: cubin, bit 1: PTX. Kiln reads it when it opens the library.
void set_code_kinds(unsigned bits);
/// Makes cuGetProcAddress_v2 know a function no more.
void hide(const std::string& function);

/// The calls of one function since reset(), or of all.
std::size_t calls(const std::string& function);
std::vector<std::string> calls();
/// What each call of a memory function since reset() was given, in the order of its parameters: numbers, addresses and
/// handles. Only of calls that were not made to fail.
std::vector<std::vector<unsigned long long>> arguments(const std::string& function);
/// The named function gives `result`, a CUresult, at its next `times` calls after `skip` good ones.
void fail(const std::string& function, int result, std::size_t skip = 0, std::size_t times = 1);

/// False makes cuLaunchKernel return at once, unrecorded and unchecked: what is left is the caller's own cost.
void set_recording(bool on);

struct Launch {
  std::string kernel;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  /// The stream's handle, null for the default one.
  const void* stream;
  int device;
  /// The bytes of each parameter.
  std::vector<std::string> parameters;
  /// What cuLaunchKernelEx was given: the bytes of each CUlaunchAttributeValue by its CUlaunchAttributeID.
  std::map<int, std::string> attributes;
};
std::vector<Launch> launches();

/// What was made and not given back.
std::size_t live_graphs();  // executable ones too
std::size_t live_allocations();
/// Page-locked memory: allocated, registered.
std::size_t live_host_allocations();
std::size_t live_registrations();
std::size_t live_libraries();
std::size_t live_streams();
std::size_t live_events();
std::size_t live_links();  // of cuLinkCreate

/// Makes cuLinkComplete fail with that error log; empty lets it succeed again.
void set_link_error(const std::string& text);

/// Makes a stream say that it is being captured.
void set_capturing(const void* stream, bool on);
/// What a device says of its L2 cache in bytes: what may be set aside, and the largest window.
void set_l2(int persisting, int window);
/// The current context's limit of persisting lines.
std::size_t persisting_l2_limit();

/// Contexts of cuCtxCreate.
std::size_t live_contexts();

/// How often a device's primary context is retained.
int primary_context_retains(int device);

}  // namespace fake_cuda
