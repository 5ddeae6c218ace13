// The driver functions that compiling, loading and plain launches do not need: bound when first asked for, so that a
// warm start does not pay for them.
#pragma once

#include <cuda.h>

#include <cstddef>

namespace kiln {

/// Stands for every function that the driver library lacks.
template <class... Args>
CUresult missing(Args...) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

/// A member may always be called: where the library lacks it, it gives CUDA_ERROR_NOT_SUPPORTED, which check_driver
/// tells like any other result.
struct DriverExtras {
  // Streams.
  decltype(&::cuStreamCreateWithPriority) stream_create_with_priority = missing;
  decltype(&::cuCtxGetStreamPriorityRange) ctx_get_stream_priority_range = missing;
  decltype(&::cuStreamIsCapturing) stream_is_capturing = missing;
  decltype(&::cuThreadExchangeStreamCaptureMode) thread_exchange_stream_capture_mode = missing;
  decltype(&::cuStreamGetId) stream_get_id = missing;
  decltype(&::cuStreamSetAttribute) stream_set_attribute = missing;
  decltype(&::cuCtxGetId) ctx_get_id = missing;
  decltype(&::cuCtxGetLimit) ctx_get_limit = missing;
  decltype(&::cuCtxSetLimit) ctx_set_limit = missing;
  decltype(&::cuCtxResetPersistingL2Cache) ctx_reset_persisting_l2_cache = missing;

  // Memory.
  decltype(&::cuMemAllocAsync) mem_alloc_async = missing;
  decltype(&::cuMemFreeAsync) mem_free_async = missing;
  decltype(&::cuMemAllocPitch) mem_alloc_pitch = missing;
  decltype(&::cuMemAllocManaged) mem_alloc_managed = missing;
  decltype(&::cuMemHostAlloc) mem_host_alloc = missing;
  decltype(&::cuMemFreeHost) mem_free_host = missing;
  decltype(&::cuMemHostGetDevicePointer) mem_host_get_device_pointer = missing;
  decltype(&::cuMemHostRegister) mem_host_register = missing;
  decltype(&::cuMemHostUnregister) mem_host_unregister = missing;
  decltype(&::cuMemGetInfo) mem_get_info = missing;
  // Their prototypes changed with CUDA 13; these are of CUDA 8 and in every driver.
  CUresult (*mem_prefetch_async)(CUdeviceptr, std::size_t, CUdevice, CUstream) = missing;
  CUresult (*mem_advise)(CUdeviceptr, std::size_t, CUmem_advise, CUdevice) = missing;
  decltype(&::cuPointerGetAttribute) pointer_get_attribute = missing;

  // Copies and fills.
  decltype(&::cuMemcpyHtoDAsync) memcpy_htod_async = missing;
  decltype(&::cuMemcpyDtoHAsync) memcpy_dtoh_async = missing;
  decltype(&::cuMemcpyDtoD) memcpy_dtod = missing;
  decltype(&::cuMemcpyDtoDAsync) memcpy_dtod_async = missing;
  decltype(&::cuMemcpyPeer) memcpy_peer = missing;
  decltype(&::cuMemcpyPeerAsync) memcpy_peer_async = missing;
  decltype(&::cuMemcpy2DUnaligned) memcpy_2d_unaligned = missing;
  decltype(&::cuMemcpy2DAsync) memcpy_2d_async = missing;
  decltype(&::cuMemcpy3D) memcpy_3d = missing;
  decltype(&::cuMemcpy3DAsync) memcpy_3d_async = missing;
  decltype(&::cuMemcpy3DPeer) memcpy_3d_peer = missing;
  decltype(&::cuMemcpy3DPeerAsync) memcpy_3d_peer_async = missing;
  decltype(&::cuMemsetD8) memset_d8 = missing;
  decltype(&::cuMemsetD16) memset_d16 = missing;
  decltype(&::cuMemsetD32) memset_d32 = missing;
  decltype(&::cuMemsetD8Async) memset_d8_async = missing;
  decltype(&::cuMemsetD16Async) memset_d16_async = missing;
  decltype(&::cuMemsetD32Async) memset_d32_async = missing;
  decltype(&::cuMemsetD2D8) memset_d2d8 = missing;
  decltype(&::cuMemsetD2D16) memset_d2d16 = missing;
  decltype(&::cuMemsetD2D32) memset_d2d32 = missing;
  decltype(&::cuMemsetD2D8Async) memset_d2d8_async = missing;
  decltype(&::cuMemsetD2D16Async) memset_d2d16_async = missing;
  decltype(&::cuMemsetD2D32Async) memset_d2d32_async = missing;

