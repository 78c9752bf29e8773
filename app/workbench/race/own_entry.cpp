#include "app/workbench/race/own_entry.h"

#include "app/own_kernel/work_call.h"

namespace tilereel {

OwnTools usual_own_tools() {
    return {.recognise = recognise_own,
            .prepare = [](const OwnRequest& request,
                          const OwnWatch& watch) { return prepare_own(request, watch); },
            .race = race_in_process,
            .why_not = why_no_nvcc};
}

OwnSource OwnEntry::source() const {
    return {.file = offer.program.file,
            .defines = offer.program.defines,
            .include_folders = offer.program.include_folders,
            .value = {}};
}

std::vector<Contender> OwnEntry::contenders() const {
    std::vector<Contender> all;
    if (const auto sources = with_values(source(), values))
        for (const OwnSource& each : *sources) all.push_back({name_of(each)});
    if (all.empty()) all.push_back({file_name()});
    return all;
}

}  // namespace tilereel
