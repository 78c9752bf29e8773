// Checks whether a request can be raced, and names contenders and sizes.
#include <algorithm>
#include <span>

#include "app/race/race.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

Error unknown_kernel(const Contender& contender) {
    return wrong_call("there is no kernel '" + contender.kernel +
                      "'; 'tilereel kernels' lists them");
}

Status check_contenders(const std::vector<Contender>& contenders) {
    if (contenders.empty()) return wrong_call("nothing races: name a kernel");
    if (contenders.size() > kMostContenders)
        return wrong_call("more than " + std::to_string(kMostContenders) +
                          " contenders: race them in parts");
    for (const Contender& contender : contenders) {
        if (!has_parameters(contender)) continue;
        const KernelInfo* const kernel = find_kernel(contender.kernel);
        if (!kernel) return unknown_kernel(contender);
        const auto offered = [](std::span<const int> values, int value) {
            return std::ranges::find(values, value) != values.end();
        };
        if (!offered(kernel->tiles, contender.tile) || !offered(kernel->pads, contender.pad))
            return wrong_call(contender.kernel + " is not built in with TILE " +
                              std::to_string(contender.tile) + " and PAD " +
                              std::to_string(contender.pad) +
                              ", and only what is built in can race; 'tilereel kernels' lists it");
    }
    return Done{};
}

Status check_sizes(const RaceRequest& request) {
    const std::vector<ProductSize>& sizes = request.sizes;
    if (sizes.empty()) return wrong_call("there is no size to race at: name one");
    if (sizes.size() > kMostSizes)
        return wrong_call("more than " + std::to_string(kMostSizes) + " sizes: race them in parts");
    const int most = is_of_products(request) ? kLargestExtent : kLargestCount;
    const auto in_range = [most](int extent) { return extent >= 1 && extent <= most; };
    for (const ProductSize& size : sizes)
        if (!in_range(size.m) || !in_range(size.n) || !in_range(size.k))
            return wrong_call("size " + name_of(size) + ": use extents from 1 to " +
                              std::to_string(most));
    if (is_of_products(request)) return Done{};
    const bool sound = request.bytes.size() == sizes.size() &&
                       std::ranges::all_of(request.bytes, [](double bytes) { return bytes > 0; });
    const bool square = std::ranges::all_of(
        sizes, [](const ProductSize& size) { return size.m == size.n && size.n == size.k; });
    if (!sound || !square || !std::ranges::all_of(request.contenders, is_own))
        return wrong_call(
            "a kernel that is no product races over n, and only beside the same kernel with other "
            "values");
    return Done{};
}

}  // namespace

std::string name_of(const Contender& contender) {
    if (!has_parameters(contender)) return contender.kernel;
    return contender.kernel + " TILE " + std::to_string(contender.tile) + " PAD " +
           std::to_string(contender.pad);
}

InputType inputs_of(const Contender& contender) {
    if (contender.kernel == kCublasBf16) return InputType::kBfloat16;
    const KernelInfo* const kernel = find_kernel(contender.kernel);
    return kernel != nullptr ? kernel->inputs : InputType::kFloat32;
}

std::optional<std::uint32_t> reference_of(const std::vector<Contender>& contenders,
                                          const Contender& contender) {
    const InputType inputs = inputs_of(contender);
    for (std::uint32_t at = 0; at < contenders.size(); ++at)
        if (is_reference(contenders[at]) && inputs_of(contenders[at]) == inputs) return at;
    return std::nullopt;
}

std::vector<Contender> references_of(const std::vector<Contender>& contenders, bool gpu) {
    std::vector<Contender> references;
    for (const auto& [inputs, name] : {std::pair{InputType::kFloat32, gpu ? kCublas : kOpenblas},
                                       {InputType::kBfloat16, kCublasBf16}})
        if (std::ranges::any_of(contenders,
                                [&](const Contender& each) { return inputs_of(each) == inputs; }))
            references.push_back({std::string(name)});
    return references;
}

std::string name_of(const ProductSize& size) {
    if (size.m == size.n && size.n == size.k) return std::to_string(size.m);
    return std::to_string(size.m) + "x" + std::to_string(size.n) + "x" + std::to_string(size.k);
}

Status takes(const Contender& contender, const ProductSize& size) {
    if (!has_parameters(contender)) return Done{};
    const KernelInfo* const kernel = find_kernel(contender.kernel);
    if (!kernel) return unknown_kernel(contender);
    TRY(validate(
        *kernel,
        {.m = size.m, .n = size.n, .k = size.k, .tile = contender.tile, .pad = contender.pad}));
    return Done{};
}

Status check_request(const RaceRequest& request) {
    TRY(check_contenders(request.contenders));
    TRY(check_sizes(request));
    if (request.repeats < 1 || request.repeats > kMostRepeats)
        return wrong_call("use from 1 to " + std::to_string(kMostRepeats) + " repeats");
    if (request.warm_ups < 0 || request.warm_ups > kMostWarmUps)
        return wrong_call("use from 0 to " + std::to_string(kMostWarmUps) + " warm-ups");
    const auto sound = [](double ms) { return ms >= 0 && ms <= kMostMilliseconds; };
    if (!sound(request.least_sample_ms) || !sound(request.enough_ms))
        return wrong_call("use from 0 to 1e9 milliseconds of samples");
    return Done{};
}

}  // namespace tilereel
