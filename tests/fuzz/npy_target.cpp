#include <cmath>
#include <cstdlib>

#include "instrumentation/trace/file/trace_file.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/targets.h"

namespace tilereel::fuzz {

void run_npy(Input input) {
    const MemoryFile file(input);
    const auto matrix = read_npy_matrix(file.path());
    if (!matrix) return;
    if (matrix->values.size() != std::size_t{matrix->rows} * matrix->columns) std::abort();
    for (const float value : matrix->values)
        if (!std::isfinite(value)) std::abort();
}

}  // namespace tilereel::fuzz
