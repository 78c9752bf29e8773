#include "instrumentation/record/block_runner.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

using dialect::EventKind;
using dialect::running;

thread_local BlockRunner* this_runner = nullptr;  // of this CPU thread: fibers take no argument

void thread_entry() { this_runner->run_thread(); }

std::string coordinates(const dialect::ThreadIndex& index) {
    std::string text = "(";
    text += std::to_string(index.x);
    text += ',';
    text += std::to_string(index.y);
    return text += ')';
}

// An extent that names PAD is padded: "TILE + PAD" elements a row, TILE of them data.
bool names_pad(std::string_view extents) {
    const std::size_t comma = extents.rfind(',');
    const std::string_view last =
        comma == std::string_view::npos ? extents : extents.substr(comma + 1);
    return last.find("PAD") != std::string_view::npos;
}

}  // namespace

BlockRunner::BlockRunner(const BlockJob& job)
    : job_(job),
      threads_(job.launch->threads()),
      fibers_(threads_),
      warps_(job.launch->warps()),
      saved_(threads_),
      thread_idx_(threads_),
      shared_(static_cast<unsigned char*>(std::aligned_alloc(128, kSharedLimitBytes)), std::free),
      writer_(job.accumulator_interval),
      in_order_(job.in_order || job.launch->removed_barrier != 0) {
    if (!shared_) throw std::bad_alloc();
    std::memset(shared_.get(), 0xff, kSharedLimitBytes);
    const Dim3& block = job.launch->block;
    for (std::uint32_t thread = 0; thread < threads_; ++thread)
        thread_idx_[thread] = {thread % block.x, thread / block.x % block.y,
                               thread / (block.x * block.y)};
    main_ = flow_of_this_thread();
    if (!in_order_) return;
    ordered_.resize(warps_.size());
}

void BlockRunner::begin_batch(Batch& batch) {
    batch_ = &batch;
    charged_bytes_ = 0;
    events_.begin_batch(batch);
}

void BlockRunner::begin_block(std::uint32_t block) {
    const Launch& launch = *job_.launch;
    block_ = block;
    epoch_ = 0;
    error_.reset();
    this_runner = this;
    dialect::blockIdx = {block % launch.grid.x, block / launch.grid.x % launch.grid.y, 0};
    dialect::blockDim = {launch.block.x, launch.block.y, launch.block.z};
    dialect::gridDim = {launch.grid.x, launch.grid.y, launch.grid.z};
    dialect::block_edge = static_cast<int>(launch.tile);
    running = {};
    running.shared = shared_.get();
    // Never-written shared memory is NaN, whatever the block before left there.
    std::memset(shared_.get(), 0xff, used_shared_bytes_);
    for (std::uint32_t thread = 0; thread < threads_; ++thread)
        fibers_.prepare(thread, thread_entry);
    std::ranges::fill(saved_, Saved{});
    for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
        const std::uint32_t lanes = std::min<std::uint32_t>(threads_ - warp * kWarpSize, kWarpSize);
        warps_[warp] = {};
        warps_[warp].ready = lanes == kWarpSize ? 0xffffffff : (1u << lanes) - 1;
    }
    for (CopyGroups<StartedCopy>& copies : copies_) copies.clear();
    arrivals_.clear();
    declared_arrivals_.assign(threads_, 0);
    lanes_may_part_ = false;
    writer_.begin_block(static_cast<std::uint32_t>(warps_.size()));
}

Status BlockRunner::run(std::uint32_t block) {
    if (in_order_) return run_in_order(block);
    begin_block(block);
    check(next_warp(0));
    thread_ = 0;
    resume(0);
    switch_flow(main_, fibers_[0]);
    batch_->accumulators = std::max(batch_->accumulators, running.most_accumulators);
    if (!error_) charge();
    if (error_) return *error_;
    return Done{};
}

