#pragma once
// Runs the threads of one block after another on fibers of this CPU thread.
//
// The lanes of a warp behave as if they ran in lockstep, access by access. Usually no lane reads
// what another lane of its warp writes between two barriers. Then the order does not matter, and
// each lane runs as far as it can. If a time slice shows otherwise (communicating_lanes.h), the
// block is undone and run again in true lockstep, and so are all later blocks of the launch.
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/cuda/runtime/block/built_in.h"
#include "instrumentation/cuda/runtime/block/stack_switch.h"
#include "instrumentation/cuda/runtime/block_sink.h"
#include "instrumentation/cuda/runtime/fault.h"
#include "instrumentation/cuda/runtime/running_block.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"
#include "instrumentation/cuda/runtime/warp/pending_sums.h"
#include "instrumentation/cuda/runtime/warp/program_position.h"
#include "instrumentation/cuda/runtime/warp/warp_rows.h"
#include "instrumentation/trace/warp_stop.h"

namespace tilereel::runtime {

class EventBuffer;

// One launch, as a worker sees it.
struct Job {
    Index3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    void (*body)(void*) = nullptr;  // the kernel, run by one thread
    void* data = nullptr;
    BlockSink* sink = nullptr;
    std::function<void(const FaultPlace&)> on_fault;
    bool lockstep = false;  // the first block already runs in true lockstep
    // A block cannot be undone, because others that run meanwhile may have seen its stores.
    bool runs_once = false;
    // What a block may cost (Worker::cost()). Beyond it the block goes on without being recorded,
    // and on_cut is called once.
    std::uint64_t most_cost = ~std::uint64_t{0};
    std::function<void(std::uint32_t block)> on_cut;
    // Called where lanes have filled a time slice without waiting: now and then, as long as the
    // block is recorded.
    std::function<void(std::uint32_t block)> on_full_slice;
};

enum class Wait : std::uint8_t { kNothing, kCut, kAccess, kWarp, kPhase, kBlock, kGrid, kDone };

class Worker final : public RunningBlock {
  public:
    explicit Worker(const Job& job);
    ~Worker() override;

    // Runs all threads of one block. `checked`: invalid accesses are found even if the block is not
    // recorded.
    void run(std::uint32_t block, bool recorded, bool checked = false);
    // Used from the next block on. Resets the count of accesses.
    void set_sink(BlockSink* sink) {
        job_.sink = sink;
        accesses_ = cost_ = 0;
    }
    [[nodiscard]] bool lockstep() const { return lockstep_; }
    [[nodiscard]] std::uint64_t accesses() const { return accesses_; }  // recorded so far
    void add_accesses(std::uint64_t more) { accesses_ += more; }        // by other workers
    // What the records so far cost of the budget: their accesses, but at least kRecordCost for each
    // record, because values, calls and accesses of single lanes take memory, too.
    [[nodiscard]] std::uint64_t cost() const { return cost_; }
    static constexpr std::uint64_t kRecordCost = 4;

    // Called by hooks for the running thread.
    void* access(void* address, Site* site, const std::uint32_t* words, std::uint32_t count);
    void* atomic_or_wide(void* address, Site* site);
    void stored(const void* address);
    // Before a store to global memory that access() does not see.
    void note_store(std::uint64_t address, std::uint32_t bytes) {
        if (recorded_ && !is_full() && !lockstep_) keep_old_bytes(address, bytes);
    }
    void value(Site* site, const std::uint32_t* words, std::uint32_t count, std::uint32_t offset);
    void enter(Site* site, bool leave);
    void declare_shared(void* address, Variable* variable);
    // Of the running thread.
    // For whoever adds some: from then on each access of a thread's own variables is looked at.
    [[nodiscard]] PendingSums& pending_sums() { return pending_sums_[thread_]; }
    CollectiveResult warp_collective(std::uint32_t mask, std::uint64_t value, CollectiveKind kind,
                                     std::uint32_t operand) override;
    void block_barrier() override;
    // Called by __syncthreads(), which switches stacks itself. `stack_pointer`: that of the
    // running thread. Returns the stack pointer of the thread that runs next; null: the running
    // thread continues.
    void* pass_barrier(void* stack_pointer);
    void stop_at_phase() override { stop(Wait::kPhase); }
    [[nodiscard]] const Site* last_site() const override;
    // The same after the threads have been stopped; null: not known.
    [[nodiscard]] const Site* site_reached() const { return last_site_; }

