#include "instrumentation/gpu/convert/gpu_trace.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "instrumentation/base/files/text_file.h"
#include "instrumentation/gpu/convert/gpu_arrays.h"
#include "instrumentation/gpu/convert/gpu_blocks.h"
#include "instrumentation/gpu/convert/gpu_dump.h"

namespace tilereel::gpu {
namespace {

using tilereel_gpu::DeviceRecord;

// The file's records, as they lie in memory.
class DumpRecords final : public GpuRecords {
  public:
    explicit DumpRecords(const GpuDump& dump) : dump_(dump) {}
    Result<Part> read(std::uint64_t begin, std::uint64_t) override {
        return Part{dump_.records.data() + begin, dump_.words.data() + begin * kWarpSize};
    }
    Result<const DeviceRecord*> read_heads(std::uint64_t begin, std::uint64_t) override {
        return dump_.records.data() + begin;
    }

  private:
    const GpuDump& dump_;
};

class DumpConverter {
  public:
    DumpConverter(const GpuLaunch& launch, const GpuDump& dump, const GpuFacts& facts)
        : launch_(launch), dump_(dump), facts_(facts), arrays_(dump, facts) {
        files_.push_back(std::filesystem::weakly_canonical(launch.file).string());
    }

    Result<Trace> run() {
        const GpuConversion conversion{
            .facts = &facts_,
            .memory = &arrays_,
            .warps = dump_.warps(),
            .grid = extents(dump_.header.grid),
            .cluster = extents(dump_.header.cluster),
            .blocks = dump_.blocks,
            .segment_begin = dump_.segment_begin,
            .counts = dump_.counts,
            .records = [this] { return std::make_unique<DumpRecords>(dump_); },
            .finish_site = [](const Site& site) { return site; },
            .out_of_bounds = &out_of_bounds_};
        TRY(convert_gpu_records(conversion, trace_));
        for (Site& site : trace_.sites) site.file = number_of_file(site.file);
        describe();
        arrays_.put(trace_);
        return std::move(trace_);
    }

  private:
    [[nodiscard]] static Dim3 extents(const std::uint32_t (&of)[3]) {
        return {of[0], of[1], of[2]};
    }
    // Adds findings for accesses outside of the known arrays: to memory whose allocation the
    // recorder did not see, such as by malloc() in an earlier kernel, or to no allocation at all.
    void add_out_of_bounds() {
        for (const auto& [key, count] : out_of_bounds_.counts()) {
            if (facts_.sites[key.first].place.in_library)
                continue;  // such as the counter of grid.sync()
            const PtxPlace place = place_of(facts_, key.first, key.second);
            RecordedFinding finding;
            finding.kind = RecordedFindingKind::kOutOfBounds;
            finding.error = false;
            finding.line = place.line;
            finding.file = file_of(place);
            finding.count = count;
            finding.what = "Line " + std::to_string(place.line) +
                           " accesses memory that is in no array that Tilereel knows on the GPU.";
            finding.advice =
                "These accesses are not in the recording; record on the CPU to see what they are.";
            const auto same =
                std::ranges::find_if(trace_.findings, [&](const RecordedFinding& other) {
                    return other.kind == finding.kind && other.line == finding.line;
                });
            if (same == trace_.findings.end())
                trace_.findings.push_back(finding);
            else
                same->count += count;
        }
    }

    // Of a launch whose records did not all fit: the warps whose records are cut off.
    void add_stops() {
        if (launch_.whole) return;
        std::vector<WarpStop>& stops = trace_.warp_stops.emplace();
        for (std::size_t slot = 0; slot < dump_.blocks.size(); ++slot) {
            std::vector<WarpStop> of_block;
            bool is_cut = false;
            for (std::uint32_t warp = 0; warp < dump_.warps(); ++warp) {
                const std::size_t at = slot * dump_.warps() + warp;
                const std::uint64_t room = dump_.segment_begin[at + 1] - dump_.segment_begin[at];
                WarpStop& stop = of_block.emplace_back(WarpStop{
                    .block = dump_.blocks[slot], .warp = static_cast<std::uint16_t>(warp)});
                if ((dump_.counts[at] & 0xffffffff) <= room) continue;
                stop.kind = WarpStopKind::kRecordedUpTo;
                is_cut = true;
            }
            if (is_cut) tilereel::add_stops(of_block, stops);
        }
        sort_stops(stops);
    }

    std::uint16_t file_of(const PtxPlace& place) {
        return number_of_file(static_cast<std::uint16_t>(place.file));
    }
    // The trace's number of a file of `facts_`. The trace numbers its files in the order of their
    // first use.
    std::uint16_t number_of_file(std::uint16_t file) {
        if (file == 0) return 0;
        const std::string name = std::filesystem::weakly_canonical(facts_.files[file]).string();
        const auto found = std::ranges::find(files_, name);
        if (found == files_.end()) files_.push_back(name);
        return static_cast<std::uint16_t>(found - files_.begin());
    }

