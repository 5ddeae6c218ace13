#include "compile/compiler/odd_character.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace kiln {

namespace {

struct Odd {
  std::uint32_t first, last;
  const char* name;
  const char* instead;
};
constexpr const char* blank = "a plain blank";
constexpr const char* nothing = "nothing in its place";
constexpr std::array odd_characters{
    Odd{0x00A0, 0x00A0, "a no-break space", blank},
    Odd{0x00AD, 0x00AD, "a soft hyphen", nothing},
    Odd{0x00B2, 0x00B3, "a superscript number", "a product"},
    Odd{0x00B7, 0x00B7, "a middle dot", "*"},
    Odd{0x00D7, 0x00D7, "a multiplication sign", "*"},
    Odd{0x00F7, 0x00F7, "a division sign", "/"},
    Odd{0x037E, 0x037E, "a Greek question mark", ";"},
    Odd{0x1680, 0x1680, "a space mark", blank},
    Odd{0x2000, 0x200A, "a typographic space", blank},
    Odd{0x200B, 0x200F, "an invisible character", nothing},
    Odd{0x2010, 0x2015, "a typographic dash", "-"},
    Odd{0x2018, 0x201B, "a typographic single quote", "'"},
    Odd{0x201C, 0x201F, "a typographic double quote", "\""},
    Odd{0x2026, 0x2026, "an ellipsis", "..."},
    Odd{0x2028, 0x2029, "a line separator", "a new line"},
    Odd{0x202A, 0x202E, "an invisible character", nothing},
    Odd{0x202F, 0x202F, "a narrow no-break space", blank},
    Odd{0x205F, 0x205F, "a mathematical space", blank},
    Odd{0x2060, 0x206F, "an invisible character", nothing},
    Odd{0x2212, 0x2212, "a Unicode minus sign", "-"},
    Odd{0x2217, 0x2217, "an asterisk operator", "*"},
    Odd{0x2260, 0x2260, "a sign", "!="},
    Odd{0x2264, 0x2264, "a sign", "<="},
    Odd{0x2265, 0x2265, "a sign", ">="},
    Odd{0x3000, 0x3000, "an ideographic space", blank},
    Odd{0xFEFF, 0xFEFF, "a byte order mark", nothing},
    Odd{0xFF01, 0xFF5E, "a full-width character", "the ASCII one"},
    Odd{0xFFFD, 0xFFFD, "a replacement character", "what was meant"},
};

std::string code_text(std::uint32_t code) {
  std::string digits;
  for (int shift = code > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) digits += "0123456789ABCDEF"[code >> shift & 0xF];
  return "U+" + digits;
}

}  // namespace

std::string odd_character_text(std::string_view line, int number, std::size_t from) {
  std::size_t column = 1;
  for (std::size_t at = 0; at < line.size(); ++column) {
    const Utf8Character character = first_character(line.substr(at));
    if (character.length > 1 && at >= from) {
      const auto known = std::find_if(odd_characters.begin(), odd_characters.end(), [&](const Odd& odd) {
        return odd.first <= character.code && character.code <= odd.last;
      });
      if (known != odd_characters.end())
        return "Character " + std::to_string(column) + " of line " + std::to_string(number) + " is " + known->name +
               " (" + code_text(character.code) + "), which no compiler takes: write " + known->instead + ".";
    }
    at += std::max<std::size_t>(character.length, 1);
  }
  return {};
}

std::string zero_byte_text(const std::string& title, std::string_view text) {
  const auto zeros = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\0'));
  const bool has_mark = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  if (has_mark || zeros >= text.size() / 3 + 1)  // Of UTF-16, every second byte of what is ASCII.
    return title + " is not UTF-8: it seems to be UTF-16, of which every second byte is zero. Save it as UTF-8";
  const std::string_view before = text.substr(0, text.find('\0'));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t character = before.size() - (before.rfind('\n') + 1) + 1;
  return title + " holds a zero byte (U+0000) as byte " + std::to_string(character) + " of line " +
         std::to_string(line) + ", where the compiler would stop reading: remove it";
}

}  // namespace kiln
