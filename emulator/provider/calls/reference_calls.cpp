// Texture and surface references, which newer drivers deprecate: Kiln uses texture objects itself, and modules with
// variables of these types are not supported.
#include "emulator/provider/context/call.hpp"

using kiln::emulator::not_supported;

KILN_EMULATOR_API cuTexRefSetArray(CUtexref, CUarray, unsigned) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetMipmappedArray(CUtexref, CUmipmappedArray, unsigned) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetAddress(size_t*, CUtexref, CUdeviceptr, size_t) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetAddress2D(CUtexref, const CUDA_ARRAY_DESCRIPTOR*, CUdeviceptr, size_t) {
  return not_supported(__func__);
}
KILN_EMULATOR_API cuTexRefSetFormat(CUtexref, CUarray_format, int) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetAddressMode(CUtexref, int, CUaddress_mode) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetFilterMode(CUtexref, CUfilter_mode) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetMipmapFilterMode(CUtexref, CUfilter_mode) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetMipmapLevelBias(CUtexref, float) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetMipmapLevelClamp(CUtexref, float, float) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetMaxAnisotropy(CUtexref, unsigned) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetBorderColor(CUtexref, float*) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefSetFlags(CUtexref, unsigned) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetAddress(CUdeviceptr*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetArray(CUarray*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetMipmappedArray(CUmipmappedArray*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetAddressMode(CUaddress_mode*, CUtexref, int) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetFilterMode(CUfilter_mode*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetFormat(CUarray_format*, int*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetMipmapFilterMode(CUfilter_mode*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetMipmapLevelBias(float*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetMipmapLevelClamp(float*, float*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetMaxAnisotropy(int*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetBorderColor(float*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefGetFlags(unsigned*, CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefCreate(CUtexref*) { return not_supported(__func__); }
KILN_EMULATOR_API cuTexRefDestroy(CUtexref) { return not_supported(__func__); }
KILN_EMULATOR_API cuSurfRefSetArray(CUsurfref, CUarray, unsigned) { return not_supported(__func__); }
KILN_EMULATOR_API cuSurfRefGetArray(CUarray*, CUsurfref) { return not_supported(__func__); }
