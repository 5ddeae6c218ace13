#include "worker/nvrtc/diagnosis.hpp"

#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"
#include "worker/nvrtc/gnu_extension.hpp"

#include <algorithm>
#include <utility>

namespace kiln {

namespace {

/// What stands between the quotes behind `phrase`.
std::optional<std::string_view> quoted_after(std::string_view line, std::string_view phrase) {
  const std::size_t found = line.find(phrase);
  if (found == std::string_view::npos) return std::nullopt;
  line.remove_prefix(found + phrase.size());
  const std::size_t end = line.find('"');
  if (end == std::string_view::npos) return std::nullopt;
  return line.substr(0, end);
}

bool lacks_legacy_name(std::string_view line) {
  if (line.find("overloaded function \"pow\"") != std::string_view::npos) return true;
  const bool undefined = line.find("\" is undefined") != std::string_view::npos;
  const auto name = undefined ? quoted_after(line, "identifier \"") : quoted_after(line, "\"std\" has no member \"");
  return name && is_legacy_name(*name);
}

bool lacks_cucomplex_name(std::string_view line) {
  const bool undefined = line.find("\" is undefined") != std::string_view::npos;
  const auto name = undefined ? quoted_after(line, "identifier \"") : std::nullopt;
  return name && is_cucomplex_name(*name);
}

bool lacks_legacy_std_name(std::string_view line) {
  const auto name = quoted_after(line, "\"std\" has no member \"");
  return name && is_legacy_std_name(*name);
}

/// A member of std or of its classes is missing, or a stand-in itself was refused.
bool lacks_std(std::string_view line) {
  if (line.find("\"std") != std::string_view::npos && line.find("\" has no member \"") != std::string_view::npos)
    return true;
  const std::string file(line.substr(0, std::min(line.find('('), line.size())));
  return stand_in_headers().count(file) != 0;
}

/// Whether the line refuses a class template of that name.
bool lacks_template(std::string_view line, const std::string& name) {
  return line.find("error: " + name + " is not a template") != std::string_view::npos ||
         line.find("identifier \"" + name + "\" is undefined") != std::string_view::npos;
}

void read_reference_error(std::string_view line, Diagnosis& diagnosis) {
  diagnosis.textures |= lacks_template(line, "texture");
  diagnosis.surfaces |= lacks_template(line, "surface");
  diagnosis.reference_parameters |=
      line.find("attribute \"__constant__\" does not apply here") != std::string_view::npos;
}

/// What either compiler lacks.
void read_common_error(std::string_view line, Diagnosis& diagnosis) {
  read_reference_error(line, diagnosis);
  diagnosis.cucomplex_names |= lacks_cucomplex_name(line);
}

void read_error(std::string_view line, Diagnosis& diagnosis) {
  read_common_error(line, diagnosis);
  if (const auto header = quoted_after(line, " open source file \""))  // cannot, or could not
    diagnosis.missing_header = std::string(*header);
  else if (line.find("not allowed in JIT mode") != std::string_view::npos)
    diagnosis.default_device = true;
  else if (lacks_legacy_name(line))
    diagnosis.legacy_names = true;
  else if (lacks_std(line))
    diagnosis.lacks_std = true;
  diagnosis.is_meant |= contains(line, "error: #error directive") || contains(line, "static assertion failed");
  diagnosis.legacy_std_names |= lacks_legacy_std_name(line);
  if (diagnosis.extension.empty()) diagnosis.extension = refused_extension(line);
}

template <class Read>
void for_each_error(std::string_view log, Read read) {
  while (!log.empty())
    if (const std::string_view line = next_line(log); line.find("error: ") != std::string_view::npos) read(line);
}

// <cfoo> is looked up as <foo.h>.
constexpr std::string_view c_headers =
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg "
    "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype";
constexpr std::string_view cpp_headers =
    "algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts "
    "condition_variable coroutine deque exception execution expected filesystem format forward_list fstream "
    "functional future generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits list "
    "locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print queue random ranges "
    "ratio regex scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack "
    "stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream syncstream system_error "
    "thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector "
    "version";
constexpr std::string_view posix_headers =
    "aio.h alloca.h arpa/inet.h dirent.h dlfcn.h endian.h execinfo.h fcntl.h features.h fnmatch.h getopt.h glob.h "
    "grp.h iconv.h langinfo.h libgen.h malloc.h memory.h net/if.h netdb.h netinet/in.h netinet/tcp.h poll.h "
    "pthread.h pwd.h regex.h sched.h semaphore.h spawn.h strings.h sys/cdefs.h sys/file.h sys/ioctl.h sys/ipc.h "
    "sys/mman.h sys/param.h sys/resource.h sys/select.h sys/shm.h sys/socket.h sys/stat.h sys/statvfs.h sys/time.h "
    "sys/times.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h syslog.h termios.h ucontext.h unistd.h "
    "utime.h values.h wordexp.h";

}  // namespace

Diagnosis diagnose(std::string_view nvrtc_log) {
  Diagnosis diagnosis;
  // In the line of the source that the log shows below the error.
  diagnosis.byte_order_mark = nvrtc_log.find("error: unrecognized token\n  \xEF\xBB\xBF") != std::string_view::npos;
  bool is_first = true;
  for_each_error(nvrtc_log, [&](std::string_view line) {
    read_error(line, diagnosis);
    // Behind another error it may follow from that: a parameter of a type that only a host has reads as a variable.
    if (std::exchange(is_first, false)) diagnosis.is_syntax_error = contains(line, "error: expected ");
  });
  return diagnosis;
}

Diagnosis diagnose_nvcc(std::string_view nvcc_log) {
  Diagnosis diagnosis;
  for_each_error(nvcc_log, [&](std::string_view line) { read_common_error(line, diagnosis); });
  return diagnosis;
}

bool is_standard_header(std::string_view name) {
  if (has_word(cpp_headers, name) || has_word(posix_headers, name)) return true;
  if (name.ends_with(".h")) return has_word(c_headers, name.substr(0, name.size() - 2));
  return name.starts_with('c') && has_word(c_headers, name.substr(1));
}

}  // namespace kiln
