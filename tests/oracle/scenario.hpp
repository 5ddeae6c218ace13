// A scenario: a tree of headers, a request, and what happens to the tree between one compile and the next.
#pragma once

#include <kiln/compile_options.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::oracle {

/// A source or header in pieces, so that a failing one can be made smaller. "$ROOT" stands for the checkout's folder.
using Text = std::vector<std::string>;

/// One change. Paths begin with the checkout's letter: "A/one/a.h". What does not apply (no such file) changes nothing,
/// so that any step can be left out of a scenario.
struct Step {
  enum class Kind {
    write,        // into the same file
    replace,      // by a new file of that name
    rewrite,      // into the same file, whose size and time stay where the text is of the same size
    remove,       // a file, or a folder with everything in it
    folder,       // in the place of whatever is there
    copy,         // to `to`, with times and permissions; folders with everything in them
    hard_link,    // as `to`
    symlink,      // a link `path` that leads to `to`, as spelled
    rename,       // to `to`
    exchange,     // with `to`, in one step
    permissions,  // `to`: the mode
    touch,        // the time of now
    date,         // a fixed time of long ago
    future,       // a fixed time that is yet to come
    memory,       // the in-memory header `path`; an empty text takes it away
    macro,        // -D`path`=`to`; an empty value takes it away
    late_macro,   // the same among late_defines
    go,           // to the checkout `path`, which is then compiled in
    wait,         // for the clock to show another second
    meanwhile,    // `moments`: `path` and `to` exchanged while the request is compiled; that compile's result is not
                  // compared
  };
  Kind kind = Kind::write;
  std::string path = {};
  std::string to = {};
  Text text = {};
  bool asks = true;  // compile after it, and compare
  std::vector<unsigned> moments =
      {};  // in ms after a compile's beginning; an even number of them restores the first state
};

/// How the source is compiled.
struct Setup {
  enum class Folders { members, relative, options, system, environment };
  enum class Name { none, relative, absolute };
  enum class Way { here, worker, read_only };

  Backend backend = Backend::nvrtc;
  Folders folders = Folders::members;
  Name name = Name::none;
  Way way = Way::here;
  Target target = Target::ptx;
  bool strict = false;
  bool extern_c = false;
  bool for_emulator = false;  // for a driver that takes PTX only
  bool works_elsewhere = false;
  /// The source is another one at every second request, in a line behind its includes, so that a compile may use
  /// precompiled headers; and what is compiled is compared too.
  bool precompiles = false;
  /// "-lineinfo" or "-G": the definitions are compared with those of a compile without it.
  std::string lines = {};
  std::vector<std::string> options = {};
};

struct Scenario {
  std::uint64_t seed = 0;
  Setup setup = {};
  Text source = {};
  std::vector<Step> steps = {};
};

/// The scenario in words, for the report of a failure.
std::string describe(const Scenario& scenario);

}  // namespace kiln::oracle
