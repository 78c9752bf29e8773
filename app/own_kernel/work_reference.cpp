#include "app/own_kernel/work_reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "app/own_kernel/work_library.h"
#include "app/race/other_kernels/work_check.h"
#include "app/race/other_kernels/work_data.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/program/program.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {
namespace {

constexpr double kMostElements = 1 << 21;  // of all arrays, in a run on the CPU

std::vector<OwnArray> arrays_of(const WorkCall& work) {
    std::vector<OwnArray> arrays;
    for (const WorkArray& each : work.arrays) arrays.push_back(each.array);
    return arrays;
}

// A launch of the program that we write.
struct PlannedRun {
    std::int64_t n = 0;
    int variant = 0;
};

// The program's own n in all variants, one n to see how the launch follows it, and the small sizes.
std::vector<PlannedRun> planned_runs(const WorkCall& work, const std::vector<ProductSize>& sizes) {
    std::vector<PlannedRun> runs = {{work.n, 0}};
    const std::int64_t twice = 2 * work.n / work.multiple * work.multiple;
    runs.push_back({std::max<std::int64_t>(twice, work.multiple), 0});
    for (int variant = 1; variant < kVariants; ++variant) runs.push_back({work.n, variant});
    double recorded = 0;
    for (const WorkArray& each : work.arrays) recorded += static_cast<double>(each.recorded);
    std::vector<std::int64_t> small;
    for (const ProductSize& size : sizes) {
        const double times = std::pow(double(size.n) / double(work.n), work.dimensions);
        if (size.n != work.n && size.n % work.multiple == 0 && times * recorded <= kMostElements)
            small.push_back(size.n);
    }
    std::ranges::sort(small);
    for (const std::int64_t n : small)
        for (int variant = 0; variant < kVariants; ++variant) runs.push_back({n, variant});
    return runs;
}

program::ProgramRequest request_for(const program::ProgramRequest& program, const OwnSource& source,
                                    const std::filesystem::path& file) {
    program::ProgramRequest request;
    request.file = file;
    request.include_folders = program.include_folders;
    request.include_folders.push_back(std::filesystem::absolute(source.file).parent_path());
    request.in_sandbox = program.in_sandbox;
    request.defines = source.defines;
    request.compiler_flags = program.compiler_flags;
    request.standard = program.standard;
    request.generation = program.generation;
    request.limits = program.limits;
    request.limits.accesses_a_launch = 2 << 20;
    request.limits.accesses_of_sample = 64 << 10;
    request.keeps_assignments = false;
    request.accumulator_interval = 1 << 20;
    request.all_blocks = true;
    return request;
}

class CpuRun {
  public:
    CpuRun(const OwnCall& call, std::vector<PlannedRun> planned)
        : call_(call), planned_(std::move(planned)), arrays_(arrays_of(*call.work)) {}

    // The recorded inputs as the program reads them: for each array its bytes and their number.
    Status write_inputs(const std::filesystem::path& file) const {
        std::vector<std::byte> bytes;
        for (const WorkArray& each : call_.work->arrays) {
            const std::uint64_t count = each.first ? each.first->size() : 0;
            const auto head = std::as_bytes(std::span(&count, 1));
            bytes.insert(bytes.end(), head.begin(), head.end());
            if (each.first) bytes.insert(bytes.end(), each.first->begin(), each.first->end());
        }
        return replace_file(file, bytes);
    }

    [[nodiscard]] std::vector<std::string> arguments(const std::filesystem::path& inputs) const {
        std::vector<std::string> words = {inputs.string()};
        for (const PlannedRun& run : planned_) {
            std::string word = std::to_string(run.n);
            for (std::size_t i = 0; i < arrays_.size(); ++i)
                word +=
                    ":" + std::to_string(first_element(
                              arrays_, i, recorded_elements(call_.work->arrays[i]), run.variant));
            words.push_back(word);
        }
        return words;
    }

    // Takes what the launches have written.
    Status read(const program::ProgramRun& run) {
        std::size_t at = 0;  // in planned_
        for (const program::LaunchSummary& launch : run.launches) {
            if (at == planned_.size()) break;
            if (launch.kernel != kShowKernel) {
                if (at < 2) TRY(judge(launch, at));
                continue;
            }
            TRY(take_outputs(launch, planned_[at]));
            if (at == 0) TRY(compare_with_program());
            ++at;
        }
        if (at < 2) return failed(why_it_ended(run, at));
        return Done{};
    }

    [[nodiscard]] std::vector<std::byte> data() const {
        WorkData data;
        for (const WorkArray& each : call_.work->arrays)
            data.inputs.push_back(each.first ? std::span(*each.first)
                                             : std::span<const std::byte>());
        for (const auto& [run, outputs] : taken_) {
            WorkCase one{.n = run.n, .variant = run.variant};
            for (const std::vector<std::byte>& each : outputs) one.expected.emplace_back(each);
            data.cases.push_back(std::move(one));
        }
        return bytes_of(data);
    }

  private:
    static std::uint64_t recorded_elements(const WorkArray& array) {
        return array.first ? array.first->size() / array.array.element_bytes : 0;
    }
    [[nodiscard]] std::string at_n(std::size_t at) const {
        return "at n = " + std::to_string(planned_[at].n);
    }

    Status take_outputs(const program::LaunchSummary& launch, const PlannedRun& run) {
        if (launch.trace.empty()) return Done{};
        const Trace trace = TRY(read_trace(launch.trace));
        std::vector<std::vector<std::byte>> outputs(arrays_.size());
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            if (!arrays_[i].written) continue;
            const auto found =
                std::ranges::find(trace.arrays, "tilereel_" + std::to_string(i), &Array::name);
            if (found == trace.arrays.end()) return Done{};
            outputs[i] = found->first_bytes;
        }
        taken_.push_back({run, std::move(outputs)});
        return Done{};
    }

