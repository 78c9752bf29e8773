#include "app/workbench/recording/recorded_facts.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "app/ladder/kernel_of_trace.h"
#include "app/workbench/launch/block_by_occupancy.h"
#include "instrumentation/analysis/phases/phases.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

std::string number(double value) {
    if (value >= 100) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    std::string out = text.data();
    while (out.ends_with('0')) out.pop_back();
    if (out.ends_with('.')) out.pop_back();
    return out;
}

double ratio(std::uint64_t above, std::uint64_t below) {
    return below == 0 ? 0 : static_cast<double>(above) / static_cast<double>(below);
}

// Computes the figures of a recorded launch.
class Reader {
  public:
    Reader(const Trace& trace, const std::vector<SiteCounts>& sites, const Generation& generation)
        : trace_(trace),
          sites_(sites),
          generation_(generation),
          counts_(sum_of(trace, sites)),
          phases_(trace.launch.blocks() == 0 ? 0 : phases_of_block(trace, 0).count) {}

    [[nodiscard]] RecordedFact read(Fact fact) const {
        RecordedFact recorded{.fact = std::move(fact), .recorded = {}, .figures = {}};
        add(recorded);
        return recorded;
    }

  private:
    using Words = std::string;

    void add(RecordedFact& to) const {
        switch (to.fact.recorded) {
            case RecordedFigure::kNone:
                return;
            case RecordedFigure::kBytes:
                return bytes(to);
            case RecordedFigure::kFlopPerByte:
                return say(to, number(flop_per_byte()) + " FLOP a byte read",
                           {{"arithmetic intensity", flop_per_byte(), "FLOP/B"}});
            case RecordedFigure::kBoundByBandwidth:
                return bound(to);
            case RecordedFigure::kTransactionsOfA:
            case RecordedFigure::kSectorsOfA:
                return requests_of_a(to);
            case RecordedFigure::kSharedReads:
                return shared_reads(to);
            case RecordedFigure::kBarriers:
                return barriers(to);
            case RecordedFigure::kPhases:
                return say(to,
                           std::to_string(phases_) + " phases, " +
                               number(ratio(counts_.global_load.accesses, threads())) +
                               " loads a thread",
                           {{"phases", static_cast<double>(phases_), ""}});
            case RecordedFigure::kZeroFill:
                return zero_fill(to);
            case RecordedFigure::kBlockShape:
                return block_shape(to);
            case RecordedFigure::kOuterProduct:
                return outer_product(to);
            case RecordedFigure::kOccupancy:
                return occupancy(to);
            case RecordedFigure::kBlockByOccupancy:
                return suggestion(to);
            case RecordedFigure::kBlocks:
                return say(to,
                           with_commas(trace_.launch.blocks()) + " block" +
                               (trace_.launch.blocks() == 1 ? "" : "s") + ", " +
                               with_commas(trace_.launch.shared_bytes) + " bytes of shared memory",
                           {{"blocks", static_cast<double>(trace_.launch.blocks()), ""}});
        }
    }

    static void say(RecordedFact& to, Words words, std::vector<FactFigure> figures) {
        to.recorded = std::move(words);
        to.figures = std::move(figures);
    }

    [[nodiscard]] std::uint64_t threads() const {
        return std::uint64_t{trace_.launch.blocks()} * trace_.launch.threads();
    }
    [[nodiscard]] double flop_per_byte() const {
        return ratio(counts_.flop(), counts_.global_load.bytes_requested);
    }

