#include "instrumentation/gpu/convert/gpu_order.h"

#include <algorithm>

namespace tilereel::gpu {

GpuOrder::GpuOrder(const GpuFacts& facts) : facts_(facts) {
    number_sites();
    find_loops();
}

void GpuOrder::number_sites() {
    const auto& functions = facts_.functions;
    callee_.assign(facts_.sites.size(), kNone);
    in_function_.resize(facts_.sites.size());
    for (std::uint32_t site = 0; site < in_function_.size(); ++site) in_function_[site] = site;
    for (std::uint32_t i = 0; i < functions.size(); ++i)
        for (const PtxCallSite& call : functions[i].callers)
            if (call.site < callee_.size()) callee_[call.site] = i;
    places_.assign(functions.size(), 0);
    begin_.assign(functions.size(), 0);
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const std::uint32_t places = places_of(i);
        begin_[i] = all;
        if (functions[i].callers.empty()) all += places;
    }
}

// A function calls none of those that call it (ptx_calls.h), so this ends.
std::uint32_t GpuOrder::places_of(std::size_t function) {
    if (places_[function] != 0) return places_[function];
    const PtxFunction& made = facts_.functions[function];
    std::uint32_t places = 1;
    for (std::uint32_t site = made.first; site < std::min<std::size_t>(made.end, callee_.size());
         ++site) {
        in_function_[site] = places++;
        if (callee_[site] != kNone) places += places_of(callee_[site]);
    }
    return places_[function] = places;
}

void GpuOrder::find_loops() {
    loop_of_.assign(facts_.sites.size(), kNone);
    outer_.assign(facts_.loops.size(), kNone);
    // Outer loops come first, so inner loops overwrite them.
    for (std::uint32_t i = 0; i < outer_.size(); ++i) {
        const PtxLoop& loop = facts_.loops[i];
        if (loop.first >= loop_of_.size()) continue;
        outer_[i] = loop_of_[loop.first];
        for (std::uint32_t site = loop.first;
             site < std::min<std::size_t>(loop.end, loop_of_.size()); ++site)
            loop_of_[site] = i;
    }
}

std::uint32_t GpuOrder::ordinal_of(std::uint32_t site, std::uint32_t caller) const {
    if (const auto call = call_of(facts_, site, caller))
        return ordinal_of(call->site, call->caller) + in_function_[site];
    const PtxFunction* const function = function_of(facts_, site);
    return in_function_[site] +
           (function == nullptr
                ? 0
                : begin_[static_cast<std::size_t>(function - facts_.functions.data())]);
}

const runtime::Loop* GpuOrder::loop_around(std::uint32_t site, std::uint32_t caller) {
    const auto call = call_of(facts_, site, caller);
    const runtime::Loop* around = call ? loop_around(call->site, call->caller) : nullptr;
    std::vector<std::uint32_t> inner;
    for (std::uint32_t loop = loop_of_[site]; loop != kNone; loop = outer_[loop])
        inner.push_back(loop);
    while (!inner.empty()) {
        const auto [entry, fresh] = loops_.try_emplace({inner.back(), caller});
        if (fresh) entry->second = {around, ordinal_of(facts_.loops[inner.back()].first, caller)};
        around = &entry->second;
        inner.pop_back();
    }
    return around;
}

runtime::Site& GpuOrder::at(std::uint32_t site, std::uint32_t caller) {
    const auto [entry, fresh] = sites_.try_emplace({site, caller});
    if (fresh) {
        entry->second.kind = runtime::SiteKind::kLoad;
        entry->second.loop = loop_around(site, caller);
        entry->second.ordinal = ordinal_of(site, caller);
    }
    return entry->second;
}

}  // namespace tilereel::gpu
