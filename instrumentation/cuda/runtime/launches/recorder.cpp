#include "instrumentation/cuda/runtime/launches/recorder.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/launches/batch_sink.h"
#include "instrumentation/cuda/runtime/launches/fault_findings.h"
#include "instrumentation/cuda/runtime/launches/library_use.h"
#include "instrumentation/cuda/runtime/launches/texture_use.h"
#include "instrumentation/cuda/runtime/launches/trace_files.h"
#include "instrumentation/cuda/runtime/launches/uninitialised_reads.h"
#include "instrumentation/cuda/runtime/program_limits.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/record/merge.h"
#include "instrumentation/trace/check/trace_check.h"
#include "instrumentation/trace/file/handed_trace.h"

namespace tilereel::runtime {
namespace {

// A batch is merged at this size, while it fits into the CPU's caches.
constexpr std::size_t kBatchRecords = std::size_t{1} << 13;

Result<TraceSender> open_sender() {
    if (options().memory_file < 0) return failed("traces are not handed over in memory");
    return TraceSender::open(options().memory_file, [] { send_message(contract::Piece()); });
}

// The text of a file may have fewer lines than its sites say: it was changed or deleted while the
// program ran, or #line names other lines. It gets empty lines. Lines beyond the most become the
// last one.
void cover_sites(Trace& trace) {
    constexpr std::uint32_t kMostLines = 1 << 20;
    const auto text_of = [&](std::size_t file) -> std::string& {
        return file == 0 ? trace.source : trace.more_sources[file - 1].text;
    };
    std::vector<std::uint32_t> lines, needed;
    for (std::size_t file = 0; file <= trace.more_sources.size(); ++file)
        lines.push_back(1 + static_cast<std::uint32_t>(std::ranges::count(text_of(file), '\n')));
    needed = lines;
    for (tilereel::Site& site : trace.sites) {
        if (site.file >= lines.size()) continue;
        const std::uint32_t most = std::max(lines[site.file], kMostLines);
        site.line = std::clamp<std::uint32_t>(site.line, 1, most);
        needed[site.file] = std::max<std::uint32_t>(needed[site.file], site.line);
    }
    for (std::size_t file = 0; file < lines.size(); ++file)
        text_of(file).append(needed[file] - lines[file], '\n');
}

class TraceRecorder final : public LaunchRecorder {
  public:
    explicit TraceRecorder(const LaunchFacts& facts)
        : facts_(facts), tables_(facts), sink_(facts, tables_) {
        sink_.begin_batch(batch_);
    }
    void begin_block(std::uint32_t block) override {
        if (batch_.records() > kBatchRecords) merge();
        ++blocks_;
        sink_.begin_block(block);
    }
    void undo_block() override { sink_.undo_block(); }
    void begin_segment(std::uint32_t epoch, std::uint32_t warp) override {
        sink_.begin_segment(epoch, warp);
    }
    void end_segment() override { sink_.end_segment(); }
    void add_slice(const std::vector<WarpEvent>& events) override { sink_.add_slice(events); }
    void add_call(const runtime::Site* site, std::uint32_t mask, CollectiveKind kind,
                  const std::uint32_t* operand) override {
        sink_.add_call(site, mask, kind, operand);
    }
    [[nodiscard]] bool keeps_assignments() const override { return sink_.keeps_assignments(); }
    void expect_blocks(std::size_t count) override { expected_blocks_ = count; }
    std::unique_ptr<BatchSink> make_sink() override {
        return std::make_unique<BatchSink>(facts_, tables_);
    }
    void merge_batch(Batch& batch, std::size_t blocks) override {
        if (batch_.records() > 0 || !merger_) merge();
        add(batch);
        blocks_ += blocks;
    }
    void add_cut_block(std::uint32_t block) override { cut_.push_back(block); }
    void add_stops(const std::vector<WarpStop>& stops) override {
        if (stops_) tilereel::add_stops(stops, *stops_);
    }
    void forget_stops() override { stops_.reset(); }
    void add_fault(const FaultPlace& place) override { faults_.add(place); }
    void add_finding(const RecordedFinding& finding) override { findings_.push_back(finding); }
    void finish(const Worker& worker, const std::vector<std::uint32_t>& chosen,
                std::uint64_t unhooked_blocks, LaunchEnd end) override;

  private:
    void merge();
    void add(Batch& batch);
    [[nodiscard]] Status write(Trace& trace, const std::string& path);

