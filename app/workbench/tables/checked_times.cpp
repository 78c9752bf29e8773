#include "app/workbench/tables/checked_times.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/workbench/tables/csv_fields.h"
#include "app/workbench/tables/tables_text.h"
#include "instrumentation/analysis/time/time_estimate.h"
#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

bool parse_seconds(std::string_view microseconds, double& seconds) {
    const char* const end = microseconds.data() + microseconds.size();
    const auto [stopped, error] = std::from_chars(microseconds.data(), end, seconds);
    seconds *= 1e-6;
    return error == std::errc() && stopped == end && seconds > 0;
}

const std::vector<CheckedTime>& read_table() {
    static const std::vector<CheckedTime> rows = [] {
        std::vector<CheckedTime> read;
        std::string_view text = estimate_text();
        check(next_line(text) ==
              "gpu,launch,tile,pad,m,n,k,caches,measured_us,estimated_us,kind,limiter,from");
        while (!text.empty()) {
            const std::vector<std::string_view> fields = fields_of(next_line(text));
            check(fields.size() == 13);
            CheckedTime& row = read.emplace_back();
            KernelParameters& p = row.parameters;
            row.launch = fields[1];
            row.of_ladder = fields[0] == "H100";
            if (row.of_ladder)
                check(parse_count(fields[2], p.tile) && parse_count(fields[3], p.pad) &&
                      parse_count(fields[4], p.m) && parse_count(fields[5], p.n) &&
                      parse_count(fields[6], p.k));
            row.cold = fields[7] == "cold";
            check(parse_seconds(fields[8], row.measured) &&
                  parse_seconds(fields[9], row.estimated));
            row.about = fields[10] == "about";
            row.from = fields[12];
        }
        return read;
    }();
    return rows;
}

bool same_product(const CheckedTime& a, const CheckedTime& b) {
    return a.from == b.from && a.parameters.m == b.parameters.m &&
           a.parameters.n == b.parameters.n && a.parameters.k == b.parameters.k;
}

double faster_named() {
    constexpr double kDiffers = 1.1;
    std::size_t pairs = 0, right = 0;
    const std::vector<CheckedTime>& rows = read_table();
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const CheckedTime &a = rows[i], &b = rows[j];
            if (!a.of_ladder || !a.about || !b.about || !same_product(a, b)) continue;
            if (std::abs(std::log(a.measured / b.measured)) < std::log(kDiffers)) continue;
            ++pairs;
            right += (a.measured < b.measured) == (a.estimated < b.estimated) ? 1u : 0u;
        }
    return pairs == 0 ? 0 : static_cast<double>(right) / static_cast<double>(pairs);
}

EstimateErrors errors_of(bool of_ladder) {
    EstimateErrors errors;
    double logs = 0;
    for (const CheckedTime& row : read_table()) {
        if (row.of_ladder != of_ladder || !row.about) continue;
        ++errors.all;
        if (row.factor() <= (of_ladder ? kBandOfProducts : kBandOfOthers)) ++errors.inside;
        logs += std::log(row.factor());
        errors.worst = std::max(errors.worst, row.factor());
    }
    errors.typical = std::exp(logs / static_cast<double>(std::max<std::size_t>(errors.all, 1)));
    if (of_ladder) errors.faster_named = faster_named();
    return errors;
}

}  // namespace

double CheckedTime::factor() const { return std::exp(std::abs(std::log(estimated / measured))); }

std::span<const CheckedTime> checked_times() { return read_table(); }

const CheckedTime* find_checked(std::string_view kernel, const KernelParameters& p) {
    const auto found = std::ranges::find_if(read_table(), [&](const CheckedTime& row) {
        return row.cold && row.launch == kernel && row.parameters == p;
    });
    return found == read_table().end() ? nullptr : &*found;
}

const EstimateErrors& estimate_errors(bool of_ladder) {
    static const EstimateErrors kErrors[] = {errors_of(false), errors_of(true)};
    return kErrors[of_ladder ? 1 : 0];
}

}  // namespace tilereel
