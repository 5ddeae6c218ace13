#include "emulator/instructions/device_runtime/device_printf.hpp"

#include <cstdio>
#include <string_view>
#include <vector>

namespace kiln::emulator {
namespace {

// Appends a value as the host's printf formats it. The format is a single conversion built here.
template <class T>
void append(std::string& to, const std::string& format, T value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int length = std::snprintf(nullptr, 0, format.c_str(), value);
  if (length <= 0) return;
  std::vector<char> text(static_cast<std::size_t>(length) + 1);
  std::snprintf(text.data(), text.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  to.append(text.data(), static_cast<std::size_t>(length));
}

class Printer {
 public:
  Printer(const LaneMemory& memory, std::uint64_t arguments, std::string& to)
      : memory_(memory), next_(arguments), to_(to) {}

  std::int32_t run(std::string_view format) {
    while (!format.empty()) {
      const std::size_t percent = format.find('%');
      to_ += format.substr(0, percent);
      if (percent == std::string_view::npos) break;
      format.remove_prefix(percent + 1);
      convert(format);
    }
    return taken_;
  }

 private:
  template <class T>
  T take() {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const T value = memory_.value<T>(next_);
    next_ += sizeof(T);
    ++taken_;
    return value;
  }

  // Moves the leading characters that are in `set` to the conversion.
  static void move_any(std::string_view& format, std::string_view set, std::string& conversion) {
    std::size_t count = format.find_first_not_of(set);
    if (count == std::string_view::npos) count = format.size();
    conversion += format.substr(0, count);
    format.remove_prefix(count);
  }
  void move_number(std::string_view& format, std::string& conversion) {
    if (!format.empty() && format.front() == '*') {
      format.remove_prefix(1);
      conversion += std::to_string(take<std::int32_t>());
    } else {
      move_any(format, "0123456789", conversion);
    }
  }

  // A conversion, after its "%".
  void convert(std::string_view& format) {
    const std::string_view whole = format;
    std::string conversion = "%", size;
    move_any(format, "-+ #0", conversion);
    move_number(format, conversion);
    if (!format.empty() && format.front() == '.') {
      std::string precision;
      format.remove_prefix(1);
      move_number(format, precision);
      if (precision.find('-') == std::string::npos)
        conversion += '.' + precision;  // a negative precision counts as missing
    }
    move_any(format, "hlLjzt", size);
    const char kind = format.empty() ? '\0' : format.front();
    if (format.empty() || !write(conversion, size, kind)) {
      (to_ += '%') += whole.substr(0, whole.size() - format.size());  // not a conversion: copied unchanged
      return;
    }
    format.remove_prefix(1);
  }

  bool write(const std::string& conversion, const std::string& size, char kind) {
    switch (kind) {
      case '%':
        to_ += '%';
        return true;
      case 'd':
      case 'i':
        append(to_, conversion + "lld", signed_value(size));
        return true;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        append(to_, conversion + "ll" + kind, unsigned_value(size));
        return true;
      case 'c':
        append(to_, conversion + kind, take<std::int32_t>());
        return true;
      case 'p':
        append(to_, conversion + kind, reinterpret_cast<const void*>(take<std::uint64_t>()));
        return true;
      case 's':
        write_text(conversion);
        return true;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        append(to_, conversion + kind, take<double>());
        return true;
      default:
        return false;
    }
  }

  void write_text(const std::string& conversion) {
    const auto address = take<std::uint64_t>();
    const std::string text = address == 0 ? "(null)" : memory_.text(address);
    append(to_, conversion + "s", text.c_str());
  }

  long long signed_value(const std::string& size) {
    if (size.empty()) return take<std::int32_t>();
    if (size == "h") return static_cast<std::int16_t>(take<std::int32_t>());
    if (size == "hh") return static_cast<std::int8_t>(take<std::int32_t>());
    return take<std::int64_t>();
  }
  unsigned long long unsigned_value(const std::string& size) {
    if (size.empty()) return take<std::uint32_t>();
    if (size == "h") return static_cast<std::uint16_t>(take<std::uint32_t>());
    if (size == "hh") return static_cast<std::uint8_t>(take<std::uint32_t>());
    return take<std::uint64_t>();
  }

  const LaneMemory& memory_;
  std::uint64_t next_;
  std::string& to_;
  std::int32_t taken_ = 0;
};

}  // namespace

std::int32_t device_printf(const LaneMemory& memory, std::uint64_t format, std::uint64_t arguments, std::string& to) {
  if (format == 0) return -1;
  return Printer(memory, arguments, to).run(memory.text(format));
}

}  // namespace kiln::emulator
