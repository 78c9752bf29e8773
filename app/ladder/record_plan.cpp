#include "app/ladder/record_plan.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kAllSumsUpTo = std::uint64_t{1} << 20;  // multiply-adds of a launch
constexpr std::uint32_t kDefaultInterval = 16;
// Record offsets are 32-bit, so no array may reach beyond 4 GiB.
constexpr std::uint64_t kLargestMatrixElements = (std::uint64_t{1} << 32) / sizeof(float);

std::string text_of(std::uint64_t number) { return std::to_string(number); }

Status check_matrix(const char* name, const std::vector<float>& values, std::uint64_t rows,
                    std::uint64_t columns) {
    if (rows * columns > kLargestMatrixElements)
        return wrong_call(std::string(name) + " has " + text_of(rows * columns) +
                          " elements; a trace holds at most " + text_of(kLargestMatrixElements) +
                          " a matrix: use smaller sizes");
    if (!values.empty() && values.size() != rows * columns)
        return wrong_call(std::string(name) + " has " + text_of(values.size()) +
                          " elements; give " + text_of(rows) + " x " + text_of(columns));
    return Done{};
}

Status check_matrices(const RecordRequest& request) {
    const KernelParameters& p = request.parameters;
    const auto m = static_cast<std::uint64_t>(p.m), n = static_cast<std::uint64_t>(p.n),
               k = static_cast<std::uint64_t>(p.k);
    if (request.inputs.a.empty() != request.inputs.b.empty())
        return wrong_call("give both A and B, or neither");
    for (const Status& status :
         {check_matrix("A", request.inputs.a, m, k), check_matrix("B", request.inputs.b, k, n),
          check_matrix("C", request.inputs.c, m, n)})
        if (!status) return status;
    return Done{};
}

Launch launch_in_trace(const KernelInfo& kernel, const KernelParameters& p,
                       const LaunchShape& shape, const RecordRequest& request) {
    const auto size = [](int extent) { return static_cast<std::uint32_t>(extent); };
    return {.kernel = std::string(kernel.id),
            .m = size(p.m),
            .n = size(p.n),
            .k = size(p.k),
            .tile = size(p.tile),
            .pad = size(p.pad),
            .grid = {shape.grid_x, shape.grid_y, 1},
            .block = {shape.block_x, shape.block_y, 1},
            .shared_bytes = 0,
            .seed = request.inputs.a.empty() ? request.seed : 0,
            .removed_barrier = request.removed_barrier,
            .order = request.order};
}

}  // namespace

Status check_removed_barrier(const KernelInfo& kernel, const RecordRequest& request) {
    if (request.removed_barrier == 0) {
        if (request.order == ThreadOrder::kRoundRobin && !request.find_failing_order) return Done{};
        return wrong_call(
            "the order of the threads matters only without one of the barriers: give its line, "
            "too");
    }
    if (request.order == ThreadOrder::kLanes && !request.lanes_may_diverge)
        return wrong_call(
            "the lanes of a warp run one after another only from compute capability 7.0 on: choose "
            "such a GPU generation, or another order");
    std::string known;
    for (const KernelBarrier& barrier : kernel.barriers) {
        if (static_cast<std::uint32_t>(barrier.line) == request.removed_barrier) return Done{};
        known += (known.empty() ? "" : ", ") + std::to_string(barrier.line) + " (" +
                 std::string(barrier.function.name) + ")";
    }
    const std::string kernel_name(kernel.id);
    if (known.empty()) return wrong_call(kernel_name + " has no barrier that could be left out");
    return wrong_call(kernel_name + " has no barrier on line " + text_of(request.removed_barrier) +
                      "; its barriers are on line " + known);
}

Result<RequestedLaunch> launch_of(const RecordRequest& request) {
    const KernelInfo* kernel = find_kernel(request.kernel);
    if (kernel == nullptr)
        return wrong_call("there is no kernel \"" + request.kernel +
                          "\"; `tilereel kernels` lists them");
    const LaunchShape shape = TRY(validate(*kernel, request.parameters));
    TRY(check_matrices(request));
    TRY(check_removed_barrier(*kernel, request));
    return RequestedLaunch{.kernel = kernel, .shape = shape};
}

Launch traced_launch(const RequestedLaunch& requested, const RecordRequest& request) {
    return launch_in_trace(*requested.kernel, request.parameters, requested.shape, request);
}

std::uint32_t interval_of(const RecordRequest& request) {
    if (request.accumulator_interval != 0) return request.accumulator_interval;
    const KernelParameters& p = request.parameters;
    const double multiply_adds = double(p.m) * double(p.n) * double(p.k);
    return multiply_adds <= double(kAllSumsUpTo) ? 1 : kDefaultInterval;
}

Inputs inputs_of(const RecordRequest& request) {
    const KernelParameters& p = request.parameters;
    Inputs inputs = request.inputs;
    if (inputs.a.empty()) {
        inputs = random_inputs(p.m, p.n, p.k, request.seed);
        inputs.c = request.inputs.c;
    }
    const InputType type = find_kernel(request.kernel)->inputs;
    for (std::vector<float>* const matrix : {&inputs.a, &inputs.b})
        for (float& value : *matrix) value = rounded_to(type, value);
    return inputs;
}

}  // namespace tilereel