void BlockRunner::run_thread() {
    job_.body(job_.arguments);
    stop(Stop::kReturn, 0);
    check(false);  // a thread that has returned is never resumed
}

void BlockRunner::resume(std::uint32_t thread) {
    restore(thread);
    events_.begin_lane(thread % kWarpSize);
}

void BlockRunner::restore(std::uint32_t thread) {
    const Saved& saved = saved_[thread];
    running.accumulators = saved.accumulators;
    running.shared_bytes = saved.shared_bytes;
    running.dynamic_bytes = saved.dynamic_bytes;
    running.shared_arrays = saved.shared_arrays;
    dialect::threadIdx = thread_idx_[thread];
}

void BlockRunner::save(std::uint32_t thread) {
    saved_[thread] = {running.accumulators, running.shared_bytes, running.dynamic_bytes,
                      running.shared_arrays};
}

void BlockRunner::stop(Stop why, std::uint32_t line) {
    const std::uint32_t thread = thread_;
    const bool returns = why == Stop::kReturn;
    if (!returns && is_left_out(line)) return;
    save(thread);
    if (!in_order_) events_.end_lane();
    WarpLanes& warp = warps_[warp_];
    const std::uint32_t lane = 1u << (thread % kWarpSize);
    warp.ready &= ~lane;
    warp.line[thread % kWarpSize] = line;
    if (why == Stop::kBlockBarrier)
        warp.at_block_barrier |= lane;
    else if (why == Stop::kWarpBarrier)
        warp.at_warp_barrier |= lane;
    if (in_order_) {
        switch_flow(fibers_[thread], main_, returns);
        return;
    }
    bool more = true;
    if (warp.ready != 0)
        thread_ = warp_ * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(warp.ready));
    else
        guarded([&] { more = find_next_thread(); });
    if (job_.cancel != nullptr && job_.cancel->load(std::memory_order_relaxed)) {
        error_ = cancelled();
        abandon();
    }
    if (!more) abandon();  // the block is done
    resume(thread_);
    if (thread_ != thread) switch_flow(fibers_[thread], fibers_[thread_], returns);
}

// Once no lane of the warp is left to run: the next lane in the block's order, if any.
bool BlockRunner::find_next_thread() {
    finish_turn();
    WarpLanes& warp = warps_[warp_];
    if (warp.ready != 0) {  // released from a warp barrier
        events_.begin_turn();
    } else {
        batch_->end_segment();
        charge();
        if (error_) return false;
        if (!next_warp(warp_ + 1)) {  // the epoch is over: the block's barrier opens
            for (WarpLanes& each : warps_) {
                each.ready = each.at_block_barrier;
                each.at_block_barrier = 0;
            }
            ++epoch_;
            if (!next_warp(0)) return false;
        }
    }
    thread_ = warp_ * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(warps_[warp_].ready));
    return true;
}

bool BlockRunner::next_warp(std::uint32_t from) {
    for (warp_ = from; warp_ < warps_.size(); ++warp_) {
        if (warps_[warp_].ready == 0) continue;
        batch_->begin_segment(block_, epoch_, static_cast<std::uint16_t>(warp_));
        events_.begin_turn();
        return true;
    }
    return false;
}

void BlockRunner::finish_turn() {
    WarpLanes& warp = warps_[warp_];
    const bool last = warp.at_warp_barrier == 0;
    writer_.write(events_.rows(), warp_, last, *batch_);
    if (!last)
        release_warp_barriers(warp, [this](EventKey key, std::uint32_t lanes) {
            batch_->add_plain(batch_->site_of_event(key), 0, lanes);
        });
    else if (warp.at_block_barrier != 0)
        write_block_barrier(warp, *batch_);
}

