#include "base/json_value.hpp"

#include "base/default_float_environment.hpp"
#include "base/json_object.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace kiln {

namespace {

[[noreturn]] void throw_no_json(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t column = before.size() - (before.rfind('\n') + 1);
  throw Error("it is no JSON: line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1));
}

}  // namespace

/// What the parser calls for each value; the open lists and objects are a stack.
class JsonReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  JsonValue take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON has none
  bool start_object(std::size_t) override { return open(JsonValue::Members()); }
  bool start_array(std::size_t) override { return open(JsonValue::List()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    auto& members = std::get<JsonValue::Members>(open_.back()->content_);
    const auto known = std::find_if(members.begin(), members.end(), [&](const auto& one) { return one.first == name; });
    const bool is_new = known == members.end();
    member_ = is_new ? &members.emplace_back(std::move(name), JsonValue(nullptr)).second : &known->second;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception& error) override {
    if (dynamic_cast<const nlohmann::json::parse_error*>(&error) != nullptr) throw_no_json(text_, byte);
    throw Error("it has a number that no double can hold");
  }

 private:
  JsonValue& place() {
    constexpr std::size_t deepest = 100;
    if (open_.size() > deepest) throw Error("its values are nested too deeply");
    if (open_.empty()) return root_;
    auto* const list = std::get_if<JsonValue::List>(&open_.back()->content_);
    return list != nullptr ? list->emplace_back(nullptr) : *member_;
  }
  bool add(JsonValue::Content content) {
    place().content_ = std::move(content);
    return true;
  }
  bool open(JsonValue::Content content) {
    open_.push_back(&place());
    open_.back()->content_ = std::move(content);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  JsonValue root_{nullptr};
  std::vector<JsonValue*> open_;  // none moves while it is open: only the innermost grows
  JsonValue* member_ = nullptr;   // the one whose value comes next
};

JsonValue parsed_json(std::string_view text) {
  const DefaultFloatEnvironment environment;  // 0.1 is the same number however the thread rounds
  JsonReader reader(text);
  nlohmann::json::sax_parse(text, &reader);
  return reader.take();
}

const char* JsonValue::type_name() const noexcept {
  if (is_number()) return "number";
  if (is<std::nullptr_t>()) return "null";
  if (is<bool>()) return "boolean";
  if (is<std::string>()) return "string";
  return is<List>() ? "array" : "object";
}

const JsonValue* JsonValue::find(std::string_view name) const noexcept {
  const auto* const members = std::get_if<Members>(&content_);
  if (members == nullptr) return nullptr;
  const auto found = std::find_if(members->begin(), members->end(), [&](const auto& one) { return one.first == name; });
  return found != members->end() ? &found->second : nullptr;
}

namespace {

std::string json_of(std::nullptr_t) { return "null"; }
std::string json_of(bool value) { return value ? "true" : "false"; }
std::string json_of(std::int64_t value) { return std::to_string(value); }
std::string json_of(std::uint64_t value) { return std::to_string(value); }
std::string json_of(double value) { return json_number(value); }
std::string json_of(const std::string& text) { return json_report_text(text); }
std::string json_of(const JsonValue::List& list) {
  std::vector<std::string> items;
  for (const JsonValue& item : list) items.push_back(item.json());
  return json_array(items);
}
std::string json_of(const JsonValue::Members& members) {
  JsonReport object;
  for (const auto& [name, value] : members) object.add_json(name, value.json());
  return object.text();
}

}  // namespace

std::string JsonValue::json() const {
  return std::visit([](const auto& content) { return json_of(content); }, content_);
}

void throw_other_json(const std::string& expected, const JsonValue& json) {
  throw Error(expected + " is expected, and there is " +
              (json.is_number() ? json.json() : "a value of type " + std::string(json.type_name())));
}

double json_double(const JsonValue& json) {
  if (const auto* const natural = std::get_if<std::uint64_t>(&json.content())) return static_cast<double>(*natural);
  if (const auto* const negative = std::get_if<std::int64_t>(&json.content())) return static_cast<double>(*negative);
  return json_content<double>(json, "a number");
}

const JsonValue& json_member(const JsonValue& object, const char* name) {
  if (!object.is<JsonValue::Members>()) throw_other_json("an object with \"" + std::string(name) + "\"", object);
  const JsonValue* const member = object.find(name);
  if (member == nullptr) throw Error("it has no \"" + std::string(name) + "\"");
  return *member;
}

const JsonValue::List& json_list(const JsonValue& object, const char* name) {
  const std::string expected = "a list as \"" + std::string(name) + "\"";
  return json_content<JsonValue::List>(json_member(object, name), expected.c_str());
}

const JsonValue& json_object(const JsonValue& object, const char* name) {
  const JsonValue& member = json_member(object, name);
  if (!member.is<JsonValue::Members>()) throw_other_json("an object as \"" + std::string(name) + "\"", member);
  return member;
}

const JsonValue::Members& json_members(const JsonValue& object, const char* name) {
  return std::get<JsonValue::Members>(json_object(object, name).content());
}

}  // namespace kiln
