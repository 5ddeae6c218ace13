// The library that `kiln trace` has NVTX open in a program and in those that it starts: writes the ranges of the domain
// "kiln" to a file of the process in the folder KILN_TRACE_FOLDER, a line each, when they begin and when they end, so
// that a crash loses none. Needs the C library alone.
#include <nvtx3/nvToolsExt.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int longest_line = 1000;  // of a longer one the end is left out

std::atomic<int> part{-1};  // the file: of this process, and of its children of fork
std::atomic<dev_t> part_device{0};
std::atomic<ino_t> part_inode{0};

/// Not where the program has closed all descriptors: the number may be of a file of its own by now.
bool is_part(int descriptor) {
  struct stat status = {};
  return descriptor >= 0 && ::fstat(descriptor, &status) == 0 && status.st_dev == part_device &&
         status.st_ino == part_inode;
}

char kiln_domain, other_domain;  // whose addresses are the handles
nvtxDomainHandle_t handle_of(char& domain) { return reinterpret_cast<nvtxDomainHandle_t>(&domain); }
bool is_kiln(nvtxDomainHandle_t domain) { return domain == handle_of(kiln_domain); }

/// "b 4711 4712 123456789 compile: scale.cu": what, process, thread, nanoseconds, text.
void write_line(char what, const char* text) {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  char line[longest_line];
  const int head = std::snprintf(line, sizeof line, "%c %ld %ld %lld ", what, static_cast<long>(::getpid()),
                                 static_cast<long>(::syscall(SYS_gettid)),
                                 static_cast<long long>(now.tv_sec) * 1000000000 + static_cast<long long>(now.tv_nsec));
  int size = head;
  for (const char* c = text; *c != '\0' && size < longest_line - 1; ++c)
    line[size++] = static_cast<unsigned char>(*c) < ' ' ? ' ' : *c;
  line[size++] = '\n';
  const int error = errno;
  if (is_part(part.load())) static_cast<void>(!::write(part.load(), line, static_cast<std::size_t>(size)));
  errno = error;
}

const char* text_of(const nvtxEventAttributes_t* attributes) {
  const bool is_text = attributes->messageType == NVTX_MESSAGE_TYPE_ASCII && attributes->message.ascii != nullptr;
  return is_text ? attributes->message.ascii : "";
}

nvtxDomainHandle_t NVTX_API create_domain(const char* name) {
  return handle_of(std::strcmp(name, "kiln") == 0 ? kiln_domain : other_domain);
}

int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  if (is_kiln(domain)) write_line('b', text_of(attributes));
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t domain) {
  if (is_kiln(domain)) write_line('e', "");
  return 0;
}

void NVTX_API mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  if (is_kiln(domain)) write_line('m', text_of(attributes));
}

/// Once, however many libraries of the process use NVTX.
bool open_part() {
  if (part.load() >= 0) return true;
  const char* const folder = ::secure_getenv("KILN_TRACE_FOLDER");
  if (folder == nullptr) return false;
  char path[4096];
  const int size = std::snprintf(path, sizeof path, "%s/%ld.part", folder, static_cast<long>(::getpid()));
  if (size < 0 || size >= static_cast<int>(sizeof path)) return false;
  const int opened = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (opened < 0) return false;
  struct stat status = {};
  if (::fstat(opened, &status) != 0) return ::close(opened) != 0;
  int none = -1;
  part_device = status.st_dev;
  part_inode = status.st_ino;
  if (!part.compare_exchange_strong(none, opened)) return ::close(opened) == 0;  // another thread was first
  write_line('p', program_invocation_short_name);
  return true;
}

template <class Function>
void set(NvtxFunctionTable table, unsigned id, Function function) {
  *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

// NVTX gives the name.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
  if (size <= NVTX_CBID_CORE2_DomainCreateA || !open_part()) return 0;
  set(table, NVTX_CBID_CORE2_DomainCreateA, create_domain);
  set(table, NVTX_CBID_CORE2_DomainRangePushEx, push);
  set(table, NVTX_CBID_CORE2_DomainRangePop, pop);
  set(table, NVTX_CBID_CORE2_DomainMarkEx, mark);
  return 1;
}