void BlockRunner::charge() {
    const std::uint64_t bytes = batch_->bytes();
    std::uint64_t event_bytes = events_.bytes();
    for (const OrderedWarp& warp : ordered_) event_bytes += warp.bytes();
    std::uint64_t taken = 0;
    if (bytes > charged_bytes_) taken += bytes - charged_bytes_;
    if (event_bytes > charged_event_bytes_) taken += event_bytes - charged_event_bytes_;
    constexpr std::uint64_t kWorthCounting = 64 * 1024;
    if (taken < kWorthCounting) return;
    charged_bytes_ = std::max(charged_bytes_, bytes);
    charged_event_bytes_ = std::max(charged_event_bytes_, event_bytes);
    if (!job_.budget->take(taken))
        error_ = failed("the recording needs more memory than allowed; record a smaller product");
}

void BlockRunner::abandon() {
    switch_flow(fibers_[thread_], main_, true);
    std::abort();  // never switched back to
}

void BlockRunner::note(std::string message) { error_ = failed(std::move(message)); }

void BlockRunner::unexpected(EventKey key, const std::uint32_t* words) {
    if (!in_order_) {
        guarded([&] { events_.add_unexpected(key, words); });
        return;
    }
    guarded([&] { ordered_[warp_].expect(thread_ % kWarpSize, key, words); });
    // A multiply-add touches registers only.
    if (dialect::kind_of(key) != EventKind::kMultiplyAdd) wait_for_turn();
}

void BlockRunner::start_copy(void* to, const void* value, std::uint32_t bytes) {
    guarded([&] {
        if (copies_.empty()) copies_.resize(threads_);
        StartedCopy copy{.to = static_cast<unsigned char*>(to), .bytes = bytes};
        std::memcpy(copy.value.data(), value, bytes);
        copies_[thread_].start(copy);
    });
}

void BlockRunner::close_copy_group() {
    guarded([&] {
        if (copies_.empty()) copies_.resize(threads_);
        copies_[thread_].commit();
    });
}

void BlockRunner::land_copies(std::uint32_t newest) {
    if (copies_.empty()) return;
    copies_[thread_].wait(newest, [](const StartedCopy& copy) {
        std::memcpy(copy.to, copy.value.data(), copy.bytes);
    });
}

dialect::SharedPlace BlockRunner::reserve(const dialect::SharedDeclaration& declaration) {
    const std::uint32_t alignment = declaration.alignment_bytes;
    const std::uint32_t at = (running.shared_bytes + alignment - 1) / alignment * alignment;
    const std::uint64_t bytes =
        std::uint64_t{declaration.rows} * declaration.row_elements * declaration.element_bytes;
    if (at + bytes > kSharedLimitBytes) {
        note(std::string(declaration.name) + " does not fit: a block has " +
             std::to_string(kSharedLimitBytes) + " bytes of shared memory; use smaller tiles");
        abandon();
    }
    if (declaration.dynamic && running.dynamic_bytes + bytes > job_.dynamic_shared_bytes) {
        note(std::string(declaration.name) + " does not fit: the launch gives a block " +
             std::to_string(job_.dynamic_shared_bytes) +
             " bytes of dynamic shared memory; correct the kernel's launch rule");
        abandon();
    }
    const std::uint32_t number = running.shared_arrays++;
    if (declaration.dynamic) running.dynamic_bytes += static_cast<std::uint32_t>(bytes);
    running.shared_bytes = at + static_cast<std::uint32_t>(bytes);
    guarded([&] {
        if (number < batch_->shared_arrays.size()) return;
        const std::span outer(declaration.outer_extents, declaration.outer_extent_count);
        const std::uint32_t padding =
            names_pad(declaration.extents) ? job_.launch->pad : declaration.padding_elements;
        batch_->shared_arrays.push_back({.name = declaration.name,
                                         .space = Space::kShared,
                                         .rows = declaration.rows,
                                         .columns = declaration.row_elements - padding,
                                         .leading_dimension = declaration.row_elements,
                                         .element_bytes = declaration.element_bytes,
                                         .base_bytes = at,
                                         .outer_extents = {outer.begin(), outer.end()}});
        batch_->shared_bytes = std::max(batch_->shared_bytes, running.shared_bytes);
    });
    used_shared_bytes_ = std::max(used_shared_bytes_, running.shared_bytes);
    return {.first = shared_.get() + at,
            .array = kGlobalArrayCount + number,
            .bytes = static_cast<std::uint32_t>(bytes)};
}

