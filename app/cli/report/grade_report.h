#pragma once
// A grade as text, as JSON, and in the files that autograders read.
#include <string>

#include "app/exercise/grade.h"

namespace tilereel {

// What a grade is of.
struct GradedWork {
    std::string file, title;  // of the submission and of the exercise; the title may be empty
    std::uint64_t seed = 0;
    const Grade& grade;
    bool all_findings = false;  // in the text
};

[[nodiscard]] std::string grade_text(const GradedWork& work);
[[nodiscard]] std::string grade_json(const GradedWork& work);
// JUnit XML, as Jenkins, GitLab and GitHub's actions read it: a test case for each check.
[[nodiscard]] std::string grade_junit(const GradedWork& work);
// results.json of Gradescope ("Autograder Specifications", Output Format): the points of each
// check.
[[nodiscard]] std::string grade_gradescope(const GradedWork& work);

}  // namespace tilereel