    void bytes(RecordedFact& to) const {
        const std::uint64_t read = counts_.global_load.bytes_requested;
        const std::uint64_t written = counts_.global_store.bytes_requested;
        say(to, with_commas(read) + " bytes read and " + with_commas(written) + " written",
            {{"read", static_cast<double>(read), "bytes"},
             {"written", static_cast<double>(written), "bytes"}});
    }
    void bound(RecordedFact& to) const {
        const double gflops = kRtx3090BytesPerSecond * flop_per_byte() / 1e9;
        say(to,
            "at the " + number(flop_per_byte()) + " FLOP a byte recorded, " + number(gflops) +
                " GFLOPS",
            {{"bound", gflops, "GFLOPS"}});
    }
    void requests_of_a(RecordedFact& to) const {
        AccessCounts a{};
        for (const SiteCounts& site : sites_)
            if (trace_.sites[site.site].array == matrices_of(trace_).a &&
                reads(trace_.sites[site.site].operation))
                a += site.counts;
        const double each = ratio(a.transactions, a.requests);
        const double used = ratio(a.bytes_used, a.transactions);
        say(to,
            "a warp's request of A takes " + number(each) + " " +
                std::string(each == 1 ? generation_.global.unit : generation_.global.units) +
                " and uses " + number(used) + " bytes of each, on " +
                std::string(generation_.title),
            {{"a request", each, generation_.global.units}, {"used of each", used, "bytes"}});
    }
    void shared_reads(RecordedFact& to) const {
        const double reads = ratio(counts_.shared_load.accesses, counts_.multiply_adds);
        say(to, number(reads) + (reads == 1 ? " shared read" : " shared reads") + " a multiply-add",
            {{"shared reads a multiply-add", reads, ""}});
    }
    void barriers(RecordedFact& to) const {
        say(to,
            std::to_string(counts_.barriers) + " barriers in " + std::to_string(phases_) +
                " phases",
            {{"barriers", static_cast<double>(counts_.barriers), ""},
             {"phases", static_cast<double>(phases_), ""}});
    }
    void zero_fill(RecordedFact& to) const {
        const std::uint64_t stored = counts_.shared_store.accesses;
        const std::uint64_t loaded = counts_.global_load.accesses;
        const std::uint64_t zeros = stored > loaded ? stored - loaded : 0;
        say(to, with_commas(zeros) + " of " + with_commas(stored) + " cells stored without a load",
            {{"zeros stored", static_cast<double>(zeros), ""},
             {"cells stored", static_cast<double>(stored), ""}});
    }
    void block_shape(RecordedFact& to) const {
        const Launch& launch = trace_.launch;
        say(to,
            with_commas(launch.shared_bytes) + " bytes and " + with_commas(launch.threads()) +
                " threads a block",
            {{"shared memory", static_cast<double>(launch.shared_bytes), "bytes"},
             {"threads", static_cast<double>(launch.threads()), ""}});
    }
    // A thread adds once in each iteration to every sum that it stores.
    void outer_product(RecordedFact& to) const {
        const std::uint64_t trips = counts_.global_store.accesses * phases_;
        const double iterations = ratio(counts_.multiply_adds, trips);
        say(to,
            with_commas(trace_.launch.threads()) + " threads a block, " + number(iterations) +
                " iterations a phase",
            {{"threads a block", static_cast<double>(trace_.launch.threads()), ""},
             {"iterations a phase", iterations, ""}});
    }
    void occupancy(RecordedFact& to) const {
        const Launch& launch = trace_.launch;
        const Registers registers = registers_of(launch.kernel, static_cast<int>(launch.tile),
                                                 static_cast<int>(launch.pad));
        const Result<Occupancy> found = occupancy_of({.threads = static_cast<int>(launch.threads()),
                                                      .registers_per_thread = registers.a_thread,
                                                      .shared_bytes = launch.shared_bytes},
                                                     generation_);
        if (!found) return say(to, found.error().message, {});
        say(to,
            std::to_string(found->blocks) + (found->blocks == 1 ? " block x " : " blocks x ") +
                with_commas(launch.threads()) + " threads / " +
                with_commas(static_cast<std::uint64_t>(found->most_threads)) + " = " +
                number(100 * classical_occupancy(found->blocks, static_cast<int>(launch.threads()),
                                                 found->most_threads)) +
                " % on " + std::string(generation_.title) + ", " + text_of(registers),
            {{"blocks an SM", static_cast<double>(found->blocks), ""},
             {"occupancy", 100 * found->share(), "%"}});
    }
    void suggestion(RecordedFact& to) const {
        const KernelInfo* kernel = kernel_of_trace(trace_);
        if (kernel == nullptr) return;
        const Result<BlockByOccupancy> block =
            block_by_occupancy(*kernel, static_cast<int>(trace_.launch.pad), generation_);
        if (!block) return say(to, block.error().message, {});
        say(to, sentence_of(*block, generation_),
            {{"threads a block", static_cast<double>(block->threads), ""},
             {"TILE", static_cast<double>(block->tile), ""}});
    }

    const Trace& trace_;
    const std::vector<SiteCounts>& sites_;
    const Generation& generation_;
    KernelCounts counts_;
    std::uint32_t phases_;
};

}  // namespace

std::vector<RecordedFact> recorded_facts(const Trace& trace, const std::vector<SiteCounts>& sites,
                                         const Generation& generation) {
    const Reader reader(trace, sites, generation);
    std::vector<RecordedFact> recorded;
    for (Fact& fact : facts_about(trace.launch.kernel, static_cast<int>(trace.launch.tile)))
        recorded.push_back(reader.read(std::move(fact)));
    return recorded;
}

}  // namespace tilereel
