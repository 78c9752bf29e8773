#include <nlohmann/json.hpp>

#include "app/cli/subcommands.h"
#include "app/cli/table.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

std::string joined(std::span<const int> numbers) {
    std::string text;
    for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
    return text;
}

Json json_of(const KernelInfo& kernel) {
    return {{"id", kernel.id},       {"title", kernel.title}, {"file", kernel.file_name},
            {"tiles", kernel.tiles}, {"pads", kernel.pads},   {"needs", kernel.needs},
            {"idea", kernel.idea},   {"watch", kernel.watch}, {"next", kernel.next},
            {"from", kernel.from}};
}

}  // namespace

void KernelsCommand::add_to(CLI::App& app) { app.add_flag("--json", json, "Print JSON"); }

Result<std::string> KernelsCommand::run() const {
    if (json) {
        Json rows = Json::array();
        for (const KernelInfo& kernel : catalog()) rows.push_back(json_of(kernel));
        return rows.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    Table table("lllll");
    table.add({"KERNEL", "TILE", "PAD", "NEEDS", "IDEA"});
    for (const KernelInfo& kernel : catalog())
        table.add({std::string(kernel.id), joined(kernel.tiles), joined(kernel.pads),
                   std::string(kernel.needs), std::string(kernel.idea)});
    return table.text();
}

}  // namespace tilereel
