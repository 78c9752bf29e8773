#include "app/workbench/launch/variant_limits.h"

#include "instrumentation/base/format/with_commas.h"
#include "kernels/variants.h"

namespace tilereel {

Status check_generation_runs(const KernelInfo& kernel, const KernelParameters& p,
                             const Generation& generation) {
    const DeviceLimits& limits = generation.limits;
    const Result<LaunchShape> shape = validate(kernel, p);
    if (!shape || is_built_in(kernel, p.tile, p.pad)) return Done{};
    const auto refused = [&](std::uint64_t has, std::uint64_t most, const std::string& what) {
        return wrong_call(std::string(kernel.id) + " with TILE " + std::to_string(p.tile) +
                          " and PAD " + std::to_string(p.pad) + " has blocks of " +
                          with_commas(has) + what + ", and " + std::string(generation.title) +
                          " gives " + with_commas(most) +
                          "; use a smaller one, or another GPU generation");
    };
    const std::uint64_t threads = std::uint64_t{shape->block_x} * shape->block_y;
    const auto most_threads = static_cast<std::uint64_t>(limits.threads_per_block);
    if (threads > most_threads) return refused(threads, most_threads, " threads");
    // Only dynamic shared memory can exceed the default limit (cudaFuncSetAttribute).
    const bool dynamic = shape->dynamic_shared_bytes != 0;
    const std::uint64_t bytes = dynamic ? shape->dynamic_shared_bytes : shape->static_shared_bytes;
    const auto most_bytes = static_cast<std::uint64_t>(
        dynamic ? limits.shared_bytes_per_block : limits.default_shared_bytes_per_block);
    if (bytes > most_bytes) return refused(bytes, most_bytes, " bytes of shared memory");
    return Done{};
}

}  // namespace tilereel
