#include "toolkit/locate/library_identity.hpp"

#include "base/files.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "toolkit/image/byte_reader.hpp"

#include <elf.h>
#include <fcntl.h>
#include <kiln/error.hpp>

#include <map>
#include <utility>

namespace kiln {
namespace {

[[noreturn]] void unreadable(const std::string& path, std::ptrdiff_t error) {
  throw Error("the compiler library " + path + " cannot be read: " + std::strerror(static_cast<int>(-error)));
}

class OpenFile {
 public:
  OpenFile(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {
    descriptor_ = files_.open(path_, O_RDONLY, 0);
    if (descriptor_ < 0) unreadable(path_, descriptor_);
  }
  ~OpenFile() { files_.close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// As many of the bytes as the file has.
  std::string read(std::uint64_t offset, std::size_t size) const {
    std::string bytes;
    if (const int code = read_part(files_, descriptor_, offset, size, bytes); code != 0) unreadable(path_, code);
    return bytes;
  }

  std::string digest() const {
    Digest digest;
    if (const int code = digest_file(files_, descriptor_, digest); code != 0) unreadable(path_, code);
    return digest.hex();
  }

  FileStatus status() const {
    FileStatus status;
    const int result = files_.status(descriptor_, status);
    if (result < 0) unreadable(path_, result);
    return status;
  }

 private:
  FileSystem& files_;
  std::string path_;
  int descriptor_ = -1;
};

// The build id among the notes of one segment, empty where there is none.
std::string build_id_in(std::string_view notes) {
  const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
  std::uint64_t offset = 0;
  while (offset + sizeof(Elf64_Nhdr) <= notes.size()) {
    const auto note = value_at<Elf64_Nhdr>(notes, offset);
    offset += sizeof note;
    const std::string_view name = bytes_at(notes, offset, note.n_namesz);
    offset += padded(note.n_namesz);
    const std::string_view content = bytes_at(notes, offset, note.n_descsz);
    offset += padded(note.n_descsz);
    if (note.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU", 4)) return hex_text(content);
  }
  return {};
}

std::string find_build_id(const OpenFile& file) {
  constexpr std::size_t usual_headers = 4096;  // and the notes, in most libraries
  constexpr std::uint64_t largest_note = 65536;
  const std::string head = file.read(0, usual_headers);
  const auto header = value_at<Elf64_Ehdr>(head, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_phentsize != sizeof(Elf64_Phdr))
    return {};
  const auto bytes_of = [&](std::uint64_t offset, std::uint64_t size) {
    const bool in_head = offset <= head.size() && size <= head.size() - offset;
    return in_head ? head.substr(offset, size) : file.read(offset, size);
  };
  const std::string table = bytes_of(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr));
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = value_at<Elf64_Phdr>(table, i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_NOTE || segment.p_filesz > largest_note) continue;
    const std::string id = build_id_in(bytes_of(segment.p_offset, segment.p_filesz));
    if (!id.empty()) return id;
  }
  return {};
}

struct Memo {
  ForkSafeMutex mutex;
  std::map<std::pair<std::string, FileState>, std::string> digests;  // by path and state
};

// A library of a hundred megabytes is read once.
std::string remembered_digest(const OpenFile& file, const std::string& path) {
  auto& memo = fork_safe_instance<Memo>();
  const std::pair key(path, file.status().state());
  {
    const std::lock_guard lock(memo.mutex);
    const auto found = memo.digests.find(key);
    if (found != memo.digests.end()) return found->second;
  }
  const std::string digest = file.digest();
  const std::lock_guard lock(memo.mutex);
  memo.digests[key] = digest;
  return digest;
}

}  // namespace

std::string library_identity(FileSystem& files, const std::string& path) {
  const OpenFile file(files, path);
  std::string id;
  try {
    id = find_build_id(file);
  } catch (const Error&) {
    // Headers that do not fit the file: its content is its identity.
  }
  return id.empty() ? "sha256:" + remembered_digest(file, path) : "build-id:" + id;
}

}  // namespace kiln
