#pragma once
// __pipeline_*: asynchronous copies of one thread. CUDA C++ Programming Guide, "Pipeline Primitives
// Interface".
#include "cuda_runtime.h"

inline TILEREEL_CALL void __pipeline_memcpy_async(void* to, const void* from, size_t bytes,
                                                  size_t zeros = 0) {
    tilereel::runtime::start_copy(to, from, bytes, zeros);
}
inline TILEREEL_CALL void __pipeline_commit() { tilereel::runtime::commit_copies(); }
inline TILEREEL_CALL void __pipeline_wait_prior(size_t newest) {
    tilereel::runtime::wait_copies(unsigned(newest));
}
