// The order in which Kiln looks for parts of CUDA.
#pragma once

#include "toolkit/locate/toolkit.hpp"

#include <string>

namespace kiln {

/// Goes through CUDA_HOME, CUDA_PATH, the folder of the nvcc on PATH, CUDA's default install folders, NVIDIA's Python
/// wheels and the loader's path, in that order, until complete() says so. Who derives from it looks there.
class ToolkitWalk {
 public:
  ToolkitWalk() = default;
  ToolkitWalk(const ToolkitWalk&) = delete;
  ToolkitWalk& operator=(const ToolkitWalk&) = delete;

 protected:
  ~ToolkitWalk() = default;

  void walk(const ToolkitSearch& search);
  /// As look_in_root() is given it: a link such as /usr/local/cuda is followed here, once, and not at each look at a
  /// file below it.
  static std::string plain_root(std::string root);

  /// Nothing more is wanted.
  virtual bool complete() const = 0;
  /// Nothing more is wanted of the loader's folders.
  virtual bool has_library() const { return complete(); }
  /// A place that is looked at from now on, in words.
  virtual void note(std::string place) = 0;
  /// A folder as a toolkit's installer makes it, or that of CUDA 13's wheels. It need not exist; no link, no slash at
  /// its end.
  virtual void look_in_root(const std::string& root) = 0;
  /// A folder that exists, in which each of CUDA 12's wheels has one of its own.
  virtual void look_in_cuda_12_wheels(const std::string& nvidia) = 0;
  virtual void look_in_loader_folder(const std::string& folder) = 0;

 private:
  void walk_named_roots(const ToolkitSearch& search);
  void walk_default_roots(const ToolkitSearch& search);
  void walk_wheels(const ToolkitSearch& search);
  void walk_loader_path(const ToolkitSearch& search);
  void enter_root(const std::string& root);
};

}  // namespace kiln
