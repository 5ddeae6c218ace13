// A record as texts, for comparisons.
#pragma once

#include "worker/recording/file_record.hpp"

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>

namespace kiln::test {

/// "name answer" or "name answer read" for each question about something below the folder.
inline std::set<std::string> questions_below(const FileRecord& record, const std::filesystem::path& folder) {
  constexpr const char* answers[] = {"file", "folder", "other", "unreadable", "absent"};
  std::set<std::string> questions;
  for (const FileQuestion& question : record.questions) {
    if (!question.path.starts_with(folder.string())) continue;
    std::string text = question.path.substr(folder.string().size());
    if (text.starts_with("/")) text.erase(0, 1);
    if (const std::size_t at = text.find("././"); at != text.npos) text.erase(at, 4);  // asked from the working folder
    text.append(" ").append(answers[static_cast<int>(question.answer)]);
    questions.insert(question.opened ? text + " read" : text);
  }
  return questions;
}

}  // namespace kiln::test
