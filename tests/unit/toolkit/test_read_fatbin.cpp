#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include "base/shared_library.hpp"
#include "cubin_fixture.hpp"
#include "fatbin_bytes.hpp"
#include "message_of.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/fatbin_view.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

namespace read_fatbin_test {

using kiln::CodeInfo;
using kiln::FatbinEntry;
using kiln::ImageInfo;
using kiln::KernelInfo;
using kiln::Packing;
using kiln::read_fatbin;
using kiln::test::compile_fixture;
using kiln::test::contains;
using kiln::test::fatbin_of;
using kiln::test::FatbinPart;
using kiln::test::Form;
using kiln::test::message_of;

namespace {

const std::string source = R"cuda(
__device__ int counter;
__global__ void __launch_bounds__(96) both(float* p, int n) { __shared__ float s[8]; s[n] = *p; *p = s[n & 3]; }
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void only_new(int* p) { atomicAdd(&counter, *p); }
#endif
)cuda";

const char* const ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry both(.param .u64 p) .maxntid 64 { ret; }
)";

std::string text_of(const FatbinEntry& entry) { return kiln::unpack(entry.packing, entry.bytes, entry.size); }

std::vector<std::string> names(const CodeInfo& info) {
  std::vector<std::string> all;
  for (const KernelInfo& kernel : info.kernels) all.push_back(kernel.name);
  return all;
}

/// Empty where the library is not there.
std::string pack(Packing packing, const std::string& text) {
  std::string out(text.size() + 1024, '\0');
  std::size_t size = 0;
  try {
    if (packing == Packing::zstd) {
      const auto compress = reinterpret_cast<std::size_t (*)(void*, std::size_t, const void*, std::size_t, int)>(
          kiln::SharedLibrary::open("libzstd.so.1").symbol("ZSTD_compress"));
      size = compress(out.data(), out.size(), text.data(), text.size(), 3);
    } else {
      const auto compress = reinterpret_cast<int (*)(const char*, char*, int, int)>(
          kiln::SharedLibrary::open("liblz4.so.1").symbol("LZ4_compress_default"));
      size = static_cast<std::size_t>(
          compress(text.data(), out.data(), static_cast<int>(text.size()), static_cast<int>(out.size())));
    }
  } catch (const kiln::Error& error) {
    MESSAGE("skipped: ", error.what());
    return {};
  }
  return out.substr(0, size);
}

}  // namespace

TEST_CASE("a fatbin's entries: kinds, architectures, and texts without their padding") {
  const std::string bytes = fatbin_of({{2, 80, "cubin", 0x11},
                                       {2, 90, "cubin of 90a", 0x100011},
                                       {1, 120, "text", 0x200011, 0, 80},
                                       {8, 90, "lto", 0x11},
                                       {64, 75, "new"}});
  const std::vector<FatbinEntry> entries = kiln::fatbin_entries(bytes);
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].kind == FatbinEntry::cubin);
  CHECK(entries[0].arch == "sm_80");
  CHECK(entries[1].arch == "sm_90a");
  CHECK(entries[1].bytes.substr(0, 12) == "cubin of 90a");
  CHECK(entries[2].kind == FatbinEntry::ptx);
  CHECK(entries[2].arch == "compute_120f");
  CHECK(entries[2].bytes == "text");
  CHECK(entries[2].size == 4);
  CHECK(entries[3].arch == "lto_90");
  CHECK(entries[4].kind == 64);
  CHECK(kiln::fatbin_entries(bytes + "what follows is not part of it").size() == 5);
  CHECK(kiln::fatbin_entries(fatbin_of({})).empty());
}

TEST_CASE("the kernels of all images, each once") {
  const auto old_code = compile_fixture(source, "sm_80", Form::cubin);
  const auto new_code = compile_fixture(source, "sm_90", Form::cubin);
  const auto text = compile_fixture(source, "compute_90", Form::ptx);
  if (!old_code || !new_code || !text) return;
  const std::string bytes = fatbin_of({{1, 90, *text}, {2, 80, *old_code}, {2, 90, *new_code}, {8, 100, "lto"}});

  const std::vector<ImageInfo> images = kiln::read_fatbin_images(bytes);
  REQUIRE(images.size() == 4);
  CHECK(images[0].kind == "ptx");
  CHECK(images[0].arch == "compute_90");
  CHECK(images[0].info.kernels.size() == 2);
  CHECK(images[1].kind == "cubin");
  CHECK(images[1].info.kernels.size() == 1);
  CHECK(images[3].kind == "ltoir");
  CHECK(images[3].info.kernels.empty());

  const CodeInfo info = read_fatbin(bytes);
  CHECK(info.arch == "compute_90,sm_80,sm_90,lto_100");
  CHECK(info.globals == std::vector<std::string>{"counter"});
  REQUIRE(info.kernels.size() == 2);
  const KernelInfo& both = info.kernels[0];
  CHECK(both.readable_name == "both(float*, int)");
  CHECK(both.architectures == std::vector<std::string>{"sm_80", "sm_90", "compute_90"});
  CHECK(both.registers == images[1].info.kernels[0].registers);
  CHECK(both.max_threads_per_block == 96);
  CHECK(info.kernels[1].name == "only_new");
  CHECK(info.kernels[1].architectures == std::vector<std::string>{"sm_90", "compute_90"});
}

