// Finds the kernels 99_by_rows and 98_forgets_first in the catalogue and records them; exit code 0 if
// all is right.
#include <cstdio>
#include <iterator>

#include "app/ladder/ladder.h"
#include "kernels/variants.h"

namespace {

using namespace tilereel;

int fail(const char* what) {
    std::printf("FAILED: %s\n", what);
    return 1;
}

RecordRequest request_of(std::string_view kernel, int tile) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = {.m = 9, .n = 21, .k = 6, .tile = tile, .pad = 0};
    return request;
}

int check_by_rows(const KernelInfo& kernel) {
    if (kernel.idea != "a kernel that the ladder does not know" || kernel.tiles.size() != 2 ||
        kernel.pads.size() != 1)
        return fail("the catalogue does not say what the file's header says");
    KernelParameters odd = request_of(kernel.id, 8).parameters;
    odd.k = 5;
    const Result<LaunchShape> refused = validate(kernel, odd), shape =
        validate(kernel, request_of(kernel.id, 8).parameters);
    if (refused || refused.error().message != "K is 5: 99_by_rows needs a multiple of 2; use 6")
        return fail("its rule for K is not held");
    if (!shape || shape->grid_x != 3 || shape->grid_y != 2 || shape->block_x != 8 ||
        shape->block_y != 8 || shape->static_shared_bytes != 4 * 8 * 16)
        return fail("its launch is not the file's own");
    if (check_variant(kernel, 13, 0)) return fail("it takes a TILE that its header does not name");
    for (const int tile : {8, 12}) {  // TILE 8 is built in, TILE 12 is not
        const Result<Trace> trace = record_ladder(request_of(kernel.id, tile));
        if (!trace) return fail(trace.error().message.c_str());
        if (trace->source != kernel.source || trace->arrays.back().name != "row_of_a" ||
            trace->wrong_elements != 0u)
            return fail("the recording is not of this kernel, or its C is wrong");
    }
    return 0;
}

// The kernel leaves out A[row][0] * B[0][column], so C is wrong where this product is not 0.
int check_forgets_first() {
    const Result<Trace> trace = record_ladder(request_of("98_forgets_first", 16));
    std::uint64_t wrong = 0;
    for (std::size_t row = 0; trace && row < 9; ++row)
        for (std::size_t column = 0; column < 21; ++column)
            wrong += matrix_of(*trace, MatrixRole::kA)[6 * row] * matrix_of(*trace, MatrixRole::kB)[column] != 0;
    if (!trace || wrong == 0 || trace->wrong_elements != wrong)
        return fail("the wrong kernel is not recorded, or its wrong elements not counted");
    return 0;
}

}  // namespace

int main() {
    const KernelInfo* kernel = find_kernel("99_by_rows");
    if (kernel == nullptr || catalog().back().id != "99_by_rows" ||
        std::prev(catalog().end(), 2)->id != "98_forgets_first")
        return fail("the catalogue does not list the kernels");
    return check_by_rows(*kernel) + check_forgets_first();
}
