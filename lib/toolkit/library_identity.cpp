#include "toolkit/library_identity.hpp"

#include "base/digest.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "toolkit/byte_reader.hpp"

#include <elf.h>
#include <fcntl.h>
#include <kiln/error.hpp>

#include <algorithm>
#include <cerrno>
#include <map>
#include <tuple>
#include <vector>

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
  std::string read_at(std::uint64_t offset, std::size_t size) const {
    std::string bytes(size, '\0');
    std::size_t have = 0;
    while (have < size) {
      const std::ptrdiff_t count =
          files_.read_at(descriptor_, bytes.data() + have, size - have, static_cast<std::int64_t>(offset + have));
      if (count < 0) unreadable(path_, count);
      if (count == 0) break;
      have += static_cast<std::size_t>(count);
    }
    bytes.resize(have);
    return bytes;
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

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto value = static_cast<unsigned char>(c);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

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
    if (note.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU", 4)) return hex(content);
  }
  return {};
}

std::string find_build_id(const OpenFile& file) {
  constexpr std::size_t usual_headers = 4096;  // and the notes, in most libraries
  constexpr std::uint64_t largest_note = 65536;
  const std::string head = file.read_at(0, usual_headers);
  const auto header = value_at<Elf64_Ehdr>(head, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_phentsize != sizeof(Elf64_Phdr))
    return {};
  const auto bytes_of = [&](std::uint64_t offset, std::uint64_t size) {
    const bool in_head = offset <= head.size() && size <= head.size() - offset;
    return in_head ? head.substr(offset, size) : file.read_at(offset, size);
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

std::string content_digest(const OpenFile& file) {
  constexpr std::size_t chunk_size = std::size_t{1} << 20;
  Sha256 digest;
  for (std::uint64_t offset = 0;;) {
    const std::string chunk = file.read_at(offset, chunk_size);
    digest.update(chunk);
    offset += chunk.size();
    if (chunk.size() < chunk_size) return digest.finish().hex();
  }
}

using FileKey = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::int64_t, std::int64_t>;

struct Memo {
  ForkSafeMutex mutex;
  std::map<FileKey, std::string> digests;
};

// A library of a hundred megabytes is read once.
std::string remembered_digest(const OpenFile& file, const std::string& path) {
  auto& memo = fork_safe_instance<Memo>();
  const FileStatus status = file.status();
  const FileKey key(path, status.device, status.inode, status.size, status.mtime_ns, status.ctime_ns);
  {
    const std::lock_guard lock(memo.mutex);
    const auto found = memo.digests.find(key);
    if (found != memo.digests.end()) return found->second;
  }
  const std::string digest = content_digest(file);
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
    // Headers that do not fit the file: its content tells what it is.
  }
  return id.empty() ? "sha256:" + remembered_digest(file, path) : "build-id:" + id;
}

}  // namespace kiln
