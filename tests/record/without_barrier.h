#pragma once
// Kernels of the ladder recorded without one of their barriers.
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "kernels/reference.h"

namespace tilereel {

inline constexpr ThreadOrder kAllOrders[] = {ThreadOrder::kRoundRobin, ThreadOrder::kWarpsForward,
                                             ThreadOrder::kWarpsBackward, ThreadOrder::kLanes};

// `barrier`: index among the kernel's barriers, from the top.
inline RecordRequest request_without(const std::string& kernel, std::size_t barrier,
                                     const KernelParameters& parameters,
                                     ThreadOrder order = ThreadOrder::kRoundRobin) {
    const KernelInfo* info = find_kernel(kernel);
    EXPECT_TRUE(info != nullptr && barrier < info->barriers.size()) << kernel;
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    request.removed_barrier = static_cast<std::uint32_t>(info->barriers[barrier].line);
    request.order = order;
    return request;
}

inline Trace recorded(const RecordRequest& request) {
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << request.kernel << ": " << (trace ? "" : trace.error().message);
    return trace ? std::move(trace).value() : Trace{};
}

inline std::vector<WrongElement> wrong_elements(const Trace& trace) {
    const Launch& launch = trace.launch;
    return wrong_elements(matrix_of(trace, MatrixRole::kA).floats(),
                          matrix_of(trace, MatrixRole::kB).floats(),
                          matrix_of(trace, MatrixRole::kC).floats(), static_cast<int>(launch.m),
                          static_cast<int>(launch.n), static_cast<int>(launch.k));
}

}  // namespace tilereel
