#include "instrumentation/cuda/runtime/block/async_copies.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/made_once.h"
#include "instrumentation/cuda/runtime/warp/call_sites.h"
#include "instrumentation/cuda/runtime/warp/is_left_out.h"

namespace tilereel::runtime {
namespace {

// Site::callee of asynchronous copies, and of what another block of the cluster has a part in.
constexpr char kCopy[] = "tilereel_copy", kOtherBlocksCopy[] = "tilereel_other_copy";
constexpr char kOtherBlock[] = "tilereel_other_block";

// Whether all bytes lie in an array in shared memory, at a multiple of their number.
bool is_shared(const Worker& worker, const void* pointer, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    return address % bytes == 0 &&
           std::ranges::any_of(worker.shared_arrays(), [&](const MemoryArray& array) {
               return address - array.base < array.bytes &&
                      bytes <= array.bytes - (address - array.base);
           });
}

void write_copy(const PendingCopy& copy) { std::memcpy(copy.to, copy.value.data(), copy.bytes); }

}  // namespace

bool is_async_copy(const Site& site) {
    return site.callee == kCopy || site.callee == kOtherBlocksCopy;
}

bool is_of_other_block(const Site& site) {
    return site.callee == kOtherBlocksCopy || site.callee == kOtherBlock;
}

Site& barrier_site(const Site& call, SiteKind kind, bool of_other_block) {
    if (!of_other_block) return site_at_call(call, kind);
    const std::pair key(&call, kind);
    return made_once(key, object_number(&call) + static_cast<std::size_t>(kind), [&] {
        Site site = call;
        site.kind = kind;
        site.callee = kOtherBlock;
        return site;
    });
}

// The lanes of a warp are told apart by the order of their sites, so this one comes right before
// the wait. Its line is that of the copy.
Site& landing_site(const Site& wait, const Site& started_at) {
    const std::pair key(&wait, &started_at);
    return made_once(key, object_number(&wait) + object_number(&started_at), [&] {
        Site site = wait;
        site.file = started_at.file;
        site.line = started_at.line;
        site.column = started_at.column;
        site.in_library = started_at.in_library;
        site.kind = SiteKind::kStartBulkCopy;
        site.callee = kOtherBlock;
        site.lands = 1;
        --site.ordinal;
        return site;
    });
}

CopySites& copy_sites(const Site& call, std::uint32_t width, bool asynchronous,
                      bool of_other_block) {
    const std::tuple key(&call, width, asynchronous, of_other_block);
    return made_once(key, object_number(&call) + width + asynchronous, [&] {
        CopySites sites;
        for (Site* const site : {&sites.load, &sites.store}) {
            *site = call;
            site->callee = of_other_block ? kOtherBlocksCopy : asynchronous ? kCopy : nullptr;
            site->name = site->type = nullptr;
            site->width_bytes = site->align_bytes = width;
            site->scalar = Scalar::kFloating;
            site->scalar_bytes = 4;
        }
        // Lanes that copy asynchronously come before the others, and each load before its store.
        sites.load.ordinal += asynchronous ? 1 : 3;
        sites.store.ordinal += asynchronous ? 2 : 4;
        sites.load.kind = SiteKind::kLoad;
        sites.store.kind = SiteKind::kStore;
        return sites;
    });
}

// A copy is complete at once if it is not to shared memory, if it has not 4, 8 or 16 bytes, or if
// it sets bytes to 0.
void start_copy(void* to, const void* from, std::size_t bytes, std::size_t zeros) noexcept {
    RunningBlock* const block = RunningBlock::current();
    Worker* const worker = Worker::current();
    const std::size_t read = bytes - std::min(zeros, bytes);
    const bool may_be_asynchronous =
        std::has_single_bit(bytes) && bytes >= 4 && bytes <= 16 && zeros == 0;
    if (block == nullptr || bytes > 16) {
        std::memcpy(to, from, read);
        std::memset(static_cast<char*>(to) + read, 0, bytes - read);
        return;
    }
    bool asynchronous = may_be_asynchronous &&
                        (worker == nullptr || is_shared(*worker, to, bytes)) && block->in_thread();
    PendingCopy copy{.to = to, .bytes = static_cast<std::uint32_t>(bytes)};
    const Site* const call = worker == nullptr ? nullptr : block->call_site();
    if (call == nullptr) {
        std::memcpy(copy.value.data(), from, read);
    } else {
        if (read != 0) {
            CopySites& sites = copy_sites(*call, static_cast<std::uint32_t>(read), asynchronous);
            const void* const readable = tilereel_load(from, &sites.load);
            std::memcpy(copy.value.data(), readable, read);
            // An invalid address has no load: a copy is recorded as both or as a plain store.
            if (worker->is_scratch(readable)) asynchronous = false;
        }
        CopySites& sites = copy_sites(*call, copy.bytes, asynchronous);
        copy.to = tilereel_store_wide(to, &sites.store);
        tilereel_stored(copy.value.data());
    }
    if (asynchronous)
        block->copies().start(copy);
    else
        write_copy(copy);
}

void commit_copies() noexcept {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr) return;
    block->warp_collective(0, 0, CollectiveKind::kCommitCopies);
    block->copies().commit();
}

void wait_copies(unsigned newest) noexcept {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr || is_left_out(block->call_site())) return;
    block->warp_collective(0, 0, CollectiveKind::kWaitCopies, newest);
    block->copies().wait(newest, write_copy);
}

void fence_async_proxy() noexcept {
    if (RunningBlock* const block = RunningBlock::current())
        block->warp_collective(0, 0, CollectiveKind::kFence);
}

}  // namespace tilereel::runtime
