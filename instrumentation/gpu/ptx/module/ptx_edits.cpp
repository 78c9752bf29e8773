#include "instrumentation/gpu/ptx/module/ptx_edits.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tilereel::gpu {

void PtxEdits::insert_first(std::size_t at, std::string text) {
    edits_.push_back({at, 0, std::move(text), true});
}

void PtxEdits::replace(std::size_t at, std::size_t removed, std::string text) {
    edits_.push_back({at, removed, std::move(text)});
}

std::string PtxEdits::text() {
    std::ranges::stable_sort(edits_, {}, [](const Edit& each) {
        return std::tuple(each.at, !each.is_first, each.removed != 0);
    });
    std::string result;
    std::size_t done = 0;
    for (const Edit& each : edits_) {
        result += original_.substr(done, each.at - done);
        result += each.text;
        done = each.at + each.removed;
    }
    return result += original_.substr(done);
}

}  // namespace tilereel::gpu
