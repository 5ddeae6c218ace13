// The CUDA driver's handle types, declared as cuda.h declares them, so that Kiln's headers need no CUDA toolkit and a
// program may include cuda.h or cuda_runtime.h before or after them. A cudaStream_t is a CUstream, a cudaEvent_t a
// CUevent.
#pragma once

typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUkern_st* CUkernel;
typedef struct CUarray_st* CUarray;
typedef struct CUmipmappedArray_st* CUmipmappedArray;
typedef unsigned long long CUtexObject_v1;
typedef CUtexObject_v1 CUtexObject;
typedef unsigned long long CUsurfObject_v1;
typedef CUsurfObject_v1 CUsurfObject;
typedef struct CUlaunchAttribute_st CUlaunchAttribute;
