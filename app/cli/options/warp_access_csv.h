#pragma once
// Warp accesses as CSV rows with the columns of tests/hardware/h100_warp_accesses.csv, and matrix
// loads and stores with those of h100_matrix_accesses.csv.
#include <istream>
#include <string>
#include <vector>

#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct NamedAccess {
    std::string id;
    WarpAccess access;
    bool transposed = false;  // a matrix load or store with .trans
};

// Finds columns by name. space, op, width_bytes and lane0..lane31 are required, id is optional,
// others are ignored. In place of space, op and width_bytes a table can have instruction (ldmatrix
// or stmatrix), matrices (1, 2 or 4) and transposed (0 or 1); lanes beyond 8 a matrix give no
// address. `name`: name of the file for errors, "FILE:LINE: ..." (kWrongCall).
Result<std::vector<NamedAccess>> read_warp_accesses(std::istream& input, const std::string& name);

// An access from command line options. Lanes: offsets in bytes separated by commas or spaces; -1 or
// nothing for an inactive lane; missing lanes are inactive. The error is a sentence.
Result<WarpAccess> make_access(const std::string& space, const std::string& operation,
                               const std::string& width_bytes,
                               const std::vector<std::string>& lanes);

// A matrix load or store: of each matrix 8 lanes give the addresses of its rows of 16 bytes.
Result<WarpAccess> make_matrix_access(const std::string& instruction, const std::string& matrices,
                                      const std::vector<std::string>& lanes);

[[nodiscard]] std::string explain_csv(const std::vector<NamedAccess>& accesses,
                                      const Generation& generation);
[[nodiscard]] std::string explain_json(const std::vector<NamedAccess>& accesses,
                                       const Generation& generation);
[[nodiscard]] std::vector<std::string> split_fields(const std::string& text, char separator);

}  // namespace tilereel
