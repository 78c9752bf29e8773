// Every kernel of the ladder at every TILE and PAD, in whichever build is asked for.
#include "kernels/ladder.h"
#include "ladder_kernels.h"

#define VARIANT(kernel, tile, pad) (const void*)(kernel),
#define ROW(stem, function, variants) variants
extern const void* const kLadder[] = {TILEREEL_LADDER(ROW)};
