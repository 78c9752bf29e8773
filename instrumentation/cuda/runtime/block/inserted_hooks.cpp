// The hooks that the plugin puts into device code. Nearly always a lane does what the first lane of
// its warp did at this point. A few comparisons detect that: the event is expected.
#include <algorithm>
#include <bit>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running.h"
#include "instrumentation/cuda/runtime/running_kernel.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

namespace tilereel::runtime {
namespace {

[[gnu::noinline]] void* looked_at(void* address, Site* site, const std::uint32_t* words,
                                  std::uint32_t count) {
    if (running.idle) return address;
    Worker* const worker = Worker::current();
    return worker == nullptr ? address : worker->access(address, site, words, count);
}

// Whether Worker::access() would only return the address. Alignments are powers of two.
[[gnu::always_inline]] inline bool is_plainly_local(const void* address, const Site* site) {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    const std::uint64_t unit = std::clamp(site->align_bytes, 1u, 16u);
    return at - own_stacks.begin < own_stacks.bytes && (at & (unit - 1)) == 0 && !time_is_up();
}

[[gnu::always_inline]] inline void* unexpected(void* address, Site* site,
                                               const std::uint32_t* words, std::uint32_t count) {
    return is_plainly_local(address, site) ? address : looked_at(address, site, words, count);
}

[[gnu::noinline]] void unexpected_value(Site* site, const std::uint32_t* words, std::uint32_t count,
                                        std::uint32_t offset) {
    if (Worker* const worker = Worker::current()) worker->value(site, words, count, offset);
}

// Notes the access if it was expected.
template <class... Words>
[[gnu::always_inline]] inline bool expected(const void* address, const Site* site, Words... words) {
    ExpectedEvent* const event = running.next;
    const std::uint64_t offset = reinterpret_cast<std::uint64_t>(address) - event->base;
    if (event->site != site || offset > event->limit || (offset & event->misaligned) != 0)
        return false;
    if (sizeof...(words) > 0 && event->slow) return false;
    std::uint32_t* word = running.word;
    *word = static_cast<std::uint32_t>(offset);
    ((*(word += kLanes) = words), ...);
    running.word = word + kLanes;
    running.next = event + 1;
    return true;
}

[[gnu::always_inline]] inline bool is_skipped(const Site* site) {
    return running.skips_assignments && is_only_a_value(*site);
}

template <class... Words>
[[gnu::always_inline]] inline bool expected_value(const Site* site, std::uint32_t offset,
                                                  Words... words) {
    if (is_skipped(site)) return true;
    ExpectedEvent* const event = running.next;
    if (event->site != site || event->base != offset) return false;
    std::uint32_t* word = running.word;
    ((*word = words, word += kLanes), ...);
    running.word = word;
    running.next = event + 1;
    return true;
}

void* store_word(void* address, Site* site, std::uint32_t word) {
    return expected(address, site, word) ? address : unexpected(address, site, &word, 1);
}

void* store_words(void* address, Site* site, std::uint64_t value) {
    const std::uint32_t words[] = {static_cast<std::uint32_t>(value),
                                   static_cast<std::uint32_t>(value >> 32)};
    return expected(address, site, words[0], words[1]) ? address
                                                       : unexpected(address, site, words, 2);
}

}  // namespace

extern "C" {

void* tilereel_load(const void* address, Site* site) {
    auto* const at = const_cast<void*>(address);
    return expected(address, site) ? at : unexpected(at, site, nullptr, 0);
}

void* tilereel_store_int(void* address, Site* site, std::uint64_t value) {
    if (site->width_bytes == 8) return store_words(address, site, value);
    return store_word(address, site, static_cast<std::uint32_t>(value));
}

void* tilereel_store_float(void* address, Site* site, float value) {
    return store_word(address, site, std::bit_cast<std::uint32_t>(value));
}

void* tilereel_store_double(void* address, Site* site, double value) {
    return store_words(address, site, std::bit_cast<std::uint64_t>(value));
}

void* tilereel_store_wide(void* address, Site* site) {
    if (running.idle) return address;
    Worker* const worker = Worker::current();
    return worker == nullptr ? address : worker->atomic_or_wide(address, site);
}

void* tilereel_atomic(void* address, Site* site) { return tilereel_store_wide(address, site); }

void tilereel_stored(const void* address) {
    if (running.idle) return;
    if (Worker* const worker = Worker::current()) worker->stored(address);
}

void tilereel_value_int(Site* site, std::uint64_t value, std::uint32_t offset_bytes) {
    const auto low = static_cast<std::uint32_t>(value),
               high = static_cast<std::uint32_t>(value >> 32);
    if (is_skipped(site)) return;
    ExpectedEvent* const event = running.next;
    if (event->site == site && event->base == offset_bytes) [[likely]] {
        std::uint32_t* const word = running.word;
        *word = low;
        running.next = event + 1;
        running.word = word + kLanes;
        if (event->words == 1) [[likely]]
            return;
        word[kLanes] = high;
        running.word = word + 2 * kLanes;
        return;
    }
    const std::uint32_t words[] = {low, high};
    unexpected_value(site, words, site->width_bytes == 8 ? 2 : 1, offset_bytes);
}

void tilereel_value_float(Site* site, float value, std::uint32_t offset_bytes) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    if (!expected_value(site, offset_bytes, word)) unexpected_value(site, &word, 1, offset_bytes);
}

void tilereel_value_double(Site* site, double value, std::uint32_t offset_bytes) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint32_t words[] = {static_cast<std::uint32_t>(bits),
                                   static_cast<std::uint32_t>(bits >> 32)};
    if (!expected_value(site, offset_bytes, words[0], words[1]))
        unexpected_value(site, words, 2, offset_bytes);
}

void tilereel_at(Site* site) {
    if (RunningBlock* const block = RunningBlock::current()) block->set_call_site(site);
}

void tilereel_enter(Site* site) {
    ExpectedEvent* const event = running.next;
    if (event->site == site && event->base == 0)
        running.next = event + 1;
    else if (Worker* const worker = Worker::current())
        worker->enter(site, false);
}

void tilereel_leave(Site* site) {
    ExpectedEvent* const event = running.next;
    if (event->site == site && event->base == 1)
        running.next = event + 1;
    else if (Worker* const worker = Worker::current())
        worker->enter(site, true);
}

void tilereel_host_call(Site* site) {
    RunningBlock* const block = RunningBlock::current();
    if (block == nullptr || !block->in_thread()) return;
    warn_once(site, "calls " + std::string(site->callee) + "(), which is host code",
              "nvcc warns of the call, and what the kernel does on a GPU is not defined. Mark the "
              "function __device__, or __host__ __device__; what it accesses is not recorded.",
              site->line);
}

void tilereel_shared(void* address, Variable* variable) {
    if (variable->address != nullptr)
        DeviceMemory::instance().variable(variable);
    else if (Worker* const worker = Worker::current())
        worker->declare_shared(address, variable);
    else
        note_static_shared(*variable);
}
}

}  // namespace tilereel::runtime
