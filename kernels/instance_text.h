#pragma once
#include <string>
#include <string_view>
#include <utility>

namespace tilereel {

// "tiled<TILE, PAD>" with the values: "tiled<16, 0>".
[[nodiscard]] inline std::string instance_text(std::string text, int tile, int pad) {
    for (const auto& [name, value] :
         {std::pair<std::string_view, int>{"TILE", tile}, {"PAD", pad}}) {
        const std::string number = std::to_string(value);
        for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;
             at += number.size())
            text.replace(at, name.size(), number);
    }
    return text;
}

}  // namespace tilereel
