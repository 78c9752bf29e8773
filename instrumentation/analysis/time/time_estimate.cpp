#include "instrumentation/analysis/time/time_estimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "instrumentation/analysis/cost/counters.h"
#include "instrumentation/analysis/time/arithmetic_units.h"
#include "instrumentation/analysis/time/machine_stream.h"
#include "instrumentation/analysis/time/pipe_work.h"
#include "instrumentation/analysis/time/sectors_of_all.h"
#include "instrumentation/analysis/time/sm_simulation.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr double kBusyEnough = 0.6;       // below, no pipe limits: warps wait
constexpr std::size_t kMostStreams = 8;   // different blocks on an SM
constexpr double kShortWave = 200'000;    // instructions of all blocks of an SM
constexpr double kEnoughExplained = 0.9;  // of what was recorded, by the machine code
constexpr std::size_t kFollowingWaves = 2;
constexpr int kFewThreads = 64;  // of a block
constexpr double kL2Kept = 0.8;  // of L2: more data than this does not stay
// Of the time: with a pipe of an SM as busy, its blocks compete for it, and the oldest gets on
// most.
constexpr double kCompeting = 0.83;
// A pass of atomics takes a clock of L2, which is slower than the SMs.
constexpr double kClocksOfPass = 1.25;

struct LinePlace {
    std::uint16_t file = 0;
    std::uint32_t line = 0;
    ArrayId array = kNoArray;
    auto operator<=>(const LinePlace&) const = default;
};

// What one SM takes for the blocks that it holds at once.
struct Wave {
    double clocks = 0;  // until its last block ends
    double steady = 0;  // if other blocks follow
    SmRun run;          // of the longer recording, if there is one
    std::map<LinePlace, SiteTime> lines;
};

// What one SM does for its blocks of a launch, one wave after the other.
struct Course {
    Wave first{};
    double clocks = 0;
    int in_first = 0;  // blocks of the first wave
};

// The streams of some blocks of a trace.
class Streams {
  public:
    static Result<Streams> of(const Trace& trace, const Generation& generation,
                              const StreamOptions& options) {
        Streams streams(trace);
        const std::vector<std::uint32_t> blocks = whole_blocks(trace);
        const std::size_t count = std::min(blocks.size(), kMostStreams);
        std::vector<std::uint32_t> chosen;
        for (std::size_t i = 0; i < count; ++i) chosen.push_back(blocks[i * blocks.size() / count]);
        for (const std::uint32_t block : chosen) TRY(streams.add(block, generation, options));
        if (options.machine != nullptr && streams.explained_ < kEnoughExplained)
            return failed("its lines do not have the accesses that were recorded");
        mark_sectors_of_all(streams.streams_);
        const auto average = [&](const std::vector<std::uint32_t>& some) {
            const std::vector<double> each = instructions_of(trace, some);
            return std::accumulate(each.begin(), each.end(), 0.0) /
                   static_cast<double>(std::max<std::size_t>(each.size(), 1));
        };
        const double of_chosen = average(chosen);
        if (of_chosen > 0) streams.longer_ = average(blocks) / of_chosen;
        return streams;
    }
    // Blocks may do unlike work: what an average block does, over those that are simulated.
    [[nodiscard]] double average_over_chosen() const { return longer_; }
    // The time of short blocks depends on the blocks that follow them: they are run, too.
    [[nodiscard]] SmRun run(int resident, const GpuModel& gpu,
                            const SmConditions& conditions) const {
        std::vector<const BlockStream*> chosen;
        for (std::size_t i = 0; i < static_cast<std::size_t>(resident); ++i)
            chosen.push_back(&streams_[i % streams_.size()]);
        const std::size_t sites = trace_->sites.size();
        SmRun run = simulate_sm(chosen, 0, gpu, conditions, sites);
        if (run.issued > kShortWave) {
            run.steady_clocks += gpu.sm.next_block;
            return run;
        }
        const std::size_t following = kFollowingWaves * chosen.size();
        const SmRun longer = simulate_sm(chosen, following, gpu, conditions, sites);
        run.steady_clocks = (longer.clocks - run.clocks) / static_cast<double>(kFollowingWaves);
        return run;
    }
    [[nodiscard]] const Trace& trace() const { return *trace_; }
    // What an average block asks of the pipes for arithmetic, in clocks of an SM.
    void set_arithmetic(PipeWork& work, const SmTimes& sm) const {
        work.fma = work.alu = work.xu = work.fp64 = work.issued = 0;
        const double share = longer_ / static_cast<double>(streams_.size());
        for (const BlockStream& stream : streams_)
            for (const std::vector<TimedOp>& warp : stream.warps)
                for (const TimedOp& op : warp) {
                    work.issued += share;
                    if (const ArithmeticUnit* const unit = unit_of(op.kind))
                        work.*unit->of_work += share / sm.*unit->a_clock;
                }
    }

