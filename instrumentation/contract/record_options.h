#pragma once
// What Tilereel asks of a program that it records: one environment variable, whose text the parent
// writes and the program reads.
//
//   TILEREEL_RECORD=folder=/tmp/tilereel-1;pipe=3;launch=7;blocks=0-3,9;more_blocks=2:17;...
//
// A field that has its default is left out, except the folder: it comes first, so that the text
// begins alike in all processes of a run (begin_of()).
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fields.h"

namespace tilereel::contract {

inline constexpr char kVariable[] = "TILEREEL_RECORD";
inline constexpr int kMessagePipe = 3;  // the program's descriptor for messages
inline constexpr int kMemoryFile = 4;   // the program's descriptor for its trace, if handed over

// A block of a launch, both counted from 0.
struct LaunchBlock {
    std::uint32_t launch = 0, block = 0;
    friend bool operator==(const LaunchBlock& a, const LaunchBlock& b) {
        return a.launch == b.launch && a.block == b.block;
    }
};

struct Options {
    std::string folder{};            // for trace files
    int pipe = -1;                   // descriptor for messages; -1: none are sent
    int memory_file = -1;            // descriptor for the trace; -1: traces are files in `folder`
    std::string generation = "9.0";  // compute capability that the program sees
    std::string compiler{};          // "g++ 12.2.0"; empty: the program names it
    std::int64_t launch = -1;        // the only launch that is recorded; -1: all
    Numbers blocks{};                // the only blocks that are recorded; empty: by budget
    std::vector<LaunchBlock> more_blocks{};  // recorded in addition, even beyond the budget
    // Budgets of recorded accesses: of a launch; of one of which only some blocks are recorded; of
    // all launches together.
    std::uint64_t accesses_a_launch = std::uint64_t{16} << 20;
    std::uint64_t accesses_of_sample = std::uint64_t{4} << 20;
    std::uint64_t accesses = std::uint64_t{64} << 20;
    bool independent_blocks = false;  // blocks of a launch may be recorded in parallel
    bool other_blocks = true;         // false: only `blocks` run
    bool all_blocks = false;          // even if the blocks that are not recorded take long
    bool assignments = true;          // assignments to named locals are recorded
    bool contents = true;             // arrays are sent with their bytes before and after a launch
    std::uint32_t interval = 0;       // every n-th value of a sum is kept; 0: all, up to a budget
    std::uint32_t workers = 0;        // CPU threads; 0: one for each core

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("folder", self.folder);
        fields.may("pipe", self.pipe, -1);
        fields.may("memory_file", self.memory_file, -1);
        fields.may("generation", self.generation, "9.0");
        fields.may("compiler", self.compiler, "");
        fields.may("launch", self.launch, -1);
        fields.may("blocks", self.blocks, Numbers());
        fields.may("more_blocks", self.more_blocks, std::vector<LaunchBlock>());
        const Options otherwise;
        fields.may("accesses_a_launch", self.accesses_a_launch, otherwise.accesses_a_launch);
        fields.may("accesses_of_sample", self.accesses_of_sample, otherwise.accesses_of_sample);
        fields.may("accesses", self.accesses, otherwise.accesses);
        fields.may("independent_blocks", self.independent_blocks, false);
        fields.may("other_blocks", self.other_blocks, true);
        fields.may("all_blocks", self.all_blocks, false);
        fields.may("assignments", self.assignments, true);
        fields.may("contents", self.contents, true);
        fields.may("interval", self.interval, 0);
        fields.may("workers", self.workers, 0);
    }
};

class OptionsWriter {
  public:
    template <class T>
    void must(std::string_view name, const T& field) {
        text += std::string(name) + "=" + value(field) + ";";
    }
    template <class T, class Otherwise>
    void may(std::string_view name, const T& field, const Otherwise& otherwise) {
        if (!(field == static_cast<T>(otherwise))) must(name, field);
    }
    std::string text;

