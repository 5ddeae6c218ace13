#pragma once
__device__ const float more = 1;
