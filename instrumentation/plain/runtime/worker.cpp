#include "instrumentation/plain/runtime/worker.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "instrumentation/plain/runtime/built_in.h"
#include "instrumentation/plain/runtime/kept_events.h"
#include "instrumentation/plain/runtime/launch.h"
#include "instrumentation/plain/runtime/program.h"
#include "instrumentation/plain/runtime/program_image.h"
#include "instrumentation/plain/runtime/site_pieces.h"
#include "instrumentation/plain/runtime/stacks.h"

namespace tilereel::plain {
namespace {

thread_local Worker* this_worker = nullptr;

void thread_entry() { this_worker->run_thread(); }

std::uint32_t count_lanes(std::uint32_t mask) {  // nearly always all
    return mask == 0xffffffff ? kLanes : static_cast<std::uint32_t>(std::popcount(mask));
}

bool is_access(const Row& row) { return row.array != nullptr; }

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace

void (*before_stop)() = nullptr;

Worker* Worker::current() { return this_worker; }

Worker::Worker(const Job& job)
    : RunningBlock(job.grid, job.block),
      job_(job),
      fibers_(stacks_for(threads_)),
      suspended_(threads_),
      index_of_(threads_),
      lanes_(threads_),
      warps_((threads_ + kLanes - 1) / kLanes),
      lockstep_(job.lockstep || leaves_out_a_barrier()),
      scratch_(256) {
    main_ = suspended_main();
    for (std::uint32_t i = 0; i < threads_; ++i) index_of_[i] = index_in(job.block, i);
    // In lockstep a block cannot be undone, so what it may need is there from the start.
    if (leaves_out_a_barrier() || (lockstep_ && uses_shared_barriers())) keep_logs();
}

void Worker::keep_logs() {
    while (logs_.size() < warps_.size()) logs_.push_back(std::make_unique<KeptEvents>());
}

Worker::~Worker() {
    this_worker = nullptr;
    set_current(nullptr);
}

const Site* Worker::last_site() const {
    if (!recorded_ && !lockstep_ && !checked_) return nullptr;  // hooks do nothing
    if (recorded_ && !lockstep_)
        if (const Site* const site = rows_.last_site()) return site;
    return last_site_ != nullptr ? last_site_ : here_;
}

bool Worker::owns_stack(std::uint64_t address) const {
    return fibers_.contains(reinterpret_cast<const void*>(address));
}

void Worker::run(std::uint32_t block, bool recorded, bool checked) {
    recorded_ = recorded;
    checked_ = checked;
    this_worker = this;
    set_current(this);
    if (recorded) job_.sink->begin_block(block);
    start_block(block);
    if (leaves_out_a_barrier()) {
        run_in_order();
    } else {
        const std::uint64_t before = accesses_;
        while (!run_once()) {
            // Warps wait for a phase and go on in turns, so what each does has to be kept. Or lanes
            // of a warp look at what others of it do: in lockstep, from the start.
            undo();
            lockstep_ = lockstep_ || !lacks_logs_;
            if (lacks_logs_ || uses_shared_barriers()) keep_logs();
            lacks_logs_ = false;
            accesses_ = before;
            job_.sink->undo_block();
            job_.sink->begin_block(block);
            start_block(block);
        }
    }
    this_worker = nullptr;
    set_current(nullptr);
}

void Worker::start_block(std::uint32_t block) {
    block_ = block;
    epoch_ = 0;
    old_.clear();
    printed.clear();
    forget_threads();
    const Index3& grid = job_.grid;
    set_block(block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y);
    // Never-written shared memory is NaN, whatever the block before left there.
    for (const MemoryArray& array : shared_)
        std::memset(reinterpret_cast<void*>(array.base), 0xff, array.bytes);
    if (shared_.empty()) std::memset(dynamic_shared(), 0xff, job_.dynamic_shared_bytes);
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
        suspended_[thread] = begin_on_stack(fibers_, thread, thread_entry);
        lanes_[thread] = {};
    }
    for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
        const std::uint32_t lanes = std::min(threads_ - warp * kLanes, kLanes);
        warps_[warp].ready = lanes == kLanes ? 0xffffffff : (1u << lanes) - 1;
        warps_[warp].at_block = 0;
        warps_[warp].meetings.clear();
        warps_[warp].turn_is_open = warps_[warp].began_epoch = false;
        if (warp < logs_.size()) logs_[warp]->undo_block();
    }
}

