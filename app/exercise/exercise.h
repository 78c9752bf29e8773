#pragma once
// An exercise: a task around one CUDA file, and what is checked of a learner's copy of that file.
// assets/exercises/README.md describes its file.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/exercise/requirement.h"
#include "instrumentation/base/files/file_mistake.h"

namespace tilereel {

// A parameter of the function that a learner writes: a pointer to constant elements is an input,
// any other pointer an output. What is no pointer is a size; a float or double that `sizes` does
// not name is a scalar, such as alpha of "y = alpha x + y".
struct ExerciseParameter {
    enum class Role : std::uint8_t { kInput, kOutput, kSize, kScalar };
    Role role = Role::kSize;
    std::string name, type;  // "in", "float": of an element, if it is an array
    // Of an array: its number of elements, as a C++ expression of the sizes.
    std::string extent{};
    // Of an input of integers, and of a size: whole numbers from, to, and the step between them.
    // Inputs of floats and scalars are from -1 to 1.
    std::int64_t from = 0, to = 0, step = 1;
    [[nodiscard]] bool is_array() const { return role == Role::kInput || role == Role::kOutput; }
    [[nodiscard]] bool is_real() const { return type == "float" || type == "double"; }
};

struct Exercise {
    std::filesystem::path file;        // .toml
    std::filesystem::path handed_out;  // the .cu of the same name beside it
    std::string title, about, task;
    int number = 1000;             // position in the list
    std::string rung;              // the kernel of the ladder to look at afterwards; empty: none
    std::filesystem::path lesson;  // the file of the lesson that explains it; empty: none
    std::vector<std::string> hints;
    std::string function;       // "void scale(const float* in, float* out, int n)"
    std::string function_name;  // "scale"
    std::vector<ExerciseParameter> parameters;
    // C++ that computes the outputs from the inputs, with double in place of float.
    std::string reference;
    int reference_line = 0;   // where it begins in the file
    double tolerance = 1e-4;  // of floats: absolute and relative
    std::vector<Requirement> checks;
};

struct ExerciseReading {
    Exercise exercise;
    std::vector<FileMistake> mistakes;
};

}  // namespace tilereel
