// The readers of code: cubins, PTX, fatbins, and host programs that hold some.
#include "fuzz.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/fatbin_view.hpp"

#include <kiln/error.hpp>

namespace fuzz_code {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

void check_info(const CodeInfo& info) {
  for (const KernelInfo& kernel : info.kernels) {
    for (const int figure : {kernel.registers, kernel.shared_bytes, kernel.local_bytes, kernel.constant_bytes,
                             kernel.max_threads_per_block})
      require(figure >= -1, "a figure is known or -1");
    require(!kernel.architectures.empty(), "a kernel is for an architecture");
    require(!kernel.readable_name.empty() || kernel.name.empty(), "a kernel with a name has one to read");
  }
}

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const Error&) {
  }
}

void check_fatbin(std::string_view bytes) {
  std::size_t size = 0;
  for (const FatbinEntry& entry : fatbin_entries(bytes)) {
    require(
        entry.bytes.data() >= bytes.data() && entry.bytes.data() + entry.bytes.size() <= bytes.data() + bytes.size(),
        "an entry lies in its container");
    size += entry.bytes.size();
    // What is packed is the business of the libraries for it.
    if (entry.packing != Packing::none) continue;
    require(entry.size == entry.bytes.size(), "an entry that is not packed has its own size");
    if (entry.kind == FatbinEntry::cubin) attempt([&] { check_info(read_cubin(entry.bytes)); });
    if (entry.kind == FatbinEntry::ptx) attempt([&] { check_info(read_ptx(entry.bytes)); });
  }
  require(size <= bytes.size(), "entries do not overlap");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = view_of(data, size);
  attempt([&] { check_info(read_cubin(bytes)); });
  attempt([&] { check_info(read_ptx(bytes)); });
  attempt([&] { check_fatbin(bytes); });
  attempt([&] {
    for (const std::string_view fatbin : embedded_fatbins(bytes)) check_fatbin(fatbin);
  });
  return 0;
}

}  // namespace fuzz_code
