#pragma once
// What a recorded program tells Tilereel: one line of JSON for each message, on a pipe.
//
//   the program, a stranger                               Tilereel
//   Launch{...}  --line_of()-->  {"kind":"launch",...}\n  --read_message()-->  Launch{...}
//
// line_of() is in message_line.h, read_message() in instrumentation/program/read_message.h. The
// reader checks the bounds that stand here; ProgramMessages checks what concerns several messages.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "fields.h"

namespace tilereel::contract {

// How a recorder that cannot go on ends its process: with this exit code, or with this signal if it
// cannot even say why. Linux does not send that signal.
inline constexpr int kRecorderFailed = 121, kRecorderIsSilent = 16;

// Bytes of a name or a sentence that are read; a longer one is cut.
inline constexpr std::size_t kMostTextBytes = std::size_t{64} << 10;

// The blocks of a grid, 0 if no GPU runs such a launch. A launch that was refused can have any
// numbers.
[[nodiscard]] constexpr std::uint64_t blocks_that_can_run(const Extents& grid,
                                                          const Extents& block) {
    constexpr std::uint32_t kMostBlocks = 0x7fffffff, kMostRows = 0xffff, kMostThreads = 1024;
    for (const std::uint32_t threads : block)
        if (threads > kMostThreads) return 0;
    if (std::uint64_t{block[0]} * block[1] * block[2] > kMostThreads) return 0;
    if (grid[0] > kMostBlocks || grid[1] > kMostRows || grid[2] > kMostRows) return 0;
    return std::uint64_t{grid[0]} * grid[1] * grid[2];
}

// "cub::DeviceReduce::Sum"
[[nodiscard]] inline bool is_function_name(std::string_view name) {
    constexpr std::size_t kMostLetters = 100;
    for (const char c : name)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == ':'))
            return false;
    return !name.empty() && name.size() <= kMostLetters;
}

// What the host asks for with a launch.
struct LaunchCall {
    std::string kernel{}, file{};  // "multiply<16>"; source file of the launch
    std::uint32_t line = 0;
    Extents grid{}, block{};
    std::uint32_t shared_bytes = 0;  // a block

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("kernel", self.kernel);
        fields.must("file", self.file);
        fields.must("line", self.line);
        fields.must("grid", self.grid);
        fields.must("block", self.block);
        fields.must("shared", self.shared_bytes);
    }
};

// A launch begins. A GPU's recorder does not know its call.
struct Start {
    static constexpr const char* kKind = "start";
    std::uint32_t number = 0;  // of the launch, from 0 on
    std::optional<LaunchCall> call{};

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("number", self.number);
        fields.part("file", self.call);
    }
};

// Blocks of the launch that runs have ended.
struct Progress {
    static constexpr const char* kKind = "progress";
    std::uint64_t of = 0, done = 0;  // blocks

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("of", self.of);
        fields.must("done", self.done, at_most(self.of));
    }
};

// Memory that both processes map has a piece of the trace (handed_trace.h).
struct Piece {
    static constexpr const char* kKind = "piece";
    template <class Self, class Fields>
    static void visit(Self&, Fields&&) {}
};

struct BlocksAndSeconds {
    std::uint32_t number = 0;               // of the launch
    std::uint64_t blocks = 0, seconds = 0;  // that the blocks are expected to need

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("number", self.number);
        fields.must("blocks", self.blocks);
        fields.must("seconds", self.seconds);
    }
};
// Blocks that do not run, because they would take too long; and blocks that run, but need long.
struct LeftOut : BlocksAndSeconds {
    static constexpr const char* kKind = "left_out";
};
struct Rest : BlocksAndSeconds {
    static constexpr const char* kKind = "rest";
};

