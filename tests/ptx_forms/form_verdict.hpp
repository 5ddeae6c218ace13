// The verdict of the emulator's loader on one PTX statement.
#pragma once

#include "emulator/core/call_error.hpp"
#include "emulator/lowering/image.hpp"
#include "emulator/lowering/unsupported.hpp"
#include "emulator/ptx/parse.hpp"

#include <charconv>
#include <string>
#include <string_view>

namespace kiln::emulator::test {

struct FormVerdict {
  enum class Kind { runs, unsupported, refused };
  Kind kind = Kind::runs;
  std::string why;

  const char* word() const {
    if (kind == Kind::runs) return "runs";
    return kind == Kind::unsupported ? "unsupported" : "refused";
  }
};

inline unsigned sm_of(std::string_view target) {
  unsigned number = 0;
  std::from_chars(target.data() + 3, target.data() + target.size(), number);
  return number;
}

/// In the same kernel as ask_ptxas.py gives ptxas.
inline std::string form_module(const std::string& statement, const std::string& target, const std::string& version) {
  return ".version " + version + "\n.target " + target +
         "\n.address_size 64\n"
         ".global .align 16 .b8 g[64]; .const .align 16 .b8 c[64];\n"
         ".func (.param .b32 r) f(.param .b32 a) { ret; }\n"
         ".visible .entry k(.param .u64 p)\n{\n"
         ".reg .pred %p<20>; .reg .b8 %b<20>; .reg .b16 %h<20>; .reg .u16 %hu<20>; .reg .s16 %hs<20>; .reg .f16 "
         "%hf<20>; .reg .f16x2 %hx<20>; .reg .b32 %r<50>; .reg .u32 %ru<20>; .reg .s32 %rs<20>; .reg .f32 %f<50>; "
         ".reg .b64 %d<30>; .reg .u64 %du<20>; .reg .s64 %ds<20>; .reg .f64 %e<20>; .reg .b128 %q<8>; "
         ".shared .align 16 .b8 sh[64]; .local .align 16 .b8 lo[64];\n" +
         statement + "\nret;\n}\n";
}

inline FormVerdict verdict_of(const std::string& statement, const std::string& target, const std::string& version) {
  using Kind = FormVerdict::Kind;
  try {
    const auto image = Image::load(ptx::parse(form_module(statement, target, version)), 0, sm_of(target));
    for (const Step& step : image->kernel("k")->code->steps)
      if (step.run == &stop_unsupported) return {Kind::unsupported, *static_cast<const std::string*>(step.data)};
    return {};
  } catch (const ptx::ParseError& error) {
    return {Kind::refused, error.message()};
  } catch (const CallError& error) {
    return {Kind::refused, error.what()};
  }
}

}  // namespace kiln::emulator::test