    // The launch of the user's kernel must stay within its arrays.
    Status judge(const program::LaunchSummary& launch, std::size_t at) const {
        if (launch.trace.empty()) return Done{};
        const Trace trace = TRY(read_trace(launch.trace));
        for (const RecordedFinding& finding : trace.findings)
            if (finding.error && finding.kind == RecordedFindingKind::kOutOfBounds)
                return failed("the launch is wrong " + at_n(at) + ": " + finding.what +
                              " Is an array longer, or the grid smaller?");
        if (at == 1 && trace.chosen_blocks.empty() && trace.complete) TRY(judge_reach(trace));
        return Done{};
    }

    // Twice the n reaches further into the largest array, or n is not what it seems.
    Status judge_reach(const Trace& trace) const {
        const WorkArray& largest =
            *std::ranges::max_element(call_.work->arrays, {}, &WorkArray::recorded);
        if (largest.elements.find('n') == std::string::npos) return Done{};
        const auto found = std::ranges::find(trace.arrays, largest.array.name, &Array::name);
        if (found == trace.arrays.end()) return Done{};
        const auto id = static_cast<ArrayId>(found - trace.arrays.begin());
        std::uint64_t reached = 0;
        for (std::size_t record = 0; record < trace.records.size(); ++record) {
            if (site_at(trace, record).array != id) continue;
            const LaneOffsets lanes = lane_offsets(trace, record);
            for (unsigned lane = 0; lane < kWarpSize; ++lane)
                if ((lanes.mask >> lane & 1) != 0)
                    reached = std::max<std::uint64_t>(reached, lanes.bytes[lane]);
        }
        if (reached >= largest.recorded * largest.array.element_bytes) return Done{};
        return failed("with twice the n, the kernel uses no more of " + largest.array.name +
                      " than in the program: its size is a constant of the file, and does not "
                      "follow n");
    }

    // At the program's n our launch writes what the program's did.
    Status compare_with_program() const {
        if (taken_.empty()) return failed("what the launch writes on the CPU was not recorded");
        for (std::size_t i = 0; i < arrays_.size(); ++i) {
            const WorkArray& array = call_.work->arrays[i];
            if (!arrays_[i].written || !array.last) continue;
            const std::vector<std::byte>& found = taken_.front().outputs[i];
            if (found.size() != array.last->size())
                return failed(array.array.name + " has " + std::to_string(array.recorded) +
                              " elements in the program, and " + array.elements + " gives " +
                              std::to_string(found.size() / array.array.element_bytes) + " " +
                              at_n(0));
            if (const auto wrong = difference_in(arrays_[i], found, masked(i, found)))
                return failed("the launch does not compute what it does in the program: " + *wrong +
                              ". Variables that the launch itself changes begin anew in a race");
        }
        return Done{};
    }

    // The program's output; where ours still has the bytes from before the launch, those.
    [[nodiscard]] std::vector<std::byte> masked(std::size_t i,
                                                const std::vector<std::byte>& found) const {
        std::vector<std::byte> expected = *call_.work->arrays[i].last;
        if (arrays_[i].read) return expected;
        const std::size_t step = arrays_[i].element_bytes;
        for (std::size_t at = 0; at + step <= found.size(); at += step) {
            const auto element = std::span(found).subspan(at, step);
            if (std::ranges::all_of(element, [](std::byte each) {
                    return each == static_cast<std::byte>(kPoison);
                }))
                std::memcpy(expected.data() + at, element.data(), step);
        }
        return expected;
    }

    [[nodiscard]] std::string why_it_ended(const program::ProgramRun& run, std::size_t at) const {
        std::string why = program::launch_error_text(run);
        if (why.empty()) why = run.end_sentence;
        return "the launch fails on the CPU " + at_n(at) + ": " + why;
    }

    struct Taken {
        PlannedRun run;
        std::vector<std::vector<std::byte>> outputs;  // by array; empty: it is not written
    };
    const OwnCall& call_;
    const std::vector<PlannedRun> planned_;
    const std::vector<OwnArray> arrays_;
    std::deque<Taken> taken_;  // the first one of the program's own n
};

std::string compile_error(const std::vector<program::CompileError>& errors, const OwnCall& call,
                          const std::filesystem::path& written) {
    const program::CompileError& first = errors.front();
    if (first.file == written.string() || first.file == "tilereel_launch.cu")
        return "the launch " + call.statement + " does not compile: " + first.message;
    return first.file + ":" + std::to_string(first.line) + ": " + first.message;
}

}  // namespace

Result<std::vector<std::byte>> run_work_on_cpu(const program::ProgramRequest& program,
                                               const OwnSource& source, const OwnCall& call,
                                               const std::vector<ProductSize>& sizes,
                                               const std::atomic<bool>* cancel) {
    const auto folder = TRY(program::temporary_folder());
    const std::filesystem::path file = *folder / "tilereel_launch.cu", inputs = *folder / "inputs";
    const std::string text = TRY(work_program_text(source, call));
    TRY(write_text(file, text));
    CpuRun on_cpu(call, planned_runs(*call.work, sizes));
    TRY(on_cpu.write_inputs(inputs));
    program::ProgramRequest request = request_for(program, source, file);
    request.arguments = on_cpu.arguments(inputs);
    program::ProgramProgress progress;
    if (cancel != nullptr) progress.stop = cancel;
    const program::ProgramRun run = TRY(program::run_program(request, &progress));
    if (cancel != nullptr && *cancel) return cancelled();
    if (!run.compile_errors.empty()) return failed(compile_error(run.compile_errors, call, file));
    TRY(on_cpu.read(run));
    return on_cpu.data();
}

}  // namespace tilereel