// What happened to a launch. See LaunchSummary in instrumentation/program/program_run.h.
struct Launch {
    static constexpr const char* kKind = "launch";
    std::uint32_t number = 0;
    LaunchCall call{};
    std::uint64_t recorded = 0, unhooked = 0;  // blocks
    std::uint64_t accesses = 0;
    Numbers chosen{}, cut{};  // blocks; `chosen` is empty if all are
    std::string trace{};      // the file; empty: there is none
    bool handed_over = false;
    Numbers sums{}, barriers{};
    bool textures = false, uses_cub = false;
    bool unrecorded = false;  // the options say that it is not recorded
    std::string reason{}, reason_kind{}, advice{};
    bool whole = true;
    std::uint64_t called_from = 0;

    [[nodiscard]] std::uint64_t blocks() const {
        return blocks_that_can_run(call.grid, call.block);
    }
    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("number", self.number);
        LaunchCall::visit(self.call, fields);
        const std::uint64_t blocks = self.blocks();
        fields.may("recorded", self.recorded, 0, at_most(blocks));
        fields.may("unhooked", self.unhooked, 0, at_most(blocks));
        fields.may("accesses", self.accesses, 0);
        fields.may("chosen", self.chosen, Numbers(), ascending_below(blocks));
        fields.may("cut", self.cut, Numbers(), ascending_below(blocks));
        fields.may("trace", self.trace, "");
        fields.may("handed_over", self.handed_over, false);
        fields.may("sums", self.sums, Numbers());
        fields.may("barriers", self.barriers, Numbers());
        fields.may("textures", self.textures, false);
        fields.may("uses_cub", self.uses_cub, false);
        fields.may("unrecorded", self.unrecorded, false);
        fields.may("reason", self.reason, "");
        fields.may("reason_kind", self.reason_kind, "");
        fields.may("advice", self.advice, "");
        fields.may("whole", self.whole, true);
        fields.may("called_from", self.called_from, 0);
    }
};

// See RecordedFinding in instrumentation/trace/recorded_finding.h, which has the names of kinds.
struct FindingText {
    std::string kind{}, what{}, advice{};
    std::uint32_t line = 0;  // 0: of no line
    bool error = true;       // false: it is a warning

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.may("what_kind", self.kind, "");
        fields.must("what", self.what);
        fields.may("advice", self.advice, "");
        fields.may("line", self.line, 0);
        fields.may("error", self.error, true);
    }
};
// Of the program as a whole.
struct Finding {
    static constexpr const char* kKind = "finding";
    FindingText text{};

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        FindingText::visit(self.text, fields);
    }
};
// Of a launch that was told before.
struct LaunchFinding {
    static constexpr const char* kKind = "launch_finding";
    std::uint32_t number = 0;  // of the launch
    FindingText text{};

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("number", self.number);
        FindingText::visit(self.text, fields);
    }
};

// A function of a library ran on the host.
struct OnHost {
    static constexpr const char* kKind = "on_host";
    std::string name;

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("name", self.name, text_that(is_function_name));
    }
};

// The program ends after this launch, because the options ask for it alone.
struct Stopped {
    static constexpr const char* kKind = "stopped";
    std::uint32_t launch = 0;

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("launch", self.launch);
    }
};

// What is wrong with a launch line.
struct WrongCall {
    static constexpr const char* kKind = "wrong_call";
    std::string why;

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("why", self.why);
    }
};

// The recorder cannot go on. `Text`: std::string_view where there may be no memory.
template <class Text>
struct RecorderFailedOf {
    static constexpr const char* kKind = "recorder_failed";
    Text why;

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("why", self.why);
    }
};
using RecorderFailed = RecorderFailedOf<std::string>;

// The process ends, and no message of it was lost.
struct End {
    static constexpr const char* kKind = "end";
    std::uint32_t process = 0;

    template <class Self, class Fields>
    static void visit(Self& self, Fields&& fields) {
        fields.must("process", self.process);
    }
};

using AnyMessage = std::variant<Piece, Start, Progress, LeftOut, Rest, Launch, LaunchFinding,
                                Finding, OnHost, Stopped, WrongCall, RecorderFailed, End>;

}  // namespace tilereel::contract
