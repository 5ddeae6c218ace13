// instance(): the name of a template instance, from C++ types and values.
#pragma once

#include <kiln/detail/template_argument.hpp>
#include <kiln/type_name.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>

namespace kiln {

/// Stands for the type T among the arguments of instance().
template <class T>
inline constexpr detail::TypeArgument<T> type{};

/// The type of an object as CUDA C++ spells it: of a polymorphic class the type that it was made as, whatever the
/// reference says, else T. For instance(), and wherever a type is a text. Throws ArgumentError as type_name() does.
/// Counterpart: jitify2's instance_of.
template <class T>
std::string instance_of(const T& object) {
  if constexpr (std::is_polymorphic_v<T>)
    return detail::spelled_dynamic_type(typeid(object));
  else
    return (void)object, type_name<T>();
}

/// The name of a template's instance, for Module::get_function, get_global and CompileOptions::name_expressions:
///
///   kiln::instance("ns::scale", kiln::type<float>, 4, true, Mode::fast)     // "ns::scale<float, 4, true, (Mode)1>"
///   kiln::instance("apply", kiln::instance("Pair", kiln::type<int>, 2u))    // "apply<Pair<int, 2u>>"
///
/// An argument is a type (`type<T>`), an integer, bool, character, enumeration or nullptr, each spelled with its own
/// type, so that it is right for a parameter `auto`; or text, which is put in as it is: another instance's name,
/// `instance_of(object)`, a template, "&table" for the address of a variable in the source. Nothing else compiles:
/// addresses of the host mean nothing in the source, and a floating value or an object goes by a macro
/// (CompileOptions::defines) or as text. Types are spelled by type_name() and must be declared in the source under the
/// same names. Safe from any thread. Throws ArgumentError for a type without a name and for empty text. Counterparts:
/// jitify2's Template::instantiate; PyCUDA has none.
template <class... Args>
std::string instance(std::string_view name, const Args&... args) {
  const std::string arguments[] = {detail::template_argument(args)..., {}};
  return detail::instance_name(name, arguments, sizeof...(args));
}

}  // namespace kiln
