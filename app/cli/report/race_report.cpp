#include "app/cli/report/race_report.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/text_table.h"
#include "app/cli/typed_numbers.h"
#include "app/race/files/race_file.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) { return json_text(json) + "\n"; }

Json contender_json(const Contender& contender, const ProductSize& size) {
    Json json = {{"kernel", contender.kernel}};
    if (!is_reference(contender)) {
        json["tile"] = contender.tile;
        json["pad"] = contender.pad;
    }
    json["m"] = size.m;
    json["n"] = size.n;
    json["k"] = size.k;
    return json;
}

// "8,215" or "3.14": decimals only below 100.
std::string speed(double gflops) {
    return gflops < 100 ? with_decimals(gflops)
                        : with_commas(static_cast<std::uint64_t>(std::llround(gflops)));
}

std::string percent(double part) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * part);
    return text;
}

std::string upper(std::string text) {
    for (char& letter : text)
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    return text;
}

// "CUBLAS" if all contenders that have a reference have this one, "REFERENCE" if they differ.
std::string reference_title(const Race& race) {
    std::set<std::string> names;
    for (const Contender& contender : race.request.contenders)
        if (const auto at = reference_of(race.request.contenders, contender))
            names.insert(race.request.contenders[*at].kernel);
    return names.size() == 1 ? upper(*names.begin()) : "REFERENCE";
}

std::string verdict(const Verified* verified) {
    if (!verified) return "not yet";
    switch (verified->outcome) {
        case Outcome::kVerified:
            return "yes";
        case Outcome::kWrong:
            return "WRONG: " + verified->sentence;
        case Outcome::kFailed:
            return "FAILED: " + verified->sentence;
        case Outcome::kSkipped:
            return "skipped: " + verified->sentence;
        case Outcome::kUnchecked:
            return "not checked: " + verified->sentence;
    }
    return "";
}

std::vector<std::string> name_cells(const Contender& contender, const ProductSize& size) {
    const bool chosen = has_parameters(contender);
    return {contender.kernel, chosen ? std::to_string(contender.tile) : "",
            chosen ? std::to_string(contender.pad) : "", name_of(size)};
}

std::vector<std::string> row_of(const Race& race, std::uint32_t contender, std::uint32_t size) {
    const Contender& self = race.request.contenders[contender];
    const auto reference = reference_of(race.request.contenders, self);
    std::vector<std::string> row = name_cells(self, race.request.sizes[size]);
    const auto speeds = rates_of(race, contender, size);
    const auto against = reference ? rates_of(race, *reference, size) : std::nullopt;
    // The chains of multiply-adds say nothing of the tensor cores.
    const double peak =
        inputs_of(self) == InputType::kFloat32 ? race.machine.measured_peak_gflops : 0;
    row.push_back(speeds ? speed(speeds->median) : "-");
    row.push_back(
        speeds ? percent((speeds->third_quartile - speeds->first_quartile) / speeds->median) : "-");
    row.push_back(speeds && against ? percent(speeds->median / against->median) : "-");
    row.push_back(speeds && peak > 0 ? percent(speeds->median / peak) : "-");
    row.push_back(verdict(find_verified(race, contender, size)));
    return row;
}

std::string machine_text(const Race& race) {
    const RaceMachine& machine = race.machine;
    std::string text = machine.device;
    if (machine.threads > 0)
        text += ", CPU, " + std::to_string(machine.threads) +
                (machine.threads == 1 ? " thread" : " threads");
    if (!machine.driver.empty()) text += ", driver " + machine.driver;
    if (!machine.toolkit.empty()) text += (machine.gpu ? ", CUDA " : ", ") + machine.toolkit;
    if (!machine.reference.empty()) text += ", " + machine.reference;
    text += "\nRaced " + race.date + (race.recorded ? " (recorded)" : "") + ", caches " +
            std::string(name_of(race.request.caches)) + ", medians\n";
    if (machine.measured_peak_gflops > 0)
        text += "Measured here: a copy moves " + speed(machine.measured_bandwidth_gbs) +
                " GB/s, chains of multiply-adds reach " + speed(machine.measured_peak_gflops) +
                " GFLOPS (the peak below)\n";
    if (!race.complete) text += "NOT COMPLETE: the race was ended early\n";
    return text;
}

std::string micros(double milliseconds) { return speed(1000 * milliseconds); }

