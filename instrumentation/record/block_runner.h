#pragma once
// Runs the threads of one block after another on fibers of this CPU thread and records what they
// do. Threads switch only at barriers, warp by warp and lane by lane, so that a recording never
// depends on time. Without one of the kernel's barriers it matters who runs first: then threads
// switch before every access, in the order that the launch names (Launch::order).
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/record/arrival_barrier.h"
#include "instrumentation/record/batch.h"
#include "instrumentation/record/fiber.h"
#include "instrumentation/record/ordered_warp.h"
#include "instrumentation/record/warp_events.h"
#include "instrumentation/record/warp_lanes.h"
#include "instrumentation/record/warp_writer.h"
#include "instrumentation/trace/copy_groups.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct KernelArguments {
    const float* a = nullptr;  // M x K
    const float* b = nullptr;  // K x N
    float* c = nullptr;        // M x N
    int m = 0, n = 0, k = 0;
};
using KernelBody = void (*)(const KernelArguments&);  // the kernel, run by one thread

inline constexpr std::uint32_t kSharedLimitBytes = 227 * 1024;  // of a block: CC 9.0's limit

// Bytes that all workers of a recording may hold together.
class MemoryBudget {
  public:
    explicit MemoryBudget(std::uint64_t limit_bytes)
        : left_(static_cast<std::int64_t>(limit_bytes)) {}
    // False once more has been taken than there was.
    bool take(std::uint64_t bytes) {
        const auto taken = static_cast<std::int64_t>(bytes);
        return left_.fetch_sub(taken, std::memory_order_relaxed) >= taken;
    }

  private:
    std::atomic<std::int64_t> left_;
};

struct BlockJob {
    const Launch* launch = nullptr;
    KernelBody body = nullptr;
    KernelArguments arguments;
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint32_t accumulator_interval = 1;
    bool in_order = false;  // threads switch before every access though no barrier is removed
    MemoryBudget* budget = nullptr;
    const std::atomic<bool>* cancel = nullptr;  // may be null
};

class BlockRunner {
  public:
    explicit BlockRunner(const BlockJob& job);
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;
    // Blocks from now on go into `batch`.
    void begin_batch(Batch& batch);
    // Every thread of one block, from start to return. An error ends the recording.
    Status run(std::uint32_t block);

    // What the running thread asks for; see kernels/dialect/emulated_thread.h.
    void unexpected(EventKey key, const std::uint32_t* words);
    dialect::SharedPlace reserve(const dialect::SharedDeclaration& declaration);
    dialect::SharedPlace dynamic(std::uint32_t element_bytes);
    enum class Stop : std::uint8_t { kBlockBarrier, kWarpBarrier, kReturn };
    void stop(Stop why, std::uint32_t line);
    // Asynchronous copies of the running thread.
    void start_copy(void* to, const void* value, std::uint32_t bytes);
    void close_copy_group();
    void land_copies(std::uint32_t newest);
    // Barriers in shared memory, and the boxes that count towards their phases.
    std::uint32_t declare_arrivals(std::uint32_t count);
    void init_arrival(std::uint32_t number, std::uint32_t arrivals);
    std::uint32_t arrive(std::uint32_t number, std::uint32_t bytes, std::uint32_t line);
    [[nodiscard]] std::uint32_t phase_under_way(std::uint32_t number) const;
    [[nodiscard]] std::uint32_t phase_to_wait_for(std::uint32_t number, std::uint32_t parity) const;
    void wait_for_phase(std::uint32_t phase, std::uint32_t line);
    void start_box_pieces(const dialect::BoxPieces& pieces);
    [[nodiscard]] bool is_left_out(std::uint32_t line) const {
        return in_order_ && line == job_.launch->removed_barrier;
    }
    // A fault of the kernel ends the recording: note() why, then abandon() the fiber. What an
    // abandoned fiber's frames own is never freed, so nothing may be alive in them.
    void note(std::string message);
    [[noreturn]] void abandon();
    [[nodiscard]] std::string where(std::uint32_t line, std::uint32_t array) const;
    void run_thread();

  private:
    struct Saved {  // of dialect::running, while another thread runs
        std::uint32_t accumulators = 0, shared_bytes = 0, dynamic_bytes = 0, shared_arrays = 0;
    };
    struct StartedCopy {
        unsigned char* to = nullptr;  // in shared_
        std::uint32_t bytes = 0;
        std::array<unsigned char, 16> value{};
    };
    void begin_block(std::uint32_t block);
    [[nodiscard]] bool find_next_thread();
    [[nodiscard]] bool next_warp(std::uint32_t from);
    void finish_turn();
    void resume(std::uint32_t thread);
    void restore(std::uint32_t thread);
    void save(std::uint32_t thread);
    void charge();

    // With a removed barrier; block_runner_in_order.cpp. Here this CPU thread's own flow decides
    // who runs, and every fiber switches back to it.
    Status run_in_order(std::uint32_t block);
    [[nodiscard]] bool begin_epoch_in_order();
    void run_epoch_in_order();
    void run_warps_in_turn();
    void run_warp(std::uint32_t warp);
    void run_lanes_one_by_one(std::uint32_t warp);
    void write_epoch();
    bool do_next_access(std::uint32_t warp);
    void go_on_to_access(std::uint32_t warp);
    [[nodiscard]] bool open_warp_barrier(std::uint32_t warp);
    void run_to_next_wait(std::uint32_t warp, std::uint32_t lanes);
    void wait_for_turn();
    void take_turns();
    [[nodiscard]] bool go_on_from_phases(std::uint32_t warp);
    [[nodiscard]] bool waits_for_own_lanes() const;
    void note_who_waits_for_ever();
    [[nodiscard]] bool stopped();

    template <class Work>
    void guarded(Work&& work);

    BlockJob job_;
    std::uint32_t threads_;
    Fibers fibers_;
    Flow main_;
    std::vector<WarpLanes> warps_;
    std::vector<Saved> saved_;                      // by thread
    std::vector<dialect::ThreadIndex> thread_idx_;  // by thread
    std::unique_ptr<unsigned char[], void (*)(void*)> shared_;
    std::uint32_t used_shared_bytes_ = 0;                // by any block so far
    std::vector<CopyGroups<StartedCopy>> copies_;        // by thread; empty until one copies
    std::vector<ArrivalBarrier<StartedCopy>> arrivals_;  // of the block, as declared
    std::vector<std::uint32_t> declared_arrivals_;       // by thread: how many
    std::vector<std::uint32_t> awaited_phase_;           // by thread
    bool lanes_may_part_ = false;  // of a warp, some of which wait for a phase
    std::uint64_t switches_ = 0;   // to a thread, in order
    WarpEvents events_;
    WarpWriter writer_;
    bool in_order_;
    std::vector<OrderedWarp> ordered_;  // by warp; empty unless in_order_
    WarpLogWriter log_writer_;
    std::uint32_t accesses_until_charge_ = 0;
    Batch* batch_ = nullptr;
    std::uint64_t charged_bytes_ = 0, charged_event_bytes_ = 0;
    std::uint32_t block_ = 0, epoch_ = 0, warp_ = 0, thread_ = 0;
    std::optional<Error> error_;
};

// Exceptions must not leave a fiber, and none may be alive across a switch.
template <class Work>
void BlockRunner::guarded(Work&& work) {
    bool out_of_memory = false;
    try {
        work();
    } catch (const std::bad_alloc&) {
        out_of_memory = true;
    }
    if (!out_of_memory) return;
    note("the computer has run out of memory; record a smaller product");
    abandon();
}

}  // namespace tilereel
