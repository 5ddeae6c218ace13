// The table of a device's attributes by name; DeviceAttribute is checked against cuda.h here.
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

struct AttributeRow {
  const char* name;
  DeviceAttribute attribute;
  int number;  // cuda.h's
};

constexpr AttributeRow attribute_rows[] = {
    {"max_threads_per_block", DeviceAttribute::max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    {"max_block_dim_x", DeviceAttribute::max_block_dim_x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
    {"max_block_dim_y", DeviceAttribute::max_block_dim_y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
    {"max_block_dim_z", DeviceAttribute::max_block_dim_z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
    {"max_grid_dim_x", DeviceAttribute::max_grid_dim_x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
    {"max_grid_dim_y", DeviceAttribute::max_grid_dim_y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
    {"max_grid_dim_z", DeviceAttribute::max_grid_dim_z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
    {"max_shared_memory_per_block", DeviceAttribute::max_shared_memory_per_block,
     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
    {"total_constant_memory", DeviceAttribute::total_constant_memory, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY},
    {"warp_size", DeviceAttribute::warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE},
    {"max_pitch", DeviceAttribute::max_pitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH},
    {"max_registers_per_block", DeviceAttribute::max_registers_per_block, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
    {"clock_rate", DeviceAttribute::clock_rate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
    {"texture_alignment", DeviceAttribute::texture_alignment, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT},
    {"gpu_overlap", DeviceAttribute::gpu_overlap, CU_DEVICE_ATTRIBUTE_GPU_OVERLAP},
    {"multiprocessor_count", DeviceAttribute::multiprocessor_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
    {"kernel_exec_timeout", DeviceAttribute::kernel_exec_timeout, CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT},
    {"integrated", DeviceAttribute::integrated, CU_DEVICE_ATTRIBUTE_INTEGRATED},
    {"can_map_host_memory", DeviceAttribute::can_map_host_memory, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY},
    {"compute_mode", DeviceAttribute::compute_mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE},
    {"maximum_texture1d_width", DeviceAttribute::maximum_texture1d_width, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH},
    {"maximum_texture2d_width", DeviceAttribute::maximum_texture2d_width, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH},
    {"maximum_texture2d_height", DeviceAttribute::maximum_texture2d_height,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT},
    {"maximum_texture3d_width", DeviceAttribute::maximum_texture3d_width, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH},
    {"maximum_texture3d_height", DeviceAttribute::maximum_texture3d_height,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT},
    {"maximum_texture3d_depth", DeviceAttribute::maximum_texture3d_depth, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH},
    {"maximum_texture2d_layered_width", DeviceAttribute::maximum_texture2d_layered_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH},
    {"maximum_texture2d_layered_height", DeviceAttribute::maximum_texture2d_layered_height,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT},
    {"maximum_texture2d_layered_layers", DeviceAttribute::maximum_texture2d_layered_layers,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS},
    {"surface_alignment", DeviceAttribute::surface_alignment, CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT},
    {"concurrent_kernels", DeviceAttribute::concurrent_kernels, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS},
    {"ecc_enabled", DeviceAttribute::ecc_enabled, CU_DEVICE_ATTRIBUTE_ECC_ENABLED},
    {"pci_bus_id", DeviceAttribute::pci_bus_id, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID},
    {"pci_device_id", DeviceAttribute::pci_device_id, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID},
    {"tcc_driver", DeviceAttribute::tcc_driver, CU_DEVICE_ATTRIBUTE_TCC_DRIVER},
    {"memory_clock_rate", DeviceAttribute::memory_clock_rate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
    {"global_memory_bus_width", DeviceAttribute::global_memory_bus_width, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
    {"l2_cache_size", DeviceAttribute::l2_cache_size, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
    {"max_threads_per_multiprocessor", DeviceAttribute::max_threads_per_multiprocessor,
     CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
    {"async_engine_count", DeviceAttribute::async_engine_count, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT},
    {"unified_addressing", DeviceAttribute::unified_addressing, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING},
    {"maximum_texture1d_layered_width", DeviceAttribute::maximum_texture1d_layered_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH},
    {"maximum_texture1d_layered_layers", DeviceAttribute::maximum_texture1d_layered_layers,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS},
    {"can_tex2d_gather", DeviceAttribute::can_tex2d_gather, CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER},
    {"maximum_texture2d_gather_width", DeviceAttribute::maximum_texture2d_gather_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH},
    {"maximum_texture2d_gather_height", DeviceAttribute::maximum_texture2d_gather_height,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT},
    {"maximum_texture3d_width_alternate", DeviceAttribute::maximum_texture3d_width_alternate,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE},
    {"maximum_texture3d_height_alternate", DeviceAttribute::maximum_texture3d_height_alternate,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE},
    {"maximum_texture3d_depth_alternate", DeviceAttribute::maximum_texture3d_depth_alternate,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE},
    {"pci_domain_id", DeviceAttribute::pci_domain_id, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID},
    {"texture_pitch_alignment", DeviceAttribute::texture_pitch_alignment, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT},
    {"maximum_texturecubemap_width", DeviceAttribute::maximum_texturecubemap_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH},
    {"maximum_texturecubemap_layered_width", DeviceAttribute::maximum_texturecubemap_layered_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH},
    {"maximum_texturecubemap_layered_layers", DeviceAttribute::maximum_texturecubemap_layered_layers,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS},
    {"maximum_surface1d_width", DeviceAttribute::maximum_surface1d_width, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH},
    {"maximum_surface2d_width", DeviceAttribute::maximum_surface2d_width, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH},
    {"maximum_surface2d_height", DeviceAttribute::maximum_surface2d_height,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT},
    {"maximum_surface3d_width", DeviceAttribute::maximum_surface3d_width, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH},
    {"maximum_surface3d_height", DeviceAttribute::maximum_surface3d_height,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT},
    {"maximum_surface3d_depth", DeviceAttribute::maximum_surface3d_depth, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH},
    {"maximum_surface1d_layered_width", DeviceAttribute::maximum_surface1d_layered_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH},
    {"maximum_surface1d_layered_layers", DeviceAttribute::maximum_surface1d_layered_layers,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS},
    {"maximum_surface2d_layered_width", DeviceAttribute::maximum_surface2d_layered_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH},
    {"maximum_surface2d_layered_height", DeviceAttribute::maximum_surface2d_layered_height,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT},
    {"maximum_surface2d_layered_layers", DeviceAttribute::maximum_surface2d_layered_layers,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS},
    {"maximum_surfacecubemap_width", DeviceAttribute::maximum_surfacecubemap_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH},
    {"maximum_surfacecubemap_layered_width", DeviceAttribute::maximum_surfacecubemap_layered_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH},
    {"maximum_surfacecubemap_layered_layers", DeviceAttribute::maximum_surfacecubemap_layered_layers,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS},
    {"maximum_texture1d_linear_width", DeviceAttribute::maximum_texture1d_linear_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH},
    {"maximum_texture2d_linear_width", DeviceAttribute::maximum_texture2d_linear_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH},
    {"maximum_texture2d_linear_height", DeviceAttribute::maximum_texture2d_linear_height,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT},
    {"maximum_texture2d_linear_pitch", DeviceAttribute::maximum_texture2d_linear_pitch,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH},
    {"maximum_texture2d_mipmapped_width", DeviceAttribute::maximum_texture2d_mipmapped_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH},
    {"maximum_texture2d_mipmapped_height", DeviceAttribute::maximum_texture2d_mipmapped_height,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT},
    {"compute_capability_major", DeviceAttribute::compute_capability_major,
     CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
    {"compute_capability_minor", DeviceAttribute::compute_capability_minor,
     CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
    {"maximum_texture1d_mipmapped_width", DeviceAttribute::maximum_texture1d_mipmapped_width,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH},
    {"stream_priorities_supported", DeviceAttribute::stream_priorities_supported,
     CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED},
    {"global_l1_cache_supported", DeviceAttribute::global_l1_cache_supported,
     CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED},
    {"local_l1_cache_supported", DeviceAttribute::local_l1_cache_supported,
     CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED},
    {"max_shared_memory_per_multiprocessor", DeviceAttribute::max_shared_memory_per_multiprocessor,
     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
    {"max_registers_per_multiprocessor", DeviceAttribute::max_registers_per_multiprocessor,
     CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR},
    {"managed_memory", DeviceAttribute::managed_memory, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY},
    {"multi_gpu_board", DeviceAttribute::multi_gpu_board, CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD},
    {"multi_gpu_board_group_id", DeviceAttribute::multi_gpu_board_group_id,
     CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID},
    {"host_native_atomic_supported", DeviceAttribute::host_native_atomic_supported,
     CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED},
    {"single_to_double_precision_perf_ratio", DeviceAttribute::single_to_double_precision_perf_ratio,
     CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO},
    {"pageable_memory_access", DeviceAttribute::pageable_memory_access, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS},
    {"concurrent_managed_access", DeviceAttribute::concurrent_managed_access,
     CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS},
    {"compute_preemption_supported", DeviceAttribute::compute_preemption_supported,
     CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED},
    {"can_use_host_pointer_for_registered_mem", DeviceAttribute::can_use_host_pointer_for_registered_mem,
     CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM},
    {"can_use_stream_mem_ops_v1", DeviceAttribute::can_use_stream_mem_ops_v1,
     CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1},
    {"can_use_64_bit_stream_mem_ops_v1", DeviceAttribute::can_use_64_bit_stream_mem_ops_v1,
     CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1},
    {"can_use_stream_wait_value_nor_v1", DeviceAttribute::can_use_stream_wait_value_nor_v1,
     CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1},
    {"cooperative_launch", DeviceAttribute::cooperative_launch, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH},
    {"cooperative_multi_device_launch", DeviceAttribute::cooperative_multi_device_launch,
     CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH},
    {"max_shared_memory_per_block_optin", DeviceAttribute::max_shared_memory_per_block_optin,
     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
    {"can_flush_remote_writes", DeviceAttribute::can_flush_remote_writes, CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES},
    {"host_register_supported", DeviceAttribute::host_register_supported, CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED},
    {"pageable_memory_access_uses_host_page_tables", DeviceAttribute::pageable_memory_access_uses_host_page_tables,
     CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES},
    {"direct_managed_mem_access_from_host", DeviceAttribute::direct_managed_mem_access_from_host,
     CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST},
    {"virtual_memory_management_supported", DeviceAttribute::virtual_memory_management_supported,
     CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED},
    {"handle_type_posix_file_descriptor_supported", DeviceAttribute::handle_type_posix_file_descriptor_supported,
     CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED},
    {"handle_type_win32_handle_supported", DeviceAttribute::handle_type_win32_handle_supported,
     CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED},
    {"handle_type_win32_kmt_handle_supported", DeviceAttribute::handle_type_win32_kmt_handle_supported,
     CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED},
    {"max_blocks_per_multiprocessor", DeviceAttribute::max_blocks_per_multiprocessor,
     CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR},
    {"generic_compression_supported", DeviceAttribute::generic_compression_supported,
     CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED},
    {"max_persisting_l2_cache_size", DeviceAttribute::max_persisting_l2_cache_size,
     CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE},
    {"max_access_policy_window_size", DeviceAttribute::max_access_policy_window_size,
     CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE},
    {"gpu_direct_rdma_with_cuda_vmm_supported", DeviceAttribute::gpu_direct_rdma_with_cuda_vmm_supported,
     CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED},
    {"reserved_shared_memory_per_block", DeviceAttribute::reserved_shared_memory_per_block,
     CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK},
    {"sparse_cuda_array_supported", DeviceAttribute::sparse_cuda_array_supported,
     CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED},
    {"read_only_host_register_supported", DeviceAttribute::read_only_host_register_supported,
     CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED},
    {"timeline_semaphore_interop_supported", DeviceAttribute::timeline_semaphore_interop_supported,
     CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED},
    {"memory_pools_supported", DeviceAttribute::memory_pools_supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED},
    {"gpu_direct_rdma_supported", DeviceAttribute::gpu_direct_rdma_supported,
     CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED},
    {"gpu_direct_rdma_flush_writes_options", DeviceAttribute::gpu_direct_rdma_flush_writes_options,
     CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS},
    {"gpu_direct_rdma_writes_ordering", DeviceAttribute::gpu_direct_rdma_writes_ordering,
     CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING},
    {"mempool_supported_handle_types", DeviceAttribute::mempool_supported_handle_types,
     CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES},
    {"cluster_launch", DeviceAttribute::cluster_launch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH},
    {"deferred_mapping_cuda_array_supported", DeviceAttribute::deferred_mapping_cuda_array_supported,
     CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED},
    {"can_use_64_bit_stream_mem_ops", DeviceAttribute::can_use_64_bit_stream_mem_ops,
     CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS},
    {"can_use_stream_wait_value_nor", DeviceAttribute::can_use_stream_wait_value_nor,
     CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR},
    {"dma_buf_supported", DeviceAttribute::dma_buf_supported, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED},
    {"ipc_event_supported", DeviceAttribute::ipc_event_supported, CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED},
    {"mem_sync_domain_count", DeviceAttribute::mem_sync_domain_count, CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT},
    {"tensor_map_access_supported", DeviceAttribute::tensor_map_access_supported,
     CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED},
    {"handle_type_fabric_supported", DeviceAttribute::handle_type_fabric_supported,
     CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED},
    {"unified_function_pointers", DeviceAttribute::unified_function_pointers,
     CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS},
    {"numa_config", DeviceAttribute::numa_config, CU_DEVICE_ATTRIBUTE_NUMA_CONFIG},
    {"numa_id", DeviceAttribute::numa_id, CU_DEVICE_ATTRIBUTE_NUMA_ID},
    {"multicast_supported", DeviceAttribute::multicast_supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED},
    {"mps_enabled", DeviceAttribute::mps_enabled, CU_DEVICE_ATTRIBUTE_MPS_ENABLED},
    {"host_numa_id", DeviceAttribute::host_numa_id, CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID},
    {"d3d12_cig_supported", DeviceAttribute::d3d12_cig_supported, CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED},
    {"mem_decompress_algorithm_mask", DeviceAttribute::mem_decompress_algorithm_mask,
     KILN_SINCE_13_0(MEM_DECOMPRESS_ALGORITHM_MASK, 136)},
    {"mem_decompress_maximum_length", DeviceAttribute::mem_decompress_maximum_length,
     KILN_SINCE_13_0(MEM_DECOMPRESS_MAXIMUM_LENGTH, 137)},
    {"vulkan_cig_supported", DeviceAttribute::vulkan_cig_supported, KILN_SINCE_13_0(VULKAN_CIG_SUPPORTED, 138)},
    {"gpu_pci_device_id", DeviceAttribute::gpu_pci_device_id, KILN_SINCE_13_0(GPU_PCI_DEVICE_ID, 139)},
    {"gpu_pci_subsystem_id", DeviceAttribute::gpu_pci_subsystem_id, KILN_SINCE_13_0(GPU_PCI_SUBSYSTEM_ID, 140)},
    {"host_numa_virtual_memory_management_supported", DeviceAttribute::host_numa_virtual_memory_management_supported,
     KILN_SINCE_13_0(HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 141)},
    {"host_numa_memory_pools_supported", DeviceAttribute::host_numa_memory_pools_supported,
     KILN_SINCE_13_0(HOST_NUMA_MEMORY_POOLS_SUPPORTED, 142)},
    {"host_numa_multinode_ipc_supported", DeviceAttribute::host_numa_multinode_ipc_supported,
     KILN_SINCE_13_0(HOST_NUMA_MULTINODE_IPC_SUPPORTED, 143)},
    {"host_memory_pools_supported", DeviceAttribute::host_memory_pools_supported,
     KILN_SINCE_13_0(HOST_MEMORY_POOLS_SUPPORTED, 144)},
    {"host_virtual_memory_management_supported", DeviceAttribute::host_virtual_memory_management_supported,
     KILN_SINCE_13_0(HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 145)},
    {"host_alloc_dma_buf_supported", DeviceAttribute::host_alloc_dma_buf_supported,
     KILN_SINCE_13_0(HOST_ALLOC_DMA_BUF_SUPPORTED, 146)},
    {"only_partial_host_native_atomic_supported", DeviceAttribute::only_partial_host_native_atomic_supported,
     KILN_SINCE_13_0(ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED, 147)},
    {"atomic_reduction_supported", DeviceAttribute::atomic_reduction_supported,
     KILN_SINCE_13_5(ATOMIC_REDUCTION_SUPPORTED, 148)},
    {"locality_domain_count", DeviceAttribute::locality_domain_count, KILN_SINCE_13_5(LOCALITY_DOMAIN_COUNT, 149)},
    {"max_oversized_shared_memory_per_block", DeviceAttribute::max_oversized_shared_memory_per_block,
     KILN_SINCE_13_5(MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK, 150)},
    {"d3d12_cig_streams_supported", DeviceAttribute::d3d12_cig_streams_supported,
     KILN_SINCE_13_5(D3D12_CIG_STREAMS_SUPPORTED, 151)},
    {"dma_buf_mmap_supported", DeviceAttribute::dma_buf_mmap_supported, KILN_SINCE_13_5(DMA_BUF_MMAP_SUPPORTED, 152)},
    {"logical_endpoint_unicast_supported", DeviceAttribute::logical_endpoint_unicast_supported,
     KILN_SINCE_13_5(LOGICAL_ENDPOINT_UNICAST_SUPPORTED, 153)},
    {"logical_endpoint_multicast_supported", DeviceAttribute::logical_endpoint_multicast_supported,
     KILN_SINCE_13_5(LOGICAL_ENDPOINT_MULTICAST_SUPPORTED, 154)},
    {"logical_endpoint_counted_ops_supported", DeviceAttribute::logical_endpoint_counted_ops_supported,
     KILN_SINCE_13_5(LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED, 155)},
    {"logical_endpoint_unicast_access_on_owner_device_supported",
     DeviceAttribute::logical_endpoint_unicast_access_on_owner_device_supported,
     KILN_SINCE_13_5(LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED, 156)},
    {"locality_domain_multiprocessor_count", DeviceAttribute::locality_domain_multiprocessor_count,
     KILN_SINCE_13_5(LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT, 157)},
    {"logical_endpoint_supported_handle_types", DeviceAttribute::logical_endpoint_supported_handle_types,
     KILN_SINCE_13_5(LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES, 158)},
    {"vulkan_cig_streams_supported", DeviceAttribute::vulkan_cig_streams_supported,
     KILN_SINCE_13_5(VULKAN_CIG_STREAMS_SUPPORTED, 159)},
    {"tensor_map_large_tensor_min_size", DeviceAttribute::tensor_map_large_tensor_min_size,
     KILN_SINCE_13_5(TENSOR_MAP_LARGE_TENSOR_MIN_SIZE, 160)},
    {"gpu_direct_rdma_with_localized_memory_supported",
     DeviceAttribute::gpu_direct_rdma_with_localized_memory_supported,
     KILN_SINCE_13_5(GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED, 161)},
};

/// None is left out, and each has cuda.h's number.
constexpr bool numbers_are_right() {
  int number = 0;
  for (const AttributeRow& row : attribute_rows) {
    ++number;
    if (static_cast<int>(row.attribute) != number || row.number != number) return false;
  }
  return true;
}
static_assert(numbers_are_right());
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
  for (const AttributeRow& row : attribute_rows) {
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
