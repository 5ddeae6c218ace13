#include "cache/bundle.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "cache/byte_io.hpp"
#include "cache/entry_content.hpp"
#include "cache/signing/signed_message.hpp"

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
constexpr std::uint32_t bundle_version = 4;
constexpr std::uint32_t signed_bundle_version = 5;
constexpr std::uint64_t bundle_header_size = 8 + 4;
constexpr std::uint64_t bundle_trailer_size = 8 + 8 + sizeof(Checksum);
constexpr std::uint64_t bundle_signature_size = sizeof(KeyId) + sizeof(Ed25519Signature);
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

void BundleContent::add(std::string_view bytes) {
  sum_.update(bytes);
  size_ += bytes.size();
}

void BundleContent::add_entry(std::uint64_t size, const Digest& digest) {
  sum_.update(digest.view());
  size_ += size;
}

std::string BundleContent::message() const { return signed_message(SignedAs::bundle, {}, {}, size_, sum_.value()); }

// 0666: the umask decides who may read the bundle.
BundleWriter::BundleWriter(FileSystem& files, std::string path, const SigningKey* key)
    : path_(replaceable(files, std::move(path))), file_(files, folder_of_name(path_, "."), 0666), key_(key) {
  check(file_.error());
  if (key_ != nullptr) content_.emplace();
  std::string header(bundle_magic);
  append_integer(header, key_ != nullptr ? signed_bundle_version : bundle_version);
  write_frame(header);
}

void BundleWriter::check(int code) const {
  if (code != 0) refuse_output(path_, code);
}

void BundleWriter::write(std::string_view bytes) {
  sum_.update(bytes);
  check(file_.write(bytes));
}

void BundleWriter::write_frame(std::string_view bytes) {
  write(bytes);
  if (content_) content_->add(bytes);
}

void BundleWriter::add(std::string_view entry_file) {
  write_frame(integer_bytes(entry_file.size()));
  write(entry_file);
  if (content_) content_->add_entry(entry_file.size(), digest_of(entry_file));
  ++count_;
}

void BundleWriter::finish() {
  write_frame(integer_bytes(0) + integer_bytes(count_));
  write_frame(sum_.value().view());
  if (content_) write(std::string(key_->id().view()).append(key_->sign(content_->message()).view()));
  check(file_.publish(path_));
}

BundleReader::BundleReader(FileSystem& files, std::string path, const PublicKeys* keys)
    : files_(files), path_(std::move(path)), keys_(keys) {
  if (keys_ != nullptr) content_.emplace();
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

std::uint32_t BundleReader::check_version(ByteReader& header) const {
  if (header.bytes(bundle_magic.size()) != bundle_magic)
    throw Error(path_ + " is no bundle of a Kiln cache: one is made by kiln cache export");
  const auto version = header.integer<std::uint32_t>();
  if (header.failed()) damaged(size_);
  if (version != bundle_version && version != signed_bundle_version)
    throw Error(path_ + " is a bundle of format " + std::to_string(version) + ", and this Kiln reads formats " +
                std::to_string(bundle_version) + " and " + std::to_string(signed_bundle_version) +
                ": export it again with the same Kiln that imports it");
  if (version == bundle_version && keys_ != nullptr)
    throw Error(
        path_ + " is not signed, and public keys are given (KILN_CACHE_PUBLIC_KEYS), so that only what one of " +
        "them signed is taken: kiln cache export --sign makes it so, and kiln cache import --unsigned takes it " +
        "as it is");
  return version;
}

void BundleReader::check_all() {
  const std::string front = bytes_at(0, std::min(size_, bundle_header_size));
  ByteReader header(front);
  const bool is_signed = check_version(header) == signed_bundle_version;
  const std::uint64_t end_size = bundle_trailer_size + (is_signed ? bundle_signature_size : 0);
  RunningChecksum sum;
  // What the signature is over, but for the entries.
  const auto take = [&](std::string_view bytes) {
    sum.update(bytes);
    if (content_) content_->add(bytes);
  };
  take(front);
  std::uint64_t offset = bundle_header_size;
  while (true) {
    if (size_ - offset < end_size) damaged(size_);
    const std::uint64_t left = size_ - offset - end_size;
    const std::string size_bytes = bytes_at(offset, 8);
    const auto size = ByteReader(size_bytes).integer<std::uint64_t>();
    if (size == 0) break;
    if (size > max_bundled_size || left < 8 || size > left - 8) damaged(offset);
    std::string bytes = bytes_at(offset + 8, size);
    take(size_bytes);
    sum.update(bytes);
    items_.push_back(check_item(offset + 8, size, std::move(bytes)));
    offset += 8 + size;
  }
  const std::string end = bytes_at(offset, end_size);
  ByteReader reader(end);
  take(reader.bytes(8 + 8));
  const std::string_view checksum = reader.bytes(sizeof(Checksum));
  if (checksum != sum.value().view() || size_ != offset + end_size) damaged(offset);
  if (ByteReader(std::string_view(end).substr(8)).integer<std::uint64_t>() != items_.size()) damaged(offset + 8);
  if (!content_) return;
  content_->add(checksum);
  check_signature(std::string_view(end).substr(bundle_trailer_size));
}

void BundleReader::check_signature(std::string_view bytes) {
  ByteReader reader(bytes);
  const KeyId id = crypto_bytes<KeyId>(reader);
  const auto signature = crypto_bytes<Ed25519Signature>(reader);
  if (keys_->verify(content_->message(), signature, id)) return;
  throw Error(path_ + " is not signed by a key that is given (KILN_CACHE_PUBLIC_KEYS): it names the key " +
              hex_text(id.view()) + ". Ask who made it for their .pub file, and whether it is theirs");
}

BundleReader::Item BundleReader::check_item(std::uint64_t offset, std::uint64_t size, std::string bytes) {
  const std::optional<EntryName> name = entry_name(bytes);
  if (!name) damaged(offset);
  const Digest content = content_ ? digest_of(bytes) : Digest{};
  if (content_) content_->add_entry(size, content);
  const std::optional<Sections> sections = decode_entry(name->kind, name->key, std::move(bytes));
  if (!sections || name->kind == EntryKind::history || name->kind == EntryKind::tree || is_bare(name->kind) ||
      !makes_sense(*name, *sections))
    damaged(offset);
  return {*name, offset, size, content};
}

Sections BundleReader::read(const Item& item) const {
  std::string bytes = bytes_at(item.offset, item.size);
  // The file may have changed meanwhile, and who changed it can make any checksum fit.
  if (content_ && digest_of(bytes) != item.content) damaged(item.offset);
  std::optional<Sections> sections = decode_entry(item.name.kind, item.name.key, std::move(bytes));
  if (!sections) damaged(item.offset);
  return std::move(*sections);
}

}  // namespace kiln
