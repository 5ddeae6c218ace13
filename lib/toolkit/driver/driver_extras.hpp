// The driver functions that compiling, loading and plain launches do not need: bound when first needed, so that a warm
// start does not pay for them.
#pragma once

#include "toolkit/driver/driver_symbols.hpp"

#include <cuda.h>

#include <cstddef>

namespace kiln {

template <class... Args>
using DriverFunction = CUresult (*)(Args...);

/// Stands for every function that the driver library lacks.
template <class... Args>
CUresult missing(Args...) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

/// For the members of the table: becomes a pointer to any function.
struct ExtraAddress {
  void* address;
  template <class... Args>
  operator DriverFunction<Args...>() const noexcept {  // NOLINT(google-explicit-constructor)
    return address != nullptr ? reinterpret_cast<DriverFunction<Args...>>(address) : missing<Args...>;
  }
};

/// A member may always be called: where the library lacks it, it returns CUDA_ERROR_NOT_SUPPORTED, which check_driver
/// reports like any other result.
struct DriverExtras {
  explicit DriverExtras(const DriverSymbols& driver_symbols) : symbols(driver_symbols) {}

  DriverSymbols symbols;

  // Streams.
  decltype(&::cuStreamCreateWithPriority) stream_create_with_priority = found("cuStreamCreateWithPriority", 5050);
  decltype(&::cuCtxGetStreamPriorityRange) ctx_get_stream_priority_range = found("cuCtxGetStreamPriorityRange", 5050);
  decltype(&::cuStreamIsCapturing) stream_is_capturing = found("cuStreamIsCapturing", 10000);
  decltype(&::cuStreamBeginCapture) stream_begin_capture = found("cuStreamBeginCapture", 10010, "_v2");
  decltype(&::cuStreamEndCapture) stream_end_capture = found("cuStreamEndCapture", 10000);
  decltype(&::cuThreadExchangeStreamCaptureMode) thread_exchange_stream_capture_mode =
      found("cuThreadExchangeStreamCaptureMode", 10010);
  decltype(&::cuStreamGetId) stream_get_id = found("cuStreamGetId", 12000);
  decltype(&::cuStreamSetAttribute) stream_set_attribute = found("cuStreamSetAttribute", 11000);
  // Devices.
  decltype(&::cuDeviceGetUuid) device_get_uuid = found("cuDeviceGetUuid", 11040, "_v2");
  decltype(&::cuDeviceGetPCIBusId) device_get_pci_bus_id = found("cuDeviceGetPCIBusId", 4010);

  // Contexts. Of cuCtxCreate the prototype that every driver has.
  CUresult (*ctx_create)(CUcontext*, unsigned, CUdevice) = found("cuCtxCreate", 3020, "_v2");
  decltype(&::cuCtxDestroy) ctx_destroy = found("cuCtxDestroy", 4000, "_v2");
  decltype(&::cuCtxPushCurrent) ctx_push_current = found("cuCtxPushCurrent", 4000, "_v2");
  decltype(&::cuCtxPopCurrent) ctx_pop_current = found("cuCtxPopCurrent", 4000, "_v2");
  CUresult (*ctx_synchronize)() = found("cuCtxSynchronize", 2000);
  decltype(&::cuCtxGetCacheConfig) ctx_get_cache_config = found("cuCtxGetCacheConfig", 3020);
  decltype(&::cuCtxSetCacheConfig) ctx_set_cache_config = found("cuCtxSetCacheConfig", 3020);
  decltype(&::cuDevicePrimaryCtxGetState) device_primary_ctx_get_state = found("cuDevicePrimaryCtxGetState", 7000);
  decltype(&::cuCtxGetId) ctx_get_id = found("cuCtxGetId", 12000);
  decltype(&::cuCtxGetLimit) ctx_get_limit = found("cuCtxGetLimit", 3010);
  decltype(&::cuCtxSetLimit) ctx_set_limit = found("cuCtxSetLimit", 3010);
  decltype(&::cuCtxResetPersistingL2Cache) ctx_reset_persisting_l2_cache = found("cuCtxResetPersistingL2Cache", 11000);

