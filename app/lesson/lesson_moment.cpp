// Parses the description of a moment of a replay.
#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>

#include "app/lesson/lesson.h"

namespace tilereel {
namespace {

using What = LessonMoment::What;
using Access = LessonMoment::Access;

constexpr std::array<std::string_view, 10> kOrdinals = {
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"};

struct AccessWord {
    std::string_view word;
    Access access;
};
constexpr std::array kAccessWords = {
    AccessWord{"load", Access::kLoad}, AccessWord{"store", Access::kStore},
    AccessWord{"read", Access::kRead}, AccessWord{"write", Access::kWrite},
    AccessWord{"copy", Access::kCopy},
};

constexpr std::string_view kExamples =
    "write a place such as \"start\", \"first conflict\", \"second read of Bs\", \"phase 2 "
    "barrier\", \"line 21\", \"tick 40\" or \"end\"";

// A sequence of words to parse.
class Words {
  public:
    explicit Words(const std::string& text) {
        std::istringstream stream(text);
        for (std::string word; stream >> word;) words_.push_back(word);
    }
    [[nodiscard]] std::string_view peek() const {
        return at_ < words_.size() ? std::string_view(words_[at_]) : std::string_view();
    }
    std::string_view take() {
        const std::string_view word = peek();
        ++at_;
        return word;
    }
    bool take_if(std::string_view word) {
        if (peek() != word || word.empty()) return false;
        ++at_;
        return true;
    }
    std::optional<std::uint32_t> take_number() {
        const std::string_view word = peek();
        std::uint32_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (word.empty() || error != std::errc() || end != word.data() + word.size()) return {};
        ++at_;
        return number;
    }
    [[nodiscard]] bool empty() const { return at_ >= words_.size(); }

  private:
    std::vector<std::string> words_;
    std::size_t at_ = 0;
};

// The number for "first" and so on; 0 for "last"; 1 if there is no such word.
std::uint32_t take_ordinal(Words& words) {
    if (words.take_if("last")) return 0;
    for (std::size_t i = 0; i < kOrdinals.size(); ++i)
        if (words.take_if(kOrdinals[i])) return static_cast<std::uint32_t>(i) + 1;
    return 1;
}

bool take_numbered(Words& words, LessonMoment& moment, What what) {
    const auto number = words.take_number();
    if (!number || (*number == 0 && what != What::kTick)) return false;
    moment.what = what;
    moment.number = *number;
    return true;
}

bool take_phase(Words& words, LessonMoment& moment) {
    if (!take_numbered(words, moment, What::kPhase)) return false;
    if (words.take_if("load")) moment.part = Part::kLoad;
    if (words.take_if("compute")) moment.part = Part::kCompute;
    if (words.take_if("store")) moment.part = Part::kStore;
    if (words.take_if("barrier")) moment.at_barrier = true;
    return true;
}

bool take_access(Words& words, LessonMoment& moment) {
    const auto named = std::ranges::find(kAccessWords, words.peek(), &AccessWord::word);
    if (named == kAccessWords.end()) return false;
    words.take();
    moment.what = What::kRequest;
    moment.access = named->access;
    for (const std::string_view word : {"of", "from", "to", "into"})
        if (words.take_if(word)) {
            moment.array = words.take();
            return !moment.array.empty();
        }
    return true;
}

bool take_event(Words& words, LessonMoment& moment) {
    moment.number = take_ordinal(words);
    if (words.take_if("conflict"))
        moment.what = What::kConflict;
    else if (words.take_if("barrier"))
        moment.what = What::kBarrier;
    else if (words.take_if("finding"))
        moment.what = What::kFinding;
    else if (!take_access(words, moment))
        return false;
    if (!words.take_if("in")) return true;
    const auto phase = words.take_if("phase") ? words.take_number() : std::nullopt;
    moment.phase = phase.value_or(0);
    return moment.phase > 0;
}

}  // namespace

Result<LessonMoment> moment_of_words(const std::string& text) {
    LessonMoment moment{.words = text};
    Words words(text);
    moment.after = words.take_if("after");
    bool known = true;
    if (words.take_if("start"))
        moment.what = What::kStart;
    else if (words.take_if("end"))
        moment.what = What::kEnd;
    else if (words.take_if("tick"))
        known = take_numbered(words, moment, What::kTick);
    else if (words.take_if("line"))
        known = take_numbered(words, moment, What::kLine);
    else if (words.take_if("phase"))
        known = take_phase(words, moment);
    else
        known = take_event(words, moment);
    if (known && words.empty()) return moment;
    return wrong_call("\"" + text + "\" is no place in a replay: " + std::string(kExamples));
}

}  // namespace tilereel
