#include "compile/nvrtc/kept_attempt.hpp"

#include "compile/compiler/work_folder.hpp"
#include "compile/options/shell_text.hpp"
#include "compile/options/target_name.hpp"

namespace kiln {

std::string keep_attempt(const CompilerJob& job, const std::vector<std::string>& options, const std::string& log,
                         std::string_view code) {
  const WorkFolder folder("nvrtc", true);
  const std::size_t slash = job.name.rfind('/');
  folder.write(slash == std::string::npos ? job.name : job.name.substr(slash + 1),
               job.prologue + job.source + job.epilogue);
  // Names may lead out of the folder, so they are written into the files, and not used as paths.
  int number = 0;
  for (const auto& [name, text] : job.headers)
    folder.write("headers/" + std::to_string(++number), std::string("// ").append(name).append("\n").append(text));
  folder.write("options", shell_text(options) + "\n");
  folder.write("log", log);
  if (!code.empty()) folder.write("kernel." + target_name(job.target), code);
  return folder.path();
}

}  // namespace kiln
