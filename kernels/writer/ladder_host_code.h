#pragma once
// The host code of a kernel's file as C++ that runs without CUDA (kernels/launch_capture.h), and
// the row about it in the table ladder_files() (kernels/ladder_file.h).
#include <string>
#include <string_view>
#include <vector>

#include "kernels/writer/kernel_file_text.h"

namespace tilereel {

struct LadderHostCode {
    // In the file's namespace: launch_with(TILE, PAD, A, B, C, M, N, K), shared_bytes(TILE, PAD)
    // and shared_arrays(TILE, PAD), with TILE and PAD as numbers. A launch function that needs them
    // as constants is called with what is built in only.
    std::string code;
    std::string entry;  // a LadderFile
};

[[nodiscard]] LadderHostCode host_code_of(const KernelFileText& file, const std::string& path,
                                          const std::vector<int>& tiles,
                                          const std::vector<int>& pads);

}  // namespace tilereel
