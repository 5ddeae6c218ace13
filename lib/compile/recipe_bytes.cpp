#include "compile/recipe_bytes.hpp"

namespace kiln {

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
