#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"

#include <algorithm>
#include <tuple>

#include "instrumentation/cuda/runtime/made_once.h"
#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {

Scalar scalar_of(PtxType type) {
    if (is_floating(type)) return Scalar::kFloating;
    return is_signed(type) ? Scalar::kSigned : Scalar::kUnsigned;
}

Site& site_of(const Site& call, const PtxStep& step, const PtxSite& differs, std::uint32_t number) {
    const std::tuple key(&call, &step, number);
    const std::size_t hash = reinterpret_cast<std::uintptr_t>(&step) / sizeof(PtxStep) + number;
    return made_once(key, hash, [&] {
        Site site = call;
        site.kind = differs.kind;
        site.callee = differs.callee;
        site.name = site.type = nullptr;
        // Instructions in the order of the statement; each has room for sites of its own.
        constexpr std::uint32_t kOrdinals = 8, kMost = Site::kOrdinalsOfCall / kOrdinals - 1;
        site.ordinal += kOrdinals * std::min(step.number + 1, kMost);
        site.width_bytes = site.align_bytes = differs.width_bytes;
        site.scalar = scalar_of(differs.element);
        site.scalar_bytes = bytes_of(differs.element);
        return site;
    });
}

void enter_call(const PtxFrame& frame, const PtxStep& step, const char* callee) {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr || frame.call == nullptr) return;
    block->set_call_site(&site_of(*frame.call, step, {.callee = callee}, 15));
}

}  // namespace tilereel::runtime
