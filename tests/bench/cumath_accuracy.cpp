// Measures the errors of kiln::cumath's functions on the device that KILN_DRIVER names, for the table of
// docs/generators.md. Arguments are always the same: random ones of all sizes, and ones near poles, zeros, branch cuts
// and the ends of domains. References are the host's functions of long double, which has 11 bits more than double.
// Usage: bench_cumath_accuracy [--worst], which also prints the argument of each largest error.
#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

namespace cumath = kiln::cumath;
using Real = long double;
using Complex = std::complex<Real>;

constexpr std::size_t random_arguments = 20'000;
bool prints_worst = false;

/// The unit in the last place of the type at `value`.
template <class T>
Real spacing(Real value) {
  using Limits = std::numeric_limits<T>;
  const int exponent = value == 0 ? Limits::min_exponent - 1 : std::ilogb(value);
  return std::ldexp(Real{1}, std::max(exponent, Limits::min_exponent - 1) - (Limits::digits - 1));
}

/// Whether the value is finite in the type.
template <class T>
bool is_finite(Real value) {
  return std::isfinite(static_cast<T>(value));
}

/// The largest errors of a function, in units in the last place; for complex numbers, of the absolute value.
struct Errors {
  struct Largest {
    Real error = 0;
    std::string at;
  };
  Largest elsewhere, beside;  // `beside`: complex numbers near a pole, a zero or a branch point
  std::size_t not_alike = 0;  // how often only one of both values is finite

  void add(Real error, bool is_beside, const std::string& where) {
    Largest& largest = is_beside ? beside : elsewhere;
    if (error > largest.error) largest = {error, where};
  }
};

template <class T>
std::string text(T value) {
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(value));
  return digits;
}
template <class T>
std::string text(const std::complex<T>& value) {
  return "(" + text(value.real()) + ", " + text(value.imag()) + ")";
}

constexpr Real pi = 3.14159265358979323846264338327950288L;

/// Where the functions have poles, zeros and branch points, also times i: 0, 1, and multiples of pi / 2.
const std::vector<Real>& special_points() {
  static const std::vector<Real> all = [] {
    std::vector<Real> points{0, 0.5L, 1, -1, 2, -2, 10};
    for (int i = 1; i <= 20; ++i) points.insert(points.end(), {i * pi / 2, -i * pi / 2});
    return points;
  }();
  return all;
}

template <class T>
bool is_beside_point(T) {
  return false;
}
template <class T>
bool is_beside_point(const std::complex<T>& value) {
  constexpr Real near = 1.0L / 16;
  return std::ranges::any_of(special_points(), [&](Real point) {
    return std::abs(Complex(value) - Complex(point, 0)) < near || std::abs(Complex(value) - Complex(0, point)) < near;
  });
}

template <class T>
void compare(T found, Real expected, bool is_beside, const std::string& where, Errors& errors) {
  if (std::isfinite(found) != is_finite<T>(expected) || std::isnan(found) != std::isnan(expected)) {
    ++errors.not_alike;
  } else if (std::isfinite(found)) {
    errors.add(std::fabs(static_cast<Real>(found) - expected) / spacing<T>(expected), is_beside, where);
  }
}

template <class T>
void compare(const std::complex<T>& found, const Complex& expected, bool is_beside, const std::string& where,
             Errors& errors) {
  if (!is_finite<T>(expected.real()) || !is_finite<T>(expected.imag()))
    return;  // libraries differ in which results are infinite
  if (std::isfinite(found.real()) && std::isfinite(found.imag()))
    errors.add(std::abs(Complex(found) - expected) / spacing<T>(std::abs(expected)), is_beside, where);
  else
    ++errors.not_alike;
}

class Arguments {
 public:
  /// Arguments of a function of real numbers in a domain.
  template <class T>
  std::vector<T> real(T least, T most) {
    std::vector<T> all;
    const auto add = [&](Real value) {
      if (const T given = static_cast<T>(value); given >= least && given <= most) all.push_back(given);
    };
    for (const Real point : special_points())
      for (int step = -3; step <= 3; ++step) {
        T value = static_cast<T>(point);
        for (int i = 0; i < std::abs(step); ++i)
          value = std::nextafter(value, step < 0 ? -std::numeric_limits<T>::max() : std::numeric_limits<T>::max());
        add(value);
      }
    for (std::size_t i = 0; i < random_arguments; ++i) add(i % 2 == 0 ? of_any_size<T>() : uniform(-20, 20));
    return all;
  }

