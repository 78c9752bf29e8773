#include "app/cli/options/compare_option.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "app/cli/options/warp_access_csv.h"
#include "app/cli/typed_numbers.h"
#include "app/subject/file_kind.h"
#include "app/workbench/launch/fit_parameters.h"
#include "instrumentation/analysis/generations/generation.h"

namespace tilereel {
namespace {

constexpr std::string_view kAcceptedText =
    "--compare takes a kernel, a trace, a CUDA program, or what differs, such as pad=1, tile=16, "
    "n=32, generation=1.3, barrier=24";

Error refused(const std::string& word) {
    return wrong_call(std::string(kAcceptedText) + "; not '" + word + "'");
}

// A file is named by what is there, or by its ending. "pad=1" is a change, even if a file has that
// name.
bool names_file(const std::string& what) {
    if (find_kernel(what) != nullptr) return false;
    std::error_code unknown;
    return kind_of_ending(what).has_value() ||
           (what.find('=') == std::string::npos && std::filesystem::exists(what, unknown));
}

Status set_kernel(CompareSide& side, const std::string& id) {
    const KernelInfo* kernel = find_kernel(id);
    if (kernel == nullptr)
        return wrong_call("there is no kernel '" + id + "'; 'tilereel kernels' lists them");
    side.removed_barrier = 0;
    KernelParameters wanted = side.parameters;
    if (side.kernel.empty()) wanted = {};
    if (std::ranges::find(kernel->pads, wanted.pad) == kernel->pads.end())
        wanted.pad = kernel->pads.front();
    const Result<FittedParameters> fitted = fit_parameters(*kernel, wanted);
    if (!fitted) return fitted.error();
    side.kernel = id;
    side.parameters = fitted->parameters;
    return Done{};
}

// Sets one field from "name=value".
Status set_field(CompareSide& side, const std::string& name, const std::string& value) {
    if (name == "kernel") return set_kernel(side, value);
    if (name == "generation") {
        const Generation* generation = find_generation(value);
        if (generation == nullptr)
            return wrong_call("there is no GPU generation '" + value +
                              "'; use a compute capability from 1.0 to 9.0, such as 8.6");
        side.generation = generation->id;
        return Done{};
    }
    const std::optional<std::int64_t> number = parse_whole(value);
    if (!number || *number < 0 || *number > kLargestExtent) return refused(name + "=" + value);
    if (side.kernel.empty())
        return wrong_call(
            "a recorded launch can be compared with another generation, not with another " + name);
    const int whole = static_cast<int>(*number);
    const std::array<std::pair<std::string_view, int*>, 5> fields = {
        {{"m", &side.parameters.m},
         {"n", &side.parameters.n},
         {"k", &side.parameters.k},
         {"tile", &side.parameters.tile},
         {"pad", &side.parameters.pad}}};
    for (const auto& [field, place] : fields)
        if (name == field) {
            *place = whole;
            return Done{};
        }
    if (name != "barrier") return refused(name + "=" + value);
    const auto barriers = find_kernel(side.kernel)->barriers;
    if (whole != 0 && std::ranges::none_of(barriers, [&](const KernelBarrier& barrier) {
            return barrier.line == whole;
        }))
        return wrong_call("line " + value + " of " + side.kernel + " has no barrier");
    side.removed_barrier = static_cast<std::uint32_t>(whole);
    return Done{};
}

}  // namespace

void add_compare_option(CLI::App& app, std::string& what) {
    app.add_option(
           "--compare", what,
           "Show a second launch beside this one, in lock-step: a kernel, a trace, a CUDA "
           "program, or what differs, such as pad=1, tile=16,pad=1, n=32, generation=1.3 or "
           "barrier=24 (the line of the barrier that is left out)")
        ->type_name("WHAT");
}

Result<CompareSide> compare_side(const std::string& what, const RecordRequest& own,
                                 const Generation& generation) {
    CompareSide side;
    side.generation = generation.id;
    if (find_kernel(own.kernel) != nullptr) {
        side.kernel = own.kernel;
        side.parameters = own.parameters;
        side.removed_barrier = own.removed_barrier;
    }
    if (names_file(what)) {
        const Result<FileKind> kind =
            kind_of_file(what, "a comparison", {FileKind::kProgram, FileKind::kTrace});
        if (!kind) return kind.error();
        side.kernel.clear();
        side.file = what;
        return side;
    }
    if (find_kernel(what) != nullptr) {
        if (const Status set = set_kernel(side, what); !set) return set.error();
        return side;
    }
    for (const std::string& field : split_fields(what, ',')) {
        const std::size_t equal = field.find('=');
        if (equal == std::string::npos) return refused(field);
        if (const Status set = set_field(side, field.substr(0, equal), field.substr(equal + 1));
            !set)
            return set.error();
    }
    if (const KernelInfo* kernel = find_kernel(side.kernel))
        if (const auto shape = validate(*kernel, side.parameters); !shape) return shape.error();
    return side;
}

}  // namespace tilereel