// False: the block has to be run again, in another way.
bool Worker::run_once() {
    for (;; ++epoch_) {
        if (time_is_up()) end_launch(cudaErrorLaunchTimeout);
        bool any = false;
        for (std::uint32_t warp = 0; warp < warps_.size(); ++warp) {
            if (warps_[warp].ready == 0) continue;
            any = true;
            if (!run_warp(warp)) return false;
        }
        if (!any) return true;
        if (!go_on_from_phases()) return false;
        put_epoch();
        release_block();
    }
}

// As far as the warp gets before others must do something.
bool Worker::run_warp(std::uint32_t number) {
    Warp& warp = warps_[number];
    if (recorded_ && !warp.began_epoch) sink_of(number).begin_segment(epoch_, number);
    warp.began_epoch = true;
    while (warp.ready != 0) {
        if (recorded_) begin_turn(warp);
        if (lockstep_)
            run_turn_in_lockstep(number);
        else
            run_turn(number);
        if (barriers_.waiting(number) != 0) {
            lacks_logs_ = recorded_ && logs_.empty();
            return !recorded_ || (!lacks_logs_ && stop_turn(number));
        }
        if (recorded_ && !write_turn(number)) return false;
        complete_meetings(number, 0);
    }
    end_warp(number);
    return true;
}

// All lanes wait at the block's barrier, or are done.
void Worker::end_warp(std::uint32_t number) {
    Warp& warp = warps_[number];
    warp.began_epoch = false;
    if (!recorded_) return;
    BlockSink& sink = sink_of(number);
    if (warp.at_block != 0) {
        const auto first = static_cast<std::uint32_t>(std::countr_zero(warp.at_block));
        sink.add_call(lanes_[number * kLanes + first].site, warp.at_block,
                      MeetingKind::kBlockBarrier, nullptr);
    }
    sink.end_segment();
}

void Worker::complete_meetings(std::uint32_t number, std::uint32_t elsewhere) {
    Warp& warp = warps_[number];
    warp.ready = warp.meetings.complete(
        [&](const Site* site, std::uint32_t together, MeetingKind kind,
            const std::uint32_t* of_kind) {
            if (recorded_) sink_of(number).add_call(site, together, kind, of_kind);
        },
        elsewhere);
}

// Each lane goes over to the next one where it stops.
void Worker::run_turn(std::uint32_t number) {
    turn_lanes_ = warps_[number].ready;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(turn_lanes_));
    turn_lanes_ &= turn_lanes_ - 1;
    resume(number * kLanes + first);
}

void Worker::run_turn_in_lockstep(std::uint32_t number) {
    run_turn(number);  // to the first access
    while (const std::uint32_t lanes = lanes_at_next_access(number)) resume_lanes(number, lanes);
}

void Worker::resume(std::uint32_t thread) {
    begin_turn_of(thread);
    in_thread_ = true;
    switch_stack(main_, suspended_[thread]);
    in_thread_ = false;
}

void Worker::begin_turn_of(std::uint32_t thread) {
    thread_ = thread;
    set_thread(index_of_[thread]);
    lanes_[thread].wait = Wait::kNothing;
    if (recorded_)
        rows_.begin_lane(thread % kLanes);
    else
        running = {.idle = !lockstep_ && !checked_};
}

void Worker::end_turn_of() {
    running.idle = false;
    if (recorded_) rows_.end_lane();
}

void Worker::run_thread() {
    job_.body(job_.data);
    stop(Wait::kDone);
}

void Worker::stop(Wait why) {
    if (before_stop != nullptr) before_stop();
    Lane& lane = lanes_[thread_];
    Warp& warp = warps_[thread_ / kLanes];
    const std::uint32_t bit = 1u << (thread_ % kLanes);
    lane.wait = why;
    lane.site = here_;
    warp.ready &= ~bit;
    if (why == Wait::kBlock || why == Wait::kGrid) warp.at_block |= bit;
    end_turn_of();
    Suspended& self = suspended_[thread_];
    if (turn_lanes_ == 0) {
        switch_stack(self, main_);
        return;
    }
    const std::uint32_t base = thread_ / kLanes * kLanes;
    const auto next = static_cast<std::uint32_t>(std::countr_zero(turn_lanes_));
    turn_lanes_ &= turn_lanes_ - 1;
    if (turn_lanes_ != 0)
        prefetch_stack(
            suspended_[base + static_cast<std::uint32_t>(std::countr_zero(turn_lanes_))]);
    begin_turn_of(base + next);
    switch_stack(self, suspended_[thread_]);
}