TEST_CASE("machine code's parameters get the kinds that the PTX beside it has") {
  const char* const plain = "extern \"C\" __global__ void k(float* p, float x, int n) { p[n] = x; }";
  const auto code = compile_fixture(plain, "sm_90", Form::cubin);
  const auto text = compile_fixture(plain, "compute_90", Form::ptx);
  if (!code || !text) return;
  const auto kind = [](const CodeInfo& info, std::size_t index) {
    return info.kernels.at(0).parameters.at(index).kind;
  };
  CHECK(kind(read_fatbin(fatbin_of({{2, 90, *code}})), 1) == kiln::ParameterKind::other);
  for (const std::string& bytes :
       {fatbin_of({{2, 90, *code}, {1, 90, *text}}), fatbin_of({{1, 90, *text}, {2, 90, *code}})}) {
    const CodeInfo info = read_fatbin(bytes);
    CHECK(kind(info, 0) == kiln::ParameterKind::integer_or_pointer);
    CHECK(kind(info, 1) == kiln::ParameterKind::floating);
    CHECK(kind(info, 2) == kiln::ParameterKind::integer);
  }
}

TEST_CASE("compressed images are read") {
  for (const Packing packing : {Packing::lz4, Packing::zstd}) {
    const std::string packed = pack(packing, ptx);
    if (packed.empty()) continue;
    const std::uint64_t flags = 0x11 | (packing == Packing::zstd ? 0x8000 : 0x2000);
    const std::uint64_t size = std::string_view(ptx).size();
    const std::string bytes = fatbin_of({{1, 80, packed, flags, size}});
    const std::vector<FatbinEntry> entries = kiln::fatbin_entries(bytes);
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].packing == packing);
    CHECK(entries[0].size == size);
    CHECK(text_of(entries[0]) == ptx);
    const CodeInfo info = read_fatbin(bytes);
    CHECK(names(info) == std::vector<std::string>{"both"});
    CHECK(info.kernels[0].max_threads_per_block == 64);

    const auto message = [&](std::string_view packed_bytes, std::uint64_t claimed) {
      return message_of<kiln::Error>([&] { read_fatbin(fatbin_of({{1, 80, packed_bytes, flags, claimed}})); });
    };
    CHECK(contains(message(packed, size - 1), "cannot be decompressed"));
    CHECK(contains(message(packed, size + 1), "cannot be decompressed"));
    CHECK(contains(message(std::string_view(packed).substr(0, packed.size() / 2), size), "cannot be decompressed"));
    CHECK(contains(message(packed, std::uint64_t{1} << 40), "claims"));
    CHECK(contains(message("", 1), "claims"));
  }
}

TEST_CASE("a damaged fatbin is an error or an answer, never more") {
  const std::string whole = fatbin_of({{1, 80, ptx}, {1, 90, ptx, 0x11, 0, 96}});
  std::size_t refused = 0;
  // A copy of exactly the size, so that a sanitizer sees one byte too many.
  const auto read = [&](const std::string& bytes) {
    const std::vector<char> exact(bytes.begin(), bytes.end());
    try {
      read_fatbin(std::string_view(exact.data(), exact.size()));
    } catch (const kiln::Error&) {
      ++refused;
    }
  };
  for (std::size_t size = 0; size < whole.size(); ++size) read(whole.substr(0, size));
  CHECK(refused == whole.size());
  refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const unsigned flip : {0xffu, 0x80u, 1u << (at % 8)}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
      read(changed);
    }
  CHECK(refused > 0);
  CHECK(contains(message_of<kiln::Error>([] { read_fatbin("hello, this is none"); }), "does not begin"));
}

TEST_CASE("fatbins within a host program") {
  CHECK_THROWS_AS(kiln::embedded_fatbins("hello"), kiln::Error);
  const auto cubin = compile_fixture(source, "sm_80", Form::cubin);
  if (cubin) CHECK(kiln::embedded_fatbins(*cubin).empty());
}

TEST_CASE("the toolkit's version is that of the code") {
  const auto ptx_of = [](const std::string& version) {
    return "// of .version 1.0\n.version " + version + "\n.target sm_80\n.address_size 64\n";
  };
  using Version = std::pair<int, int>;
  CHECK(kiln::toolkit_version(ptx_of("9.2")) == Version(13, 2));
  CHECK(kiln::toolkit_version(ptx_of("8.5")) == Version(12, 5));
  CHECK(kiln::toolkit_version(ptx_of("8.8")) == Version(12, 9));
  CHECK(kiln::toolkit_version(ptx_of("7.8")) == Version(11, 8));
  CHECK(kiln::toolkit_version(ptx_of("8.5") + std::string(3, '\0')) == Version(12, 5));
  const std::string older = ptx_of("8.0"), newer = ptx_of("8.7");
  CHECK(kiln::toolkit_version(fatbin_of({{1, 80, newer}, {1, 90, older}, {8, 90, "lto"}})) == Version(12, 8));
  for (const std::string& unknown : {std::string(), std::string("text"), ptx_of("x"), ptx_of("1.0"), fatbin_of({}),
                                     std::string("\x7f"
                                                 "ELF"),
                                     fatbin_of({{2, 80, "damaged"}})})
    CHECK_FALSE(kiln::toolkit_version(unknown).has_value());
  if (const auto cubin = compile_fixture(source, "sm_90", Form::cubin)) {
    CHECK(kiln::toolkit_version(*cubin) == kiln::NvrtcLibrary::get().version_number());
    CHECK_FALSE(kiln::toolkit_version(cubin->substr(0, cubin->size() / 2)).has_value());
  }
}

}  // namespace read_fatbin_test