  // Arrays, textures and surfaces.
  decltype(&::cuArray3DCreate) array_3d_create = missing;
  decltype(&::cuArrayDestroy) array_destroy = missing;
  decltype(&::cuMipmappedArrayCreate) mipmapped_array_create = missing;
  decltype(&::cuMipmappedArrayGetLevel) mipmapped_array_get_level = missing;
  decltype(&::cuMipmappedArrayDestroy) mipmapped_array_destroy = missing;
  decltype(&::cuTexObjectCreate) tex_object_create = missing;
  decltype(&::cuTexObjectDestroy) tex_object_destroy = missing;
  decltype(&::cuSurfObjectCreate) surf_object_create = missing;
  decltype(&::cuSurfObjectDestroy) surf_object_destroy = missing;
  decltype(&::cuDeviceGetTexture1DLinearMaxWidth) device_get_texture_1d_linear_max_width = missing;

  // Launches.
  decltype(&::cuLaunchKernelEx) launch_kernel_ex = missing;
  decltype(&::cuKernelSetCacheConfig) kernel_set_cache_config = missing;
  decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
      occupancy_max_active_blocks_per_multiprocessor_with_flags = missing;
  decltype(&::cuOccupancyMaxPotentialBlockSizeWithFlags) occupancy_max_potential_block_size_with_flags = missing;
  decltype(&::cuOccupancyMaxActiveClusters) occupancy_max_active_clusters = missing;
  decltype(&::cuOccupancyMaxPotentialClusterSize) occupancy_max_potential_cluster_size = missing;
  decltype(&::cuOccupancyAvailableDynamicSMemPerBlock) occupancy_available_dynamic_smem_per_block = missing;
  decltype(&::cuTensorMapEncodeTiled) tensor_map_encode_tiled = missing;
  decltype(&::cuTensorMapEncodeIm2col) tensor_map_encode_im2col = missing;
  decltype(&::cuTensorMapReplaceAddress) tensor_map_replace_address = missing;

  // The linker.
  decltype(&::cuLinkCreate) link_create = missing;
  decltype(&::cuLinkAddData) link_add_data = missing;
  decltype(&::cuLinkAddFile) link_add_file = missing;
  decltype(&::cuLinkComplete) link_complete = missing;
  decltype(&::cuLinkDestroy) link_destroy = missing;

  // Graphs.
  decltype(&::cuGraphCreate) graph_create = missing;
  decltype(&::cuGraphDestroy) graph_destroy = missing;
  decltype(&::cuGraphAddKernelNode) graph_add_kernel_node = missing;
  decltype(&::cuGraphKernelNodeSetAttribute) graph_kernel_node_set_attribute = missing;
  decltype(&::cuGraphInstantiateWithFlags) graph_instantiate_with_flags = missing;
  decltype(&::cuGraphExecDestroy) graph_exec_destroy = missing;
  decltype(&::cuGraphExecKernelNodeSetParams) graph_exec_kernel_node_set_params = missing;
  decltype(&::cuGraphLaunch) graph_launch = missing;

  /// The table of the library that Driver::get() opens (and that is opened here where it was not). Throws as that does.
  /// Thread-safe; costs two loads and compares once bound.
  static const DriverExtras& get();
  /// The table where get() succeeded before in this process, else null; null in a child of fork. For destructors.
  static const DriverExtras* if_open() noexcept;
};

}  // namespace kiln
