#include "instrumentation/gpu/ptx/module/ptx_registers.h"

#include <charconv>
#include <string_view>

namespace tilereel::gpu {

void PtxRegisters::declare(const PtxStatement& directive) {
    const auto& tokens = directive.tokens;
    if (tokens.size() < 3 || tokens[0] != ".reg") return;
    unsigned bits = 1;  // .pred
    const std::size_t digit = tokens[1].find_first_of("0123456789");
    if (digit != std::string_view::npos)
        std::from_chars(tokens[1].data() + digit, tokens[1].data() + tokens[1].size(), bits);
    for (std::size_t i = 2; i < tokens.size(); ++i) {
        if (tokens[i] == "<")
            i += 2;
        else if (tokens[i] != ",")
            bits_[std::string(tokens[i])] = bits;
    }
}

unsigned PtxRegisters::bits_of(const std::string& name) const {
    auto found = bits_.find(name);
    if (found == bits_.end()) {
        const std::size_t last = name.find_last_not_of("0123456789");
        if (last != std::string::npos) found = bits_.find(name.substr(0, last + 1));
    }
    return found == bits_.end() ? 0 : found->second;
}

}  // namespace tilereel::gpu