  // Memory.
  decltype(&::cuMemAllocAsync) mem_alloc_async = found("cuMemAllocAsync", 11020);
  decltype(&::cuMemFreeAsync) mem_free_async = found("cuMemFreeAsync", 11020);
  decltype(&::cuMemAllocPitch) mem_alloc_pitch = found("cuMemAllocPitch", 3020, "_v2");
  decltype(&::cuMemAllocManaged) mem_alloc_managed = found("cuMemAllocManaged", 6000);
  decltype(&::cuMemHostAlloc) mem_host_alloc = found("cuMemHostAlloc", 2020);
  decltype(&::cuMemFreeHost) mem_free_host = found("cuMemFreeHost", 2000);
  decltype(&::cuMemHostGetDevicePointer) mem_host_get_device_pointer = found("cuMemHostGetDevicePointer", 3020, "_v2");
  decltype(&::cuMemHostRegister) mem_host_register = found("cuMemHostRegister", 6050, "_v2");
  decltype(&::cuMemHostUnregister) mem_host_unregister = found("cuMemHostUnregister", 4000);
  decltype(&::cuMemGetInfo) mem_get_info = found("cuMemGetInfo", 3020, "_v2");
  // Their prototypes changed with CUDA 13; these are of CUDA 8 and in every driver.
  CUresult (*mem_prefetch_async)(CUdeviceptr, std::size_t, CUdevice, CUstream) = found("cuMemPrefetchAsync", 8000);
  CUresult (*mem_advise)(CUdeviceptr, std::size_t, CUmem_advise, CUdevice) = found("cuMemAdvise", 8000);
  decltype(&::cuPointerGetAttribute) pointer_get_attribute = found("cuPointerGetAttribute", 4000);
  decltype(&::cuMemGetAddressRange) mem_get_address_range = found("cuMemGetAddressRange", 3020, "_v2");

  // Copies and fills.
  decltype(&::cuMemcpyHtoDAsync) memcpy_htod_async = found("cuMemcpyHtoDAsync", 3020, "_v2");
  decltype(&::cuMemcpyDtoHAsync) memcpy_dtoh_async = found("cuMemcpyDtoHAsync", 3020, "_v2");
  decltype(&::cuMemcpyDtoD) memcpy_dtod = found("cuMemcpyDtoD", 3020, "_v2");
  decltype(&::cuMemcpyDtoDAsync) memcpy_dtod_async = found("cuMemcpyDtoDAsync", 3020, "_v2");
  decltype(&::cuMemcpyPeer) memcpy_peer = found("cuMemcpyPeer", 4000);
  decltype(&::cuMemcpyPeerAsync) memcpy_peer_async = found("cuMemcpyPeerAsync", 4000);
  decltype(&::cuMemcpy2DUnaligned) memcpy_2d_unaligned = found("cuMemcpy2DUnaligned", 3020, "_v2");
  decltype(&::cuMemcpy2DAsync) memcpy_2d_async = found("cuMemcpy2DAsync", 3020, "_v2");
  decltype(&::cuMemcpy3D) memcpy_3d = found("cuMemcpy3D", 3020, "_v2");
  decltype(&::cuMemcpy3DAsync) memcpy_3d_async = found("cuMemcpy3DAsync", 3020, "_v2");
  decltype(&::cuMemcpy3DPeer) memcpy_3d_peer = found("cuMemcpy3DPeer", 4000);
  decltype(&::cuMemcpy3DPeerAsync) memcpy_3d_peer_async = found("cuMemcpy3DPeerAsync", 4000);
  decltype(&::cuMemsetD8) memset_d8 = found("cuMemsetD8", 3020, "_v2");
  decltype(&::cuMemsetD16) memset_d16 = found("cuMemsetD16", 3020, "_v2");
  decltype(&::cuMemsetD32) memset_d32 = found("cuMemsetD32", 3020, "_v2");
  decltype(&::cuMemsetD8Async) memset_d8_async = found("cuMemsetD8Async", 3020);
  decltype(&::cuMemsetD16Async) memset_d16_async = found("cuMemsetD16Async", 3020);
  decltype(&::cuMemsetD32Async) memset_d32_async = found("cuMemsetD32Async", 3020);
  decltype(&::cuMemsetD2D8) memset_d2d8 = found("cuMemsetD2D8", 3020, "_v2");
  decltype(&::cuMemsetD2D16) memset_d2d16 = found("cuMemsetD2D16", 3020, "_v2");
  decltype(&::cuMemsetD2D32) memset_d2d32 = found("cuMemsetD2D32", 3020, "_v2");
  decltype(&::cuMemsetD2D8Async) memset_d2d8_async = found("cuMemsetD2D8Async", 3020);
  decltype(&::cuMemsetD2D16Async) memset_d2d16_async = found("cuMemsetD2D16Async", 3020);
  decltype(&::cuMemsetD2D32Async) memset_d2d32_async = found("cuMemsetD2D32Async", 3020);

