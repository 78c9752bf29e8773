#include "app/shell/command_log.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/workbench/command_text.h"

namespace tilereel {

CommandLog::CommandLog(WriteLine write, const SavedView& view, int width, int height, bool playing)
    : write_(std::move(write)) {
    write_(std::string(kLogTitle));
    write_("size " + std::to_string(width) + " " + std::to_string(height));
    write_("view " + text_of(view));
    if (playing) note(0, PlayPause{});
}

void CommandLog::begin(double now_seconds) { origin_ = now_seconds; }

void CommandLog::note(double now_seconds, const Command& command) {
    write(now_seconds, text_of(command));
}

void CommandLog::end(double now_seconds) { write(now_seconds, std::string(kLogEnd)); }

void CommandLog::write(double now_seconds, const std::string& words) {
    constexpr double kDigits = 1e6;
    const double seconds = origin_ ? std::max(now_seconds - *origin_, 0.0) : 0;
    write_(decimal(std::round(seconds * kDigits) / kDigits) + " " + words);
}

}  // namespace tilereel
