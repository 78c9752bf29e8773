#pragma once
// nvcuda::wmma. CUDA C++ Programming Guide, "Warp Matrix Functions": the shapes and types of
// compute capability 9.0.
#include "tilereel/wmma/fragment.h"
#include "tilereel/wmma/load_and_store.h"
#include "tilereel/wmma/mma_sync.h"
