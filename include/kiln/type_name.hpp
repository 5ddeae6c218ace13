// type_name<T>(): a C++ type of the program as CUDA C++ spells it.
#pragma once

#include <kiln/detail/type_name.hpp>

#include <string>
#include <typeinfo>

namespace kiln {

/// Such as "float", "unsigned long", "float const*", "physics::Particle<double, 3>": for templates, and for name
/// expressions ("scale<" + type_name<T>() + ">"). Types are not looked up: a class must be declared, under its name, in
/// the CUDA source too. std::complex is spelled cuda::std::complex, which has its layout and is there by
/// `#include <cuda/std/complex>`. Depends on nothing but T: no locale, no global state, safe from any thread.
/// Throws ArgumentError for a type that has no name elsewhere: a lambda, a local class, one in an unnamed namespace.
/// Counterpart: nvrtcGetTypeName; pycuda.tools.dtype_to_ctype.
template <class T>
std::string type_name() {
  return detail::spelled_type(typeid(detail::Spelled<T>));
}

}  // namespace kiln
