#include <nlohmann/json.hpp>

#include "app/cli/subcommands.h"
#include "app/cli/text_table.h"
#include "instrumentation/base/format/json_text.h"
#include "kernels/catalog.h"
#include "kernels/ladder_file.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

std::string joined(std::span<const int> numbers) {
    std::string text;
    for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
    return text;
}

std::string_view runs_on(const KernelInfo& kernel) { return kernel.on_cpu ? "CPU" : "GPU"; }

Json json_of(const KernelInfo& kernel) {
    return {{"id", kernel.id},
            {"title", kernel.title},
            {"file", kernel.file_name},
            {"tiles", kernel.tiles},
            {"pads", kernel.pads},
            {"needs", kernel.needs},
            {"inputs", name_of(kernel.inputs)},
            {"idea", kernel.idea},
            {"watch", kernel.watch},
            {"next", kernel.next},
            {"from", kernel.from},
            {"on", runs_on(kernel)},
            {"kernel", kernel.file->kernel},
            {"launch", kernel.file->launch_function}};
}

}  // namespace

void KernelsCommand::add_to(CLI::App& app) { app.add_flag("--json", json, "Print JSON"); }

Result<std::string> KernelsCommand::run() const {
    if (json) {
        Json rows = Json::array();
        for (const KernelInfo& kernel : catalog()) rows.push_back(json_of(kernel));
        return json_text(rows, 1) + "\n";
    }
    Table table("llllll");
    table.add({"KERNEL", "ON", "TILE", "PAD", "NEEDS", "IDEA"});
    for (const KernelInfo& kernel : catalog())
        table.add({std::string(kernel.id), std::string(runs_on(kernel)), joined(kernel.tiles),
                   joined(kernel.pads), std::string(kernel.needs), std::string(kernel.idea)});
    std::string built_in_only;
    for (const KernelInfo& kernel : catalog())
        if (kernel.tiles.size() > 1 && !takes_other_tiles(kernel) && !takes_other_pads(kernel))
            built_in_only += (built_in_only.empty() ? "" : ", ") + std::string(kernel.id);
    return table.text() + "\nThese TILEs and PADs are built in. Others that fit are compiled" +
           (built_in_only.empty() ? "" : ", except for " + built_in_only) + ".\n";
}

}  // namespace tilereel
