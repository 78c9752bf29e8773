#pragma once
// Whether source text is CUDA: device code, a launch, or a header of CUDA.
#include <filesystem>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel::program {

// __global__, __device__ or <<<. `masked`: masked_text() of the text (launch_text.h).
[[nodiscard]] bool has_device_words(std::string_view masked);
// Whether the name in an #include line is that of a header of CUDA or of its samples.
[[nodiscard]] bool is_cuda_header(std::string_view name);

// Whether the file, or a file that it includes, is CUDA. Included files are looked for beside the
// file that includes them, in `include_folders`, and in the folders that the file's
// compile_commands.json names. An error if the file itself cannot be read.
[[nodiscard]] Result<bool> has_cuda_code(
    const std::filesystem::path& file,
    const std::vector<std::filesystem::path>& include_folders = {});

}  // namespace tilereel::program
