#include "app/cli/commands/page_launches.h"

#include <algorithm>
#include <utility>

#include "app/replay/sentence/wording.h"
#include "instrumentation/base/format/with_commas.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

bool has_list(const KernelOptions& options) {
    return !options.more_tiles.empty() || !options.more_pads.empty();
}

std::vector<int> joined(int first, const std::vector<int>& more) {
    std::vector<int> all = {first};
    for (const int value : more)
        if (std::ranges::find(all, value) == all.end()) all.push_back(value);
    return all;
}

// "640 KiB"
std::string size_text(std::uint64_t bytes) { return with_commas((bytes + 1023) >> 10) + " KiB"; }

}  // namespace

Result<PageLaunches> other_launches_of(const NamedSubject& subject) {
    PageLaunches launches;
    const KernelInfo* const kernel = find_kernel(subject.name);
    if (kernel == nullptr) return launches;
    const RecordRequest first = TRY(request_of(subject.name, subject.options));
    const KernelParameters& p = first.parameters;
    const std::vector<int> tiles = joined(p.tile, subject.options.more_tiles);
    const bool pads_given = !subject.options.more_pads.empty();
    std::vector<int> pads = joined(p.pad, subject.options.more_pads);
    if (const auto other = other_pad(*kernel, p.pad); other && !pads_given) pads.push_back(*other);
    for (const int tile : tiles)
        for (const int pad : pads) {
            if (tile == p.tile && pad == p.pad) continue;
            NamedSubject next = subject;
            next.options.tile = tile;
            next.options.pad = pad;
            next.options.tile_by_occupancy = false;
            if (first.inputs.a.empty()) {
                next.options.m = p.m;
                next.options.n = p.n;
                next.options.k = p.k;
            }
            auto trace = obtain_trace(next);
            const bool asked_for = pads_given || pad == p.pad;
            if (!trace && asked_for) return trace.error();
            if (!trace) continue;
            launches.traces.push_back(*std::move(trace));
            launches.names.push_back("TILE " + std::to_string(tile) +
                                     (pads.size() > 1 ? " PAD " + std::to_string(pad) : ""));
        }
    return launches;
}

std::string words_for_page(const PageLaunches& launches, const WrittenPage& page,
                           const NamedSubject& subject, const std::string& file) {
    const std::size_t all = launches.names.size();
    if (page.others == all && !has_list(subject.options)) return {};
    std::string text = "'" + file + "' has " + size_text(page.bytes) + " and " +
                       counted(page.others + 1, "launch", "launches");
    if (page.others < all) {
        text += "; left out:";
        for (std::size_t i = page.others; i < all; ++i)
            text += (i > page.others ? ", " : " ") + launches.names[i];
        text += ", because " + std::to_string(kMostPageBytes >> 20) +
                " MiB is the most that opens well";
    }
    return text + "\n";
}

}  // namespace tilereel
