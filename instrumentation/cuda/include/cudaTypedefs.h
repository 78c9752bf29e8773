#pragma once
// Types of the driver's functions, for programs that ask the runtime for them.
#include "cuda.h"

typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(
    CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* first,
    const cuuint64_t* extents, const cuuint64_t* stride_bytes, const cuuint32_t* box,
    const cuuint32_t* element_strides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;
