#pragma once
// Grades files of tests/exercise on all cores.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/exercise/grade.h"
#include "app/exercise/read_exercise.h"
#include "instrumentation/program/stranger.h"

namespace tilereel {

inline std::string text_of_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::filesystem::path shipped_exercises() {
    return std::filesystem::path(TILEREEL_SOURCE_DIR) / "assets/exercises";
}

// "exercise" -> "coalescing" of a line "// exercise: coalescing"; empty: there is none.
inline std::string noted(const std::filesystem::path& file, const std::string& key) {
    const std::string text = text_of_file(file), begin = "// " + key + ": ";
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) return {};
    return text.substr(at + begin.size(), text.find('\n', at) - at - begin.size());
}

inline std::vector<std::filesystem::path> cuda_files_in(const std::string& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(TILEREEL_TESTS_FOLDER) / folder))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

inline GradeRequest grade_request(const std::filesystem::path& file, const std::string& exercise) {
    ExerciseReading reading = read_exercise(shipped_exercises() / (exercise + ".toml"));
    EXPECT_TRUE(reading.mistakes.empty()) << exercise << ", line " << reading.mistakes.front().line
                                          << ": " << reading.mistakes.front().sentence;
    static std::map<std::string, std::shared_ptr<SharedWork>> shared;
    auto& kept = shared[exercise];
    if (kept == nullptr) kept = std::make_shared<SharedWork>();
    const std::string seconds = noted(file, "seconds");
    return {.submission = file,
            .exercise = std::move(reading.exercise),
            .seed = 1,
            .runs = 2,
            .seconds = seconds.empty() ? 60 : std::stod(seconds),
            .shared = kept,
            .trusted = !program::why_no_sandbox().empty()};
}

inline std::vector<Result<Grade>> grade_all(const std::vector<GradeRequest>& requests) {
    std::vector<Result<Grade>> grades(requests.size(), failed("not graded"));
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> helpers;
    for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1u); ++i)
        helpers.emplace_back([&] {
            for (std::size_t at = next++; at < requests.size(); at = next++)
                grades[at] = grade(requests[at]);
        });
    helpers.clear();
    return grades;
}

// All sentences of a grade.
inline std::string words_of(const Grade& grade) {
    std::string text;
    for (const Refusal& each : grade.refusals)
        text += std::to_string(each.line) + ": " + each.sentence + "\n";
    for (const CheckResult& each : grade.checks)
        text += (each.state == CheckResult::State::kPassed ? "+ " : "- ") + each.words + ": " +
                each.sentence + "\n";
    return text;
}

}  // namespace tilereel
