// type_name<T>(): a C++ type of the program as CUDA C++ spells it.
#pragma once

#include <kiln/detail/type_name.hpp>

#include <string>
#include <typeinfo>

namespace kiln {

/// How CUDA C++ spells T, where that is not as the program does. To be specialised for a type of your own, in one line:
///   template <> struct kiln::TypeName<Pair> { static std::string get() { return "physics::Pair"; } };
/// type_name() then has it for Pair, const Pair, and pointers and references to them, but not in the arguments of a
/// template. Counterpart: pycuda.tools.register_dtype.
template <class T, class = void>
struct TypeName {};

/// Such as "float", "unsigned long", "float const*", "physics::Particle<double, 3>": for templates, and for name
/// expressions ("scale<" + type_name<T>() + ">"). Types are not looked up: a class must be declared, under its name, in
/// the CUDA source too. std::complex is spelled cuda::std::complex, which has its layout and is there by
/// `#include <cuda/std/complex>`; std::byte is cuda::std::byte, of cuda/std/cstddef. Namespaces that CCCL's types are
/// in for their version (cuda::std::__4, thrust::THRUST_200400_520_NS) are left out. Depends on nothing but T: no
/// locale, no global state, safe from any thread. Throws ArgumentError for a type that has no name elsewhere: a lambda,
/// a local class, one in an unnamed namespace. Counterpart: nvrtcGetTypeName; pycuda.tools.dtype_to_ctype.
template <class T>
std::string type_name() {
  if constexpr (detail::has_given_name<T>)
    return detail::given_name<T>();
  else
    return detail::spelled_type(typeid(detail::Spelled<T>));
}

}  // namespace kiln
