#include "app/race/files/race_csv.h"

#include <charconv>
#include <vector>

#include "app/race/files/race_file.h"
#include "instrumentation/base/format/csv_text.h"

namespace tilereel {
namespace {

std::string number(double value) {  // the shortest text that gives the same value
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string number(const std::optional<double>& value) { return value ? number(*value) : ""; }

std::string line_of(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells)
        line += (&cell == cells.data() ? "" : ",") + csv_field(cell);
    return line + "\r\n";
}

std::vector<std::string> place_of(const Race& race, std::uint32_t contender, std::uint32_t size) {
    const Contender& racer = race.request.contenders[contender];
    const bool without_tile = !has_parameters(racer);
    const ProductSize& extents = race.request.sizes[size];
    return {csv_name(racer.kernel),
            without_tile ? "" : std::to_string(racer.tile),
            without_tile ? "" : std::to_string(racer.pad),
            std::to_string(extents.m),
            std::to_string(extents.n),
            std::to_string(extents.k)};
}

void append(std::vector<std::string>& cells, std::vector<std::string> more) {
    for (std::string& cell : more) cells.push_back(std::move(cell));
}

std::vector<std::string> outcome_of(const Race& race, const Verified* verified) {
    if (!verified) return {"", "", "", "", csv_name(race.machine.device), race.date};
    return {std::string(name_of(verified->outcome)),
            number(verified->worst_error),
            verified->checked,
            csv_name(verified->sentence),
            csv_name(race.machine.device),
            race.date};
}

}  // namespace

std::string race_csv(const Race& race) {
    std::string text =
        line_of({"kernel", "tile", "pad", "m", "n", "k", "repeat", "launches", "milliseconds",
                 is_of_products(race.request) ? "gflops" : "gbs", "sm_clock_mhz", "temperature_c",
                 "power_w", "outcome", "worst_error", "checked", "sentence", "device", "date"});
    for (const Sample& sample : race.samples) {
        std::vector<std::string> cells = place_of(race, sample.contender, sample.size);
        append(cells, {std::to_string(sample.repeat), std::to_string(sample.launches),
                       number(sample.milliseconds), number(sample.rate),
                       number(sample.conditions.sm_clock_mhz),
                       number(sample.conditions.temperature_c), number(sample.conditions.power_w)});
        append(cells, outcome_of(race, find_verified(race, sample.contender, sample.size)));
        text += line_of(cells);
    }
    for (const Verified& verified : race.verified) {
        if (is_timed(verified.outcome)) continue;
        std::vector<std::string> cells = place_of(race, verified.contender, verified.size);
        append(cells, std::vector<std::string>(7));  // repeat to power_w
        append(cells, outcome_of(race, &verified));
        text += line_of(cells);
    }
    return text;
}

}  // namespace tilereel