bool Worker::write_turn(std::uint32_t number) {
    ++turn_;
    const std::vector<WarpEvent>& events = rows_.finish();
    if (!lockstep_ && lanes_communicate(events)) return false;
    for (const WarpEvent& event : events)
        if (is_access(*event.row))
            accesses_ += std::uint64_t{count_lanes(event.mask)} * pieces_of(*event.row->site);
    sink_of(number).add_turn(events);
    return true;
}

namespace {

// What the lanes of a warp did to a piece of memory in a turn.
struct Piece {
    std::uint64_t key = 0;
    std::uint32_t loaded = 0, stored = 0, atomic = 0;  // lanes
    std::uint32_t event = 0;                           // of the last store
};

class Pieces {
  public:
    explicit Pieces(std::size_t most) : table_(std::bit_ceil(most * 2 + 16)) {}
    Piece& at(std::uint64_t key) {
        std::size_t place = (key * 0x9e3779b97f4a7c15u) >> 20;
        for (;; ++place) {
            Piece& piece = table_[place & (table_.size() - 1)];
            if (piece.key == key + 1) return piece;
            if (piece.key == 0) {
                piece.key = key + 1;
                return piece;
            }
        }
    }

  private:
    std::vector<Piece> table_;
};

struct Use {
    const MemoryArray* array = nullptr;
    std::uint32_t loads = 0, stores = 0, atomics = 0, accesses = 0;
    std::uint32_t piece_bytes = 4;
    [[nodiscard]] bool suspicious() const {
        return (stores > 0 && (loads > 0 || atomics > 0 || stores > 1)) ||
               (atomics > 0 && loads > 0);
    }
};

Use& use_of(std::vector<Use>& uses, const MemoryArray* array) {
    for (Use& use : uses)
        if (use.array == array) return use;
    uses.emplace_back().array = array;
    return uses.back();
}

// Whether two lanes touch one place, one of them with a store; not if they store at once.
bool share_a_place(const std::vector<WarpEvent>& events, const Use& use) {
    std::uint32_t pieces_each = 1;
    for (const WarpEvent& event : events)
        if (event.row->array == use.array)
            pieces_each = std::max(pieces_each, event.row->site->width_bytes / use.piece_bytes);
    Pieces pieces(std::size_t{use.accesses} * pieces_each);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        const WarpEvent& event = events[i];
        if (event.row->array != use.array) continue;
        const SiteKind kind = event.row->site->kind;
        for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::uint32_t bit = 1u << lane, begin = event.words[lane] / use.piece_bytes;
            const std::uint32_t count =
                std::max(1u, event.row->site->width_bytes / use.piece_bytes);
            for (std::uint32_t k = 0; k < count; ++k) {
                Piece& piece = pieces.at(begin + k);
                const bool stored_before = (piece.stored & ~bit) != 0;
                if (kind == SiteKind::kLoad) {
                    if (stored_before || (piece.atomic & ~bit) != 0) return true;
                    piece.loaded |= bit;
                } else if (kind == SiteKind::kAtomic) {
                    if (stored_before || (piece.loaded & ~bit) != 0) return true;
                    piece.atomic |= bit;
                } else {
                    if ((stored_before && piece.event != i) ||
                        ((piece.loaded | piece.atomic) & ~bit) != 0)
                        return true;
                    piece.stored |= bit;
                    piece.event = i;
                }
            }
        }
    }
    return false;
}

}  // namespace

bool Worker::lanes_communicate(const std::vector<WarpEvent>& events) {
    thread_local std::vector<Use> uses;
    uses.clear();
    for (const WarpEvent& event : events) {
        if (!is_access(*event.row)) continue;
        Use& use = use_of(uses, event.row->array);
        const SiteKind kind = event.row->site->kind;
        ++(kind == SiteKind::kLoad    ? use.loads
           : kind == SiteKind::kStore ? use.stores
                                      : use.atomics);
        use.accesses += count_lanes(event.mask);
        use.piece_bytes = std::min(use.piece_bytes, std::max(1u, event.row->site->width_bytes));
    }
    for (Use& use : uses) {
        use.piece_bytes = std::bit_floor(use.piece_bytes);
        if (use.suspicious() && share_a_place(events, use)) return true;
    }
    return false;
}

