#include "toolkit/driver/driver_extras.hpp"

#include "toolkit/driver/driver.hpp"

#include <atomic>
#include <memory>

namespace kiln {
namespace {

struct ExtrasRow {
  const char* name;
  const char* exported;
  int version;
  void (*store)(DriverExtras&, void*);
};

constexpr ExtrasRow extras_rows[] = {
    {"cuStreamCreateWithPriority", "cuStreamCreateWithPriority", 5050,
     store_symbol<&DriverExtras::stream_create_with_priority>},
    {"cuCtxGetStreamPriorityRange", "cuCtxGetStreamPriorityRange", 5050,
     store_symbol<&DriverExtras::ctx_get_stream_priority_range>},
    {"cuStreamIsCapturing", "cuStreamIsCapturing", 10000, store_symbol<&DriverExtras::stream_is_capturing>},
    {"cuThreadExchangeStreamCaptureMode", "cuThreadExchangeStreamCaptureMode", 10010,
     store_symbol<&DriverExtras::thread_exchange_stream_capture_mode>},
    {"cuStreamGetId", "cuStreamGetId", 12000, store_symbol<&DriverExtras::stream_get_id>},
    {"cuStreamSetAttribute", "cuStreamSetAttribute", 11000, store_symbol<&DriverExtras::stream_set_attribute>},
    {"cuCtxGetId", "cuCtxGetId", 12000, store_symbol<&DriverExtras::ctx_get_id>},
    {"cuCtxGetLimit", "cuCtxGetLimit", 3010, store_symbol<&DriverExtras::ctx_get_limit>},
    {"cuCtxSetLimit", "cuCtxSetLimit", 3010, store_symbol<&DriverExtras::ctx_set_limit>},
    {"cuCtxResetPersistingL2Cache", "cuCtxResetPersistingL2Cache", 11000,
     store_symbol<&DriverExtras::ctx_reset_persisting_l2_cache>},
    {"cuMemAllocAsync", "cuMemAllocAsync", 11020, store_symbol<&DriverExtras::mem_alloc_async>},
    {"cuMemFreeAsync", "cuMemFreeAsync", 11020, store_symbol<&DriverExtras::mem_free_async>},
    {"cuMemAllocPitch", "cuMemAllocPitch_v2", 3020, store_symbol<&DriverExtras::mem_alloc_pitch>},
    {"cuMemAllocManaged", "cuMemAllocManaged", 6000, store_symbol<&DriverExtras::mem_alloc_managed>},
    {"cuMemHostAlloc", "cuMemHostAlloc", 2020, store_symbol<&DriverExtras::mem_host_alloc>},
    {"cuMemFreeHost", "cuMemFreeHost", 2000, store_symbol<&DriverExtras::mem_free_host>},
    {"cuMemHostGetDevicePointer", "cuMemHostGetDevicePointer_v2", 3020,
     store_symbol<&DriverExtras::mem_host_get_device_pointer>},
    {"cuMemHostRegister", "cuMemHostRegister_v2", 6050, store_symbol<&DriverExtras::mem_host_register>},
    {"cuMemHostUnregister", "cuMemHostUnregister", 4000, store_symbol<&DriverExtras::mem_host_unregister>},
    {"cuMemGetInfo", "cuMemGetInfo_v2", 3020, store_symbol<&DriverExtras::mem_get_info>},
    {"cuMemPrefetchAsync", "cuMemPrefetchAsync", 8000, store_symbol<&DriverExtras::mem_prefetch_async>},
    {"cuMemAdvise", "cuMemAdvise", 8000, store_symbol<&DriverExtras::mem_advise>},
    {"cuPointerGetAttribute", "cuPointerGetAttribute", 4000, store_symbol<&DriverExtras::pointer_get_attribute>},
    {"cuMemcpyHtoDAsync", "cuMemcpyHtoDAsync_v2", 3020, store_symbol<&DriverExtras::memcpy_htod_async>},
    {"cuMemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2", 3020, store_symbol<&DriverExtras::memcpy_dtoh_async>},
    {"cuMemcpyDtoD", "cuMemcpyDtoD_v2", 3020, store_symbol<&DriverExtras::memcpy_dtod>},
    {"cuMemcpyDtoDAsync", "cuMemcpyDtoDAsync_v2", 3020, store_symbol<&DriverExtras::memcpy_dtod_async>},
    {"cuMemcpyPeer", "cuMemcpyPeer", 4000, store_symbol<&DriverExtras::memcpy_peer>},
    {"cuMemcpyPeerAsync", "cuMemcpyPeerAsync", 4000, store_symbol<&DriverExtras::memcpy_peer_async>},
    {"cuMemcpy2DUnaligned", "cuMemcpy2DUnaligned_v2", 3020, store_symbol<&DriverExtras::memcpy_2d_unaligned>},
    {"cuMemcpy2DAsync", "cuMemcpy2DAsync_v2", 3020, store_symbol<&DriverExtras::memcpy_2d_async>},
    {"cuMemcpy3D", "cuMemcpy3D_v2", 3020, store_symbol<&DriverExtras::memcpy_3d>},
    {"cuMemcpy3DAsync", "cuMemcpy3DAsync_v2", 3020, store_symbol<&DriverExtras::memcpy_3d_async>},
    {"cuMemcpy3DPeer", "cuMemcpy3DPeer", 4000, store_symbol<&DriverExtras::memcpy_3d_peer>},
    {"cuMemcpy3DPeerAsync", "cuMemcpy3DPeerAsync", 4000, store_symbol<&DriverExtras::memcpy_3d_peer_async>},
    {"cuMemsetD8", "cuMemsetD8_v2", 3020, store_symbol<&DriverExtras::memset_d8>},
    {"cuMemsetD16", "cuMemsetD16_v2", 3020, store_symbol<&DriverExtras::memset_d16>},
    {"cuMemsetD32", "cuMemsetD32_v2", 3020, store_symbol<&DriverExtras::memset_d32>},
    {"cuMemsetD8Async", "cuMemsetD8Async", 3020, store_symbol<&DriverExtras::memset_d8_async>},
    {"cuMemsetD16Async", "cuMemsetD16Async", 3020, store_symbol<&DriverExtras::memset_d16_async>},
    {"cuMemsetD32Async", "cuMemsetD32Async", 3020, store_symbol<&DriverExtras::memset_d32_async>},
    {"cuMemsetD2D8", "cuMemsetD2D8_v2", 3020, store_symbol<&DriverExtras::memset_d2d8>},
    {"cuMemsetD2D16", "cuMemsetD2D16_v2", 3020, store_symbol<&DriverExtras::memset_d2d16>},
    {"cuMemsetD2D32", "cuMemsetD2D32_v2", 3020, store_symbol<&DriverExtras::memset_d2d32>},
    {"cuMemsetD2D8Async", "cuMemsetD2D8Async", 3020, store_symbol<&DriverExtras::memset_d2d8_async>},
    {"cuMemsetD2D16Async", "cuMemsetD2D16Async", 3020, store_symbol<&DriverExtras::memset_d2d16_async>},
    {"cuMemsetD2D32Async", "cuMemsetD2D32Async", 3020, store_symbol<&DriverExtras::memset_d2d32_async>},
    {"cuArray3DCreate", "cuArray3DCreate_v2", 3020, store_symbol<&DriverExtras::array_3d_create>},
    {"cuArrayDestroy", "cuArrayDestroy", 2000, store_symbol<&DriverExtras::array_destroy>},
    {"cuMipmappedArrayCreate", "cuMipmappedArrayCreate", 5000, store_symbol<&DriverExtras::mipmapped_array_create>},
    {"cuMipmappedArrayGetLevel", "cuMipmappedArrayGetLevel", 5000,
     store_symbol<&DriverExtras::mipmapped_array_get_level>},
    {"cuMipmappedArrayDestroy", "cuMipmappedArrayDestroy", 5000, store_symbol<&DriverExtras::mipmapped_array_destroy>},
    {"cuTexObjectCreate", "cuTexObjectCreate", 5000, store_symbol<&DriverExtras::tex_object_create>},
    {"cuTexObjectDestroy", "cuTexObjectDestroy", 5000, store_symbol<&DriverExtras::tex_object_destroy>},
    {"cuSurfObjectCreate", "cuSurfObjectCreate", 5000, store_symbol<&DriverExtras::surf_object_create>},
    {"cuSurfObjectDestroy", "cuSurfObjectDestroy", 5000, store_symbol<&DriverExtras::surf_object_destroy>},
    {"cuDeviceGetTexture1DLinearMaxWidth", "cuDeviceGetTexture1DLinearMaxWidth", 11010,
     store_symbol<&DriverExtras::device_get_texture_1d_linear_max_width>},
    {"cuLaunchKernelEx", "cuLaunchKernelEx", 11060, store_symbol<&DriverExtras::launch_kernel_ex>},
    {"cuKernelSetCacheConfig", "cuKernelSetCacheConfig", 12000, store_symbol<&DriverExtras::kernel_set_cache_config>},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
     7000, store_symbol<&DriverExtras::occupancy_max_active_blocks_per_multiprocessor_with_flags>},
    {"cuOccupancyMaxPotentialBlockSizeWithFlags", "cuOccupancyMaxPotentialBlockSizeWithFlags", 7000,
     store_symbol<&DriverExtras::occupancy_max_potential_block_size_with_flags>},
    {"cuOccupancyMaxActiveClusters", "cuOccupancyMaxActiveClusters", 11070,
     store_symbol<&DriverExtras::occupancy_max_active_clusters>},
    {"cuOccupancyMaxPotentialClusterSize", "cuOccupancyMaxPotentialClusterSize", 11070,
     store_symbol<&DriverExtras::occupancy_max_potential_cluster_size>},
    {"cuOccupancyAvailableDynamicSMemPerBlock", "cuOccupancyAvailableDynamicSMemPerBlock", 10020,
     store_symbol<&DriverExtras::occupancy_available_dynamic_smem_per_block>},
    {"cuTensorMapEncodeTiled", "cuTensorMapEncodeTiled", 12000, store_symbol<&DriverExtras::tensor_map_encode_tiled>},
    {"cuTensorMapEncodeIm2col", "cuTensorMapEncodeIm2col", 12000,
     store_symbol<&DriverExtras::tensor_map_encode_im2col>},
    {"cuTensorMapReplaceAddress", "cuTensorMapReplaceAddress", 12000,
     store_symbol<&DriverExtras::tensor_map_replace_address>},
    {"cuLinkCreate", "cuLinkCreate_v2", 6050, store_symbol<&DriverExtras::link_create>},
    {"cuLinkAddData", "cuLinkAddData_v2", 6050, store_symbol<&DriverExtras::link_add_data>},
    {"cuLinkAddFile", "cuLinkAddFile_v2", 6050, store_symbol<&DriverExtras::link_add_file>},
    {"cuLinkComplete", "cuLinkComplete", 5050, store_symbol<&DriverExtras::link_complete>},
    {"cuLinkDestroy", "cuLinkDestroy", 5050, store_symbol<&DriverExtras::link_destroy>},
    {"cuGraphCreate", "cuGraphCreate", 10000, store_symbol<&DriverExtras::graph_create>},
    {"cuGraphDestroy", "cuGraphDestroy", 10000, store_symbol<&DriverExtras::graph_destroy>},
    {"cuGraphAddKernelNode", "cuGraphAddKernelNode_v2", 12000, store_symbol<&DriverExtras::graph_add_kernel_node>},
    {"cuGraphKernelNodeSetAttribute", "cuGraphKernelNodeSetAttribute", 11000,
     store_symbol<&DriverExtras::graph_kernel_node_set_attribute>},
    {"cuGraphInstantiateWithFlags", "cuGraphInstantiateWithFlags", 11040,
     store_symbol<&DriverExtras::graph_instantiate_with_flags>},
    {"cuGraphExecDestroy", "cuGraphExecDestroy", 10000, store_symbol<&DriverExtras::graph_exec_destroy>},
    {"cuGraphExecKernelNodeSetParams", "cuGraphExecKernelNodeSetParams_v2", 12000,
     store_symbol<&DriverExtras::graph_exec_kernel_node_set_params>},
    {"cuGraphLaunch", "cuGraphLaunch", 10000, store_symbol<&DriverExtras::graph_launch>},
};

// Never freed: destructors of static objects still ask for it.
std::atomic<const DriverExtras*> extras_in_use{nullptr};

const DriverExtras& bind(const DriverSymbols& symbols) {
  auto extras = std::make_unique<DriverExtras>();
  for (const ExtrasRow& row : extras_rows)
    if (void* address = symbols.find(row.name, row.exported, row.version)) row.store(*extras, address);
  const DriverExtras* first = nullptr;  // of threads that bind at the same time
  if (extras_in_use.compare_exchange_strong(first, extras.get(), std::memory_order_acq_rel)) return *extras.release();
  return *first;
}

}  // namespace

const DriverExtras& DriverExtras::get() {
  const Driver& driver = Driver::get();
  if (const DriverExtras* extras = extras_in_use.load(std::memory_order_acquire)) return *extras;
  return bind(*driver.symbols);
}

const DriverExtras* DriverExtras::if_open() noexcept {
  return Driver::if_open() == nullptr ? nullptr : extras_in_use.load(std::memory_order_acquire);
}

}  // namespace kiln
