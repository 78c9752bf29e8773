#include "app/workbench/view/side_text.h"

#include <algorithm>
#include <set>

#include "app/subject/file_kind.h"
#include "app/subject/rung_launch.h"
#include "app/workbench/launch/fit_parameters.h"
#include "kernels/kernel_name.h"
#include "kernels/openings.h"

namespace tilereel {
namespace {

constexpr const char* kComparison = "a comparison";
constexpr std::string_view kAcceptedText =
    "a comparison is with a kernel, a trace, a CUDA program, or what differs, such as pad=1, "
    "tile=16, n=32, generation=1.3, barrier=24, define=N=8 or launch=1";

// A file is named by what is there, or by its ending. "pad=1" is a change, even if a file has that
// name.
bool names_file(const std::string& what) {
    if (find_kernel(what) != nullptr) return false;
    std::error_code unknown;
    const bool field = what.find('=') != std::string::npos;
    return (!field && std::filesystem::exists(what, unknown)) ||
           (kind_of_ending(what).has_value() &&
            find_subject_field(what.substr(0, what.find('='))) == nullptr);
}

Subject of_file(const std::string& file, const Subject& own) {
    return {.file = file, .generation = own.generation};
}

void set_parameters(Subject& side, const KernelParameters& p) {
    side.m = p.m, side.n = p.n, side.k = p.k, side.tile = p.tile, side.pad = p.pad;
}

Status set_kernel(Subject& side, const std::string& id) {
    const KernelInfo* const kernel = find_kernel(id);
    if (kernel == nullptr) return no_such_kernel(id);
    KernelParameters wanted = is_rung(side) ? parameters_of(side) : opening_of(*kernel);
    if (std::ranges::find(kernel->pads, wanted.pad) == kernel->pads.end())
        wanted.pad = kernel->pads.front();
    const FittedParameters fitted = TRY(fit_parameters(*kernel, wanted));
    side = {.kernel = id, .seed = side.seed, .on_gpu = side.on_gpu, .generation = side.generation};
    set_parameters(side, fitted.parameters);
    return Done{};
}

// The first value of a field that may have several replaces those of the watched launch.
void clear_list(Subject& side, const std::string& name) {
    if (name == "argument") side.arguments.clear();
    if (name == "define") side.defines.clear();
    if (name == "include") side.include_folders.clear();
    if (name == "with") side.more_files.clear();
    if (name == "call") side.launch_lines.clear();
}

Status check_rung(const Subject& side) {
    const KernelInfo* const kernel = find_kernel(side.kernel);
    if (kernel == nullptr) return Done{};
    TRY(validate(*kernel, parameters_of(side)));
    return check_removed_barrier(*kernel, record_request(side));
}

Status read_fields(const std::string& what, const Subject& own, Subject& side) {
    std::set<std::string> lists;
    return for_each_field(what, [&](const std::string& name, const auto& value) -> Status {
        const TextField<Subject>* const field = find_subject_field(name);
        if (field == nullptr || !value)
            return wrong_call(std::string(kAcceptedText) + "; not '" + name +
                              (value ? "=" + *value : "") + "'");
        if (name == "block")
            return wrong_call(
                "both sides of a comparison watch the same block; choose it for both");
        if (name == "kernel") return set_kernel(side, *value);
        if (name == "file" && !value->empty()) {
            side = of_file(*value, own);
            return Done{};
        }
        if (is_list_field(name) && lists.insert(name).second) clear_list(side, name);
        if (field == find_subject_field("without_barrier"))  // another barrier, in the usual order
            side.order = ThreadOrder::kRoundRobin, side.find_failing_order = false;
        return read_field_of(field, name, value, side, kComparison);
    });
}

}  // namespace

Status check_compared_file(const Subject& side) {
    if (side.file.empty()) return Done{};
    TRY(kind_of_file(side.file, kComparison, {FileKind::kProgram, FileKind::kTrace},
                     {.more_files = side.more_files, .include_folders = side.include_folders}));
    return Done{};
}

Result<Subject> side_of_text(const std::string& what, const Subject& own) {
    Subject side = own;
    side.block_x = side.block_y = 0;
    const Subject watched = side;
    if (names_file(what)) {
        side = of_file(what, own);
    } else if (find_kernel(what) != nullptr) {
        TRY(set_kernel(side, what));
    } else if (const Status read = read_fields(what, own, side); !read) {
        return read.error();
    }
    TRY(check_fields_belong(side, kComparison));
    TRY(check_rung(side));
    if (is_rung(side)) return side;
    Subject same = watched;
    same.generation = side.generation;
    if (side == same) return Subject{.generation = side.generation};
    return side;
}

}  // namespace tilereel