  private:
    template <class Number>
    static std::string value(Number field) {
        return std::to_string(field);
    }
    // ';' and '%', and what a terminal would not show, as "%3b".
    static std::string value(const std::string& field) {
        constexpr char kDigits[] = "0123456789abcdef";
        std::string escaped;
        for (const char c : field) {
            const auto code = static_cast<unsigned char>(c);
            if (c != ';' && c != '%' && code >= 0x20)
                escaped += c;
            else
                (escaped += '%') += {kDigits[code >> 4], kDigits[code & 15]};
        }
        return escaped;
    }
    // Consecutive numbers as "0-3".
    static std::string value(const Numbers& field) {
        std::string list;
        for (std::size_t i = 0, end = 0; i < field.size(); i = end) {
            for (end = i + 1; end < field.size() && field[end] == field[end - 1] + 1;) ++end;
            list += (list.empty() ? "" : ",") + std::to_string(field[i]);
            if (end > i + 1) list += "-" + std::to_string(field[end - 1]);
        }
        return list;
    }
    static std::string value(const std::vector<LaunchBlock>& field) {
        std::string list;
        for (const LaunchBlock& each : field)
            list += (list.empty() ? "" : ",") + std::to_string(each.launch) + ":" +
                    std::to_string(each.block);
        return list;
    }
};

// A field that is missing or cannot be read has its default.
class OptionsReader {
  public:
    explicit OptionsReader(std::string_view text) {
        for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end, text.size()))) {
            end = std::min(text.find(';'), text.size());
            const std::string_view field = text.substr(0, end++);
            const std::size_t equals = field.find('=');
            if (equals != std::string_view::npos)
                fields_[field.substr(0, equals)] = field.substr(equals + 1);
        }
    }
    template <class T>
    void must(std::string_view name, T& field) {
        const auto found = fields_.find(name);
        if (found != fields_.end()) read(found->second, field);
    }
    template <class T, class Otherwise>
    void may(std::string_view name, T& field, const Otherwise&) {
        must(name, field);
    }

  private:
    // Takes a number off the front of the text; false: there is none.
    template <class Number>
    static bool take(std::string_view& text, Number& number) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc()) return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return true;
    }
    static bool take(std::string_view& text, char c) {
        if (text.empty() || text.front() != c) return false;
        text.remove_prefix(1);
        return true;
    }
    template <class Number>
    static void read(std::string_view text, Number& field) {
        Number number{};
        if (take(text, number) && text.empty()) field = number;
    }
    static void read(std::string_view text, bool& field) { field = text == "1"; }
    static void read(std::string_view text, std::string& field) {
        field.clear();
        for (std::size_t i = 0; i < text.size(); ++i) {
            unsigned char code = 0;
            if (text[i] == '%' && i + 2 < text.size() &&
                std::from_chars(&text[i + 1], &text[i + 1] + 2, code, 16).ec == std::errc()) {
                field += static_cast<char>(code);
                i += 2;
            } else {
                field += text[i];
            }
        }
    }
    static void read(std::string_view text, Numbers& field) {
        constexpr std::uint32_t kMostOfRun = 1 << 24;
        do {
            std::uint32_t first = 0, last = 0;
            if (!take(text, first)) return;
            last = first;
            if (take(text, '-') && (!take(text, last) || last < first || last - first > kMostOfRun))
                return;
            for (std::uint64_t number = first; number <= last; ++number)
                field.push_back(static_cast<std::uint32_t>(number));
        } while (take(text, ','));
    }
    static void read(std::string_view text, std::vector<LaunchBlock>& field) {
        do {
            LaunchBlock each;
            if (!take(text, each.launch) || !take(text, ':') || !take(text, each.block)) return;
            field.push_back(each);
        } while (take(text, ','));
    }

    std::map<std::string_view, std::string_view> fields_;
};

[[nodiscard]] inline std::string text_of(const Options& options) {
    OptionsWriter writer;
    Options::visit(options, writer);
    return writer.text;
}
// The text's beginning, which no other run has.
[[nodiscard]] inline std::string begin_of(const Options& options) {
    OptionsWriter writer;
    writer.must("folder", options.folder);
    return writer.text;
}
// `text`: null if there is no such variable.
[[nodiscard]] inline Options read_options(const char* text) {
    Options options;
    if (text != nullptr) {
        OptionsReader reader(text);
        Options::visit(options, reader);
    }
    return options;
}

}  // namespace tilereel::contract
