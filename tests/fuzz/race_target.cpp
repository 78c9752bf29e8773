#include <cstdlib>
#include <string_view>

#include "app/cli/report/race_report.h"
#include "app/race/files/race_csv.h"
#include "app/race/files/race_file.h"
#include "tests/fuzz/targets.h"

namespace tilereel::fuzz {

void run_race(Input input) {
    const auto race = race_of_json({reinterpret_cast<const char*>(input.data()), input.size()});
    if (!race) return;
    const std::string json = race_json(*race);
    const auto again = race_of_json(json);
    if (!again || race_json(*again) != json) std::abort();  // what is written must be readable
    static_cast<void>(race_text(*race));
    static_cast<void>(race_csv(*race));
    static_cast<void>(race_json_lines(*race));
    static_cast<void>(comparison_text(*race, *again));
    static_cast<void>(comparison_json_lines(*race, *again));
}

}  // namespace tilereel::fuzz
