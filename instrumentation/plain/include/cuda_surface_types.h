#pragma once
// CUDA declares this part of the runtime in a header of its own; ours is in one.
#include "cuda_runtime.h"
