// Code with all that belongs to it as bytes: CodeObject::serialize and deserialize, save and load.
//
//   magic "kilncode" | u32 version | encode_unnamed() (cache/entry.hpp) of a cache entry's sections, with "full name"
//   and "recipe"
//
// A change of any of this, of the recipe's members too, is another version. tests/golden/saved_code has a file of each.
#include "compile/saved_code.hpp"

#include "base/files.hpp"
#include "base/passkey.hpp"
#include "cache/byte_io.hpp"
#include "compile/code/code_sections.hpp"

#include <kiln/code_object.hpp>
#include <kiln/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace kiln {

namespace {

constexpr std::string_view saved_magic = "kilncode";
constexpr std::uint32_t saved_version = 3;

[[noreturn]] void throw_damaged(const std::string& what) {
  throw Error(what + " is saved code that was damaged: save it again");
}

/// What stands behind magic and version.
std::string_view saved_entry(std::string_view bytes, const std::string& what) {
  ByteReader reader(bytes);
  if (reader.bytes(saved_magic.size()) != saved_magic)
    throw Error(what + " is no code that CodeObject::save or serialize made; Module::from_file and from_bytes take " +
                "cubins, PTX and fatbins");
  const auto version = reader.integer<std::uint32_t>();
  if (reader.failed()) throw_damaged(what);
  if (version != saved_version)
    throw Error(what + " is saved code of format " + std::to_string(version) + ", and this Kiln reads format " +
                std::to_string(saved_version) + ": save it again with the same Kiln that loads it");
  return bytes.substr(bytes.size() - reader.left());
}

Sections saved_sections(std::string_view bytes, const std::string& what) {
  auto sections = decode_unnamed(std::string(saved_entry(bytes, what)));
  if (!sections) throw_damaged(what);
  return *std::move(sections);
}

std::string as_saved(const Sections& sections) {
  std::string bytes(saved_magic);
  append_integer(bytes, saved_version);
  return bytes + encode_unnamed(sections);
}

}  // namespace

std::shared_ptr<CodeData> load_saved_code(std::string_view bytes, const std::string& what) {
  Sections sections = saved_sections(bytes, what);
  const auto name = sections.find("full name");
  const auto recipe = sections.find("recipe");
  if (!name) throw_damaged(what);
  std::string own_name(*name);
  std::shared_ptr<const Recipe> made_of = recipe ? decode_recipe(*recipe) : nullptr;
  if (recipe && !made_of) throw_damaged(what);
  std::shared_ptr<CodeData> code = from_sections(std::move(sections));
  if (!code) throw_damaged(what);
  code->name = std::move(own_name);
  code->recipe = std::move(made_of);
  return code;
}

std::string save_recipe(const Recipe& recipe) {
  Sections sections;
  sections.add("recipe", encode_recipe(recipe));
  return as_saved(sections);
}

std::shared_ptr<const Recipe> load_saved_recipe(std::string_view bytes, const std::string& what) {
  const Sections sections = saved_sections(bytes, what);
  const auto recipe = sections.find("recipe");
  std::shared_ptr<const Recipe> read = recipe ? decode_recipe(*recipe) : nullptr;
  if (!read) throw_damaged(what);
  return read;
}

std::string CodeObject::serialize() const {
  Sections sections = to_sections(*data_);
  sections.add("full name", data_->name);
  if (data_->recipe) sections.add("recipe", encode_recipe(*data_->recipe));
  return as_saved(sections);
}

CodeObject CodeObject::deserialize(std::string_view bytes) {
  return {passkey, load_saved_code(bytes, "a text of " + std::to_string(bytes.size()) + " bytes"), false};
}

void CodeObject::save(const std::filesystem::path& file) const {
  const int code = write_named_file(file.string(), serialize());
  if (code != 0)
    throw Error("cannot save code in " + file.string() + ": " + std::generic_category().message(-code) +
                ". Check the folder and its permissions");
}

CodeObject CodeObject::load(const std::filesystem::path& file) {
  return {passkey, load_saved_code(read_named_file(file.string()), file.string()), false};
}

std::string encode_recipe(const Recipe& recipe) {
  WireWriter out;
  out(recipe.source);
  put_options(out, compile_option_rows, recipe.options);
  return out.take();
}

std::shared_ptr<const Recipe> decode_recipe(std::string_view bytes) {
  auto recipe = std::make_shared<Recipe>();
  WireReader in(bytes);
  in(recipe->source);
  return get_options(in, compile_option_rows, recipe->options) ? recipe : nullptr;
}

}  // namespace kiln