void Worker::remember(std::uint64_t address, std::uint32_t bytes) {
    for (std::uint32_t at = 0; at < bytes; at += 16) {
        OldBytes old;
        old.address = address + at;
        old.bytes = std::min(bytes - at, 16u);
        std::memcpy(old.value, reinterpret_cast<const void*>(old.address), old.bytes);
        old_.push_back(old);
    }
}

void Worker::undo() {
    for (auto old = old_.rbegin(); old != old_.rend(); ++old)
        std::memcpy(reinterpret_cast<void*>(old->address), old->value, old->bytes);
    old_.clear();
}

// Every thread of the block waits at a barrier, or is done.
void Worker::release_block() {
    pass_grid_barrier();
    barrier_sum_ = next_barrier_sum_;
    next_barrier_sum_ = 0;
    for (Warp& warp : warps_) {
        warp.ready = warp.at_block;
        warp.at_block = 0;
    }
}

Meeting Worker::meet(std::uint32_t mask, std::uint64_t value, MeetingKind kind,
                     std::uint32_t of_kind) {
    if (kind == MeetingKind::kExchange && is_left_out(here_)) return {};
    Meetings& meetings = warps_[thread_ / kLanes].meetings;
    meetings.arrive(lane(), mask, here_, value, kind, of_kind);
    stop(Wait::kWarp);
    return meetings.of(lane());
}

void Worker::block_barrier() {
    if (is_left_out(here_)) return;
    next_barrier_sum_ += barrier_value;
    barrier_value = 0;
    stop(Wait::kBlock);
}

void Worker::declare_shared(void* address, Variable* variable) {
    const std::uint64_t base = address_of(address);
    for (const MemoryArray& array : shared_)
        if (array.base == base) return;
    MemoryArray array;
    array.base = base;
    array.bytes = variable->bytes;
    array.space = ArraySpace::kShared;
    array.variable = variable;
    std::uint32_t align = std::max(variable->align_bytes, 4u);
    if (variable->space == VariableSpace::kDynamicShared) {
        array.bytes = job_.dynamic_shared_bytes;
        align = std::max(align, 16u);
    }
    array.place_bytes = (static_shared_bytes_ + align - 1) / align * align;
    static_shared_bytes_ = array.place_bytes + static_cast<std::uint32_t>(array.bytes);
    std::memset(address, 0xff, array.bytes);
    shared_.reserve(256);  // rows point at them
    if (shared_.size() < 256) shared_.push_back(array);
}

MemoryArray* Worker::find_array(std::uint64_t address, const Site* site) {
    for (MemoryArray& array : shared_)
        if (address - array.base < array.bytes) return &array;
    DeviceMemory& memory = DeviceMemory::instance();
    if (MemoryArray* const array = memory.find(address)) return array;
    if (site->variable == nullptr || site->variable->address == nullptr) return nullptr;
    MemoryArray* const array = memory.variable(site->variable);
    return address - array->base < array->bytes ? array : nullptr;
}

// The shared array that an address lies a little behind; null: none.
const MemoryArray* Worker::shared_before(std::uint64_t address) const {
    constexpr std::uint64_t kNear = 4096;
    const MemoryArray* best = nullptr;
    for (const MemoryArray& array : shared_)
        if (address > array.base && address - array.base - array.bytes < kNear &&
            (best == nullptr || array.base > best->base))
            best = &array;
    return best;
}

void* Worker::fault(Fault fault, const Site* site, const MemoryArray* array,
                    std::uint64_t address) {
    if (job_.on_fault)
        job_.on_fault({.fault = fault,
                       .site = site,
                       .block = block_,
                       .thread = thread_,
                       .array = array,
                       .offset_bytes = array == nullptr
                                           ? 0
                                           : static_cast<std::int64_t>(address - array->base)});
    scratch_.assign(std::max<std::size_t>(site->width_bytes, 256), 0);
    return scratch_.data();
}

