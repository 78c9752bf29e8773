// Why the champion computes a size as it does, as text.
#include <algorithm>
#include <cstdio>

#include "kernels/cuda/champion/champion_choice.h"

namespace tilereel {
namespace {

constexpr int kHopper = 132;  // multiprocessors of an H100 and of an H200
constexpr std::size_t kOthers = 8;

struct Timed {
    ChampionChoice choice;
    ChampionTime time;
};

const ChampionConfig& config_of(const ChampionChoice& choice) {
    return champion_configs()[static_cast<std::size_t>(choice.config)];
}

// At most 511 letters.
template <class... Values>
std::string printed(const char* format, Values... values) {
    char text[512];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

// The fastest way of each configuration, fastest first.
std::vector<Timed> fastest_of_each(const ChampionSize& size) {
    std::vector<Timed> fastest;
    for (const ChampionChoice& way : champion_ways(size, kHopper)) {
        const Timed timed{way, *expected_time(size, way, kHopper)};
        const auto same = std::ranges::find(fastest, way.config,
                                            [](const Timed& t) { return t.choice.config; });
        if (same == fastest.end())
            fastest.push_back(timed);
        else if (timed.time.us() < same->time.us())
            *same = timed;
    }
    std::ranges::stable_sort(fastest, {}, [](const Timed& t) { return t.time.us(); });
    return fastest;
}

// What takes most of the time, as a sentence.
std::string limit_of(const ChampionTime& time) {
    const std::pair<double, const char*> parts[] = {
        {time.start, "the start of the launch"},
        {time.copies, "copies of A and B with rows that start at multiples of 16 bytes"},
        {time.compute >= time.memory ? time.compute : 0, "the multiply-adds"},
        {time.memory > time.compute ? time.memory : 0, "reading A and B"},
        {time.sums, "adding up the sums of warps and blocks that share K"},
        {time.stores, "storing C"}};
    const auto& [us, what] = *std::ranges::max_element(parts, {}, [](auto& p) { return p.first; });
    return printed("Most of the time, %.0f %%, goes into %s.\n", 100 * us / time.us(), what);
}

std::string row_of(const ChampionSize& size, const Timed& timed) {
    const ChampionTime& t = timed.time;
    const std::optional<int> each = blocks_of_each(size, timed.choice, kHopper);
    return printed("%-36s %9.1f %7.1f %7.1f %8.1f %7.1f %6.1f %7.1f   %s\n",
                   name_of(timed.choice).c_str(), t.us(), t.start, t.copies, t.compute, t.memory,
                   t.sums, t.stores,
                   timed.choice.stream_k ? "stream-K"
                   : each                ? printed("%d of %d at once", *each,
                                                   config_of(timed.choice).blocks)
                                               .c_str()
                                         : "several waves");
}

}  // namespace

std::string explain_champion(const ChampionSize& size) {
    const std::vector<Timed> fastest = fastest_of_each(size);
    std::string text = printed(
        "A race of 20_champion computes %d x %d x %d by %s. That is expected to take the shortest "
        "of %zu ways, %.1f us,\nif launches follow each other, on a GPU of compute capability 9.0 "
        "with %d multiprocessors (H100, H200).\n",
        size.m, size.n, size.k, name_of(fastest.front().choice).c_str(),
        champion_ways(size, kHopper).size(), fastest.front().time.us(), kHopper);
    text += limit_of(fastest.front().time);
    if (size.k % 4 != 0) text += "Rows of A do not start at multiples of 16 bytes.\n";
    if (size.n % 4 != 0) text += "Rows of B and C do not start at multiples of 16 bytes.\n";
    text += printed("\n%-36s %9s %7s %7s %8s %7s %6s %7s   %s\n", "The fastest way of each tile", "us",
                    "start", "copies", "compute", "memory", "sums", "stores",
                    "blocks of a multiprocessor");
    for (std::size_t i = 0; i < std::min(kOthers, fastest.size()); ++i)
        text += row_of(size, fastest[i]);
    return text + "Of compute and memory the longer counts: they overlap.\n";
}

}  // namespace tilereel