  // Arrays, textures and surfaces.
  decltype(&::cuArray3DCreate) array_3d_create = found("cuArray3DCreate", 3020, "_v2");
  decltype(&::cuArrayDestroy) array_destroy = found("cuArrayDestroy", 2000);
  decltype(&::cuMipmappedArrayCreate) mipmapped_array_create = found("cuMipmappedArrayCreate", 5000);
  decltype(&::cuMipmappedArrayGetLevel) mipmapped_array_get_level = found("cuMipmappedArrayGetLevel", 5000);
  decltype(&::cuMipmappedArrayDestroy) mipmapped_array_destroy = found("cuMipmappedArrayDestroy", 5000);
  decltype(&::cuTexObjectCreate) tex_object_create = found("cuTexObjectCreate", 5000);
  decltype(&::cuTexObjectDestroy) tex_object_destroy = found("cuTexObjectDestroy", 5000);
  decltype(&::cuSurfObjectCreate) surf_object_create = found("cuSurfObjectCreate", 5000);
  decltype(&::cuSurfObjectDestroy) surf_object_destroy = found("cuSurfObjectDestroy", 5000);
  decltype(&::cuDeviceGetTexture1DLinearMaxWidth) device_get_texture_1d_linear_max_width =
      found("cuDeviceGetTexture1DLinearMaxWidth", 11010);

  // Launches.
  decltype(&::cuLaunchKernelEx) launch_kernel_ex = found("cuLaunchKernelEx", 11060);
  decltype(&::cuKernelSetCacheConfig) kernel_set_cache_config = found("cuKernelSetCacheConfig", 12000);
  decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
      occupancy_max_active_blocks_per_multiprocessor_with_flags =
          found("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 7000);
  decltype(&::cuOccupancyMaxPotentialBlockSizeWithFlags) occupancy_max_potential_block_size_with_flags =
      found("cuOccupancyMaxPotentialBlockSizeWithFlags", 7000);
  decltype(&::cuOccupancyMaxActiveClusters) occupancy_max_active_clusters =
      found("cuOccupancyMaxActiveClusters", 11070);
  decltype(&::cuOccupancyMaxPotentialClusterSize) occupancy_max_potential_cluster_size =
      found("cuOccupancyMaxPotentialClusterSize", 11070);
  decltype(&::cuOccupancyAvailableDynamicSMemPerBlock) occupancy_available_dynamic_smem_per_block =
      found("cuOccupancyAvailableDynamicSMemPerBlock", 10020);
  decltype(&::cuTensorMapEncodeTiled) tensor_map_encode_tiled = found("cuTensorMapEncodeTiled", 12000);
  decltype(&::cuTensorMapEncodeIm2col) tensor_map_encode_im2col = found("cuTensorMapEncodeIm2col", 12000);
  decltype(&::cuTensorMapReplaceAddress) tensor_map_replace_address = found("cuTensorMapReplaceAddress", 12000);

  // The linker.
  decltype(&::cuLinkCreate) link_create = found("cuLinkCreate", 6050, "_v2");
  decltype(&::cuLinkAddData) link_add_data = found("cuLinkAddData", 6050, "_v2");
  decltype(&::cuLinkAddFile) link_add_file = found("cuLinkAddFile", 6050, "_v2");
  decltype(&::cuLinkComplete) link_complete = found("cuLinkComplete", 5050);
  decltype(&::cuLinkDestroy) link_destroy = found("cuLinkDestroy", 5050);

  // Graphs.
  decltype(&::cuGraphCreate) graph_create = found("cuGraphCreate", 10000);
  decltype(&::cuGraphDestroy) graph_destroy = found("cuGraphDestroy", 10000);
  decltype(&::cuGraphAddKernelNode) graph_add_kernel_node = found("cuGraphAddKernelNode", 12000, "_v2");
  decltype(&::cuGraphKernelNodeSetAttribute) graph_kernel_node_set_attribute =
      found("cuGraphKernelNodeSetAttribute", 11000);
  decltype(&::cuGraphInstantiateWithFlags) graph_instantiate_with_flags = found("cuGraphInstantiateWithFlags", 11040);
  decltype(&::cuGraphExecDestroy) graph_exec_destroy = found("cuGraphExecDestroy", 10000);
  decltype(&::cuGraphExecKernelNodeSetParams) graph_exec_kernel_node_set_params =
      found("cuGraphExecKernelNodeSetParams", 12000, "_v2");
  decltype(&::cuGraphExecUpdate) graph_exec_update = found("cuGraphExecUpdate", 12000, "_v2");
  decltype(&::cuGraphUpload) graph_upload = found("cuGraphUpload", 11010);
  decltype(&::cuGraphLaunch) graph_launch = found("cuGraphLaunch", 10000);
  decltype(&::cuGraphGetNodes) graph_get_nodes = found("cuGraphGetNodes", 10000);
  decltype(&::cuGraphDebugDotPrint) graph_debug_dot_print = found("cuGraphDebugDotPrint", 11030);

  /// The table of the library that Driver::get() opens (and that is opened here where it was not). Throws as that does.
  /// Thread-safe; costs two loads and compares once bound.
  static const DriverExtras& get();
  /// The table where get() succeeded before in this process, else null; null in a child of fork. For destructors.
  static const DriverExtras* if_open() noexcept;

 private:
  ExtraAddress found(const char* name, int version, const char* suffix = "") const {
    return {symbols.find(name, version, suffix)};
  }
};

}  // namespace kiln
