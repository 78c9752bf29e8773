// The part of the step sentence about the lanes that take no part in a request.
#include <array>
#include <bit>

#include "app/replay/sentence/sentence_writer.h"

namespace tilereel {

void SentenceWriter::write_off_lanes() {
    const OffLanes& off = facts_.off;
    const std::string name(source_name(trace_, facts_.file));
    const std::string line =
        joined({"line ", std::to_string(facts_.line),
                facts_.file == 0 ? "" : " of " + name.substr(name.rfind('/') + 1)});
    const std::string_view request = facts_.verb == Verb::kChanges ? "atomic"
                                     : facts_.verb == Verb::kStores || facts_.verb == Verb::kWrites
                                         ? "store"
                                         : "load";
    struct Group {
        std::uint32_t lanes;
        std::string one, several;
    };
    const std::array<Group, 5> groups = {
        {{off.skip, "skips " + line, "skip " + line},
         {off.apart, joined({"makes another ", request, " of ", line}),
          joined({"make another ", request, " of ", line})},
         {off.out_of_loop, "has left the loop", "have left the loop"},
         {off.returned, "has returned", "have returned"},
         {off.unknown, "is off", "are off"}}};
    bool first = true;
    for (const Group& group : groups) {
        const auto count = static_cast<std::uint32_t>(std::popcount(group.lanes));
        if (count == 0) continue;
        plain(first ? "; " : ", ");
        strong(first ? counted(count, "lane", "lanes") : std::to_string(count));
        plain(" ", count == 1 ? group.one : group.several);
        first = false;
    }
}

}  // namespace tilereel
