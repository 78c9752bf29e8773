#include "app/workbench/time/time_shown.h"

#include <algorithm>
#include <cmath>

#include "app/workbench/tables/checked_times.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

constexpr int kLeastSize = 256, kMostSize = 8192;
constexpr double kMuchFaster = 1.5;

KernelParameters at_size(KernelParameters parameters, int size) {
    if (size != 0) parameters.m = parameters.n = parameters.k = size;
    return parameters;
}

// The raced size nearest to the product's.
int checked_size(const KernelParameters& p) {
    const double edge = std::cbrt(static_cast<double>(p.m) * p.n * p.k);
    const double power = std::round(std::log2(std::max(edge, 1.0)));
    return static_cast<int>(std::clamp(std::exp2(power), 512.0, double{kMostSize}));
}

bool is_checked(const CheckedTime& row, std::string_view kernel, int size) {
    return row.launch == kernel && row.cold && row.about &&
           row.parameters == at_size(row.parameters, size);
}

// The fastest of the kernel's checked launches of this size; nullptr: none was checked.
const CheckedTime* fastest(std::string_view kernel, int size) {
    const CheckedTime* best = nullptr;
    for (const CheckedTime& row : checked_times())
        if (is_checked(row, kernel, size) && (best == nullptr || row.estimated < best->estimated))
            best = &row;
    return best;
}

}  // namespace

std::vector<int> timed_sizes(const KernelInfo& kernel, const KernelParameters& shown) {
    std::vector<int> sizes{0};
    for (int size = kLeastSize; size <= kMostSize; size *= 2)
        if (at_size(shown, size) != shown && validate(kernel, at_size(shown, size)))
            sizes.push_back(size);
    return sizes;
}

KernelParameters timed_parameters(const KernelInfo& kernel, const KernelParameters& shown,
                                  int size) {
    if (size == 0 || at_size(shown, size) == shown) return shown;
    const std::vector<int> sizes = timed_sizes(kernel, shown);
    const auto nearest = std::ranges::min(sizes, {}, [&](int offered) {
        return offered == 0 ? double{kMostSize} : std::abs(std::log2(offered) - std::log2(size));
    });
    return at_size(shown, nearest);
}

TimeQuestion question_of_kernel(const RecordRequest& shown, const GpuModel* gpu, int size) {
    TimeQuestion question{.gpu = gpu, .request = shown};
    RecordRequest& request = question.request;
    request.inputs = {};
    request.find_failing_order = false;
    request.block.reset();
    if (const KernelInfo* const kernel = find_kernel(request.kernel))
        request.parameters = timed_parameters(*kernel, request.parameters, size);
    if (std::optional<RecordRequest> next = faster_rung(request))
        question.others.push_back(*std::move(next));
    return question;
}

std::string key_of(const TimeQuestion& question) {
    const RecordRequest& request = question.request;
    const KernelParameters& p = request.parameters;
    std::string key = request.kernel;
    for (const int number :
         {p.m, p.n, p.k, p.tile, p.pad, static_cast<int>(request.removed_barrier),
          static_cast<int>(request.order)})
        key += " " + std::to_string(number);
    return key;
}

std::optional<RecordRequest> faster_rung(const RecordRequest& request) {
    const int size = checked_size(request.parameters);
    const CheckedTime* const now = fastest(request.kernel, size);
    if (now == nullptr || request.removed_barrier != 0) return std::nullopt;
    for (const KernelInfo& kernel : catalog()) {
        const CheckedTime* const other =
            kernel.id > request.kernel ? fastest(kernel.id, size) : nullptr;
        if (other == nullptr || now->estimated < kMuchFaster * other->estimated) continue;
        RecordRequest next = request;
        next.kernel = kernel.id;
        next.parameters.tile = other->parameters.tile;
        next.parameters.pad = other->parameters.pad;
        return next;
    }
    return std::nullopt;
}

}  // namespace tilereel
