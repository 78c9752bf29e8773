#pragma once
// The launches of a kernel that a page of `export --html` holds besides the one that it opens with:
// every TILE of --tile with every PAD of --pad; without a list of PADs, each with its other PAD.
#include <string>
#include <vector>

#include "app/cli/options/options.h"
#include "app/export/html/export_html.h"

namespace tilereel {

struct PageLaunches {
    std::vector<Trace> traces;
    std::vector<std::string> names;  // "TILE 16 PAD 1"
};

// Empty for a file, and for a kernel with one TILE and no PAD. An error if a launch of a list
// cannot be recorded. All have the sizes of the launch that the page opens with.
[[nodiscard]] Result<PageLaunches> other_launches_of(const NamedSubject& subject);

// What a page holds, in words: empty if there is nothing to say.
[[nodiscard]] std::string words_for_page(const PageLaunches& launches, const WrittenPage& page,
                                         const NamedSubject& subject, const std::string& file);

}  // namespace tilereel
