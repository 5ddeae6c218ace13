// The CUDA driver as a program reaches it without Kiln.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace kiln::test {

/// The driver's library: the emulator's where Kiln uses that.
inline void* driver_library() {
  if (void* const emulator = dlopen("libkiln_emulator.so", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD)) return emulator;
  return dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
}

/// Its function, under the name that it exports (with its version suffix).
template <class Pointer>
Pointer driver_function(const char* exported_name) {
  static void* const library = driver_library();
  void* const symbol = library != nullptr ? dlsym(library, exported_name) : nullptr;
  if (symbol == nullptr) throw std::runtime_error(std::string("the driver has no ") + exported_name);
  return reinterpret_cast<Pointer>(symbol);
}

/// Calls it and throws unless it succeeds: driver_call<decltype(&::cuStreamCreate)>("cuStreamCreate", &stream, 0).
template <class Pointer, class... Args>
void driver_call(const char* exported_name, Args... args) {
  const CUresult result = driver_function<Pointer>(exported_name)(args...);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error(std::string(exported_name) + " returned " + std::to_string(result));
}

}  // namespace kiln::test
