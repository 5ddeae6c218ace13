// A library with NVRTC's functions and none of their work: version 13.7, without a builtins library. WITH_NEWER: with
// those that came after 12.0, and programs that can be made.
#include <nvrtc.h>

#include <cstddef>
#include <cstring>

extern "C" {
nvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 7;
  return NVRTC_SUCCESS;
}
const char* nvrtcGetErrorString(nvrtcResult) { return "a fake error"; }
nvrtcResult nvrtcGetNumSupportedArchs(int* count) { return *count = 3, NVRTC_SUCCESS; }
nvrtcResult nvrtcGetSupportedArchs(int* archs) { return archs[0] = 90, archs[1] = 75, archs[2] = 100, NVRTC_SUCCESS; }
nvrtcResult nvrtcCreateProgram(nvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*) {
#ifdef WITH_NEWER
  return NVRTC_SUCCESS;
#else
  return NVRTC_ERROR_INTERNAL_ERROR;
#endif
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcCompileProgram(nvrtcProgram, int, const char* const*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcGetPTXSize(nvrtcProgram, size_t*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcGetPTX(nvrtcProgram, char*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram, size_t*) { return NVRTC_ERROR_INTERNAL_ERROR; }
#ifndef WITHOUT_CUBIN
nvrtcResult nvrtcGetCUBIN(nvrtcProgram, char*) { return NVRTC_ERROR_INTERNAL_ERROR; }
#endif
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram, size_t*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcGetLTOIR(nvrtcProgram, char*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram, size_t*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram, char*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram, size_t*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcGetProgramLog(nvrtcProgram, char*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcAddNameExpression(nvrtcProgram, const char*) { return NVRTC_ERROR_INTERNAL_ERROR; }
nvrtcResult nvrtcGetLoweredName(nvrtcProgram, const char*, const char**) { return NVRTC_ERROR_INTERNAL_ERROR; }

#ifdef WITH_NEWER
struct Headers {
  int available;
  std::size_t compressed, uncompressed;
  int major, minor;
  unsigned files;
};
nvrtcResult nvrtcGetTileIRSize(nvrtcProgram, std::size_t* size) { return *size = 4, NVRTC_SUCCESS; }
nvrtcResult nvrtcGetTileIR(nvrtcProgram, char* out) { return std::memcpy(out, "tile", 4), NVRTC_SUCCESS; }
nvrtcResult nvrtcGetBundledHeadersInfo(Headers* info, const char**) {
  *info = {1, 1000, 4000, 13, 7, 42};
  return NVRTC_SUCCESS;
}
// Tells what it was given.
nvrtcResult nvrtcInstallBundledHeaders(const char* path, unsigned flags, const char** log) {
  static char text[200];
  std::strncpy(text, path, sizeof text - 10);
  std::strcat(text, flags == 0 ? " flags 0" : flags == 1 ? " flags 1" : flags == 2 ? " flags 2" : " flags 3");
  *log = text;
  return static_cast<nvrtcResult>(18);
}
nvrtcResult nvrtcRemoveBundledHeaders(const char*, const char** log) {
  *log = nullptr;
  return NVRTC_ERROR_INVALID_INPUT;
}
#endif
}
