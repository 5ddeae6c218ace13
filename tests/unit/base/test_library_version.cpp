#include "base/library_version.hpp"

#include <doctest/doctest.h>

namespace library_version_test {

using kiln::without_library_versions;

TEST_CASE("inline namespaces of NVIDIA's libraries are left out of names") {
  CHECK(without_library_versions("cuda::std::__4::tuple<cuda::__4::atomic<int>>") ==
        "cuda::std::tuple<cuda::atomic<int>>");
  CHECK(without_library_versions("thrust::THRUST_300001_SM_900_NS::device_vector<float>") ==
        "thrust::device_vector<float>");
  CHECK(without_library_versions("cub::CUB_300001_SM_900::BlockReduce") == "cub::BlockReduce");
  CHECK(without_library_versions("thrust::_V_300500_SM_900::newer") == "thrust::newer");
  CHECK(without_library_versions("class \"cooperative_groups::__v1::thread_block\"") ==
        "class \"cooperative_groups::thread_block\"");
}

TEST_CASE("namespaces of others stay") {
  for (const char* name :
       {"physics::__v1::Own", "physics::__v4::Own", "a::THRUST_like::b", "a::CUB_::b", "__4::x", "::", "a::", ""})
    CHECK(without_library_versions(name) == name);
}

}  // namespace library_version_test
