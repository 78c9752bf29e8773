#include "kernels/kernel_name.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tilereel {
namespace {

// The smallest number of characters to insert, remove or replace that turns one into the other.
std::size_t edits_between(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

const KernelInfo* kernel_meant(std::string_view name) {
    const KernelInfo* nearest = nullptr;
    std::size_t fewest = name.size() / 3 + 1;  // more edits would make it another name
    for (const KernelInfo& kernel : catalog()) {
        const std::string_view id = kernel.id;
        // "naive" means 02_naive rather than cpu_naive.
        const std::string_view word = kernel.on_cpu ? id : id.substr(id.find('_') + 1);
        const std::size_t edits = std::min(edits_between(name, id), edits_between(name, word));
        if (edits >= fewest) continue;
        fewest = edits;
        nearest = &kernel;
    }
    return nearest;
}

std::string no_kernel_text(const std::string& name) {
    const KernelInfo* const meant = kernel_meant(name);
    return "there is no kernel '" + name + "'" +
           (meant == nullptr ? "" : " (did you mean " + std::string(meant->id) + "?)");
}

Error no_such_kernel(const std::string& name) {
    return wrong_call(no_kernel_text(name) + "; 'tilereel kernels' lists them");
}

}  // namespace tilereel
