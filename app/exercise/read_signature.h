#pragma once
// Reads the declaration of the function that a learner writes.
#include <string>
#include <vector>

#include "app/exercise/exercise.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct Signature {
    std::string name;
    std::vector<ExerciseParameter> parameters;
};
// "void scale(const float* in, float* out, int n)". kWrongCall says what can be written.
[[nodiscard]] Result<Signature> signature_of(const std::string& declaration);

}  // namespace tilereel
