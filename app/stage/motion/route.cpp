// From where to where a moving request goes, in words.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/stage/scene.h"

namespace tilereel::stage {
namespace {

using Numbers = std::set<std::uint32_t>;

bool is_range(const Numbers& all) { return *all.rbegin() - *all.begin() + 1 == all.size(); }

// "row 3", "rows 0 and 4", "rows 4 to 7"; empty if there is no short text.
std::string range_words(const char* one, const Numbers& all) {
    const std::string first = std::to_string(*all.begin()), last = std::to_string(*all.rbegin());
    if (all.size() == 1) return std::string(one) + " " + first;
    if (all.size() == 2) return std::string(one) + "s " + first + " and " + last;
    return is_range(all) ? std::string(one) + "s " + first + " to " + last : "";
}

// `name`: empty, or the name of the array.
std::string words_of_part(const std::string& name, std::uint32_t rows_of_array,
                          const std::vector<Element>& elements) {
    Numbers rows, columns;
    std::set<std::pair<std::uint32_t, std::uint32_t>> distinct;
    for (const Element at : elements) {
        rows.insert(at.row);
        columns.insert(at.column);
        distinct.insert({at.row, at.column});
    }
    const std::string of = name.empty() ? "" : " of " + name;
    const std::string count = std::to_string(distinct.size()) + " values" + of;
    if (distinct.size() != rows.size() * columns.size()) return count;
    const std::string first = std::to_string(*columns.begin());
    if (rows_of_array <= 1) {
        if (!is_range(columns)) return count;
        const std::string last = std::to_string(*columns.rbegin());
        return name + "[" + first + (columns.size() > 1 ? ".." + last : "") + "]";
    }
    if (distinct.size() == 1)
        return name + "[" + std::to_string(*rows.begin()) + "][" + first + "]";
    const bool by_columns = !is_range(columns) || columns.size() == 1 ||
                            (is_range(rows) && rows.size() >= 2 * columns.size());
    const std::string words =
        by_columns ? range_words("column", columns) : range_words("row", rows);
    return words.empty() ? count : words + of;
}

}  // namespace

std::string part_words(const Array& array, std::uint32_t plane,
                       const std::vector<Element>& elements) {
    return words_of_part(plane_name(array, plane), array.rows, elements);
}

void find_route(Scene& scene) {
    const std::vector<MovingLeg> moving = moving_legs(scene);
    const Leg* const shown = shown_leg(scene, moving);
    if (shown == nullptr) return;
    const std::vector<Flight>& flights = scene.replay.flights();
    const std::vector<std::uint32_t>& lanes = shown->flights;
    const Flight& first = flights[lanes.front()];
    if (view_of_row(scene, first.to, first.to_row) == nullptr) return;
    const Array &from = scene.trace.arrays[first.from], &to = scene.trace.arrays[first.to];
    const std::uint32_t plane = plane_of(to, first.to_row);
    std::vector<Element> source, target;
    for (const std::uint32_t i : lanes) {
        source.push_back(flights[i].source());
        target.push_back({flights[i].to_row - plane * to.rows_of_plane(), flights[i].to_column});
    }
    const std::string there = part_words(to, plane, target), name = plane_name(to, plane);
    const std::string here = words_of_part("", from.rows, source);
    const std::string full = part_words(from, 0, source);
    scene.route = {first.from,
                   {},
                   {},
                   {full + " to " + there, full + " to " + name, from.name + " to " + name},
                   {full + " to " + there, here + " to " + there, here + " to " + name,
                    "to " + there, "to " + name}};
}

}  // namespace tilereel::stage
