#include "worker/pch/pch_record.hpp"

#include "cache/byte_io.hpp"

#include <string_view>
#include <utility>

namespace kiln {

namespace {

/// How a record spells what is no fault of the text.
constexpr std::pair<Counter, std::string_view> reasons[] = {{Counter::pch_refused_small, "small"},
                                                            {Counter::pch_refused_options, "options"}};

std::string_view text_of(Counter reason) {
  for (const auto& [counter, text] : reasons)
    if (counter == reason) return text;
  return {};
}

Counter reason_of(std::string_view text) {
  for (const auto& [counter, known] : reasons)
    if (known == text) return counter;
  return Counter::pch_refused_text;
}

std::string encode(const std::vector<FileQuestion>& questions) {
  std::string bytes;
  for (const FileQuestion& question : questions) {
    append_integer(bytes, static_cast<std::uint8_t>(question.answer));
    append_integer(bytes, static_cast<std::uint8_t>((question.opened ? 1 : 0) | (question.by_compiler ? 2 : 0)));
    bytes.append(question.content.value_or(Digest()).view());
    append_integer(bytes, static_cast<std::uint32_t>(question.path.size()));
    bytes.append(question.path);
  }
  return bytes;
}

std::optional<std::vector<FileQuestion>> decode(std::string_view bytes) {
  std::vector<FileQuestion> questions;
  ByteReader reader(bytes);
  while (reader.left() > 0) {
    const auto answer = reader.integer<std::uint8_t>();
    const auto flags = reader.integer<std::uint8_t>();
    const Digest content = reader.digest();
    const std::string_view path = reader.bytes(reader.integer<std::uint32_t>());
    if (reader.failed() || answer > static_cast<std::uint8_t>(FileQuestion::Answer::absent) || flags > 3)
      return std::nullopt;
    questions.push_back(
        {std::string(path), static_cast<FileQuestion::Answer>(answer), (flags & 1) != 0, (flags & 2) != 0});
    if (content != Digest()) questions.back().content = content;
  }
  return questions;
}

bool is_in_file(const PchImage& image, std::uint64_t file_size) {
  return image.offset <= file_size && image.size <= file_size - image.offset;
}

}  // namespace

Sections to_sections(const PchRecord& record) {
  std::string file(record.file.view());
  for (const std::uint64_t number : {record.size, record.image.offset, record.image.size}) append_integer(file, number);
  Sections sections;
  sections.add("precompiled header", file);
  sections.add("why there is none", record.why_no_file);
  sections.add("kind of reason", text_of(record.why));
  sections.add("questions 2", encode(record.questions));
  return sections;
}

std::optional<PchRecord> pch_record(const Sections& sections) {
  const auto file = sections.find("precompiled header");
  const auto questions = sections.find("questions 2");
  if (!file || !questions) return std::nullopt;
  PchRecord record;
  ByteReader reader(*file);
  record.file = reader.digest();
  for (std::uint64_t* number : {&record.size, &record.image.offset, &record.image.size})
    *number = reader.integer<std::uint64_t>();
  record.why_no_file = sections.find("why there is none").value_or("");
  record.why = reason_of(sections.find("kind of reason").value_or(""));
  auto decoded = decode(*questions);
  if (!reader.finished() || !decoded) return std::nullopt;
  // As much is written into NVRTC's heap: more than the file has may not fit.
  if (!is_in_file(record.image, record.size)) record.image = {};
  record.questions = *std::move(decoded);
  return record;
}

}  // namespace kiln
