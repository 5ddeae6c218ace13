// What embed_stand_ins.py makes of the files in stand_ins/.
#pragma once

#include <cstddef>

namespace kiln {

struct StandInText {
  const char* name;
  const char* text;
};

extern const StandInText stand_in_texts[];
extern const std::size_t stand_in_text_count;
extern const char* const stand_in_digest;

}  // namespace kiln
