// libcurl, opened when a remote over HTTP is first asked for, and bound by name. No policy.
#pragma once

#include "base/shared_library.hpp"

#include <string>
#include <vector>

#include <curl/curl.h>

namespace kiln {

/// Nothing changes in it once it is made, so it may be shared between threads.
struct CurlLibrary {
  /// Opens the first of these files that can be opened, and has libcurl set itself up. Throws RemoteFault, which says
  /// what to install, where there is none or a function is missing.
  explicit CurlLibrary(const std::vector<std::string>& files);
  /// This machine's, opened once.
  static const CurlLibrary& get();

  SharedLibrary library;
  decltype(&::curl_global_init) global_init = required("curl_global_init");
  decltype(&::curl_easy_init) easy_init = required("curl_easy_init");
  decltype(&::curl_easy_setopt) easy_setopt = required("curl_easy_setopt");
  decltype(&::curl_easy_getinfo) easy_getinfo = required("curl_easy_getinfo");
  decltype(&::curl_easy_strerror) easy_strerror = required("curl_easy_strerror");
  decltype(&::curl_easy_cleanup) easy_cleanup = required("curl_easy_cleanup");
  decltype(&::curl_multi_init) multi_init = required("curl_multi_init");
  decltype(&::curl_multi_setopt) multi_setopt = required("curl_multi_setopt");
  decltype(&::curl_multi_add_handle) multi_add_handle = required("curl_multi_add_handle");
  decltype(&::curl_multi_remove_handle) multi_remove_handle = required("curl_multi_remove_handle");
  decltype(&::curl_multi_perform) multi_perform = required("curl_multi_perform");
  decltype(&::curl_multi_info_read) multi_info_read = required("curl_multi_info_read");
  decltype(&::curl_multi_poll) multi_poll = required("curl_multi_poll");
  decltype(&::curl_multi_strerror) multi_strerror = required("curl_multi_strerror");
  decltype(&::curl_multi_cleanup) multi_cleanup = required("curl_multi_cleanup");
  decltype(&::curl_slist_append) slist_append = required("curl_slist_append");
  decltype(&::curl_slist_free_all) slist_free_all = required("curl_slist_free_all");
  decltype(&::curl_getdate) getdate = required("curl_getdate");

 private:
  FunctionAddress required(const char* name) const;
};

}  // namespace kiln
