// The finding of a subscript that lies outside of its extent, which the plugin's check has found.
#include <array>
#include <string>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/outside_text.h"

namespace tilereel::runtime {
namespace {

using SubscriptValues = std::array<std::int64_t, Subscripts::kMost>;

// The place with its subscripts, up to subscript number `until`: "Bs[7]" for 1.
std::string with_values(const std::string& place, const SubscriptValues& values,
                        std::size_t until) {
    std::string text;
    std::size_t next = 0;
    for (const char c : place) {
        if (c == '[' && next == until) break;
        if (c == '%')
            text += std::to_string(values[next++]);
        else
            text += c;
    }
    return text;
}

// The array whose rows the subscript at `at` counts in: "tile[%].rows" of "tile[%].rows[%][%]", "p"
// of "p[...][%]".
std::string name_of_array(const std::string& place, std::size_t at) {
    std::size_t begin = at;
    while (begin > 0 && place[begin - 1] == ']') begin = place.rfind('[', begin - 1);
    return place.substr(0, begin);
}

struct SubscriptSentence {
    std::string what, advice;
};

// `wrong`: the number of the subscript that lies outside.
SubscriptSentence sentence_of(const Subscripts& of, const SubscriptValues& values,
                              std::size_t wrong) {
    const std::string place = of.place;
    std::size_t at = 0;  // of the subscript's [ in the place
    for (std::size_t i = 0; i <= wrong; ++i) at = place.find("[%]", i == 0 ? 0 : at + 1);
    const bool has_row = at > 0 && place[at - 1] == ']', has_more = place.substr(at + 3, 1) == "[";
    const std::uint32_t extent = of.extents[wrong];
    const std::string around = with_values(place, values, wrong);
    SubscriptSentence said;
    said.what =
        (of.is_store != 0 ? "writes " : "reads ") + with_values(place, values, Subscripts::kMost);
    if (!has_row || has_more) {
        said.what += " outside of " + around + ", which has " +
                     counted(extent, has_more ? "row" : "element");
        said.advice = "C++ leaves this undefined: check the index, or make the array larger.";
        return said;
    }
    said.what +=
        " outside of its row: " + name_of_array(place, at) + " has " + counted(extent, "column");
    said.advice =
        "C++ leaves this undefined, and a GPU takes the element of another row: check the index, "
        "or make the rows longer.";
    return said;
}

}  // namespace

extern "C" void tilereel_subscript(const Subscripts* of, std::int64_t first, std::int64_t second,
                                   std::int64_t third, std::int64_t fourth) {
    const SubscriptValues values = {first, second, third, fourth};
    for (std::size_t i = 0; i < Subscripts::kMost; ++i) {
        const bool is_outside = values[i] < 0 || values[i] >= of->extents[i];
        if (of->extents[i] == 0 || !is_outside) continue;
        const SubscriptSentence said = sentence_of(*of, values, i);
        report_once(of, RecordedFindingKind::kSubscript, said.what, said.advice, of->line);
        return;
    }
}

}  // namespace tilereel::runtime