  private:
    Status add(std::uint32_t block, const Generation& generation, const StreamOptions& options) {
        if (options.machine == nullptr) {
            streams_.push_back(TRY(stream_of_block(*trace_, block, generation, options)));
            return Done{};
        }
        MachineStream made = TRY(
            machine_stream_of_block(*trace_, block, generation, options.what_if, *options.machine));
        explained_ = std::min(explained_, made.explained);
        streams_.push_back(std::move(made.stream));
        return Done{};
    }
    explicit Streams(const Trace& trace) : trace_(&trace) {}
    const Trace* trace_;
    std::vector<BlockStream> streams_;
    double longer_ = 1, explained_ = 1;
};

double between(double first, double second, double steps) {
    return first + (second - first) * steps;
}

void add_lines(const Trace& trace, const SmRun& run, double weight, Wave& wave) {
    for (std::size_t i = 0; i < run.sites.size(); ++i) {
        const Site& site = trace.sites[i];
        SiteTime& line = wave.lines[{site.file, site.line, site.array}];
        for (double SiteTime::*part :
             {&SiteTime::memory, &SiteTime::issued, &SiteTime::fma, &SiteTime::alu, &SiteTime::xu,
              &SiteTime::fp64, &SiteTime::l2_bytes, &SiteTime::waited})
            line.*part += weight * run.sites[i].*part;
    }
}

void scale(Wave& wave, double by) {
    wave.clocks *= by;
    wave.steady *= by;
    for (double SmRun::*part : {&SmRun::memory, &SmRun::issued, &SmRun::alu, &SmRun::sectors,
                                &SmRun::missed_sectors, &SmRun::l2_bytes})
        wave.run.*part *= by;
}

double SiteTime::*part_of_lines(Pipe limiter) {
    if (limiter == Pipe::kMemory) return &SiteTime::memory;
    if (limiter == Pipe::kMultiplyAdd) return &SiteTime::fma;
    if (limiter == Pipe::kAlu) return &SiteTime::alu;
    if (limiter == Pipe::kXu) return &SiteTime::xu;
    if (limiter == Pipe::kFp64) return &SiteTime::fp64;
    if (limiter == Pipe::kL2 || limiter == Pipe::kDram) return &SiteTime::l2_bytes;
    return &SiteTime::issued;
}

class Estimator {
  public:
    Estimator(const TimedLaunch& launch, const GpuModel& gpu, const Generation& generation)
        : launch_(launch),
          gpu_(gpu),
          generation_(generation),
          options_(launch.options),
          dram_(launch.dram) {}

    Result<TimeEstimate> estimate() {
        if (whole_blocks(*launch_.trace).empty() ||
            (launch_.longer && whole_blocks(*launch_.longer).empty()))
            return failed("no block of the launch was recorded to its end");
        estimate_.occupancy = TRY(occupancy_of(launch_.resources, generation_));
        estimate_.recorded_blocks = whole_blocks(*launch_.trace).size();
        estimate_.blocks = launch_.blocks;
        work_ = work_of_a_block(*launch_.trace, generation_, gpu_.sm);
        if (launch_.longer)
            work_ = extrapolated(work_, work_of_a_block(*launch_.longer, generation_, gpu_.sm),
                                 launch_.more_steps);
        blocks_of_sm_ = std::ceil(static_cast<double>(launch_.blocks) / gpu_.multiprocessors);
        estimate_.waves = blocks_of_sm_ / estimate_.occupancy.blocks;
        auto first = first_streams();
        if (!gpu_.checked)
            bound("the times of " + std::string(gpu_.name) + " were not checked on hardware");
        else if (!first)
            bound("the time of " + first.error().message + " is not modelled");
        else
            TRY(simulate(first.value()));
        return std::move(estimate_);
    }

