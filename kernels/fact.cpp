#include "kernels/fact.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

// Two decimals at most, thousands with a comma.
std::string number_text(double value) {
    std::array<char, 32> text{};
    if (std::abs(value) >= 100) return with_commas(static_cast<std::uint64_t>(std::lround(value)));
    std::snprintf(text.data(), text.size(), "%.2f", value);
    std::string out = text.data();
    while (out.ends_with('0')) out.pop_back();
    if (out.ends_with('.')) out.pop_back();
    return out;
}

double computed_figure(ComputedFigure computed, int tile) {
    const double intensity = classical_flop_per_byte(tile);
    const double flop_per_second = kRtx3090BytesPerSecond * intensity;
    switch (computed) {
        case ComputedFigure::kNone:
            break;
        case ComputedFigure::kFlopPerByte:
            return intensity;
        case ComputedFigure::kRtx3090Gflops:
            return flop_per_second / 1e9;
        case ComputedFigure::kRtx3090Percent:
            return 100 * (flop_per_second / kRtx3090FlopPerSecond);
    }
    return 0;
}

// The text with each {name} replaced by `value`.
std::string with_value(std::string text, const std::string& name, const std::string& value) {
    const std::string braces = "{" + name + "}";
    for (std::size_t at = 0; (at = text.find(braces, at)) != std::string::npos; at += value.size())
        text.replace(at, braces.size(), value);
    return text;
}

}  // namespace

double classical_flop_per_byte(int tile) {
    constexpr double kFlop = 2, kWords = 2, kBytesOfWord = sizeof(float);  // of a multiply-add
    return kFlop / (kWords / tile * kBytesOfWord);
}

Fact fact_at_tile(const WrittenFact& written, int tile) {
    const std::string tile_text = std::to_string(tile);
    const bool compared = written.recorded_at_tile == 0 || written.recorded_at_tile == tile;
    Fact fact{.id = written.id,
              .kernels = {written.kernels.begin(), written.kernels.end()},
              .text = with_value(written.text, "TILE", tile_text),
              .figures = {},
              .document = written.document,
              .section = written.section,
              .recorded = compared ? written.recorded : RecordedFigure::kNone,
              .about_registers = written.about_registers};
    for (const WrittenFigure& figure : written.figures) {
        const double value =
            figure.computed == ComputedFigure::kNone
                ? figure.value
                : computed_figure(figure.computed, written.tile > 0 ? written.tile : tile);
        fact.figures.push_back({with_value(figure.name, "TILE", tile_text), value, figure.unit});
        fact.text = with_value(fact.text, fact.figures.back().name, number_text(value));
    }
    return fact;
}

}  // namespace tilereel
