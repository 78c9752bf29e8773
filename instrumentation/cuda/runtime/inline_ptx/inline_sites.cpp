#include "instrumentation/cuda/runtime/inline_ptx/inline_sites.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <tuple>

#include "instrumentation/cuda/runtime/running_block.h"

namespace tilereel::runtime {

Scalar scalar_of(PtxType type) {
    if (is_floating(type)) return Scalar::kFloating;
    return is_signed(type) ? Scalar::kSigned : Scalar::kUnsigned;
}

Site& site_of(const Site& call, const PtxStep& step, const PtxSite& differs, std::uint32_t number) {
    using Key = std::tuple<const Site*, const PtxStep*, std::uint32_t>;
    // A thread mostly runs the same few statements.
    struct Recent {
        Key key;
        Site* site = nullptr;
    };
    constexpr std::size_t kRecent = 64;
    static thread_local std::array<Recent, kRecent> recent;
    const Key key{&call, &step, number};
    Recent& last =
        recent[(reinterpret_cast<std::uintptr_t>(&step) / sizeof(PtxStep) + number) % kRecent];
    if (last.key == key && last.site != nullptr) return *last.site;
    static std::mutex mutex;
    static auto& known = *new std::map<Key, Site>;
    const std::lock_guard lock(mutex);
    const auto [entry, fresh] = known.try_emplace(key, call);
    Site& site = entry->second;
    if (fresh) {
        site.kind = differs.kind;
        site.callee = differs.callee;
        site.name = site.type = nullptr;
        // Instructions in the order of the statement; each has room for sites of its own.
        constexpr std::uint32_t kOrdinals = 8, kMost = Site::kOrdinalsOfCall / kOrdinals - 1;
        site.ordinal += kOrdinals * std::min(step.number + 1, kMost);
        site.width_bytes = site.align_bytes = differs.width_bytes;
        site.scalar = scalar_of(differs.element);
        site.scalar_bytes = bytes_of(differs.element);
    }
    last = {key, &site};
    return site;
}

void enter_call(const PtxFrame& frame, const PtxStep& step, const char* callee) {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr || frame.call == nullptr) return;
    block->set_call_site(&site_of(*frame.call, step, {.callee = callee}, 15));
}

}  // namespace tilereel::runtime
