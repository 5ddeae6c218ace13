#include "toolkit/image/code_info.hpp"
#include "toolkit/image/fatbin_view.hpp"
#include "toolkit/image/parameter_kinds.hpp"

#include <algorithm>
#include <unordered_map>

namespace kiln {
namespace {

ImageInfo read_entry(const FatbinEntry& entry) {
  ImageInfo image;
  image.arch = entry.arch;
  image.size = entry.size;
  if (entry.kind != FatbinEntry::cubin && entry.kind != FatbinEntry::ptx) {
    image.kind = entry.kind == FatbinEntry::ltoir ? "ltoir" : "kind " + std::to_string(entry.kind);
    return image;
  }
  const bool is_cubin = entry.kind == FatbinEntry::cubin;
  image.kind = is_cubin ? "cubin" : "ptx";
  const std::string unpacked =
      entry.packing == Packing::none ? std::string() : unpack(entry.packing, entry.bytes, entry.size);
  const std::string_view code = entry.packing == Packing::none ? entry.bytes : std::string_view(unpacked);
  image.info = is_cubin ? read_cubin(code) : read_ptx(code);
  return image;
}

class Merge {
 public:
  void add(const CodeInfo& info) {
    for (const KernelInfo& kernel : info.kernels) add(kernel);
    for (const std::string& name : info.globals)
      if (globals_.emplace(name, 0).second) result_.globals.push_back(name);
  }
  CodeInfo take() { return std::move(result_); }

 private:
  void add(const KernelInfo& kernel) {
    const auto [place, is_new] = kernels_.emplace(kernel.name, result_.kernels.size());
    if (is_new) return result_.kernels.push_back(kernel);
    add_kinds(result_.kernels[place->second], parameter_kinds_of({{}, {kernel}, {}}));
    std::vector<std::string>& known = result_.kernels[place->second].architectures;
    for (const std::string& arch : kernel.architectures)
      if (std::find(known.begin(), known.end(), arch) == known.end()) known.push_back(arch);
  }

  CodeInfo result_;
  std::unordered_map<std::string, std::size_t> kernels_;
  std::unordered_map<std::string, int> globals_;
};

}  // namespace

std::vector<ImageInfo> read_fatbin_images(std::string_view bytes) {
  std::vector<ImageInfo> images;
  for (const FatbinEntry& entry : fatbin_entries(bytes)) images.push_back(read_entry(entry));
  return images;
}

CodeInfo merge_images(const std::vector<ImageInfo>& images) {
  Merge merge;
  // Machine code has more figures than PTX.
  for (const bool machine_code : {true, false})
    for (const ImageInfo& image : images)
      if ((image.kind == "cubin") == machine_code) merge.add(image.info);
  CodeInfo info = merge.take();
  for (const ImageInfo& image : images) info.arch += (info.arch.empty() ? "" : ",") + image.arch;
  return info;
}

CodeInfo read_fatbin(std::string_view bytes) { return merge_images(read_fatbin_images(bytes)); }

}  // namespace kiln
