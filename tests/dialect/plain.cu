// The ladder in plain CUDA (kernels/plain), at every TILE and PAD: what the native build of the
// dialect is compared with. ptx_test.py writes plain_kernels.h.
#include "kernels/ladder.h"
#include "plain_kernels.h"

// The one kernel that has no template parameter.
#undef TILEREEL_AS_IT_IS
#define TILEREEL_AS_IT_IS(VARIANT, function) VARIANT(function, 16, 0)

#define VARIANT(kernel, tile, pad) (const void*)(kernel),
#define ROW(stem, function, variants, launch) variants(VARIANT, function)
extern const void* const kLadder[] = {TILEREEL_LADDER(ROW)};
