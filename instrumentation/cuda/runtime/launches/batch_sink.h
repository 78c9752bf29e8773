#pragma once
// Converts the events of a worker's warps to the records of a batch. Each CPU thread that records
// has a sink of its own.
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "instrumentation/cuda/runtime/block_sink.h"
#include "instrumentation/cuda/runtime/launches/launch_tables.h"
#include "instrumentation/record/accumulator_sampler.h"
#include "instrumentation/record/batch.h"

namespace tilereel::runtime {

struct BoxCopy;

// Every 16th value of a sum is kept once there are too many to keep all.
inline constexpr std::uint32_t kThinnedInterval = 16;

class BatchSink final : public BlockSink {
  public:
    BatchSink(const LaunchFacts& facts, LaunchTables& tables);
    // Later events go into this batch, which must not have any sites yet.
    void begin_batch(Batch& batch);

    void begin_block(std::uint32_t block) override;
    void undo_block() override { batch_->roll_back(mark_); }
    void begin_segment(std::uint32_t epoch, std::uint32_t warp) override;
    void end_segment() override { batch_->end_segment(); }
    void add_slice(const std::vector<WarpEvent>& events) override;
    void add_call(const Site* site, std::uint32_t mask, CollectiveKind kind,
                  const std::uint32_t* operand) override;
    [[nodiscard]] bool keeps_assignments() const override;
    // The value for Trace::accumulator_interval.
    [[nodiscard]] std::uint32_t accumulator_interval() const;

  private:
    // The trace's site for a site of the plugin, and the base of its records.
    struct SiteNumbers {
        SiteId id = 0;
        std::uint32_t base = 0;  // access: place of the array; multiply-add: number of the sum;
                                 // local: number of the element
        bool is_single = false;  // an access of one piece of at least 4 bytes
    };
    void add(const WarpEvent& event);
    void add_access(const WarpEvent& event);
    void add_value(const WarpEvent& event);
    void add_matrix_product(const WarpEvent& event);
    void add_phase(const WarpEvent& event);
    void add_box(const BoxCopy& copy);
    void add_parameter(const WarpEvent& event);
    void number_sites(const std::vector<WarpEvent>& events);
    void find_last_sums(const std::vector<WarpEvent>& events);
    [[nodiscard]] bool is_past_budget() const;
    [[nodiscard]] const SiteNumbers& numbers_of(const WarpEvent& event);
    [[nodiscard]] SiteNumbers& numbers_of(const Site* site, const MemoryArray* array,
                                          std::uint32_t place);
    SiteId add_site(const tilereel::Site& site);
    void note_call(const Site* call, bool leaves, std::uint32_t mask);
    [[nodiscard]] const Site* told(const Site* site, std::uint32_t mask);

    std::uint32_t warps_;  // per block
    LaunchTables& tables_;
    Batch* batch_ = nullptr;
    Batch::Mark mark_;
    std::uint32_t block_ = 0, warp_ = 0;
    std::uint32_t accumulators_ = 0;
    std::uint64_t values_ = 0;  // words of values kept so far
    bool thins_ = false;        // only some values of sums are kept in this time slice
    AccumulatorSampler sampler_;
    std::vector<std::uint32_t> later_;   // for each sum: lanes with a later event in the time slice
    std::vector<tilereel::Site> sites_;  // of every batch, by number
    // By site, array and, for a value, its offset in the local; for a call, its CollectiveKind.
    std::map<std::tuple<const Site*, const MemoryArray*, std::uint32_t>, SiteNumbers> known_;
    std::set<const Site*> seen_parameters_;
    struct OpenCall {
        const Site* site;
        std::uint32_t mask;  // the lanes that have not left it
    };
    // For each warp the calls in the user's code that it is in, outermost first.
    std::vector<std::vector<OpenCall>> calls_;
    // By a site in a library and the call of it in the user's code: the site to tell of.
    std::map<std::pair<const Site*, const Site*>, Site> told_;
};

}  // namespace tilereel::runtime
