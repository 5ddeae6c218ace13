#include "compile/compiler/host_names.hpp"

#include "base/identifier.hpp"
#include "base/library_version.hpp"
#include "base/word_list.hpp"

#include <cstddef>

namespace kiln {

namespace {

struct HostNames {
  std::string_view names;
  std::string_view beginnings;
  const char* instead;
};

constexpr HostNames of_std[] = {
    {"vector deque list forward_list stack queue priority_queue valarray initializer_list", "",
     "use an array of a fixed size, such as float v[3] or cuda::std::array of <cuda/std/array>, __shared__ memory, or "
     "a buffer that the host allocates and passes"},
    {"map set multimap multiset unordered_map unordered_set unordered_multimap unordered_multiset", "",
     "use an array that is sorted or hashed, in a buffer that the host fills and passes"},
    {"string basic_string to_string stringstream ostringstream istringstream stoi stof getline format", "wstring",
     "use arrays of char, and printf"},
    {"cout cerr clog endl cin ostream istream basic_ostream fixed setprecision setw print println", "",
     "use printf, which kernels have"},
    {"complex polar", "",
     "use cuda::std::complex of <cuda/std/complex>, or pycuda::complex of <pycuda-complex.hpp>, which Kiln has"},
    {"unique_ptr shared_ptr weak_ptr make_unique make_shared allocator", "",
     "use plain pointers, to buffers that the host allocates and passes"},
    {"function bind mem_fn", "", "use a template parameter or a lambda"},
    {"mutex recursive_mutex shared_mutex lock_guard unique_lock scoped_lock condition_variable thread jthread async "
     "future promise atomic atomic_int atomic_flag",
     "", "use __syncthreads, atomicAdd and the like, or cuda::atomic of <cuda/atomic>"},
    {"runtime_error logic_error exception invalid_argument out_of_range terminate", "",
     "kernels do not throw: write a status to memory, or end the grid by assert or __trap()"},
    {"rand mt19937 mt19937_64 minstd_rand default_random_engine random_device uniform_real_distribution "
     "uniform_int_distribution normal_distribution",
     "", "use cuRAND's generators of <curand_kernel.h>, such as curand_uniform"},
    {"chrono", "", "use clock64(), or time the launch by events"},
    {"sort stable_sort partial_sort nth_element accumulate reduce transform transform_reduce inner_product partial_sum "
     "inclusive_scan exclusive_scan for_each copy copy_n fill fill_n iota find find_if count count_if min_element "
     "max_element any_of all_of none_of lower_bound upper_bound binary_search reverse unique generate",
     "", "write a loop, or use CUB's functions of warps and blocks (<cub/cub.cuh>)"},
    {"swap exchange move forward pair make_pair declval", "",
     "use cuda::std's of <cuda/std/utility>, or one of your own"},
    {"tuple make_tuple tie get", "", "use cuda::std's of <cuda/std/tuple>"},
    {"array", "", "use cuda::std::array of <cuda/std/array>"},
    {"optional nullopt", "", "use cuda::std's of <cuda/std/optional>"},
    {"variant visit", "", "use cuda::std's of <cuda/std/variant>"},
    {"span", "", "use cuda::std::span of <cuda/std/span>"},
    {"bitset", "", "use cuda::std::bitset of <cuda/std/bitset>, or an integer"},
    {"numeric_limits", "", "use cuda::std::numeric_limits of <cuda/std/limits>"},
    {"plus minus multiplies less greater", "", "use cuda::std's of <cuda/std/functional>"},
};

/// Of std, where they are not named so: each unmistakable.
constexpr std::string_view unqualified = "vector string cout cerr endl complex unordered_map";

constexpr HostNames of_c[] = {
    {"FILE sprintf snprintf fprintf puts putchar fputs fputc fopen fclose fread fwrite fflush fscanf scanf getchar "
     "perror "
     "stdout stderr stdin",
     "", "a kernel has printf of <stdio.h>, and no other of its functions"},
    {"rand srand drand48 random", "", "use cuRAND's generators of <curand_kernel.h>, such as curand_uniform"},
    {"exit abort _exit quick_exit atexit", "", "return, or end the grid by assert or __trap()"},
    {"calloc realloc aligned_alloc posix_memalign", "", "a kernel has malloc, free and arrays of a fixed size"},
    {"time gettimeofday clock_gettime usleep sleep", "",
     "use clock64() and __nanosleep(), or time the launch by events"},
    {"getenv system getpid omp_get_thread_num omp_get_num_threads pthread_create pthread_mutex_lock", "",
     "call it on the host, and pass what it gives"},
    {"strlen strcpy strncpy strcat strcmp strncmp strstr strtok strtol atoi atof qsort bsearch", "",
     "write a loop, or do it on the host"},
};

constexpr HostNames of_cuda[] = {
    {"cudaMalloc cudaFree cudaMallocManaged cudaMemcpy cudaMemcpyAsync cudaMemset cudaMemsetAsync cudaMallocHost", "",
     "allocate and copy before the launch (kiln::DeviceBuffer) and pass the pointer; within a kernel there are malloc, "
     "free, memcpy and memset"},
    {"cudaDeviceSynchronize cudaThreadSynchronize cudaStreamSynchronize", "",
     "wait on the host, behind the launch; the threads of a block wait for each other by __syncthreads()"},
    {"", "cublas cufft cusolver cusparse cudnn cuMem cuCtx cuLaunch cuStream cuEvent cuModule",
     "call it on the host, before or behind the launch"},
};

/// The identifier at the text's beginning.
std::string_view identifier_of(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_of_identifier(text[end])) ++end;
  return text.substr(0, end);
}

template <std::size_t size>
const char* instead_of(const HostNames (&all)[size], std::string_view name) {
  for (const HostNames& one : all)
    if (has_word(one.names, name) || begins_with_any(name, one.beginnings)) return one.instead;
  return nullptr;
}

std::string sentence(const std::string& name, const char* owner, const std::string& instead) {
  return "\"" + name + "\" is " + owner + ", and not for kernels: " + instead + ".";
}

/// Behind the next "std::" from `at` on, and behind the version of the library that nvcc names there; npos if none.
std::size_t std_member(std::string_view text, std::size_t at) {
  constexpr std::string_view scope = "std::";
  constexpr std::string_view version = "__cxx11::";
  do {
    at = text.find(scope, at);
    if (at == std::string_view::npos) return at;
    at += scope.size();
  } while (at > scope.size() && is_of_identifier(text[at - scope.size() - 1]));
  return at + (text.substr(at).starts_with(version) ? version.size() : 0);
}

std::string std_advice(std::string_view text) {
  for (std::size_t at = std_member(text, 0); at != std::string_view::npos; at = std_member(text, at)) {
    const std::string_view name = identifier_of(text.substr(at));
    if (const char* const instead = instead_of(of_std, name))
      return sentence("std::" + std::string(name), "of the host's C++ library", instead);
  }
  return {};
}

/// Of CUB's functions for whole devices.
std::string cub_advice(std::string_view name) {
  constexpr std::string_view scope = "cub::Device";
  const std::string plain = without_library_versions(std::string(name));
  const std::size_t at = plain.find(scope);
  if (at == std::string::npos) return {};
  const std::string what(identifier_of(std::string_view(plain).substr(at + scope.size())));
  const bool is_of_block = has_word("Reduce Scan RadixSort MergeSort Histogram", what);
  return sentence(std::string(scope) + what, "of CUB for the host, as it launches kernels of its own",
                  is_of_block ? "within a kernel there is cub::Block" + what : "call it before or behind the launch");
}

bool is_of_runtime(std::string_view name) {
  constexpr std::string_view cuda = "cuda";
  return name.starts_with(cuda) && name.size() > cuda.size() && name[cuda.size()] >= 'A' && name[cuda.size()] <= 'Z';
}

}  // namespace

