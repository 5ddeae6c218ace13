// What the fake driver knows. Everything is guarded by one mutex, which call() holds.
#pragma once

#include "fake_cuda.hpp"
#include "fake_image.hpp"

#include <cuda.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fake_cuda {

struct Context {
  int device = 0;
  int retains = 0;
  std::size_t persisting_l2_limit = 0;
  std::map<CUlimit, std::size_t> limits = {{CU_LIMIT_STACK_SIZE, 1024}, {CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20}};
  CUfunc_cache cache_config = CU_FUNC_CACHE_PREFER_NONE;
  unsigned flags = 0;
  CUaccessPolicyWindow default_stream_window = {};
};

struct Stream {
  Context* context = nullptr;
  unsigned long long id = 0;
  bool capturing = false;
  CUaccessPolicyWindow window = {};
};

struct Event {
  Context* context = nullptr;
  bool timing = true;
  std::optional<std::chrono::steady_clock::time_point> recorded;
};

struct Library;

struct Kernel {
  Library* library = nullptr;
  kiln::KernelInfo info;
  std::map<int, int> max_dynamic_shared;          // by device
  std::map<std::pair<int, int>, int> attributes;  // others that were set: by device and CUfunction_attribute
};

struct Function {
  Kernel* kernel = nullptr;
  const Context* context = nullptr;
};

struct Library {
  Image image;
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::map<std::pair<Kernel*, const Context*>, std::unique_ptr<Function>> functions;
  std::map<std::pair<std::string, int>, std::vector<char>> globals;  // by name and device
};

/// The bytes of an array, without gaps; arrays with one dimension have a height of 1.
struct ArrayStorage {
  std::vector<char> bytes;
  std::size_t row_bytes = 0;
  std::size_t height = 1;
};

struct Failure {
  int result;
  std::size_t skip;
  std::size_t times;
};

struct State {
  std::mutex mutex;
  bool initialised = false;
  int version = 13000;
  std::vector<int> capabilities = {90};
  int persisting_l2 = 30 << 20;
  int l2_window = 128 << 20;
  // Primary contexts live as long as the process: programs keep their handles.
  std::map<int, std::unique_ptr<Context>> contexts;
  std::map<CUcontext, std::unique_ptr<Context>> own_contexts;  // of cuCtxCreate
  std::map<CUdeviceptr, std::unique_ptr<char[]>> memory;
  std::map<CUdeviceptr, std::size_t> sizes;
  std::map<CUdeviceptr, int> memory_devices;
  std::set<CUdeviceptr> pool_memory;  // which belongs to no context
  std::map<const void*, std::unique_ptr<char[]>> host_memory;
  std::set<const void*> registrations;
  std::map<CUarray, ArrayStorage> arrays;
  std::map<CUstream, std::unique_ptr<Stream>> streams;
  unsigned long long streams_made = 0;
  std::map<CUevent, std::unique_ptr<Event>> events;
  std::map<CUlibrary, std::unique_ptr<Library>> libraries;
  std::set<const void*> kernels;
  std::set<const void*> functions;

  std::map<std::string, Failure> failures;
  std::set<std::string> hidden;
  std::vector<std::string> calls;
  std::map<std::string, std::size_t> counts;
  std::vector<Launch> launches;
  std::map<std::string, std::vector<std::vector<unsigned long long>>> arguments;

  State();
  static State& get();
  bool has_device(CUdevice device) const { return device >= 0 && device < static_cast<int>(capabilities.size()); }
};

/// The calling thread's current context, and those below it on its stack.
Context*& current_context();
struct ContextStack {
  Context* contexts[16];
  std::size_t size;
};
ContextStack& contexts_below();

extern std::atomic<bool> recording;

/// The injected result of a call that is being made, if any; counts it.
std::optional<CUresult> note_call(State& state, const char* name);

/// Remembers what a function was called with, for fake_cuda::arguments().
void note_arguments(State& state, const char* name, std::vector<unsigned long long> arguments);

template <class T>
unsigned long long address_of(const T* pointer) {
  return reinterpret_cast<unsigned long long>(pointer);
}

/// Runs the body of one driver function: counted, failing where a test asked for that, refused before cuInit.
template <class Body>
CUresult call(const char* name, const Body& body, bool needs_init = true) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  if (const std::optional<CUresult> injected = note_call(state, name)) return *injected;
  if (needs_init && !state.initialised) return CUDA_ERROR_NOT_INITIALIZED;
  return body(state);
}

/// Whether a kernel on a device takes what a launch asks for beyond its sizes.
using AttributeCheck = std::function<CUresult(const Kernel& kernel, int device)>;

/// Checks and remembers a launch that has its sizes and attributes.
CUresult launch(State& state, CUfunction function, Launch launch, CUstream stream, void** parameters, void** extra,
                const AttributeCheck& check);

/// What a call that may wait or free memory says while a stream is captured: a capture here is a global one.
CUresult capture_result(const State& state);

/// The object of a handle, null for an unknown one.
template <class Handle, class Object>
Object* find(const std::map<Handle, std::unique_ptr<Object>>& objects, Handle handle) {
  const auto found = objects.find(handle);
  return found == objects.end() ? nullptr : found->second.get();
}

}  // namespace fake_cuda
