#pragma once
// Whether the runs of a submission meet a requirement, and a sentence that says what was counted.
#include <cstdint>
#include <string>
#include <vector>

#include "app/exercise/requirement.h"
#include "app/exercise/run_facts.h"

namespace tilereel {

struct CheckResult {
    enum class State : std::uint8_t { kPassed, kFailed, kNotJudged };
    State state = State::kNotJudged;
    std::string words;       // of the requirement
    std::string sentence;    // what was counted; where the check failed, on which line
    std::uint32_t line = 0;  // of the submission; 0: none
    // Of a check that counts:
    std::string counter{}, counted{}, wanted{};  // "shared.bank_conflicts", "31,744", "should be 0"
    std::string where{};                   // the part of the sentence about the line; may be empty
    std::size_t run = 0;                   // that the sentence is about, from 0 on
    int points = 1;                        // that it is worth; 0: a condition (Grade::points())
    std::vector<FindingFacts> findings{};  // of a check of findings that failed: all of that run
    // Of a finding the sentence in two parts, for a learner who wants to find out what to do.
    std::string what{}, advice{};
};

// `handed_out`: the same runs of the file that was handed out, for requirements that compare with
// it. A check passes if it does in each run; the sentence is of the first run where it does not.
[[nodiscard]] CheckResult judge(const Requirement& requirement, const std::vector<RunFacts>& runs,
                                const std::vector<RunFacts>& handed_out);

// "n = 33, m = 100"; empty: there are no sizes.
[[nodiscard]] std::string sizes_text(const NamedNumbers& sizes);

}  // namespace tilereel
