// Finds the kernel 99_by_rows in the catalogue and records it, and a wrong one; exit code 0 if all is
// right.
#include <cstdio>

#include "instrumentation/record/record.h"

int main() {
    using namespace tilereel;
    const KernelInfo* kernel = find_kernel("99_by_rows");
    if (kernel == nullptr || kernel->idea != "a kernel that the ladder does not know" ||
        kernel->tiles.size() != 5 || catalog().back().id != "98_forgets_first") {
        std::puts("FAILED: the catalogue does not know the kernel");
        return 1;
    }
    for (const int tile : kernel->tiles) {
        RecordRequest request;
        request.kernel = kernel->id;
        request.parameters = {.m = 9, .n = 21, .k = 5, .tile = tile, .pad = 0};
        const Result<Trace> trace = record_with_emulator(request);
        if (!trace) {
            std::printf("FAILED: %s\n", trace.error().message.c_str());
            return 1;
        }
        if (trace->source != kernel->source || trace->arrays.back().name != "row_of_a" ||
            trace->wrong_elements != 0u) {
            std::puts("FAILED: the recording is not of this kernel, or its C is wrong");
            return 1;
        }
    }
    // Of the wrong kernel, each element lacks A[row][0] * B[0][column].
    RecordRequest request;
    request.kernel = "98_forgets_first";
    request.parameters = {.m = 9, .n = 21, .k = 5, .tile = 8, .pad = 0};
    const Result<Trace> trace = record_with_emulator(request);
    std::uint64_t wrong = 0;
    for (std::size_t row = 0; trace && row < 9; ++row)
        for (std::size_t column = 0; column < 21; ++column)
            wrong += trace->a[5 * row] * trace->b[column] != 0;
    if (!trace || wrong == 0 || trace->wrong_elements != wrong) {
        std::puts("FAILED: the wrong kernel is not recorded, or its wrong elements not counted");
        return 1;
    }
    return 0;
}
