#include "toolkit/locate/library_identity.hpp"

#include <doctest/doctest.h>
#include <elf.h>
#include <kiln/error.hpp>

#include <cstring>
#include <optional>

#include "fault_file_system.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"
#include "toolkit/locate/toolkit.hpp"

namespace library_identity_test {

using kiln::FileSystem;
using kiln::library_identity;

namespace {

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// An ELF file that is headers and notes only; the notes lie at `note_offset`.
std::string elf_with_note(const std::string& owner, std::uint32_t type, const std::string& content,
                          std::size_t note_offset = 64 + 2 * sizeof(Elf64_Phdr)) {
  std::string note;
  append(note, Elf64_Nhdr{static_cast<Elf64_Word>(owner.size() + 1), static_cast<Elf64_Word>(content.size()), type});
  note += owner + '\0';
  note.resize((note.size() + 3) / 4 * 4);
  note += content;

  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  Elf64_Phdr load = {};
  load.p_type = PT_LOAD;
  Elf64_Phdr notes = {};
  notes.p_type = PT_NOTE;
  notes.p_offset = note_offset;
  notes.p_filesz = note.size();
  std::string bytes;
  append(bytes, header);
  append(bytes, load);
  append(bytes, notes);
  bytes.resize(note_offset);
  return bytes + note;
}

}  // namespace

TEST_CASE("the build id, wherever it lies") {
  const kiln::test::ScratchFolder scratch;
  const std::string id = "\x01\xab\xff";
  const auto near = scratch.write("near.so", elf_with_note("GNU", NT_GNU_BUILD_ID, id));
  const auto far = scratch.write("far.so", elf_with_note("GNU", NT_GNU_BUILD_ID, id, 100000));
  CHECK(library_identity(FileSystem::real(), near) == "build-id:01abff");
  CHECK(library_identity(FileSystem::real(), far) == "build-id:01abff");
}

TEST_CASE("the same content has the same identity everywhere, another content another") {
  const kiln::test::ScratchFolder scratch;
  const std::string one = elf_with_note("GNU", NT_GNU_ABI_TAG, "abcd");
  const auto a = scratch.write("a.so", one);
  const auto b = scratch.write("b.so", one);
  const std::string identity = library_identity(FileSystem::real(), a);
  CHECK(identity.compare(0, 7, "sha256:") == 0);
  CHECK(identity.size() == 7 + 64);
  CHECK(library_identity(FileSystem::real(), b) == identity);
  scratch.write("b.so", one + "x");
  CHECK(library_identity(FileSystem::real(), b) != identity);
  CHECK(library_identity(FileSystem::real(), scratch.write("c.so", elf_with_note("XYZ", NT_GNU_BUILD_ID, "abcd"))) !=
        identity);
  // SHA-256 of nothing.
  CHECK(library_identity(FileSystem::real(), scratch.write("empty.so", "")) ==
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("a large file without a build id is read once") {
  const kiln::test::ScratchFolder scratch;
  struct Counting : FileSystem {
    std::size_t bytes_read = 0;
    std::ptrdiff_t do_read_at(int descriptor, void* buffer, std::size_t size, std::int64_t offset) override {
      const std::ptrdiff_t count = FileSystem::do_read_at(descriptor, buffer, size, offset);
      if (count > 0) bytes_read += static_cast<std::size_t>(count);
      return count;
    }
  } files;
  const auto path = scratch.write("large.so", std::string(3'000'000, 'x'));
  const std::string identity = library_identity(files, path);
  CHECK(files.bytes_read > 3'000'000);
  files.bytes_read = 0;
  CHECK(library_identity(files, path) == identity);
  CHECK(files.bytes_read < 10'000);
}

TEST_CASE("truncated and damaged files have an identity, too") {
  const kiln::test::ScratchFolder scratch;
  const std::string whole = elf_with_note("GNU", NT_GNU_BUILD_ID, "0123456789");
  for (std::size_t size = 0; size < whole.size(); size += 5)
    CHECK(library_identity(FileSystem::real(), scratch.write("cut.so", whole.substr(0, size))).size() > 7);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(~flipped[at]);
    CHECK(library_identity(FileSystem::real(), scratch.write("flipped.so", flipped)).size() > 7);
  }
}

TEST_CASE("a file that cannot be read is named") {
  const std::string message =
      kiln::test::message_of<kiln::Error>([] { library_identity(FileSystem::real(), "/nowhere/libnvrtc.so.13"); });
  CHECK(kiln::test::contains(message, "/nowhere/libnvrtc.so.13"));
  CHECK(kiln::test::contains(message, "No such file"));
}

TEST_CASE("the installed NVRTC has a build id") {
  const kiln::Toolkit& toolkit = kiln::current_toolkit();
  if (!toolkit.nvrtc) {
    MESSAGE("no NVRTC on this machine");
    return;
  }
  const std::string identity = library_identity(FileSystem::real(), *toolkit.nvrtc);
  CHECK(identity.compare(0, 9, "build-id:") == 0);
  CHECK(identity.size() > 9 + 16);
}

}  // namespace library_identity_test