  private:
    // With machine code, unless it does not fit the recording.
    Result<Streams> first_streams() {
        if (options_.machine != nullptr && gpu_.checked) {
            auto found = Streams::of(*launch_.trace, generation_, options_);
            if (found && launch_.longer) {
                auto longer = Streams::of(*launch_.longer, generation_, options_);
                if (longer)
                    longer_ = std::move(longer.value());
                else
                    found = longer.error();
            }
            if (found) {
                estimate_.tier = TimeTier::kMachineCode;
                found->set_arithmetic(work_, gpu_.sm);
                if (longer_) {
                    PipeWork longer = work_;
                    longer_->set_arithmetic(longer, gpu_.sm);
                    work_ = extrapolated(work_, longer, launch_.more_steps);
                }
                return found;
            }
            estimate_.why_recording = found.error().message;
        }
        options_.machine = nullptr;
        return Streams::of(*launch_.trace, generation_, options_);
    }
    // Of an SM on average: where some have more blocks than others, a profiler counts all alike.
    [[nodiscard]] double blocks_of_all() const {
        return static_cast<double>(launch_.blocks) / gpu_.multiprocessors;
    }
    double seconds(double clocks) const { return clocks / (gpu_.clock_ghz * 1e9); }

    // `blocks`: of one SM.
    void set_busy(double clocks, double blocks) {
        const auto share = [&](double units, double a_clock) {
            return clocks == 0 ? 0 : units * blocks / a_clock / clocks;
        };
        busy(Pipe::kMultiplyAdd) = share(work_.fma, 1);
        busy(Pipe::kAlu) = share(work_.alu, 1);
        busy(Pipe::kXu) = share(work_.xu, 1);
        busy(Pipe::kFp64) = share(work_.fp64, 1);
        busy(Pipe::kTensor) = share(work_.tensor, gpu_.sm.tensor_a_clock);
        busy(Pipe::kDram) = dram_.all() / (gpu_.dram_gbs * 1e9) / seconds(clocks);
        estimate_.dram_bytes = dram_.all();
    }
    double& busy(Pipe pipe) { return estimate_.busy[static_cast<std::size_t>(pipe)]; }

    void choose_limiter() {
        // A simulation can be a little faster than its busiest pipe alone.
        for (double& share : estimate_.busy) share = std::min(share, 1.0);
        const auto most = std::ranges::max_element(estimate_.busy);
        estimate_.limiter = static_cast<Pipe>(most - estimate_.busy.begin());
        estimate_.latency = estimate_.block_starts || *most < kBusyEnough;
    }

    void bound(std::string why) {
        const double pipes = least_clocks(work_, gpu_.sm) * blocks_of_sm_;
        const double dram = dram_.all() / gpu_.dram_gbs * gpu_.clock_ghz;
        const double clocks = std::max(pipes, dram);
        estimate_.kind = EstimateKind::kAtLeast;
        estimate_.why_bound = std::move(why);
        estimate_.seconds = estimate_.low = seconds(clocks);
        estimate_.high = 0;
        estimate_.block_starts = false;
        estimate_.busy = {};
        set_busy(clocks, blocks_of_sm_);
        const auto share = [&](double units) {
            return clocks == 0 ? 0 : units * blocks_of_sm_ / clocks;
        };
        busy(Pipe::kMemory) = share(work_.memory);
        busy(Pipe::kIssue) = share(work_.issued / gpu_.sm.schedulers);
        choose_limiter();
        estimate_.latency = false;
    }

    Wave wave_of(const Streams& first, const Streams* longer, int resident,
                 double missed_share) const {
        const SmConditions conditions{.shared_bytes = static_cast<std::uint32_t>(resident) *
                                                      estimate_.occupancy.shared_bytes_per_block,
                                      .dram_share = dram_share_,
                                      .missed_share = missed_share};
        Wave wave;
        const SmRun shorter = first.run(resident, gpu_, conditions);
        if (!longer) {
            add_lines(first.trace(), shorter, 1, wave);
            wave.clocks = shorter.clocks;
            wave.steady = shorter.steady_clocks;
            wave.run = shorter;
            scale(wave, first.average_over_chosen());
            return wave;
        }
        wave.run = longer->run(resident, gpu_, conditions);
        wave.clocks = between(shorter.clocks, wave.run.clocks, launch_.more_steps);
        wave.steady = wave.run.steady_clocks / wave.run.issued *
                      between(shorter.issued, wave.run.issued, launch_.more_steps);
        add_lines(first.trace(), shorter, 1 - launch_.more_steps, wave);
        add_lines(longer->trace(), wave.run, launch_.more_steps, wave);
        for (double SmRun::*part : {&SmRun::memory, &SmRun::issued, &SmRun::alu, &SmRun::sectors,
                                    &SmRun::missed_sectors, &SmRun::l2_bytes})
            wave.run.*part = between(shorter.*part, wave.run.*part, launch_.more_steps);
        return wave;
    }