    void describe() {
        add_out_of_bounds();
        Launch& launch = trace_.launch;
        const auto kernel = facts_.kernels.find(std::string(dump_.kernel));
        launch.kernel = kernel_name(std::string(dump_.kernel));
        const auto& header = dump_.header;
        launch.grid = extents(header.grid);
        launch.block = extents(header.block);
        launch.cluster = extents(header.cluster);
        launch.number = launch_.number;
        launch.shared_bytes = static_cast<std::uint32_t>(header.shared_bytes);
        if (kernel != facts_.kernels.end()) add_arguments(kernel->second);
        trace_.recorded_by = {.recorder = std::string(kGpuRecorder),
                              .device = std::string(dump_.device),
                              .driver = std::string(dump_.driver),
                              .compiler = facts_.compiler,
                              .accesses_only = true};
        trace_.complete = launch_.whole;
        add_stops();
        if (dump_.blocks.size() < launch.grid.count())
            trace_.chosen_blocks.assign(dump_.blocks.begin(), dump_.blocks.end());
        trace_.multiprocessors.assign(launch.grid.count(), Trace::kNotRecorded);
        for (std::size_t slot = 0; slot < dump_.blocks.size(); ++slot)
            for (std::uint32_t warp = dump_.warps(); warp-- > 0;)
                if (const std::size_t at = slot * dump_.warps() + warp; dump_.counts[at] != 0)
                    trace_.multiprocessors[dump_.blocks[slot]] =
                        static_cast<std::uint16_t>(dump_.multiprocessors[at]);
        if (const auto found = facts_.left_out.find(std::string(dump_.kernel));
            found != facts_.left_out.end())
            for (const PtxLeftOut& each : found->second) add_left_out(each);
        trace_.source_name = files_[0];
        trace_.source = source_text(0);
        for (std::size_t i = 1; i < files_.size(); ++i)
            trace_.more_sources.push_back({files_[i], source_text(static_cast<std::uint16_t>(i))});
    }
    // The text of a file. If it cannot be read or has become shorter, empty lines are added up to
    // the last line that a site names.
    [[nodiscard]] std::string source_text(std::uint16_t file) const {
        std::string text = read_text(files_[file]);
        std::uint32_t last = 0;
        for (const Site& site : trace_.sites)
            if (site.file == file) last = std::max(last, site.line);
        const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
        if (last > lines) text.append(last - lines, '\n');
        return text;
    }
    void add_arguments(const GpuKernel& kernel) {
        for (std::size_t i = 0; i < std::min(kernel.parameters.size(), dump_.parameters.size());
             ++i) {
            const GpuParameter& parameter = kernel.parameters[i];
            const std::uint64_t bits = dump_.parameters[i];
            const DebugType& type = parameter.type;
            if (parameter.is_pointer || type.is_structure || type.extent_count != 0) continue;
            if (type.scalar == runtime::Scalar::kFloating) {
                const double value =
                    type.bytes == 8
                        ? std::bit_cast<double>(bits)
                        : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
                if ((type.bytes == 4 || type.bytes == 8) && std::isfinite(value))
                    trace_.launch.numbers.push_back({parameter.name, value});
            } else if (type.scalar == runtime::Scalar::kSigned ||
                       type.scalar == runtime::Scalar::kUnsigned) {
                const bool is_int = type.bytes == 4 && type.scalar == runtime::Scalar::kSigned;
                trace_.launch.integers.push_back(
                    {parameter.name, is_int ? std::int64_t{static_cast<std::int32_t>(bits)}
                                            : static_cast<std::int64_t>(bits)});
            }
        }
    }
    void add_left_out(const PtxLeftOut& each) {
        if (each.place.in_library) return;
        RecordedFinding finding;
        finding.kind = RecordedFindingKind::kUnsupported;
        finding.error = false;
        finding.line = each.place.line;
        finding.file = file_of(each.place);
        finding.what = "Line " + std::to_string(each.place.line) + " uses " + each.instruction +
                       ", which is not recorded on the GPU.";
        finding.advice = "The recording lacks what it does to memory.";
        trace_.findings.push_back(finding);
    }

    const GpuLaunch& launch_;
    const GpuDump& dump_;
    const GpuFacts& facts_;
    GpuArrays arrays_;
    GpuOutOfBounds out_of_bounds_;
    Trace trace_;
    std::vector<std::string> files_;
};

}  // namespace

Result<Trace> gpu_trace(const GpuLaunch& launch, const GpuFacts& facts) {
    const GpuDump dump = TRY(GpuDump::open(launch.dump));
    return DumpConverter(launch, dump, facts).run();
}

}  // namespace tilereel::gpu
