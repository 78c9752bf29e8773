#include "app/ladder/kernel_of_trace.h"

#include <algorithm>
#include <string>

namespace tilereel {

KernelParameters parameters_of(const Launch& launch) {
    return {.m = static_cast<int>(launch.m),
            .n = static_cast<int>(launch.n),
            .k = static_cast<int>(launch.k),
            .tile = static_cast<int>(launch.tile),
            .pad = static_cast<int>(launch.pad)};
}

namespace {

std::string text_of(const Dim3& extents) {
    return std::to_string(extents.x) + " x " + std::to_string(extents.y) + " x " +
           std::to_string(extents.z);
}

Status check_launch(const KernelInfo& kernel, const Launch& launch) {
    const Result<LaunchShape> shape = validate(kernel, parameters_of(launch));
    if (!shape) return failed("it has an impossible launch: " + shape.error().message);
    const Dim3 grid{shape->grid_x, shape->grid_y, 1}, block{shape->block_x, shape->block_y, 1};
    const std::string name(kernel.id);
    if (launch.grid != grid)
        return failed("its grid is " + text_of(launch.grid) + ", but " + name + " launches " +
                      text_of(grid) + " blocks for these sizes");
    if (launch.block != block)
        return failed("its blocks have " + text_of(launch.block) + " threads, but " + name +
                      " launches " + text_of(block));
    return Done{};
}

}  // namespace

const KernelInfo* kernel_of_trace(const Trace& trace) {
    const KernelInfo* kernel = find_kernel(trace.launch.kernel);
    return kernel != nullptr && check_launch(*kernel, trace.launch) ? kernel : nullptr;
}

Status check_kernel_of_trace(const Trace& trace) {
    const KernelInfo* kernel = find_kernel(trace.launch.kernel);
    if (kernel == nullptr) return Done{};
    if (kernel->source != trace.source) return Done{};
    TRY(check_launch(*kernel, trace.launch));
    const auto removed = static_cast<int>(trace.launch.removed_barrier);
    if (removed != 0 && std::ranges::find(kernel->barriers, removed, &KernelBarrier::line) ==
                            kernel->barriers.end())
        return failed("it says that a barrier was left out on line " + std::to_string(removed) +
                      ", where " + std::string(kernel->id) + " has none");
    return Done{};
}

Result<Trace> open_trace(const std::filesystem::path& path, const TraceReadLimits& limits) {
    Result<Trace> trace = read_trace(path, limits);
    if (!trace) return trace;
    if (const Status known = check_kernel_of_trace(*trace); !known)
        return failed("cannot open '" + path.string() + "': " + known.error().message);
    return trace;
}

}  // namespace tilereel