dialect::SharedPlace BlockRunner::dynamic(std::uint32_t element_bytes) {
    return reserve({.name = "dynamic",
                    .extents = "",
                    .rows = 1,
                    .row_elements = job_.dynamic_shared_bytes / element_bytes,
                    .element_bytes = element_bytes,
                    .alignment_bytes = 16});
}

std::string BlockRunner::where(std::uint32_t line, std::uint32_t array) const {
    static constexpr std::string_view kGlobalNames[] = {"A", "B", "C"};
    const std::string name = array < kGlobalArrayCount
                                 ? std::string(kGlobalNames[array])
                                 : batch_->shared_arrays[array - kGlobalArrayCount].name;
    return name + " on line " + std::to_string(line) + " by thread " +
           coordinates(thread_idx_[thread_]) + " of block " + coordinates(dialect::blockIdx);
}

}  // namespace tilereel

namespace tilereel::dialect {
inline namespace emulated {

void record_unexpected(EventKey key, const std::uint32_t* words) {
    this_runner->unexpected(key, words);
}
SharedPlace reserve_shared(const SharedDeclaration& declaration) {
    return this_runner->reserve(declaration);
}
SharedPlace dynamic_shared(std::uint32_t element_bytes) {
    return this_runner->dynamic(element_bytes);
}
void block_barrier(std::uint32_t line) {
    this_runner->stop(BlockRunner::Stop::kBlockBarrier, line);
}
void start_copy(void* to, const void* value, std::uint32_t bytes) {
    this_runner->start_copy(to, value, bytes);
}
void close_copy_group() { this_runner->close_copy_group(); }
void land_copies(std::uint32_t newest) { this_runner->land_copies(newest); }
std::uint32_t declare_arrivals(std::uint32_t count) { return this_runner->declare_arrivals(count); }
void init_arrival(std::uint32_t number, std::uint32_t arrivals) {
    this_runner->init_arrival(number, arrivals);
}
std::uint32_t arrive(std::uint32_t number, std::uint32_t bytes, std::uint32_t line) {
    return this_runner->arrive(number, bytes, line);
}
std::uint32_t phase_under_way(std::uint32_t number) { return this_runner->phase_under_way(number); }
std::uint32_t phase_to_wait_for(std::uint32_t number, std::uint32_t parity) {
    return this_runner->phase_to_wait_for(number, parity);
}
void wait_for_phase(std::uint32_t phase, std::uint32_t line) {
    this_runner->wait_for_phase(phase, line);
}
void start_box_pieces(const BoxPieces& pieces) { this_runner->start_box_pieces(pieces); }
bool is_left_out(std::uint32_t line) { return this_runner->is_left_out(line); }
void warp_barrier(std::uint32_t line) { this_runner->stop(BlockRunner::Stop::kWarpBarrier, line); }
void fail_index(long long index, long long count, std::uint32_t line, std::uint32_t array) {
    this_runner->note("index " + std::to_string(index) + " is outside 0.." +
                      std::to_string(count - 1) + " of " + this_runner->where(line, array) +
                      "; correct the kernel");
    this_runner->abandon();
}
void fail_alignment(unsigned long long offset_bytes, std::uint32_t width_bytes, std::uint32_t line,
                    std::uint32_t array) {
    this_runner->note("byte " + std::to_string(offset_bytes) + " is not a multiple of " +
                      std::to_string(width_bytes) + " in " + this_runner->where(line, array) +
                      "; correct the kernel");
    this_runner->abandon();
}

}  // namespace emulated
}  // namespace tilereel::dialect
