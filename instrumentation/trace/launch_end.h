#pragma once
// How a finding says that the launch ended with it.
#include <string>
#include <string_view>

#include "instrumentation/trace/recorded_finding.h"

namespace tilereel {

// Begins the sentence of a finding's advice. " with cudaErrorIllegalAddress;" may follow.
inline constexpr std::string_view kLaunchEndsHere = "The launch ends here";

// Whether the launch did not run, or ended before its last instruction.
[[nodiscard]] inline bool ends_launch(const RecordedFinding& finding) {
    return finding.kind == RecordedFindingKind::kRefusedLaunch ||
           finding.kind == RecordedFindingKind::kNeverRan ||
           finding.advice.find(kLaunchEndsHere) != std::string::npos;
}

// "ended with cudaErrorIllegalAddress", "ended: assertion", "was refused". For a finding that ends
// its launch.
[[nodiscard]] inline std::string launch_end_text(const RecordedFinding& finding) {
    if (finding.kind == RecordedFindingKind::kRefusedLaunch) return "was refused";
    if (finding.kind == RecordedFindingKind::kNeverRan) return "did not run";
    const std::size_t at = finding.advice.find(kLaunchEndsHere);
    const std::string_view rest =
        std::string_view(finding.advice).substr(at + kLaunchEndsHere.size());
    if (rest.starts_with(" with ")) return "ended" + std::string(rest.substr(0, rest.find(';')));
    return "ended: " + std::string(finding_name(finding.kind));
}

}  // namespace tilereel
