#pragma once
// The step sentence as pieces of text, each with a colour.
#include <cstdint>
#include <string>
#include <vector>

namespace tilereel {

enum class Tone : std::uint8_t { kPlain, kStrong, kA, kB, kC, kConflict, kWait, kAccent };
// One piece of the step sentence.
struct Span {
    Tone tone = Tone::kPlain;
    std::string text;
};
using Sentence = std::vector<Span>;
[[nodiscard]] std::string plain_text(const Sentence& sentence);

}  // namespace tilereel