    Course course_of(const Streams& first, const Streams* more) {
        // What passes L1 is not known yet: at most all of it.
        const double asked =
            work_.sectors * kCacheSectorBytes * static_cast<double>(launch_.blocks);
        dram_share_ = asked > 0 ? std::min(1.0, dram_.all() / asked) : 0;
        const auto held = static_cast<double>(estimate_.occupancy.blocks);
        const bool fits = dram_.all() < kL2Kept * gpu_.l2_bytes;
        const bool few = launch_.resources.threads < kFewThreads;
        const double missed = dram_.asked > 0 ? std::min(1.0, dram_.fetched / dram_.asked) : 1;
        const double warm = fits || few ? 0 : missed, cold = launch_.cold ? 1 : warm;
        const double full = std::floor(blocks_of_sm_ / held);
        const int rest = static_cast<int>(blocks_of_sm_ - full * held);
        Course course{.in_first = full > 0 ? estimate_.occupancy.blocks : rest};
        course.first = wave_of(first, more, course.in_first, cold);
        // All waves but the last keep the pace; the last one runs out.
        const double waves = full + (rest > 0 ? 1 : 0);
        double& clocks = course.clocks;
        clocks = gpu_.launch_clocks + gpu_.wave_clocks;
        if (waves > 1) clocks += course.first.steady;
        if (waves > 2 || (waves == 2 && rest == 0)) {
            const Wave next =
                warm == cold ? course.first : wave_of(first, more, course.in_first, warm);
            clocks += next.steady * (waves - 2) + (rest == 0 ? next.clocks : 0);
        }
        if (waves == 1)
            clocks += course.first.clocks;
        else if (rest > 0)
            clocks += wave_of(first, more, rest, warm).clocks;
        return course;
    }

    // Whether a pipe of an SM is so busy that its blocks compete for it.
    [[nodiscard]] bool compete(const Course& course) const {
        const SmRun& run = course.first.run;
        const double of_wave = blocks_of_sm_ / course.in_first;
        const double busiest = std::max({run.memory * of_wave, work_.fma * blocks_of_sm_,
                                         run.issued / gpu_.sm.schedulers * of_wave});
        return busiest > kCompeting * course.clocks;
    }

    Status simulate(const Streams& first) {
        if (launch_.longer && !longer_)
            longer_ = TRY(Streams::of(*launch_.longer, generation_, options_));
        const Streams* const more = longer_ ? &*longer_ : nullptr;
        const Course course = course_of(first, more);
        // Not simulated again: such a launch waits for its pipe, not for memory.
        if (launch_.dram_in_turn && compete(course)) dram_ = *launch_.dram_in_turn;
        const Wave& wave = course.first;
        const int in_first = course.in_first;
        double clocks = course.clocks;

        const double blocks = static_cast<double>(launch_.blocks);
        const double l2_bytes = wave.run.l2_bytes / in_first * blocks;
        const double ghz = gpu_.clock_ghz;
        const double dram = dram_.all() / gpu_.dram_gbs * ghz + gpu_.launch_clocks;
        const double l2_moved = l2_bytes + dram_.all();
        const double l2 = l2_moved / gpu_.l2_gbs * ghz + gpu_.launch_clocks;
        const double atomics = passes_of_one_slice(*launch_.trace) * kClocksOfPass * blocks;
        const double arithmetic =
            std::max({work_.fma, work_.alu, work_.xu, work_.fp64}) * blocks_of_sm_;
        const double starts = clocks_to_start_blocks();
        estimate_.block_starts = starts > std::max({clocks, dram, l2, atomics, arithmetic});
        clocks = std::max({clocks, dram, l2, atomics, arithmetic, starts});
        atomics_limit_ = atomics >= clocks;

        estimate_.kind = EstimateKind::kAbout;
        estimate_.seconds = seconds(clocks);
        estimate_.launch_seconds = seconds(gpu_.launch_clocks);
        estimate_.low = estimate_.seconds / launch_.band;
        estimate_.high = estimate_.seconds * launch_.band;
        set_busy(clocks, blocks_of_all());
        const double part = blocks_of_all() / in_first / clocks;
        busy(Pipe::kMemory) = wave.run.memory * part;
        busy(Pipe::kIssue) = wave.run.issued / gpu_.sm.schedulers * part;
        busy(Pipe::kAlu) = wave.run.alu * part;
        busy(Pipe::kL2) = l2_moved / (gpu_.l2_gbs * 1e9) / estimate_.seconds;
        estimate_.l1_hits =
            wave.run.sectors == 0 ? 0 : 1 - wave.run.missed_sectors / wave.run.sectors;
        if (l2_bytes > 0) estimate_.l2_hits = std::max(0.0, 1 - dram_.fetched / l2_bytes);
        choose_limiter();
        if (std::string why = why_only_bound(first); !why.empty()) bound(std::move(why));
        set_lines(wave);
        return Done{};
    }

