#include "app/workbench/recording/before_column.h"

#include "app/workbench/launch/fit_parameters.h"

namespace tilereel {
namespace {

// For larger launches a second recording would take too long: the column stays empty.
constexpr std::int64_t kMostMultiplyAdds = std::int64_t{1} << 26;

bool is_whole(const Recording& recording) {
    return recording.trace == nullptr || recording.trace->chosen_blocks.empty();
}

bool same_extents(const KernelParameters& a, const KernelParameters& b) {
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

BeforeLaunch launch_with_all_barriers(const RecordRequest& request, const Generation& generation) {
    return {.label = "all barriers",
            .kernel = request.kernel,
            .tile = request.parameters.tile,
            .pad = request.parameters.pad,
            .generation = &generation};
}

// The former launch, named by what changed since.
BeforeLaunch launch_of(const Recording& shown, const RecordRequest& next,
                       const Generation& generation) {
    const RecordRequest& former = shown.request;
    const KernelParameters& p = former.parameters;
    BeforeLaunch launch{.label = {},
                        .kernel = former.kernel,
                        .tile = p.tile,
                        .pad = p.pad,
                        .removed_barrier = former.removed_barrier,
                        .order = former.order,
                        .generation = shown.generation};
    if (former.kernel != next.kernel) {
        const KernelInfo* kernel = find_kernel(former.kernel);
        launch.label = kernel == nullptr ? former.kernel : std::string(kernel->title);
        return launch;
    }
    if (p.tile != next.parameters.tile) launch.label = "TILE " + std::to_string(p.tile);
    if (p.pad != next.parameters.pad)
        launch.label += (launch.label.empty() ? "PAD " : ", PAD ") + std::to_string(p.pad);
    if (former.removed_barrier != next.removed_barrier)
        launch.label += (launch.label.empty() ? "line " : ", line ") +
                        std::to_string(former.removed_barrier) + " removed";
    if (shown.generation != &generation)
        launch.label += (launch.label.empty() ? "" : ", ") + std::string(shown.generation->title);
    return launch;
}

bool is_recording_of(const Recording& shown, const BeforeLaunch& launch) {
    const RecordRequest& request = shown.request;
    return request.kernel == launch.kernel && request.parameters.tile == launch.tile &&
           request.parameters.pad == launch.pad &&
           request.removed_barrier == launch.removed_barrier &&
           shown.generation == launch.generation;
}

std::optional<RecordRequest> request_for(const BeforeLaunch& launch, const RecordRequest& next) {
    const KernelInfo* kernel = find_kernel(launch.kernel);
    const KernelParameters& size = next.parameters;
    const bool is_product = size.m > 0 && size.n > 0 && size.k > 0;  // the next launch
    if (kernel == nullptr || !is_product ||
        std::int64_t{size.m} * size.n > kMostMultiplyAdds / size.k)
        return std::nullopt;
    RecordRequest request = next;  // counts do not depend on the inputs
    request.kernel = launch.kernel;
    request.parameters.tile = launch.tile;
    request.parameters.pad = launch.pad;
    request.removed_barrier = launch.removed_barrier;
    request.order = launch.order;
    request.find_failing_order = false;
    if (!validate(*kernel, request.parameters)) return std::nullopt;
    return request;
}

}  // namespace

BeforeLaunch first_before(const RecordRequest& request, const Generation& generation) {
    constexpr std::string_view kNaive = "02_naive";
    const KernelInfo* naive = find_kernel(kNaive);
    if (request.kernel == kNaive || naive == nullptr) return {};
    const Result<FittedParameters> fitted = fit_parameters(*naive, request.parameters);
    if (!fitted || !same_extents(fitted->parameters, request.parameters)) return {};
    return {.label = std::string(naive->title),
            .kernel = std::string(kNaive),
            .tile = fitted->parameters.tile,
            .pad = fitted->parameters.pad,
            .generation = &generation};
}

BeforePlan plan_before(const Recording* former, const BeforeLaunch& present,
                       const CountsColumn& column, const RecordRequest& next,
                       const Generation& generation) {
    BeforePlan plan;
    // The counts of some blocks are not compared with those of others.
    const bool sizes_stay = former != nullptr && is_whole(*former) &&
                            same_extents(former->request.parameters, next.parameters);
    const std::uint32_t removed = former == nullptr ? 0 : former->request.removed_barrier;
    if (next.removed_barrier != removed && next.removed_barrier != 0) {
        plan.launch = launch_with_all_barriers(next, generation);
        if (former != nullptr && is_recording_of(*former, plan.launch) && sizes_stay)
            plan.counts = former->counts;
    } else if (former == nullptr) {
        plan.launch = first_before(next, generation);
    } else if (BeforeLaunch changed = launch_of(*former, next, generation);
               !changed.label.empty()) {
        plan.launch = std::move(changed);
        if (sizes_stay) plan.counts = former->counts;
    } else {
        plan.launch = present;
        if (sizes_stay && column.label == present.label) plan.counts = column.counts;
    }
    if (!plan.launch.label.empty() && !plan.counts) plan.request = request_for(plan.launch, next);
    return plan;
}

}  // namespace tilereel