// A race of what is no product: time and bytes a second over n.
std::string work_text(const Race& race) {
    Table table("lrrrrrl");
    table.add({"KERNEL", "N", "TIME us", "GB/S", "SPREAD", "OF COPY", "CHECKED"});
    for (std::uint32_t size = 0; size < race.request.sizes.size(); ++size)
        for (std::uint32_t c = 0; c < race.request.contenders.size(); ++c) {
            const auto rates = rates_of(race, c, size);
            const double roof = race.machine.measured_bandwidth_gbs;
            const Verified* const verified = find_verified(race, c, size);
            const bool right = verified && verified->outcome == Outcome::kVerified;
            table.add(
                {race.request.contenders[c].kernel, std::to_string(race.request.sizes[size].n),
                 rates ? micros(work_at(race.request, size) / (rates->median * 1e6)) : "-",
                 rates ? speed(rates->median) : "-",
                 rates ? percent((rates->third_quartile - rates->first_quartile) / rates->median)
                       : "-",
                 rates && roof > 0 ? percent(rates->median / roof) : "-",
                 right ? verified->checked : verdict(verified)});
        }
    return machine_text(race) +
           "GB/s: compulsory traffic, each array that is read and each that is written once\n\n" +
           table.text();
}

}  // namespace

std::string race_text(const Race& race) {
    if (!is_of_products(race.request)) return work_text(race);
    Table table("lrrrrrrrl");
    table.add({"KERNEL", "TILE", "PAD", "SIZE", "GFLOPS", "SPREAD", "OF " + reference_title(race),
               "OF PEAK", "VERIFIED"});
    for (std::uint32_t size = 0; size < race.request.sizes.size(); ++size)
        for (std::uint32_t contender = 0; contender < race.request.contenders.size(); ++contender)
            table.add(row_of(race, contender, size));
    return machine_text(race) + "\n" + table.text();
}

std::string race_json_line(const Race& race, const RaceEvent& event) {
    const auto contender_of = [&](const auto& each) {
        return contender_json(race.request.contenders[each.contender],
                              race.request.sizes[each.size]);
    };
    if (const auto* verified = std::get_if<Verified>(&event)) {
        if (verified->outcome == Outcome::kVerified) return "";
        Json json = contender_of(*verified);
        json["outcome"] = name_of(verified->outcome);
        json["sentence"] = verified->sentence;
        return line_of(json);
    }
    const auto& sample = std::get<Sample>(event);
    Json json = contender_of(sample);
    json["repeat"] = sample.repeat;
    json["launches"] = sample.launches;
    json["milliseconds"] = sample.milliseconds;
    json[is_of_products(race.request) ? "gflops" : "gbs"] = sample.rate;
    const Conditions& conditions = sample.conditions;
    if (conditions.sm_clock_mhz) json["sm_clock_mhz"] = *conditions.sm_clock_mhz;
    if (conditions.temperature_c) json["temperature_c"] = *conditions.temperature_c;
    if (conditions.power_w) json["power_w"] = *conditions.power_w;
    if (const Verified* verified = find_verified(race, sample.contender, sample.size)) {
        json["outcome"] = name_of(verified->outcome);
        json["worst_error"] = verified->worst_error;
    }
    json["device"] = race.machine.device;
    return line_of(json);
}

std::string race_json_lines(const Race& race) {
    std::string text;
    for (const Verified& verified : race.verified) text += race_json_line(race, verified);
    for (const Sample& sample : race.samples) text += race_json_line(race, sample);
    return text;
}

std::string comparison_text(const Race& before, const Race& after) {
    const auto rows = compare_races(before, after);
    if (rows.empty()) return "Compared: the races have no kernel and size in common\n";
    Table table("lrrrrrrl");
    table.add({"KERNEL", "TILE", "PAD", "SIZE", "BEFORE", "AFTER", "RATIO", ""});
    for (const ComparedSpeed& row : rows) {
        std::vector<std::string> cells = name_cells(row.contender, row.size);
        char ratio[32];
        std::snprintf(ratio, sizeof ratio, "%.3f", row.ratio);
        for (std::string cell :
             {speed(row.before_gflops), speed(row.after_gflops), std::string(ratio),
              std::string(row.ranges_are_apart ? "" : "within the spread")})
            cells.push_back(std::move(cell));
        table.add(std::move(cells));
    }
    const std::string terms = difference_of_conditions(before, after);
    return "Compared with " + before.date + (terms.empty() ? "" : " (" + terms + ")") + "\n\n" +
           table.text();
}

std::string comparison_json_lines(const Race& before, const Race& after) {
    std::string text;
    for (const ComparedSpeed& row : compare_races(before, after)) {
        Json json = contender_json(row.contender, row.size);
        json["before_gflops"] = row.before_gflops;
        json["after_gflops"] = row.after_gflops;
        json["ratio"] = row.ratio;
        json["apart"] = row.ranges_are_apart;
        text += line_of(json);
    }
    return text;
}

}  // namespace tilereel
