// Finds the kernel 99_by_rows in the catalogue and records it; exit code 0 if all is right.
#include <cstdio>

#include "instrumentation/record/record.h"

int main() {
    using namespace tilereel;
    const KernelInfo* kernel = find_kernel("99_by_rows");
    if (kernel == nullptr || kernel->idea != "a kernel that the ladder does not know" ||
        kernel->tiles.size() != 5 || catalog().back().id != "99_by_rows") {
        std::puts("FAILED: the catalogue does not know the kernel");
        return 1;
    }
    for (const int tile : kernel->tiles) {
        RecordRequest request;
        request.kernel = kernel->id;
        request.parameters = {.m = 9, .n = 21, .k = 5, .tile = tile, .pad = 0};
        const Result<Trace> trace = record_with_emulator(request);  // checks the product
        if (!trace) {
            std::printf("FAILED: %s\n", trace.error().message.c_str());
            return 1;
        }
        if (trace->source != kernel->source || trace->arrays.back().name != "row_of_a") {
            std::puts("FAILED: the recording is not of this kernel");
            return 1;
        }
    }
    return 0;
}