bool is_of_std(std::string_view name) { return std_member(name, 0) != std::string_view::npos; }

std::string host_container_advice(std::string_view name) {
  constexpr std::string_view scope = "thrust::";
  std::string plain = without_library_versions(std::string(name));
  const std::size_t at = plain.find(scope);
  if (at == std::string::npos) return {};
  const std::string_view member = identifier_of(std::string_view(plain).substr(at + scope.size()));
  if (!has_word("device_vector host_vector universal_vector", member)) return {};
  return sentence(std::string(scope) + std::string(member), "of Thrust for the host",
                  "pass a pointer, thrust::raw_pointer_cast(v.data()), and the size");
}

std::string host_name_advice(std::string_view name) {
  if (std::string of_cub = cub_advice(name); !of_cub.empty()) return of_cub;
  if (std::string of_thrust = host_container_advice(name); !of_thrust.empty()) return of_thrust;
  if (is_of_std(name)) return std_advice(name);
  const std::string word(identifier_of(name));
  if (has_word(unqualified, word)) return std_advice("std::" + word);
  if (const char* const instead = instead_of(of_c, word)) return sentence(word, "of the host's C library", instead);
  const char* const instead = instead_of(of_cuda, word);
  if (instead == nullptr && !is_of_runtime(word)) return {};
  return sentence(word, "of CUDA's functions for the host",
                  instead != nullptr ? instead : "call it before or behind the launch");
}

}  // namespace kiln
