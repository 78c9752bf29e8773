#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>

#include "app/cli/commands/explain_pattern.h"
#include "app/cli/options/warp_access_csv.h"
#include "app/cli/subcommands.h"

namespace tilereel {
namespace {

Result<std::vector<NamedAccess>> read_csv(const std::string& path) {
    if (path == "-") return read_warp_accesses(std::cin, "standard input");
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (!std::filesystem::exists(status))
        return failed("there is no file '" + path + "'; name a .csv file");
    if (!std::filesystem::is_regular_file(status) && !std::filesystem::is_fifo(status))
        return failed("'" + path + "' is not a plain file; name a .csv file");
    std::ifstream file(path, std::ios::binary);
    if (!file) return failed("cannot open '" + path + "': " + std::strerror(errno));
    return read_warp_accesses(file, path);
}

Result<std::vector<NamedAccess>> access_of(const ExplainCommand& command) {
    std::vector<std::string> offsets;
    if (command.lanes.find(',') != std::string::npos) {
        offsets = split_fields(command.lanes, ',');
    } else {
        std::istringstream words(command.lanes);
        for (std::string word; words >> word;) offsets.push_back(word);
    }
    if (command.operation == "ldmatrix" || command.operation == "stmatrix") {
        const auto matrices = std::to_string(command.pattern.matrices.value_or(4));
        const auto access = TRY(make_matrix_access(command.operation, matrices, offsets));
        return std::vector<NamedAccess>{{"1", access}};
    }
    const auto access = TRY(make_access(command.space, command.operation,
                                        std::to_string(command.width_bytes.value_or(4)), offsets));
    if (access.lanes.mask == 0)
        return wrong_call("no lane is active; give --lanes offsets such as \"0,4,8\"");
    return std::vector<NamedAccess>{{"1", access}};
}

}  // namespace

void ExplainCommand::add_to(CLI::App& app) {
    CLI::Option* const from_csv =
        app.add_option(
               "--csv", csv,
               "Rows with the columns space, op, width_bytes and lane0 to lane31; '-' reads "
               "standard input")
            ->type_name("FILE");
    const auto row_option = [&](CLI::Option* option) { option->excludes(from_csv); };
    row_option(
        app.add_option("--space", space, "Memory (default shared)")->type_name("shared|global"));
    row_option(
        app.add_option("--op", operation,
                       "Operation (default load); ldmatrix and stmatrix take matrices of 8 rows of "
                       "16 bytes, a row by lane")
            ->type_name("load|store|ldmatrix|stmatrix"));
    row_option(add_whole_option(app, "--matrices", pattern.matrices, 1, 4,
                                "Matrices of an ldmatrix or stmatrix: 1, 2 or 4 (default 4)"));
    row_option(
        add_whole_option(app, "--width", width_bytes, 1, 1024,
                         "Bytes each lane accesses: 4, 8 or 16; with --expression also 1 or 2 "
                         "(default 4)"));
    CLI::Option* const from_lanes =
        app.add_option("--lanes", lanes,
                       "Offsets in bytes of lane 0, 1, ...: \"0,4,8\"; -1 is an inactive lane")
            ->type_name("OFFSETS");
    row_option(from_lanes);
    const auto pattern_option = [&](CLI::Option* option) {
        row_option(option);
        option->excludes(from_lanes)->group("Of an index expression");
    };
    pattern_option(
        app.add_option(
               "--expression", pattern.expression,
               "Index of the element that a thread accesses: \"ty*33 + tx\", of tx, ty, "
               "tz, lane, warp, threadIdx.x, blockDim.x and numbers; negative: no access. Or a "
               "layout of CuTe: \"(8,32):(32,1)\", \"Swizzle<3,3,3> o (64,64):(64,1)\"")
            ->type_name("INDEX"));
    pattern_option(app.add_option("--block", pattern.block, "Threads of a block (default 32x8)")
                       ->type_name("XxY[xZ]"));
    pattern_option(add_whole_option(app, "--warp", pattern.warp, 0, 1023,
                                    "Warp shown, or matrix load of a tile (default 0)"));
    pattern_option(add_whole_option(app, "--row", pattern.row, 1, 1 << 24,
                                    "Elements in a row of the array, which --pad and --swizzle "
                                    "change (default 32)"));
    pattern_option(add_whole_option(app, "--pad", pattern.pad, 0, 1 << 24,
                                    "Unused elements at the end of each row (default 0)"));
    CLI::Option* const swizzle =
        add_whole_option(app, "--swizzle", pattern.swizzle, 1, 1 << 24,
                         "XOR an element's place in its row with the row's number modulo this "
                         "power of 2 (default 1: no swizzle)");
    pattern_option(swizzle);
    pattern_option(add_whole_option(app, "--swizzle-unit", pattern.swizzle_unit, 1, 1 << 24,
                                    "Elements that a swizzle keeps together (default 1)")
                       ->needs(swizzle));
    add_generation_option(app, generation);
    app.add_flag("--json", json, "Print JSON instead of CSV");
}

Result<std::string> ExplainCommand::run() const {
    if (!pattern.expression.empty()) {
        const AskedPattern asked =
            TRY(pattern_of(pattern, space, operation, width_bytes.value_or(4)));
        return json ? pattern_json(asked, pattern.expression, *generation)
                    : pattern_text(asked, *generation);
    }
    if (pattern.any()) return wrong_call("there is no index; give --expression \"ty*33 + tx\"");
    if (csv.empty() && lanes.empty())
        return wrong_call(
            "there is nothing to explain; give --csv FILE, --lanes OFFSETS or --expression INDEX");
    const auto accesses = TRY(csv.empty() ? access_of(*this) : read_csv(csv));
    return json ? explain_json(accesses, *generation) : explain_csv(accesses, *generation);
}

}  // namespace tilereel
