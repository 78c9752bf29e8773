#include "app/cli/report/as_compiled_report.h"

#include "app/cli/text_table.h"
#include "app/cli/typed_numbers.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

Json counts_json(const CompiledCounts& counts) {
    Json json;
    for (std::size_t i = 0; i < counts.size(); ++i)
        json[std::string(key_of(static_cast<CompiledCounter>(i)))] = counts[i];
    return json;
}

}  // namespace

std::string compiled_text(const AsCompiled& compiled) {
    std::string text;
    if (compiled.row != nullptr) {
        Table rows("lrr");
        rows.add({"COUNTER", "AS WRITTEN", "AS COMPILED"});
        for (std::size_t i = 0; i < kCompiledCounters; ++i) {
            const std::uint64_t written = compiled.row->written[i],
                                native = compiled.row->compiled[i];
            if (written == 0 && native == 0) continue;
            rows.add({text_of(static_cast<CompiledCounter>(i)), with_commas(written),
                      with_commas(native)});
        }
        text = rows.text() + "Counted by Nsight Compute on " + compiled.row->gpu + ", CUDA " +
               compiled.row->toolkit + ", " + compiled.row->date + "\n";
    }
    for (const std::string& sentence : compiled.sentences) text += sentence + "\n";
    return text;
}

void put_as_compiled(Json& json, const AsCompiled& compiled) {
    if (compiled.row == nullptr) {
        json["as_compiled"] = {{"missing", compiled.sentences.front()}};
        return;
    }
    json["as_compiled"] = {{"gpu", compiled.row->gpu},
                           {"driver", compiled.row->driver},
                           {"toolkit", compiled.row->toolkit},
                           {"date", compiled.row->date},
                           {"written", counts_json(compiled.row->written)},
                           {"compiled", counts_json(compiled.row->compiled)},
                           {"why", compiled.sentences}};
}

}  // namespace tilereel
