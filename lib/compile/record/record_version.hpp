// What the writer and the reader of KILN_RECORD's file share.
#pragma once

namespace kiln {

inline constexpr int record_version = 1;

/// Variables that decide about a request; their values are recorded with it.
inline constexpr const char* recorded_variables[] = {"KILN_DEFAULT_OPTIONS",
                                                     "PYCUDA_DEFAULT_NVCC_FLAGS",
                                                     "KILN_BACKEND",
                                                     "NVCC_PREPEND_FLAGS",
                                                     "NVCC_APPEND_FLAGS",
                                                     "NVCC_CCBIN",
                                                     "CPATH",
                                                     "C_INCLUDE_PATH",
                                                     "CPLUS_INCLUDE_PATH"};

}  // namespace kiln