    // Keeps what the running warp did since its last stop, after time was up in a hook. Its lanes
    // run in lock-step, so each event is whole. Lanes that run one after the other would seem
    // alone.
    void keep_open_slice();
    // worker_stops.cpp: where the warps of the block are, after end_launch(). `of_runner`, `line`:
    // of the warp that was running.
    [[nodiscard]] std::vector<WarpStop> stops(WarpStopKind of_runner, std::uint32_t line) const;
    // The same for Job::on_cut: all but those that have returned go on without being recorded.
    [[nodiscard]] std::vector<WarpStop> stops_at_cut() const;

    // Null if this CPU thread runs no block, or a block without hooks.
    static Worker* current() { return current_; }
    // Whether a hook returned this address in place of an invalid one: the access is not recorded.
    [[nodiscard]] bool is_scratch(const void* address) const {
        return address == scratch_.data() + kBeforeScratch;
    }
    void run_thread();
    [[nodiscard]] const std::vector<MemoryArray>& shared_arrays() const { return shared_; }
    [[nodiscard]] std::uint32_t shared_bytes() const { return static_shared_bytes_; }
    [[nodiscard]] bool owns_stack(std::uint64_t address) const override;
    [[nodiscard]] std::optional<SharedRange> shared_range(std::size_t number) const override {
        if (number >= shared_.size()) return std::nullopt;
        const MemoryArray& array = shared_[number];
        return SharedRange{array.base, array.bytes, array.place_bytes};
    }

  private:
    // A CUDA thread.
    struct Thread {
        Suspended suspended{};
        const Site* site = nullptr;  // where it stopped
        ThreadIndex index{};         // threadIdx
        Wait wait = Wait::kNothing;
    };
    struct Warp {
        std::uint32_t ready = 0, at_block = 0;  // lanes
        WarpCollectives collectives;
        // The events so far of a time slice that is suspended because lanes wait for a phase.
        std::unique_ptr<WarpRows> suspended_slice;
        bool slice_is_suspended = false;
        LastPlace before;  // the time slice
        bool began_epoch = false;
    };
    [[nodiscard]] WarpStop stop_of(std::uint32_t warp) const;
    [[nodiscard]] std::uint32_t lanes_left(std::uint32_t warp) const;
    void note_call(std::uint32_t warp, const Site* site, std::uint32_t lanes);
    void note_fatal_fault(std::uint32_t line);
    void start_block(std::uint32_t block);
    bool run_once();
    [[nodiscard]] bool is_full();
    void end_recording();
    void keep_logs();
    bool run_warp(std::uint32_t warp);
    void end_warp(std::uint32_t warp);
    // worker_phases.cpp: warps that waited for a phase of an mbarrier continue.
    bool resume_from_phases();
    bool resume_warp(std::uint32_t warp, std::uint32_t lanes);
    bool complete_without_waiting_lanes(std::uint32_t warp);
    // worker_order.cpp: with a barrier left out, threads run in exactly the requested order.
    void run_in_order();
    void run_epoch_in_order();
    void run_to_access(std::uint32_t warp);
    void end_slice_if_stopped(std::uint32_t warp);
    bool do_next_access(std::uint32_t warp);
    void do_access(std::uint32_t warp, std::uint32_t lanes);
    bool run_lanes_one_by_one(std::uint32_t warp);
    void run_lane(std::uint32_t warp, std::uint32_t lane);
    [[nodiscard]] bool can_continue_alone(std::uint32_t warp, std::uint32_t lane) const;
    bool resume_where_all_wait();
    [[nodiscard]] std::uint32_t lanes_at_next_access(std::uint32_t warp) const;
    void resume_lanes(std::uint32_t warp, std::uint32_t lanes);
    [[nodiscard]] std::uint64_t most_rows(const Warp& warp) const;
    void begin_slice(Warp& warp);
    void suspend_slice(Warp& warp);
    bool stop_slice(std::uint32_t warp);
    void complete_collectives(std::uint32_t warp, std::uint32_t elsewhere);
    void write_epoch();
    [[nodiscard]] BlockSink& sink_of(std::uint32_t warp);
    void run_slice(std::uint32_t warp);
    void run_slice_in_lockstep(std::uint32_t warp);
    void resume(std::uint32_t thread);
    void begin_thread_slice(std::uint32_t thread);
    void stop(Wait why);
    Suspended& stop_for_next(Wait why);
    bool write_slice(std::uint32_t warp);
    void release_block();
    void keep_old_bytes(std::uint64_t address, std::uint32_t bytes);
    void undo();
    MemoryArray* find_array(std::uint64_t address, const Site* site);
    MemoryArray* find_in_cluster(std::uint64_t address);
    [[nodiscard]] std::optional<Fault> fault_in_cluster(const MemoryArray& array) const;
    [[nodiscard]] const MemoryArray* shared_before(std::uint64_t address) const;
    void* access_local(void* pointer, const Site* site);
    [[nodiscard]] bool is_beyond_shared_memory(const MemoryArray& array,
                                               std::uint64_t address) const;
    void* fault_outside(std::uint64_t address, const Site* site, const MemoryArray* array);
    void* fault(Fault fault, const Site* site, const MemoryArray* array, std::uint64_t address);