    [[nodiscard]] double clocks_to_start_blocks() const {
        if (gpu_.blocks_a_us <= 0) return 0;
        const double us = static_cast<double>(launch_.blocks) / gpu_.blocks_a_us;
        return us * gpu_.clock_ghz * 1e3 + gpu_.launch_clocks;
    }

    // What makes the launch slower than the simulation by an amount that is not known; else empty.
    [[nodiscard]] std::string why_only_bound(const Streams& streams) const {
        if (launch_.resources.threads < kFewThreads)
            return "blocks of fewer than 64 threads were slower than estimated where it was "
                   "checked";
        constexpr const char* kAtomics =
            "threads change the same words of global memory by atomics, and wait for one another";
        if (atomics_limit_) return {};
        const Trace& trace = streams.trace();
        for (const SiteCounts& site : count_sites(trace)) {
            const Site& place = trace.sites[site.site];
            if (place.operation == Operation::kAtomic && site.counts.collisions > 0 &&
                trace.arrays[place.array].space == Space::kGlobal)
                return kAtomics;
        }
        return {};
    }

    void set_lines(const Wave& wave) {
        double SiteTime::*const unit = part_of_lines(estimate_.limiter);
        double all = 0;
        for (const auto& [place, part] : wave.lines)
            if (place.line != 0) all += std::max(0.0, part.*unit);
        for (const auto& [place, part] : wave.lines) {
            if (place.line == 0 || (part.*unit <= 0 && part.waited <= 0)) continue;
            std::vector<LineTime>& lines = estimate_.lines;
            if (lines.empty() || lines.back().line != place.line || lines.back().file != place.file)
                lines.push_back({.line = place.line, .file = place.file, .arrays = {}});
            LineTime& line = lines.back();
            line.waited += std::max(0.0, part.waited);
            if (part.*unit <= 0) continue;
            line.share += part.*unit / all;
            line.arrays.push_back({place.array, part.*unit / all});
        }
        for (LineTime& line : estimate_.lines)
            std::ranges::stable_sort(line.arrays, std::greater<>{}, &ArrayShare::share);
        std::ranges::stable_sort(estimate_.lines, std::greater<>{}, &LineTime::share);
    }

    const TimedLaunch& launch_;
    const GpuModel& gpu_;
    const Generation& generation_;
    StreamOptions options_;
    DramBytes dram_;
    std::optional<Streams> longer_;
    TimeEstimate estimate_;
    PipeWork work_;  // of a block
    double blocks_of_sm_ = 0;
    double dram_share_ = 0;       // see SmConditions
    bool atomics_limit_ = false;  // those of one slice of L2
};

}  // namespace

std::string_view name_of(Pipe pipe) {
    constexpr std::array<std::string_view, kPipes> kNames = {
        "memory pipe", "FMA pipe", "issue slots", "tensor cores", "L2",
        "DRAM",        "ALU",      "XU",          "FP64 pipe"};
    return kNames[static_cast<std::size_t>(pipe)];
}

std::string_view name_of(TimeTier tier) {
    return tier == TimeTier::kMachineCode ? "machine code" : "recording";
}

std::string_view unit_of_lines(Pipe limiter) {
    const bool has_own = limiter == Pipe::kMemory || limiter == Pipe::kMultiplyAdd ||
                         limiter == Pipe::kAlu || limiter == Pipe::kXu || limiter == Pipe::kFp64;
    if (has_own) return name_of(limiter);
    return limiter == Pipe::kL2 || limiter == Pipe::kDram ? "bytes of L2" : "instructions";
}

std::vector<ArrayShare> shares_of_arrays(const TimeEstimate& estimate) {
    std::map<ArrayId, double> sums;
    for (const LineTime& line : estimate.lines)
        for (const ArrayShare& part : line.arrays) sums[part.array] += part.share;
    std::vector<ArrayShare> shares;
    for (const auto& [array, share] : sums) shares.push_back({array, share});
    std::ranges::stable_sort(shares, std::greater<>{}, &ArrayShare::share);
    return shares;
}

Result<TimeEstimate> estimate_time(const TimedLaunch& launch, const GpuModel& gpu) {
    const Generation* const generation = find_generation(gpu.generation);
    check(generation != nullptr, "a GPU of the table has a generation");
    return Estimator(launch, gpu, *generation).estimate();
}

}  // namespace tilereel
