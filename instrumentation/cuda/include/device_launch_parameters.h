#pragma once
// CUDA declares this part of the runtime in a separate header; ours is in cuda_runtime.h.
#include "cuda_runtime.h"