    static thread_local constinit Worker* current_ [[gnu::tls_model("initial-exec")]];
    Job job_;
    Fibers& fibers_;
    Suspended main_{};
    std::vector<Thread> by_thread_;
    std::vector<ProgramPosition> positions_;  // by thread; used in lockstep
    std::vector<PendingSums> pending_sums_;   // by thread
    std::uint32_t slice_lanes_ = 0;  // mask of the lanes that still have to run in this time slice
    std::vector<Warp> warps_;
    std::vector<MemoryArray> shared_;
    // The first access to another block's shared memory since the last barrier of the cluster.
    std::optional<FaultPlace> other_blocks_access_;
    // Of other blocks of the cluster, by the address of the own array and the other's rank.
    std::map<std::pair<std::uint64_t, std::uint32_t>, MemoryArray> of_others_;
    std::uint32_t static_shared_bytes_ = 0;
    WarpRows rows_;
    // The events of each warp in this epoch. Empty until warps run in interleaved time slices.
    std::vector<std::unique_ptr<EventBuffer>> logs_;
    bool lacks_logs_ = false;  // a warp waits for a phase, but logs_ is empty
    bool recorded_ = false, checked_ = false, lockstep_;
    const bool leaves_out_a_barrier_;
    std::uint32_t epoch_ = 0;
    void reach(const Site* site) {
        last_site_ = site;
        call_is_last_ = false;
    }
    // Of the last access that hooks passed to access(), or of the last event of a time slice.
    const Site* last_site_ = nullptr;
    cudaError_t fatal_error_ = cudaSuccess;  // of the block: it ends the launch
    std::uint32_t fatal_faults_ = 0;
    std::vector<WarpStop> faulted_warps_;  // of the block, with the line of their first fatal fault
    std::uint64_t accesses_ = 0, cost_ = 0;
    std::uint64_t cost_before_block_ = 0;
    std::uint32_t cut_lanes_ = 0;  // mask of the lanes that stopped because the time slice is full
    bool is_cut_ = false;          // an event of the block was left out
    bool has_ended_recording_ = false;  // within the block; its hooks still note their sites
    WarpRows::EventWords wide_;  // where the value of the current wide store or atomic is recorded
    std::uint32_t wide_words_ = 0, wide_bytes_ = 0;
    // The former content of global memory that the block stored to, for undo().
    struct OldBytes {
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
        unsigned char value[16];
    };
    std::vector<OldBytes> old_;
    // Invalid accesses take place here. With a bit-field its neighbours may be accessed.
    static constexpr std::size_t kBeforeScratch = 16;
    std::vector<unsigned char> scratch_;
};

}  // namespace tilereel::runtime
