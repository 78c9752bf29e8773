#pragma once
// Programs may include this header of CUDA's, but surfaces are not supported.
#include "cuda_runtime.h"
