#include "instrumentation/trace/fragments/instruction_parts.h"

namespace tilereel {

std::vector<std::string_view> parts_of_instruction(std::string_view instruction) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t dot = instruction.find('.');
        parts.push_back(instruction.substr(0, dot));
        if (dot == std::string_view::npos) return parts;
        instruction.remove_prefix(dot + 1);
    }
}

std::optional<MatrixShape> written_shape(std::string_view part) {
    const auto number_after = [&part](char letter) {
        int number = 0;
        if (part.empty() || part.front() != letter) return 0;
        part.remove_prefix(1);
        while (!part.empty() && part.front() >= '0' && part.front() <= '9' && number < 10'000) {
            number = number * 10 + (part.front() - '0');
            part.remove_prefix(1);
        }
        return number;
    };
    const int m = number_after('m'), n = number_after('n'), k = number_after('k');
    if (m == 0 || n == 0 || k == 0 || !part.empty()) return std::nullopt;
    return MatrixShape{m, n, k};
}

std::string shape_text(const MatrixShape& shape) {
    std::string text = "m";
    text.append(std::to_string(shape.m)).append("n").append(std::to_string(shape.n));
    return text.append("k").append(std::to_string(shape.k));
}

Error not_taken(std::string_view instruction, const std::string& why) {
    return failed(std::string(instruction) + " is not taken: " + why);
}

}  // namespace tilereel
