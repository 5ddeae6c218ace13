#pragma once
__device__ const float primes[] = {7, 11, 13};
