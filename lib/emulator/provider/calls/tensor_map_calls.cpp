// Tensor maps are for bulk tensor copies, which the emulator does not support.
#include "emulator/provider/context/call.hpp"

using namespace kiln::emulator;

KILN_EMULATOR_API cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                         const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                         CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return call(__func__, [] { return not_supported("cuTensorMapEncodeTiled", "tensor maps"); });
}

KILN_EMULATOR_API cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                          const cuuint64_t*, const int*, const int*, cuuint32_t, cuuint32_t,
                                          const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return call(__func__, [] { return not_supported("cuTensorMapEncodeIm2col", "tensor maps"); });
}

KILN_EMULATOR_API cuTensorMapReplaceAddress(CUtensorMap*, void*) {
  return call(__func__, [] { return not_supported("cuTensorMapReplaceAddress", "tensor maps"); });
}
