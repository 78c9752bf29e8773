#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>

#include "app/cli/subcommands.h"
#include "app/cli/warp_access_csv.h"

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
    const auto access = make_access(command.space, command.operation,
                                    std::to_string(command.width_bytes.value_or(4)), offsets);
    if (!access) return access.error();
    if (access->lanes.mask == 0)
        return wrong_call("no lane is active; give --lanes offsets such as \"0,4,8\"");
    return std::vector<NamedAccess>{{"1", *access}};
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
        app.add_option("--op", operation, "Operation (default load)")->type_name("load|store"));
    row_option(add_whole_option(app, "--width", width_bytes, 1, 1024,
                                "Bytes each lane accesses: 4, 8 or 16 (default 4)"));
    row_option(
        app.add_option("--lanes", lanes,
                       "Offsets in bytes of lane 0, 1, ...: \"0,4,8\"; -1 is an inactive lane")
            ->type_name("OFFSETS"));
    add_generation_option(app, generation);
    app.add_flag("--json", json, "Print JSON instead of CSV");
}

Result<std::string> ExplainCommand::run() const {
    if (csv.empty() && lanes.empty())
        return wrong_call("there is nothing to explain; give --csv FILE or --lanes OFFSETS");
    const auto accesses = csv.empty() ? access_of(*this) : read_csv(csv);
    if (!accesses) return accesses.error();
    return json ? explain_json(*accesses, *generation) : explain_csv(*accesses, *generation);
}

}  // namespace tilereel
