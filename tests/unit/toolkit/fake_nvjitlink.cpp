// A library with nvJitLink's functions and little of their work. Plain: version 13.7. SUFFIXED: as those of CUDA 12.0
// to 12.2, which export no plain names and do not tell their version.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#ifdef SUFFIXED
#define NAME(name) __##name##_12_1
#else
#define NAME(name) name
#endif

namespace {

int state;  // what a handle points to: the result of making it
int put(const char* text, std::size_t* size) { return *size = std::strlen(text), 0; }
int give(const char* text, void* out) { return std::memcpy(out, text, std::strlen(text)), 0; }

}  // namespace

extern "C" {
// No option is no architecture, two are a bad one; both give a handle, for its log.
int NAME(nvJitLinkCreate)(int** handle, std::uint32_t count, const char* const*) {
  *handle = &state;
  return state = count == 1 ? 0 : count == 0 ? 2 : 1;
}
int NAME(nvJitLinkDestroy)(int** handle) {
#ifdef SUFFIXED
  if (state == 2) std::abort();  // NVIDIA's of CUDA 12 crashes
#endif
  return *handle = nullptr, 0;
}
int NAME(nvJitLinkAddData)(int*, int, const void*, std::size_t, const char*) { return 0; }
int NAME(nvJitLinkAddFile)(int*, int, const char*) { return 8; }
#ifndef WITHOUT_COMPLETE
int NAME(nvJitLinkComplete)(int*) { return 0; }
#endif
int NAME(nvJitLinkGetLinkedCubinSize)(int*, std::size_t* size) { return put("a cubin", size); }
int NAME(nvJitLinkGetLinkedCubin)(int*, void* out) { return give("a cubin", out); }
int NAME(nvJitLinkGetLinkedPtxSize)(int*, std::size_t* size) { return put("some ptx", size); }
int NAME(nvJitLinkGetLinkedPtx)(int*, char* out) { return give("some ptx", out); }
int NAME(nvJitLinkGetErrorLogSize)(int*, std::size_t* size) { return put("what went wrong\n", size); }
int NAME(nvJitLinkGetErrorLog)(int*, char* out) { return give("what went wrong\n", out); }
int NAME(nvJitLinkGetInfoLogSize)(int*, std::size_t* size) { return put("what was done", size); }
int NAME(nvJitLinkGetInfoLog)(int*, char* out) { return give("what was done", out); }
#ifndef SUFFIXED
int nvJitLinkVersion(unsigned* major, unsigned* minor) { return *major = 13, *minor = 7, 0; }
int nvJitLinkGetLinkedLTOIRSize(int*, std::size_t* size) { return put("lto ir", size); }
int nvJitLinkGetLinkedLTOIR(int*, void* out) { return give("lto ir", out); }
#endif
}
