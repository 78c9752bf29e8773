#include "app/ladder/sample/longer_footprint.h"

#include <algorithm>

namespace tilereel {

LongerFootprint::LongerFootprint(const Trace& recorded, int from, int to)
    : from_(static_cast<std::uint64_t>(from)),
      to_(static_cast<std::uint64_t>(to)),
      parts_(static_cast<std::uint64_t>((to + from - 1) / from)),
      recorded_(footprint_arrays(recorded)),
      arrays_(recorded_),
      along_(recorded_.size(), Along::kNeither) {
    for (std::size_t i = 0; i < recorded.arrays.size(); ++i) {
        const Array& array = recorded.arrays[i];
        FootprintArray& grown = arrays_[i];
        if (grown.bytes == 0 || (array.name != "A" && array.name != "B")) continue;
        // A row of A runs along K; B's, if it is stored by columns, too.
        along_[i] = (array.name == "A") != array.by_columns ? Along::kRows : Along::kColumns;
        grown.bytes = grown.bytes / from_ * to_;
        if (along_[i] == Along::kRows) grown.row_bytes = grown.row_bytes / from_ * to_;
    }
}

void LongerFootprint::add(const TouchedRun& run, std::uint64_t part,
                          std::vector<TouchedRun>& runs) const {
    const FootprintArray &old = recorded_[run.array], &grown = arrays_[run.array];
    const auto push = [&](std::uint64_t begin, std::uint64_t end, std::uint64_t limit) {
        end = std::min(end, limit);
        if (begin < end) runs.push_back({run.array, run.written, begin, end});
    };
    if (along_[run.array] == Along::kNeither) {
        // Before the loop or behind it.
        push(run.begin, run.end, grown.bytes);
    } else if (along_[run.array] == Along::kColumns) {
        const std::uint64_t down = part * from_ * grown.row_bytes;
        push(run.begin + down, run.end + down, grown.bytes);
    } else {
        for (std::uint64_t at = run.begin; at < run.end;) {
            const std::uint64_t row = at / old.row_bytes, column = at % old.row_bytes;
            const std::uint64_t end = std::min(run.end, (row + 1) * old.row_bytes);
            const std::uint64_t begin = row * grown.row_bytes + part * old.row_bytes + column;
            push(begin, begin + (end - at), (row + 1) * grown.row_bytes);
            at = end;
        }
    }
}

BlockFootprint LongerFootprint::of(const BlockFootprint& of) const {
    std::vector<std::vector<TouchedRun>> steps(kFootprintSteps);
    for (std::uint64_t part = 0; part < parts_; ++part)
        for (std::uint32_t step = 0; step < kFootprintSteps; ++step) {
            const std::uint64_t at = (part * kFootprintSteps + step) * from_ / to_;
            // What is no part of the loop is done once.
            const std::uint64_t once = step < kFootprintSteps / 2 ? 0 : parts_ - 1;
            for (const TouchedRun& run : of.of_step(step))
                if (along_[run.array] != Along::kNeither || part == once)
                    add(run, part, steps[std::min<std::uint64_t>(at, kFootprintSteps - 1)]);
        }
    return footprint_of_steps(of.block, std::move(steps));
}

bool access_the_same(const BlockFootprint& a, const BlockFootprint& b) {
    const auto all = [](const BlockFootprint& of) {
        std::vector<std::vector<TouchedRun>> one(kFootprintSteps);
        one.front() = of.runs;
        return footprint_of_steps(0, std::move(one)).runs;
    };
    return all(a) == all(b);
}

}  // namespace tilereel
