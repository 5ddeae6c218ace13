# kiln_embed(TARGET SOURCES FILE... ARCHITECTURES ARCH... [OPTIONS OPTION...] [DEFINITIONS NAME=VALUE...]
#            [INCLUDE_DIRECTORIES FOLDER...] [NAME_EXPRESSIONS INSTANCE...] [PREFIX FOLDER] [BACKEND nvrtc|nvcc])
#
# Compiles CUDA C++ (or LLVM IR) files when TARGET is built, into its read-only data: kiln::embedded("FILE") finds them.
# docs/embedding.md describes it. To be called in the folder that made TARGET.
include_guard(GLOBAL)

if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW) # the dependencies' paths are absolute
endif()

function(kiln_embed target)
  if(CMAKE_VERSION VERSION_LESS 3.20)
    message(FATAL_ERROR "kiln_embed needs CMake 3.20 or newer, and this is ${CMAKE_VERSION}")
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;BACKEND"
    "SOURCES;ARCHITECTURES;OPTIONS;DEFINITIONS;INCLUDE_DIRECTORIES;NAME_EXPRESSIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "kiln_embed: there is no target \"${target}\"")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "kiln_embed(${target}): what is \"${arg_UNPARSED_ARGUMENTS}\"? It takes SOURCES, ARCHITECTURES, "
      "OPTIONS, DEFINITIONS, INCLUDE_DIRECTORIES, NAME_EXPRESSIONS, PREFIX and BACKEND")
  endif()
  foreach(needed SOURCES ARCHITECTURES)
    if(NOT arg_${needed})
      message(FATAL_ERROR "kiln_embed(${target}): ${needed} is missing")
    endif()
  endforeach()

  list(JOIN arg_ARCHITECTURES "," archs)
  set(words --arch "${archs}")
  foreach(option IN LISTS arg_OPTIONS)
    list(APPEND words "--option=${option}")
  endforeach()
  foreach(define IN LISTS arg_DEFINITIONS)
    list(APPEND words -D "${define}")
  endforeach()
  foreach(folder IN LISTS arg_INCLUDE_DIRECTORIES)
    get_filename_component(folder "${folder}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND words -I "${folder}")
  endforeach()
  foreach(expression IN LISTS arg_NAME_EXPRESSIONS)
    list(APPEND words "--name-expression=${expression}")
  endforeach()
  if(arg_BACKEND)
    list(APPEND words --backend "${arg_BACKEND}")
  endif()

  get_target_property(type ${target} TYPE)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(file "${source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    set(name "${source}")
    if(IS_ABSOLUTE "${source}")
      get_filename_component(name "${source}" NAME)
    endif()
    if(arg_PREFIX)
      string(PREPEND name "${arg_PREFIX}/")
    endif()
    string(MAKE_C_IDENTIFIER "${name}" stem)
    string(MD5 digest "${target} ${name}")
    string(SUBSTRING "${digest}" 0 8 digest)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/kiln_embedded/${stem}_${digest}.cpp")
    set(anchor "${stem}_${digest}")
    add_custom_command(
      OUTPUT "${output}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/kiln_embedded"
      COMMAND kiln::tool embed "${file}" --name "${name}" --anchor "${anchor}" ${words} -o "${output}"
              --depfile "${output}.d"
      DEPENDS "${file}" kiln::tool
      DEPFILE "${output}.d"
      COMMENT "Compiling ${name} for ${archs}"
      VERBATIM)
    target_sources(${target} PRIVATE "${output}")
    if(type STREQUAL STATIC_LIBRARY)
      # Nothing refers to it by a symbol, so that a linker would leave it out of a program.
      target_link_libraries(${target} INTERFACE "-Wl,--undefined=kiln_embedded_in_${anchor}")
    endif()
  endforeach()
endfunction()
