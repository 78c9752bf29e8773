#include "instrumentation/cuda/runtime/program_image.h"

#include <link.h>

#include <vector>

namespace tilereel::runtime {
namespace {

struct Range {
    std::uint64_t begin, end;
};

std::vector<Range> find_ranges() {
    std::vector<Range> ranges;
    const auto add = [](dl_phdr_info* image, std::size_t, void* to) {
        for (int i = 0; i < image->dlpi_phnum; ++i) {
            const ElfW(Phdr)& part = image->dlpi_phdr[i];
            const bool constant = part.p_type == PT_LOAD && (part.p_flags & PF_W) == 0;
            if (!constant && part.p_type != PT_GNU_RELRO) continue;
            const std::uint64_t begin = image->dlpi_addr + part.p_vaddr;
            static_cast<std::vector<Range>*>(to)->push_back({begin, begin + part.p_memsz});
        }
        return 0;
    };
    dl_iterate_phdr(add, &ranges);
    return ranges;
}

}  // namespace

bool is_constant_data(std::uint64_t address) {
    static const auto& ranges = *new std::vector<Range>(find_ranges());
    for (const Range& range : ranges)
        if (address >= range.begin && address < range.end) return true;
    return false;
}

}  // namespace tilereel::runtime
