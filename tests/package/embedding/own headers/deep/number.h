#pragma once
#include "deeper.h"
__device__ inline int deep_number() { return NUMBER + DEEPER; }
