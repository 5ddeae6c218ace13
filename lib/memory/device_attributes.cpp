// The table of a device's attributes by name; DeviceAttribute is checked against cuda.h here.
#include "memory/attribute_row.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/device.hpp>

namespace kiln {

namespace {

// What cuda.h lacks, of the oldest CUDA to build with, is compared with itself.
#if CUDA_VERSION >= 13000
#define KILN_SINCE_13_0(name, number) CU_DEVICE_ATTRIBUTE_##name
#else
#define KILN_SINCE_13_0(name, number) number
#endif
#if CUDA_VERSION >= 13050
#define KILN_SINCE_13_5(name, number) CU_DEVICE_ATTRIBUTE_##name
#else
#define KILN_SINCE_13_5(name, number) number
#endif

#define KILN_ROW(member, NAME) \
  { #member, DeviceAttribute::member, CU_DEVICE_ATTRIBUTE_##NAME }
#define KILN_ROW_13_0(member, NAME, number) \
  { #member, DeviceAttribute::member, KILN_SINCE_13_0(NAME, number) }
#define KILN_ROW_13_5(member, NAME, number) \
  { #member, DeviceAttribute::member, KILN_SINCE_13_5(NAME, number) }

constexpr AttributeRow<DeviceAttribute> attribute_rows[] = {
    KILN_ROW(max_threads_per_block, MAX_THREADS_PER_BLOCK),
    KILN_ROW(max_block_dim_x, MAX_BLOCK_DIM_X),
    KILN_ROW(max_block_dim_y, MAX_BLOCK_DIM_Y),
    KILN_ROW(max_block_dim_z, MAX_BLOCK_DIM_Z),
    KILN_ROW(max_grid_dim_x, MAX_GRID_DIM_X),
    KILN_ROW(max_grid_dim_y, MAX_GRID_DIM_Y),
    KILN_ROW(max_grid_dim_z, MAX_GRID_DIM_Z),
    KILN_ROW(max_shared_memory_per_block, MAX_SHARED_MEMORY_PER_BLOCK),
    KILN_ROW(total_constant_memory, TOTAL_CONSTANT_MEMORY),
    KILN_ROW(warp_size, WARP_SIZE),
    KILN_ROW(max_pitch, MAX_PITCH),
    KILN_ROW(max_registers_per_block, MAX_REGISTERS_PER_BLOCK),
    KILN_ROW(clock_rate, CLOCK_RATE),
    KILN_ROW(texture_alignment, TEXTURE_ALIGNMENT),
    KILN_ROW(gpu_overlap, GPU_OVERLAP),
    KILN_ROW(multiprocessor_count, MULTIPROCESSOR_COUNT),
    KILN_ROW(kernel_exec_timeout, KERNEL_EXEC_TIMEOUT),
    KILN_ROW(integrated, INTEGRATED),
    KILN_ROW(can_map_host_memory, CAN_MAP_HOST_MEMORY),
    KILN_ROW(compute_mode, COMPUTE_MODE),
    KILN_ROW(maximum_texture1d_width, MAXIMUM_TEXTURE1D_WIDTH),
    KILN_ROW(maximum_texture2d_width, MAXIMUM_TEXTURE2D_WIDTH),
    KILN_ROW(maximum_texture2d_height, MAXIMUM_TEXTURE2D_HEIGHT),
    KILN_ROW(maximum_texture3d_width, MAXIMUM_TEXTURE3D_WIDTH),
    KILN_ROW(maximum_texture3d_height, MAXIMUM_TEXTURE3D_HEIGHT),
    KILN_ROW(maximum_texture3d_depth, MAXIMUM_TEXTURE3D_DEPTH),
    KILN_ROW(maximum_texture2d_layered_width, MAXIMUM_TEXTURE2D_LAYERED_WIDTH),
    KILN_ROW(maximum_texture2d_layered_height, MAXIMUM_TEXTURE2D_LAYERED_HEIGHT),
    KILN_ROW(maximum_texture2d_layered_layers, MAXIMUM_TEXTURE2D_LAYERED_LAYERS),
    KILN_ROW(surface_alignment, SURFACE_ALIGNMENT),
    KILN_ROW(concurrent_kernels, CONCURRENT_KERNELS),
    KILN_ROW(ecc_enabled, ECC_ENABLED),
    KILN_ROW(pci_bus_id, PCI_BUS_ID),
    KILN_ROW(pci_device_id, PCI_DEVICE_ID),
    KILN_ROW(tcc_driver, TCC_DRIVER),
    KILN_ROW(memory_clock_rate, MEMORY_CLOCK_RATE),
    KILN_ROW(global_memory_bus_width, GLOBAL_MEMORY_BUS_WIDTH),
    KILN_ROW(l2_cache_size, L2_CACHE_SIZE),
    KILN_ROW(max_threads_per_multiprocessor, MAX_THREADS_PER_MULTIPROCESSOR),
    KILN_ROW(async_engine_count, ASYNC_ENGINE_COUNT),
    KILN_ROW(unified_addressing, UNIFIED_ADDRESSING),
    KILN_ROW(maximum_texture1d_layered_width, MAXIMUM_TEXTURE1D_LAYERED_WIDTH),
    KILN_ROW(maximum_texture1d_layered_layers, MAXIMUM_TEXTURE1D_LAYERED_LAYERS),
    KILN_ROW(can_tex2d_gather, CAN_TEX2D_GATHER),
    KILN_ROW(maximum_texture2d_gather_width, MAXIMUM_TEXTURE2D_GATHER_WIDTH),
    KILN_ROW(maximum_texture2d_gather_height, MAXIMUM_TEXTURE2D_GATHER_HEIGHT),
    KILN_ROW(maximum_texture3d_width_alternate, MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE),
    KILN_ROW(maximum_texture3d_height_alternate, MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE),
    KILN_ROW(maximum_texture3d_depth_alternate, MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE),
    KILN_ROW(pci_domain_id, PCI_DOMAIN_ID),
    KILN_ROW(texture_pitch_alignment, TEXTURE_PITCH_ALIGNMENT),
    KILN_ROW(maximum_texturecubemap_width, MAXIMUM_TEXTURECUBEMAP_WIDTH),
    KILN_ROW(maximum_texturecubemap_layered_width, MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH),
    KILN_ROW(maximum_texturecubemap_layered_layers, MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS),
    KILN_ROW(maximum_surface1d_width, MAXIMUM_SURFACE1D_WIDTH),
    KILN_ROW(maximum_surface2d_width, MAXIMUM_SURFACE2D_WIDTH),
    KILN_ROW(maximum_surface2d_height, MAXIMUM_SURFACE2D_HEIGHT),
    KILN_ROW(maximum_surface3d_width, MAXIMUM_SURFACE3D_WIDTH),
    KILN_ROW(maximum_surface3d_height, MAXIMUM_SURFACE3D_HEIGHT),
    KILN_ROW(maximum_surface3d_depth, MAXIMUM_SURFACE3D_DEPTH),
    KILN_ROW(maximum_surface1d_layered_width, MAXIMUM_SURFACE1D_LAYERED_WIDTH),
    KILN_ROW(maximum_surface1d_layered_layers, MAXIMUM_SURFACE1D_LAYERED_LAYERS),
    KILN_ROW(maximum_surface2d_layered_width, MAXIMUM_SURFACE2D_LAYERED_WIDTH),
    KILN_ROW(maximum_surface2d_layered_height, MAXIMUM_SURFACE2D_LAYERED_HEIGHT),
    KILN_ROW(maximum_surface2d_layered_layers, MAXIMUM_SURFACE2D_LAYERED_LAYERS),
    KILN_ROW(maximum_surfacecubemap_width, MAXIMUM_SURFACECUBEMAP_WIDTH),
    KILN_ROW(maximum_surfacecubemap_layered_width, MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH),
    KILN_ROW(maximum_surfacecubemap_layered_layers, MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS),
    KILN_ROW(maximum_texture1d_linear_width, MAXIMUM_TEXTURE1D_LINEAR_WIDTH),
    KILN_ROW(maximum_texture2d_linear_width, MAXIMUM_TEXTURE2D_LINEAR_WIDTH),
    KILN_ROW(maximum_texture2d_linear_height, MAXIMUM_TEXTURE2D_LINEAR_HEIGHT),
    KILN_ROW(maximum_texture2d_linear_pitch, MAXIMUM_TEXTURE2D_LINEAR_PITCH),
    KILN_ROW(maximum_texture2d_mipmapped_width, MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH),
    KILN_ROW(maximum_texture2d_mipmapped_height, MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT),
    KILN_ROW(compute_capability_major, COMPUTE_CAPABILITY_MAJOR),
    KILN_ROW(compute_capability_minor, COMPUTE_CAPABILITY_MINOR),
    KILN_ROW(maximum_texture1d_mipmapped_width, MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH),
    KILN_ROW(stream_priorities_supported, STREAM_PRIORITIES_SUPPORTED),
    KILN_ROW(global_l1_cache_supported, GLOBAL_L1_CACHE_SUPPORTED),
    KILN_ROW(local_l1_cache_supported, LOCAL_L1_CACHE_SUPPORTED),
    KILN_ROW(max_shared_memory_per_multiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
    KILN_ROW(max_registers_per_multiprocessor, MAX_REGISTERS_PER_MULTIPROCESSOR),
    KILN_ROW(managed_memory, MANAGED_MEMORY),
    KILN_ROW(multi_gpu_board, MULTI_GPU_BOARD),
    KILN_ROW(multi_gpu_board_group_id, MULTI_GPU_BOARD_GROUP_ID),
    KILN_ROW(host_native_atomic_supported, HOST_NATIVE_ATOMIC_SUPPORTED),
    KILN_ROW(single_to_double_precision_perf_ratio, SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO),
    KILN_ROW(pageable_memory_access, PAGEABLE_MEMORY_ACCESS),
    KILN_ROW(concurrent_managed_access, CONCURRENT_MANAGED_ACCESS),
    KILN_ROW(compute_preemption_supported, COMPUTE_PREEMPTION_SUPPORTED),
    KILN_ROW(can_use_host_pointer_for_registered_mem, CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM),
    KILN_ROW(can_use_stream_mem_ops_v1, CAN_USE_STREAM_MEM_OPS_V1),
    KILN_ROW(can_use_64_bit_stream_mem_ops_v1, CAN_USE_64_BIT_STREAM_MEM_OPS_V1),
    KILN_ROW(can_use_stream_wait_value_nor_v1, CAN_USE_STREAM_WAIT_VALUE_NOR_V1),
    KILN_ROW(cooperative_launch, COOPERATIVE_LAUNCH),
    KILN_ROW(cooperative_multi_device_launch, COOPERATIVE_MULTI_DEVICE_LAUNCH),
    KILN_ROW(max_shared_memory_per_block_optin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
    KILN_ROW(can_flush_remote_writes, CAN_FLUSH_REMOTE_WRITES),
    KILN_ROW(host_register_supported, HOST_REGISTER_SUPPORTED),
    KILN_ROW(pageable_memory_access_uses_host_page_tables, PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES),
    KILN_ROW(direct_managed_mem_access_from_host, DIRECT_MANAGED_MEM_ACCESS_FROM_HOST),
    KILN_ROW(virtual_memory_management_supported, VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED),
    KILN_ROW(handle_type_posix_file_descriptor_supported, HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED),
    KILN_ROW(handle_type_win32_handle_supported, HANDLE_TYPE_WIN32_HANDLE_SUPPORTED),
    KILN_ROW(handle_type_win32_kmt_handle_supported, HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED),
    KILN_ROW(max_blocks_per_multiprocessor, MAX_BLOCKS_PER_MULTIPROCESSOR),
    KILN_ROW(generic_compression_supported, GENERIC_COMPRESSION_SUPPORTED),
    KILN_ROW(max_persisting_l2_cache_size, MAX_PERSISTING_L2_CACHE_SIZE),
    KILN_ROW(max_access_policy_window_size, MAX_ACCESS_POLICY_WINDOW_SIZE),
    KILN_ROW(gpu_direct_rdma_with_cuda_vmm_supported, GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED),
    KILN_ROW(reserved_shared_memory_per_block, RESERVED_SHARED_MEMORY_PER_BLOCK),
    KILN_ROW(sparse_cuda_array_supported, SPARSE_CUDA_ARRAY_SUPPORTED),
    KILN_ROW(read_only_host_register_supported, READ_ONLY_HOST_REGISTER_SUPPORTED),
    KILN_ROW(timeline_semaphore_interop_supported, TIMELINE_SEMAPHORE_INTEROP_SUPPORTED),
    KILN_ROW(memory_pools_supported, MEMORY_POOLS_SUPPORTED),
    KILN_ROW(gpu_direct_rdma_supported, GPU_DIRECT_RDMA_SUPPORTED),
    KILN_ROW(gpu_direct_rdma_flush_writes_options, GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS),
    KILN_ROW(gpu_direct_rdma_writes_ordering, GPU_DIRECT_RDMA_WRITES_ORDERING),
    KILN_ROW(mempool_supported_handle_types, MEMPOOL_SUPPORTED_HANDLE_TYPES),
    KILN_ROW(cluster_launch, CLUSTER_LAUNCH),
    KILN_ROW(deferred_mapping_cuda_array_supported, DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED),
    KILN_ROW(can_use_64_bit_stream_mem_ops, CAN_USE_64_BIT_STREAM_MEM_OPS),
    KILN_ROW(can_use_stream_wait_value_nor, CAN_USE_STREAM_WAIT_VALUE_NOR),
    KILN_ROW(dma_buf_supported, DMA_BUF_SUPPORTED),
    KILN_ROW(ipc_event_supported, IPC_EVENT_SUPPORTED),
    KILN_ROW(mem_sync_domain_count, MEM_SYNC_DOMAIN_COUNT),
    KILN_ROW(tensor_map_access_supported, TENSOR_MAP_ACCESS_SUPPORTED),
    KILN_ROW(handle_type_fabric_supported, HANDLE_TYPE_FABRIC_SUPPORTED),
    KILN_ROW(unified_function_pointers, UNIFIED_FUNCTION_POINTERS),
    KILN_ROW(numa_config, NUMA_CONFIG),
    KILN_ROW(numa_id, NUMA_ID),
    KILN_ROW(multicast_supported, MULTICAST_SUPPORTED),
    KILN_ROW(mps_enabled, MPS_ENABLED),
    KILN_ROW(host_numa_id, HOST_NUMA_ID),
    KILN_ROW(d3d12_cig_supported, D3D12_CIG_SUPPORTED),
    KILN_ROW_13_0(mem_decompress_algorithm_mask, MEM_DECOMPRESS_ALGORITHM_MASK, 136),
    KILN_ROW_13_0(mem_decompress_maximum_length, MEM_DECOMPRESS_MAXIMUM_LENGTH, 137),
    KILN_ROW_13_0(vulkan_cig_supported, VULKAN_CIG_SUPPORTED, 138),
    KILN_ROW_13_0(gpu_pci_device_id, GPU_PCI_DEVICE_ID, 139),
    KILN_ROW_13_0(gpu_pci_subsystem_id, GPU_PCI_SUBSYSTEM_ID, 140),
    KILN_ROW_13_0(host_numa_virtual_memory_management_supported, HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 141),
    KILN_ROW_13_0(host_numa_memory_pools_supported, HOST_NUMA_MEMORY_POOLS_SUPPORTED, 142),
    KILN_ROW_13_0(host_numa_multinode_ipc_supported, HOST_NUMA_MULTINODE_IPC_SUPPORTED, 143),
    KILN_ROW_13_0(host_memory_pools_supported, HOST_MEMORY_POOLS_SUPPORTED, 144),
    KILN_ROW_13_0(host_virtual_memory_management_supported, HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 145),
    KILN_ROW_13_0(host_alloc_dma_buf_supported, HOST_ALLOC_DMA_BUF_SUPPORTED, 146),
    KILN_ROW_13_0(only_partial_host_native_atomic_supported, ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED, 147),
    KILN_ROW_13_5(atomic_reduction_supported, ATOMIC_REDUCTION_SUPPORTED, 148),
    KILN_ROW_13_5(locality_domain_count, LOCALITY_DOMAIN_COUNT, 149),
    KILN_ROW_13_5(max_oversized_shared_memory_per_block, MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK, 150),
    KILN_ROW_13_5(d3d12_cig_streams_supported, D3D12_CIG_STREAMS_SUPPORTED, 151),
    KILN_ROW_13_5(dma_buf_mmap_supported, DMA_BUF_MMAP_SUPPORTED, 152),
    KILN_ROW_13_5(logical_endpoint_unicast_supported, LOGICAL_ENDPOINT_UNICAST_SUPPORTED, 153),
    KILN_ROW_13_5(logical_endpoint_multicast_supported, LOGICAL_ENDPOINT_MULTICAST_SUPPORTED, 154),
    KILN_ROW_13_5(logical_endpoint_counted_ops_supported, LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED, 155),
    KILN_ROW_13_5(logical_endpoint_unicast_access_on_owner_device_supported,
                  LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED, 156),
    KILN_ROW_13_5(locality_domain_multiprocessor_count, LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT, 157),
    KILN_ROW_13_5(logical_endpoint_supported_handle_types, LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES, 158),
    KILN_ROW_13_5(vulkan_cig_streams_supported, VULKAN_CIG_STREAMS_SUPPORTED, 159),
    KILN_ROW_13_5(tensor_map_large_tensor_min_size, TENSOR_MAP_LARGE_TENSOR_MIN_SIZE, 160),
    KILN_ROW_13_5(gpu_direct_rdma_with_localized_memory_supported, GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED,
                  161),
};

static_assert(are_numbered_from(1, attribute_rows));
static_assert(static_cast<int>(DeviceAttribute::shared_memory_per_block) ==
              CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK);
static_assert(static_cast<int>(DeviceAttribute::registers_per_block) == CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK);
static_assert(static_cast<int>(DeviceAttribute::maximum_texture2d_array_width) ==
              CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH);
static_assert(static_cast<int>(DeviceAttribute::maximum_texture2d_array_height) ==
              CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT);
static_assert(static_cast<int>(DeviceAttribute::maximum_texture2d_array_numslices) ==
              CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES);
static_assert(static_cast<int>(DeviceAttribute::virtual_address_management_supported) ==
              CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED);

}  // namespace

std::map<std::string, int> Device::attributes() const {
  const Driver& driver = Driver::get();
  std::map<std::string, int> values;
  for (const auto& row : attribute_rows) {
    int value = 0;
    const CUresult result =
        driver.device_get_attribute(&value, static_cast<CUdevice_attribute>(row.attribute), ordinal_);
    if (result == CUDA_ERROR_INVALID_VALUE) continue;  // newer than the driver
    check_driver(result, "cuDeviceGetAttribute", std::string(" for attribute ") + row.name);
    values.emplace(row.name, value);
  }
  return values;
}

}  // namespace kiln