  template <class T>
  std::vector<std::complex<T>> complex() {
    std::vector<std::complex<T>> all;
    for (const Real x : special_points())
      for (const Real y : special_points())
        for (int i = 0; i < 4; ++i)  // near them, by 2^-2 to 2^-digits
          all.emplace_back(static_cast<T>(x + beside<T>()), static_cast<T>(y + beside<T>()));
    for (std::size_t i = 0; i < random_arguments; ++i) {
      const bool is_moderate = i % 2 == 0;
      const auto part = [&] {
        return static_cast<T>(is_moderate ? uniform(-4, 4) : std::ldexp(uniform(-2, 2), of(-30, 3)));
      };
      const T x = part(), y = part();
      all.emplace_back(x, y);
    }
    return all;
  }

 private:
  Real uniform(Real least, Real most) { return least + (most - least) * static_cast<Real>(engine_() >> 1) * 0x1p-63L; }
  int of(int least, int most) {
    return least + static_cast<int>(engine_() % static_cast<std::uint64_t>(most - least + 1));
  }
  template <class T>
  Real of_any_size() {
    return std::ldexp(uniform(-2, 2),
                      of(std::numeric_limits<T>::min_exponent - 10, std::numeric_limits<T>::max_exponent - 2));
  }
  template <class T>
  Real beside() {
    return of(0, 3) == 0 ? Real{0} : std::ldexp(uniform(-1, 1), -of(2, std::numeric_limits<T>::digits + 8));
  }

  std::mt19937_64 engine_{42};
};

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

/// The domain in which a function of real numbers is measured.
struct Domain {
  double least, most;
};

template <class T, class Function, class Reference>
Errors measure(const Function& function, const Reference& reference, const Domain& domain) {
  Errors errors;
  Arguments arguments;
  std::vector<T> x;
  if constexpr (is_complex<T>)
    x = arguments.complex<typename T::value_type>();
  else
    x = arguments.real<T>(static_cast<T>(std::max(domain.least, -double{std::numeric_limits<T>::max()})),
                          static_cast<T>(std::min(domain.most, double{std::numeric_limits<T>::max()})));
  using Wide = std::conditional_t<is_complex<T>, Complex, Real>;
  const kiln::DeviceBuffer<T> d(x);
  const auto y = function(d);
  for (std::size_t i = 0; i < x.size(); ++i)
    compare(y[i], reference(Wide(x[i])), is_beside_point(x[i]), text(x[i]), errors);
  return errors;
}

std::string cell(const Errors& errors, bool is_complex_number) {
  char figures[96];
  if (errors.elsewhere.error == 0 && errors.beside.error == 0 && errors.not_alike == 0) return "exact";
  if (is_complex_number)
    std::snprintf(figures, sizeof figures, "%.1Lf, %.2Lg", errors.elsewhere.error, errors.beside.error);
  else
    std::snprintf(figures, sizeof figures, "%.2Lf", errors.elsewhere.error);
  return figures + (errors.not_alike == 0 ? std::string() : ", " + std::to_string(errors.not_alike) + " not finite");
}

constexpr double everything = std::numeric_limits<double>::max();

class Table {
 public:
  Table() {
    std::printf("| function | `float` | `double` | `complex<float>` | `complex<double>` |\n|---|---|---|---|---|\n");
  }
  /// Prints a row. `function` takes a vector on the device and returns the results; `reference` takes long double
  /// numbers.
  template <class Function, class Reference>
  void all(const char* name, const Function& function, const Reference& reference,
           const Domain& domain = {-everything, everything}) {
    std::printf("| `%s` | %s | %s | %s | %s |\n", name, one<float>(name, function, reference, domain).c_str(),
                one<double>(name, function, reference, domain).c_str(),
                one<std::complex<float>>(name, function, reference, domain).c_str(),
                one<std::complex<double>>(name, function, reference, domain).c_str());
    std::fflush(stdout);
  }
  template <class Function, class Reference>
  void real(const char* name, const Function& function, const Reference& reference) {
    const Domain domain{-everything, everything};
    std::printf("| `%s` | %s | %s | | |\n", name, one<float>(name, function, reference, domain).c_str(),
                one<double>(name, function, reference, domain).c_str());
    std::fflush(stdout);
  }

 private:
  template <class T, class Function, class Reference>
  static std::string one(const char* name, const Function& function, const Reference& reference, const Domain& domain) {
    const Errors errors = measure<T>(function, reference, domain);
    if (prints_worst)
      std::fprintf(stderr, "%s of %s: %.3Lg at %s, beside a point %.3Lg at %s\n", name, kiln::type_name<T>().c_str(),
                   errors.elsewhere.error, errors.elsewhere.at.c_str(), errors.beside.error, errors.beside.at.c_str());
    return cell(errors, is_complex<T>);
  }
};

