#include "app/shell/command_replay.h"

#include <algorithm>
#include <utility>

#include "app/shell/shown_view.h"
#include "app/workbench/command_text.h"

namespace tilereel {
namespace {

constexpr double kFrameSeconds = 1.0 / 30;
constexpr int kLargestSide = 1 << 15;  // pixels
constexpr double kLongest = 1e6;       // seconds

// Splits "word rest".
std::pair<std::string_view, std::string_view> first_word(std::string_view line) {
    const std::size_t space = std::min(line.find(' '), line.size());
    return {line.substr(0, space), line.substr(std::min(space + 1, line.size()))};
}

Status read_size(std::string_view text, LoggedSession& session) {
    const auto [width, height] = first_word(text);
    if (read_number(width, 1, kLargestSide, session.width) &&
        read_number(height, 1, kLargestSide, session.height))
        return Done{};
    return wrong_call("a size is a width and a height in pixels, not '" + std::string(text) + "'");
}

Status read_entry(std::string_view line, LoggedSession& session) {
    const auto [time, words] = first_word(line);
    LoggedSession::Entry entry;
    const double earliest = session.entries.empty() ? 0 : session.entries.back().seconds;
    if (!read_number(time, earliest, kLongest, entry.seconds))
        return wrong_call("a line begins with its time, not before that of the line above, not '" +
                          std::string(time) + "'");
    if (words != kLogEnd) {
        Command command = TRY(parse_command(words));
        entry.command = std::move(command);
    }
    session.entries.push_back(std::move(entry));
    return Done{};
}

Status read_line(std::string_view line, LoggedSession& session) {
    const auto [word, rest] = first_word(line);
    if (line.empty() || line == kLogTitle) return Done{};
    if (word == "size") return read_size(rest, session);
    if (word != "view") return read_entry(line, session);
    SavedView view = TRY(parse_view(rest));
    session.view = std::move(view);
    return Done{};
}

}  // namespace

Result<LoggedSession> parse_log(std::string_view text) {
    if (!text.starts_with(kLogTitle))
        return wrong_call("a log of commands begins with '" + std::string(kLogTitle) + "'");
    LoggedSession session;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (const Status read = read_line(text.substr(0, end), session); !read)
            return wrong_call("line " + std::to_string(number) + ": " + read.error().message);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return session;
}

void play_log(const LoggedSession& session, Workbench& workbench, FrameState& state,
              const std::function<void(double)>& draw_frame) {
    workbench.advance(0);
    ViewRestorer(session.view).advance(workbench);
    double now = 0;
    for (const LoggedSession::Entry& entry : session.entries) {
        while (now < entry.seconds) {
            const double step = std::min(kFrameSeconds, entry.seconds - now);
            draw_frame(step);
            now = entry.seconds - now <= kFrameSeconds ? entry.seconds : now + step;
        }
        if (entry.command) apply_in_frame({*entry.command}, workbench, state);
    }
}

}  // namespace tilereel
