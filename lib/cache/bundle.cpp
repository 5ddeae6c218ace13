#include "cache/bundle.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "cache/byte_io.hpp"
#include "cache/entry_content.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>

namespace kiln {

namespace {

constexpr std::string_view bundle_magic = "kilnpack";
constexpr std::uint32_t bundle_version = 2;
constexpr std::uint64_t bundle_header_size = 8 + 4;
constexpr std::uint64_t bundle_trailer_size = 8 + 8 + 16;
constexpr std::uint64_t max_bundled_size = std::uint64_t{2} << 30;

std::string integer_bytes(std::uint64_t value) {
  std::string bytes;
  append_integer(bytes, value);
  return bytes;
}

[[noreturn]] void refuse_output(const std::string& path, int code) {
  throw Error("cannot write " + path + ": " + std::generic_category().message(-code));
}

/// The path, where there is nothing or a regular file. Throws otherwise: a rename would replace a device by a file.
std::string replaceable(FileSystem& files, std::string path) {
  FileStatus status;
  int code = files.status(path, status);
  if (code == -ENOENT) return path;
  if (code == 0 && status.is_directory()) code = -EISDIR;
  if (code != 0) refuse_output(path, code);
  if (!status.is_regular()) throw Error("cannot write " + path + ": it is no regular file");
  return path;
}

}  // namespace

// 0666: the umask decides who may read the bundle.
BundleWriter::BundleWriter(FileSystem& files, std::string path)
    : path_(replaceable(files, std::move(path))), file_(files, folder_of_name(path_, "."), 0666) {
  check(file_.error());
  std::string header(bundle_magic);
  append_integer(header, bundle_version);
  write(header);
}

void BundleWriter::check(int code) const {
  if (code != 0) refuse_output(path_, code);
}

void BundleWriter::write(std::string_view bytes) {
  sum_.update(bytes);
  check(file_.write(bytes));
}

void BundleWriter::add(std::string_view entry_file) {
  write(integer_bytes(entry_file.size()));
  write(entry_file);
  ++count_;
}

void BundleWriter::finish() {
  write(integer_bytes(0) + integer_bytes(count_));
  check(file_.write(sum_.value().view()));
  check(file_.publish(path_));
}

BundleReader::BundleReader(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {
  open();
  check_all();
}

void BundleReader::refuse(int code) const {
  throw Error("cannot read " + path_ + ": " + std::generic_category().message(-code));
}

void BundleReader::damaged(std::uint64_t offset) const {
  throw Error(path_ + " is damaged at byte " + std::to_string(offset) + ": export it again");
}

void BundleReader::open() {
  // O_NONBLOCK: opening a pipe must not block.
  descriptor_ = OwnedDescriptor(files_.open(path_, O_RDONLY | O_NONBLOCK, 0));
  if (descriptor_.get() < 0) refuse(descriptor_.get());
  FileStatus status;
  int code = files_.status(descriptor_.get(), status);
  if (code == 0 && status.is_directory()) code = -EISDIR;
  if (code == 0 && status.is_regular()) {
    size_ = status.size;
    return;
  }
  if (code != 0) refuse(code);
  throw Error("cannot read " + path_ + ": it is no regular file, and a bundle is read twice");
}

// The caller has checked that the file is as long.
std::string BundleReader::bytes_at(std::uint64_t offset, std::uint64_t size) const {
  std::string bytes;
  const int code = read_part(files_, descriptor_.get(), offset, static_cast<std::size_t>(size), bytes);
  if (code != 0) refuse(code);
  if (bytes.size() < size) damaged(offset + bytes.size());  // the file became shorter meanwhile
  return bytes;
}

void BundleReader::check_all() {
  const std::string front = bytes_at(0, std::min(size_, bundle_header_size));
  ByteReader header(front);
  if (header.bytes(bundle_magic.size()) != bundle_magic)
    throw Error(path_ + " is no bundle of a Kiln cache: one is made by kiln cache export");
  const auto version = header.integer<std::uint32_t>();
  if (header.failed()) damaged(size_);
  if (version != bundle_version)
    throw Error(path_ + " is a bundle of format " + std::to_string(version) + ", and this Kiln reads format " +
                std::to_string(bundle_version) + ": export it again with the same Kiln that imports it");
  RunningDigest sum;
  sum.update(front);
  std::uint64_t offset = bundle_header_size;
  while (true) {
    if (size_ - offset < bundle_trailer_size) damaged(size_);
    const std::uint64_t left = size_ - offset - bundle_trailer_size;
    const std::string size_bytes = bytes_at(offset, 8);
    const auto size = ByteReader(size_bytes).integer<std::uint64_t>();
    if (size == 0) break;
    if (size > max_bundled_size || left < 8 || size > left - 8) damaged(offset);
    std::string bytes = bytes_at(offset + 8, size);
    sum.update(size_bytes);
    sum.update(bytes);
    items_.push_back(check_item(offset + 8, size, std::move(bytes)));
    offset += 8 + size;
  }
  const std::string trailer = bytes_at(offset, bundle_trailer_size);
  ByteReader reader(trailer);
  sum.update(reader.bytes(8 + 8));
  if (reader.bytes(16) != sum.value().view() || size_ != offset + bundle_trailer_size) damaged(offset);
  if (ByteReader(std::string_view(trailer).substr(8)).integer<std::uint64_t>() != items_.size()) damaged(offset + 8);
}

BundleReader::Item BundleReader::check_item(std::uint64_t offset, std::uint64_t size, std::string bytes) const {
  const std::optional<EntryName> name = entry_name(bytes);
  if (!name) damaged(offset);
  const std::optional<Sections> sections = decode_entry(name->kind, name->key, std::move(bytes));
  if (!sections || name->kind == EntryKind::history || name->kind == EntryKind::tree || is_bare(name->kind) ||
      !makes_sense(*name, *sections))
    damaged(offset);
  return {*name, offset, size};
}

Sections BundleReader::read(const Item& item) const {
  std::optional<Sections> sections = decode_entry(item.name.kind, item.name.key, bytes_at(item.offset, item.size));
  if (!sections) damaged(item.offset);  // the file changed meanwhile
  return std::move(*sections);
}

}  // namespace kiln