template <class T>
auto results(const kiln::DeviceBuffer<T>& x,
             void (*function)(const kiln::DeviceBuffer<T>&, const kiln::DeviceBuffer<T>&)) {
  const kiln::DeviceBuffer<T> y(x.size());
  function(x, y);
  return y.to_host();
}

#define KILN_MEASURED(name) \
#name,                                                                                                        \
      [](const auto& x) {                                                                                       \
        using T = std::decay_t<decltype(x.to_host()[0])>;                                                       \
        return results<T>(x, [](const kiln::DeviceBuffer<T>& from, const kiln::DeviceBuffer<T>& to) { cumath::name(from, to); }); \
      },                                                                                                        \
      [](const auto& x) { return std::name(x); }

/// How many results of an exact function differ from the host's.
std::string differing(std::size_t count) { return count == 0 ? "exact" : std::to_string(count) + " differ"; }

template <class T>
bool is_same(T a, T b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// Of fmod, frexp, ldexp and modf.
template <class T>
std::vector<std::string> exact_cells() {
  const auto most = std::numeric_limits<T>::max();
  const std::vector<T> x = Arguments().real<T>(-most, most);
  std::vector<T> second = x;
  std::rotate(second.begin(), second.begin() + 1, second.end());
  const kiln::DeviceBuffer<T> d(x), e(second), y(x.size()), z(x.size());
  const kiln::DeviceBuffer<int> exponents(x.size());
  std::vector<std::size_t> wrong(4);
  cumath::fmod(d, e, y);
  std::vector<T> found = y.to_host(), whole;
  for (std::size_t i = 0; i < x.size(); ++i) wrong[0] += !is_same(found[i], std::fmod(x[i], second[i]));
  cumath::frexp(d, y, exponents);
  found = y.to_host();
  const std::vector<int> powers = exponents.to_host();
  for (std::size_t i = 0; i < x.size(); ++i) {
    int power = 0;
    wrong[1] += !(is_same(found[i], std::frexp(x[i], &power)) && power == powers[i]);
  }
  cumath::ldexp(y, exponents, z);
  found = z.to_host();
  for (std::size_t i = 0; i < x.size(); ++i) wrong[2] += !is_same(found[i], x[i]);
  cumath::modf(d, y, z);
  found = y.to_host();
  whole = z.to_host();
  for (std::size_t i = 0; i < x.size(); ++i) {
    T part = 0;
    wrong[3] += !(is_same(found[i], std::modf(x[i], &part)) && is_same(whole[i], part));
  }
  std::vector<std::string> cells;
  for (const std::size_t each : wrong) cells.push_back(differing(each));
  return cells;
}

void print_exact() {
  const std::vector<std::string> single = exact_cells<float>(), both = exact_cells<double>();
  const char* const names[] = {"fmod", "frexp", "ldexp", "modf"};
  for (std::size_t i = 0; i < 4; ++i)
    std::printf("| `%s` | %s | %s | | |\n", names[i], single[i].c_str(), both[i].c_str());
}

void print_table() {
  Table table;
  table.all(
      "fabs",
      [](const auto& x) {
        using T = std::decay_t<decltype(x.to_host()[0])>;
        using Absolute = decltype(std::abs(T()));
        const kiln::DeviceBuffer<Absolute> y(x.size());
        cumath::fabs(x, y);
        return y.to_host();
      },
      [](const auto& x) { return std::abs(x); });
  table.real(KILN_MEASURED(ceil));
  table.real(KILN_MEASURED(floor));
  table.all(KILN_MEASURED(exp));
  table.all(KILN_MEASURED(log), {0, everything});
  table.all(KILN_MEASURED(log10), {0, everything});
  table.all(KILN_MEASURED(sqrt), {0, everything});
  table.all(KILN_MEASURED(sin));
  table.all(KILN_MEASURED(cos));
  table.all(KILN_MEASURED(tan));
  table.all(KILN_MEASURED(asin), {-1, 1});
  table.all(KILN_MEASURED(acos), {-1, 1});
  table.all(KILN_MEASURED(atan));
  table.all(KILN_MEASURED(sinh));
  table.all(KILN_MEASURED(cosh));
  table.all(KILN_MEASURED(tanh));
  print_exact();
}

}  // namespace

int main(int count, char** arguments) try {
  prints_worst = count > 1 && std::string(arguments[1]) == "--worst";
  std::printf("%s\n", kiln::Device(0).name().c_str());
  print_table();
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
