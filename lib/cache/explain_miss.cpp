#include "cache/explain_miss.hpp"

#include "cache/history.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace kiln {

namespace {

History read_history(CacheFolder& folder, const CacheKey& key) {
  Sections sections;
  folder.read(EntryKind::history, key, sections);
  return History::decode(sections);
}

}  // namespace

void record_request(CacheFolder& folder, const std::string& name, const std::vector<KeyField>& request) try {
  if (!folder.is_writable()) return;
  const CacheKey key = History::key(name);
  History history = read_history(folder, key);
  if (history.add(request)) folder.publish(EntryKind::history, key, history.encode());
} catch (const std::exception&) {  // no memory
}

std::vector<std::string> explain_miss(CacheFolder& folder, const std::string& name,
                                      const std::vector<KeyField>& request) try {
  if (folder.state() != CacheFolder::State::good) return {};
  const auto nearest = read_history(folder, History::key(name)).nearest(request);
  if (!nearest) return {};
  std::vector<std::string> changes = describe_changes(*nearest, request);
  if (changes.empty()) changes = {"the request is as before: a header that it reads changed, or its entry was dropped"};
  return changes;
} catch (const std::exception&) {  // no memory
  return {};
}

namespace {

using Sentences = std::vector<std::string>;
using Items = std::vector<std::string>;

constexpr std::string_view digest_mark = "sha256:";
constexpr std::size_t longest_shown = 32;

bool worth_showing(const std::string& value) {
  return value.size() <= longest_shown && value.find(digest_mark) == std::string::npos;
}

std::string shown(const std::string& value) { return value.empty() ? "none" : value; }

std::string value_of(const KeyField& field) {
  std::string value;
  for (const std::string& item : field.items) value += (value.empty() ? "" : " ") + item;
  return value;
}

/// The name in "NAME=sha256:<hex>", or nothing.
std::string text_name(const std::string& item) {
  const std::size_t mark = item.rfind(digest_mark);
  if (mark == std::string::npos || mark == 0 || item[mark - 1] != '=') return {};
  return item.substr(0, mark - 1);
}

std::string item_title(const std::string& item) {
  const std::string name = text_name(item);
  return name.empty() ? item : name;
}

/// A list's items that the other list has too, and the others; both in order.
struct Split {
  Split(const Items& items, const Items& other) {
    std::multiset<std::string> left(other.begin(), other.end());
    for (const std::string& item : items) {
      const auto found = left.find(item);
      (found == left.end() ? rest : common).push_back(item);
      if (found != left.end()) left.erase(found);
    }
  }
  Items common;
  Items rest;
};

/// One item of a list has the label's singular: "options" and "option" both give "option -DN=4 is new".
std::string singular(const std::string& label) {
  return label.size() > 1 && label.back() == 's' ? label.substr(0, label.size() - 1) : label;
}

/// Takes out of both lists what is a text of the same name with another content, and adds a sentence for each.
void describe_changed_texts(const std::string& label, Items& gone, Items& added, Sentences& sentences) {
  for (auto old = gone.begin(); old != gone.end();) {
    const std::string name = text_name(*old);
    const auto fresh = std::find_if(added.begin(), added.end(),
                                    [&](const std::string& item) { return !name.empty() && text_name(item) == name; });
    if (fresh == added.end()) {
      ++old;
      continue;
    }
    sentences.push_back(std::string(label).append(" ").append(name).append(" changed"));
    added.erase(fresh);
    old = gone.erase(old);
  }
}

/// The name in "NAME=VALUE", and all of an item that has no value.
std::string value_name(const std::string& item) { return item.substr(0, item.find('=')); }

/// Takes out of both lists what is the same name with another value, where there is one of that name in each, and adds
/// a sentence for each.
void describe_changed_values(const std::string& title, Items& gone, Items& added, Sentences& sentences) {
  const auto count = [](const Items& items, const std::string& name) {
    return std::count_if(items.begin(), items.end(), [&](const std::string& item) { return value_name(item) == name; });
  };
  for (auto old = gone.begin(); old != gone.end();) {
    const std::string name = value_name(*old);
    const auto fresh =
        std::find_if(added.begin(), added.end(), [&](const std::string& item) { return value_name(item) == name; });
    const bool have_values = old->size() > name.size() && fresh != added.end() && fresh->size() > name.size();
    if (!have_values || count(gone, name) != 1 || count(added, name) != 1) {
      ++old;
      continue;
    }
    const std::string old_value = old->substr(name.size() + 1);
    const std::string new_value = fresh->substr(name.size() + 1);
    std::string sentence = title;
    sentence.append(" ").append(name).append(" changed");
    if (worth_showing(old_value) && worth_showing(new_value))
      sentence += " from " + shown(old_value) + " to " + shown(new_value);
    sentences.push_back(std::move(sentence));
    added.erase(fresh);
    old = gone.erase(old);
  }
}

void describe_list(const KeyField& before, const KeyField& now, Sentences& sentences) {
  Split old(before.items, now.items);
  Split fresh(now.items, before.items);
  const std::string title = singular(now.label);
  describe_changed_texts(title, old.rest, fresh.rest, sentences);
  describe_changed_values(title, old.rest, fresh.rest, sentences);
  for (const std::string& item : fresh.rest) sentences.push_back(title + " " + item_title(item) + " is new");
  for (const std::string& item : old.rest) sentences.push_back(title + " " + item_title(item) + " is gone");
  if (old.common != fresh.common) sentences.push_back("the order of the " + title + "s changed");
}

void describe_value(const KeyField& before, const KeyField& now, Sentences& sentences) {
  const std::string old_value = value_of(before);
  const std::string new_value = value_of(now);
  if (old_value == new_value) return;
  if (worth_showing(old_value) && worth_showing(new_value)) {
    sentences.push_back(now.label + " changed from " + shown(old_value) + " to " + shown(new_value));
  } else {
    sentences.push_back("the " + now.label + " changed");
  }
}

}  // namespace

Sentences describe_changes(const History::Request& before, const History::Request& now) {
  Sentences sentences;
  std::vector<bool> used(before.size());
  const auto earlier = [&](const KeyField& field) -> const KeyField* {
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (used[i] || before[i].label != field.label || before[i].is_list != field.is_list) continue;
      used[i] = true;
      return &before[i];
    }
    return nullptr;
  };
  for (const KeyField& field : now) {
    const KeyField* old = earlier(field);
    if (field.is_list) {
      describe_list(old != nullptr ? *old : KeyField{field.label, {}, true}, field, sentences);
    } else if (old == nullptr) {
      sentences.push_back("the " + field.label + " is new");
    } else {
      describe_value(*old, field, sentences);
    }
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (used[i]) continue;
    if (before[i].is_list) {
      describe_list(before[i], {before[i].label, {}, true}, sentences);
    } else {
      sentences.push_back("the " + before[i].label + " is gone");
    }
  }
  return sentences;
}

}  // namespace kiln