    LaunchFacts facts_;
    LaunchTables tables_;
    Trace trace_;
    std::optional<Merger> merger_;
    std::size_t blocks_ = 0, expected_blocks_ = 1;
    double times_first_merge_ = 1;  // estimate: records of the trace / records merged first
    Batch batch_;
    BatchSink sink_;
    FaultFindings faults_;
    std::vector<RecordedFinding> findings_;
    std::vector<std::uint32_t> cut_;  // blocks
    std::optional<std::vector<WarpStop>> stops_{std::in_place};
    const bool is_handed_over_ = options().memory_file >= 0;
    Result<TraceSender> sender_ = open_sender();
};

void TraceRecorder::merge() {
    if (!merger_) {
        const std::size_t blocks = std::max<std::size_t>(blocks_, 1);
        merger_.emplace(trace_, sender_ ? 1 : expected_blocks_ / blocks + 1);
        constexpr double kMargin = 1.02;
        times_first_merge_ = kMargin * double(expected_blocks_) / double(blocks);
    }
    add(batch_);
    batch_.clear_records();
}

void TraceRecorder::add(Batch& batch) {
    if (sender_)
        sender_->send_records(merger_->number(batch), times_first_merge_);
    else
        merger_->add(batch);
}

Status TraceRecorder::write(Trace& trace, const std::string& path) {
    if (!is_handed_over_) {
        if (tilereel_write_trace == nullptr)
            return failed("this program only hands its trace over in memory");
        Status written = Done{};
        tilereel_write_trace(trace, path.c_str(), written);
        return written;
    }
    if (!sender_) return sender_.error();
    sender_->finish(std::move(trace));
    return Done{};
}

void TraceRecorder::finish(const Worker& worker, const std::vector<std::uint32_t>& chosen,
                           std::uint64_t unhooked_blocks, LaunchEnd end) {
    const std::uint64_t blocks = facts_.grid.count();
    Trace& trace = trace_;
    Launch& launch = trace.launch;
    launch.kernel = facts_.kernel;
    launch.grid = {facts_.grid.x, facts_.grid.y, facts_.grid.z};
    launch.block = {facts_.block.x, facts_.block.y, facts_.block.z};
    launch.cluster = {facts_.cluster.x, facts_.cluster.y, facts_.cluster.z};
    launch.number = facts_.number;
    trace.recorded_by = {.recorder = std::string(kCpuRecorder),
                         .device = "",
                         .driver = "",
                         .compiler = options().compiler};
    trace.complete = end != LaunchEnd::kCutShort && cut_.empty();
    if (!trace.complete && stops_) {
        sort_stops(*stops_);
        trace.warp_stops = std::move(stops_);
    }
    trace.accumulator_interval = sink_.accumulator_interval();
    if (chosen.size() < blocks) trace.chosen_blocks = chosen;
    const std::uint64_t accesses = worker.accesses();
    merge();
    merger_->finish();
    launch.shared_bytes = worker.shared_bytes();
    tables_.finish(!is_handed_over_, trace);  // the receiver has the sources
    const std::vector<std::uint32_t> sums = tables_.ranks_of_sums();
    const std::vector<std::uint32_t> barriers = tables_.ranks_of_barriers();
    if (!is_handed_over_) number_in_order(trace, sums, barriers);
    faults_.add_to(trace, tables_.arrays(),
                   [this](const char* path) { return tables_.number_of_file(path); });
    find_uninitialised_reads(trace, tables_.arrays(),
                             chosen.size() == blocks && trace.complete ? RecordedPart::kAll
                             : end == LaunchEnd::kGoesOn               ? RecordedPart::kSomeSoFar
                                                                       : RecordedPart::kSome);
    trace.findings.insert(trace.findings.end(), findings_.begin(), findings_.end());
    // Accesses beyond the array follow from a subscript that lies outside of its extent.
    std::ranges::stable_partition(trace.findings, [](const RecordedFinding& finding) {
        return finding.kind == RecordedFindingKind::kSubscript;
    });
    const std::string path = options().folder + "/launch_" + std::to_string(facts_.number) + ".npz";
    const std::vector<RecordedFinding> findings = trace.findings;
    const std::uint32_t shared_bytes = launch.shared_bytes;
    if (!is_handed_over_) {
        cover_sites(trace);
        shorten_names(trace);
    }
    // A file beyond the hard limit is then an error of the write.
    void (*const former)(int) = std::signal(SIGXFSZ, SIG_IGN);
    Status written = Done{};
    std::string why;
    {
        const RaisedFileLimits raised;
        written = write(trace, path);
        if (!written && !is_handed_over_) why = why_program_prevents_file(options().folder);
    }
    std::signal(SIGXFSZ, former);
    if (!written && !is_handed_over_) {
        send_message(contract::RecorderFailed{why.empty() ? written.error().message : why});
        _exit(contract::kRecorderFailed);
    }
    contract::Launch message{.number = facts_.number, .call = facts_.call()};
    message.call.shared_bytes = shared_bytes;
    message.recorded = chosen.size();
    message.unhooked = unhooked_blocks;
    message.accesses = accesses;
    if (chosen.size() < blocks) message.chosen = chosen;
    message.cut = cut_;
    if (!written)
        message.reason = written.error().message;
    else if (!is_handed_over_)
        message.trace = path;
    if (is_handed_over_) {
        message.handed_over = bool(written);
        message.sums = sums;
        message.barriers = barriers;
    }
    message.textures = textures_used.exchange(false);
    message.uses_cub = library_code_used.exchange(false);
    send_message(message);
    for (const RecordedFinding& finding : findings)
        send_message(contract::LaunchFinding{facts_.number,
                                             {.kind = std::string(finding_name(finding.kind)),
                                              .what = finding.what,
                                              .advice = finding.advice,
                                              .line = finding.line,
                                              .error = finding.error}});
}

}  // namespace

std::unique_ptr<LaunchRecorder> make_recorder(const LaunchFacts& facts) {
    return std::make_unique<TraceRecorder>(facts);
}

}  // namespace tilereel::runtime
