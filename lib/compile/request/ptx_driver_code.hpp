// Code for a driver that runs PTX: an emulator, whose reports name source lines. It gets line information, and with it
// the source's own text. All of it hangs on CompileContext::loads_cubin, so that nothing changes for a GPU.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "compile/headers/header_search_paths.hpp"
#include "compile/options/option_list.hpp"
#include "compile/request/request.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// Whether a request is for such a driver, and its result one that the driver takes.
bool is_for_ptx_driver(const CompileContext& context, Target target);

/// Adds -lineinfo, unless the options ask for line or debug information already.
void add_line_information(OptionList& options);

/// The PTX with the texts behind it, as comments, that only this process has: of the source and of the headers in
/// memory, each if the PTX names it as a file. Every other file is where its name says. `folder` is what relative names
/// count from. A source without a name is called kernel.cu, as in the compilers' messages.
std::string with_source_text(std::string ptx, const CompilerJob& job, const std::string& folder);

/// Such code for the cache: folders of the request's own, in the names of source files, become their number among
/// all that the request has, so that the code is right wherever an equal request is made.
std::string without_absolute_paths(std::string_view ptx, const HeaderSearchPaths& search);
/// The reverse, with the folders of this request.
std::string with_absolute_paths(std::string_view ptx, const HeaderSearchPaths& search);

}  // namespace kiln