void* Worker::access(void* pointer, Site* site, const std::uint32_t* words, std::uint32_t count) {
    const std::uint64_t address = address_of(pointer);
    wide_ = {};
    if (!in_thread_ || owns_stack(address)) return pointer;
    if (lockstep_) {
        lanes_[thread_].standing.go_to(site);
        stop(Wait::kAccess);
    }
    last_site_ = site;
    const bool stores = site->kind != SiteKind::kLoad;
    if (!recorded_ && !checked_) return pointer;
    MemoryArray* const array = find_array(address, site);
    const std::uint32_t width = site->width_bytes;
    if (array == nullptr || address - array->base + width > array->bytes) {
        if (array == nullptr && is_constant_data(address)) return pointer;
        // Beyond the array that the source names, or beside the nearest allocation.
        const MemoryArray* beside = array;
        DeviceMemory& memory = DeviceMemory::instance();
        if (beside == nullptr && site->variable != nullptr)
            for (const MemoryArray& shared : shared_)
                if (shared.variable == site->variable) beside = &shared;
        if (beside == nullptr && site->variable != nullptr && site->variable->address != nullptr)
            beside = memory.variable(site->variable);
        if (beside == nullptr && memory.contains(address))
            if (const MemoryArray* const freed = memory.freed(address))
                return fault(Fault::kFreed, site, freed, address);
        if (beside == nullptr && memory.contains(address)) beside = memory.nearest(address);
        if (beside == nullptr) beside = shared_before(address);
        return fault(beside != nullptr ? Fault::kOutOfBounds : Fault::kHostMemory, site, beside,
                     address);
    }
    const std::uint32_t unit = std::min(site->align_bytes, 16u);
    if (unit > 1 && (address - array->base) % unit != 0)
        return fault(Fault::kMisaligned, site, array, address);
    if (stores && array->space == ArraySpace::kConstant)
        return fault(Fault::kConstantStore, site, array, address);
    if (!recorded_) return pointer;
    if (stores && !lockstep_ && array->space != ArraySpace::kShared) remember(address, width);
    if (array->bytes >> 32 != 0) return pointer;  // offsets have 32 bits
    Row row;
    row.site = site;
    row.array = array;
    row.base = array->base;
    row.limit = static_cast<std::uint32_t>(array->bytes - width);
    row.misaligned = unit - 1;
    row.words = 1 + count;
    std::array<std::uint32_t, 65> all{static_cast<std::uint32_t>(address - array->base)};
    for (std::uint32_t i = 0; i < count; ++i) all[i + 1] = words == nullptr ? 0 : words[i];
    row.slow = stores && array->space != ArraySpace::kShared;  // it may have to be undone
    rows_.add(row, all.data());
    if (__atomic_load_n(&array->first_site, __ATOMIC_RELAXED) == nullptr)
        __atomic_store_n(&array->first_site, site, __ATOMIC_RELAXED);
    return pointer;
}

void* Worker::atomic_or_wide(void* pointer, Site* site) {
    const std::uint32_t count = std::min((site->width_bytes + 3) / 4, 64u);
    void* const target = access(pointer, site, nullptr, count);
    if (recorded_ && in_thread_ && target == pointer && !owns_stack(address_of(pointer))) {
        wide_ = rows_.latest();
        wide_.first += wide_.stride;
        wide_words_ = count;
        wide_bytes_ = site->width_bytes;
    }
    return target;
}

void Worker::stored(const void* pointer) {
    if (wide_.first == nullptr) return;
    const auto* bytes = static_cast<const unsigned char*>(pointer);
    for (std::uint32_t i = 0; i < wide_words_; ++i) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes + 4 * i, std::min(wide_bytes_ - 4 * i, 4u));
        wide_.first[i * wide_.stride] = word;
    }
    wide_ = {};
}

void Worker::value(Site* site, const std::uint32_t* words, std::uint32_t count,
                   std::uint32_t offset) {
    if (!in_thread_ || !recorded_) return;
    if (running.skips_assignments && site->kind == SiteKind::kLocal) return;
    Row row;
    row.site = site;
    row.base = offset;
    row.words = count;
    rows_.add(row, words);
}

void Worker::enter(Site* site, bool leave) {
    if (!in_thread_) return;
    if (lockstep_) {
        Standing& standing = lanes_[thread_].standing;
        if (leave)
            standing.leave();
        else
            standing.go_to(site);
    }
    if (!recorded_) return;
    Row row;
    row.site = site;
    row.base = leave;
    rows_.add(row, nullptr);
}

}  // namespace tilereel::plain
