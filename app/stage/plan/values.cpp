#include "app/stage/plan/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace tilereel::stage {

CellText text_of(double v) {
    CellText out;
    const double size = std::abs(v);
    if (size < 1e6 && v == std::round(v)) {  // much faster than snprintf()
        char* const end = std::to_chars(out.text, std::end(out.text), static_cast<int>(v)).ptr;
        *end = '\0';
        out.length = static_cast<std::size_t>(end - out.text);
        return out;
    }
    const char* const format = std::isnan(v)                ? "?"
                               : size >= 1e4 || size < 0.01 ? "%.0e"
                               : size < 10                  ? "%.2f"
                               : size < 100                 ? "%.1f"
                                                            : "%.0f";
    const int written = std::snprintf(out.text, sizeof out.text, format, v);
    out.length = static_cast<std::size_t>(std::clamp(written, 0, 15));
    return out;
}

CellText text_of_value(ElementType type, std::span<const std::byte> bytes) {
    if (bytes.empty() || type == ElementType::kBytes) return {};
    return text_of(number_of(type, bytes));
}

int widest(const MatrixElements& values) {
    float least = 0, most = 0;
    bool whole = true;
    for (const float value : values.all()) {
        if (std::isnan(value)) continue;  // "?"
        least = std::min(least, value);
        most = std::max(most, value);
        whole = whole && value == std::round(value);
    }
    const std::size_t ends = std::max(text_of(double{least}).length, text_of(double{most}).length);
    const std::size_t fraction = whole ? 1 : (least < 0 ? 5 : 4);
    return static_cast<int>(std::max(ends, fraction));
}

}  // namespace tilereel::stage
