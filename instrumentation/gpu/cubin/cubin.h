#pragma once
// Reads a cubin: the machine code of each kernel that nvcc compiled, with the lines of the source.
//
// A cubin is an ELF file with a section .text.SYMBOL for each function. The table of lines
// (-lineinfo) has addresses that begin at 0 in each function; relocations say in which.
#include <filesystem>
#include <vector>

#include "instrumentation/analysis/machine/machine_instruction.h"
#include "instrumentation/base/result.h"

namespace tilereel::gpu {

// Error (kFailed): the file is no cubin, or is damaged.
[[nodiscard]] Result<std::vector<MachineKernel>> read_cubin(const std::filesystem::path& path);
[[nodiscard]] Result<std::vector<MachineKernel>> kernels_of_cubin(std::vector<std::byte> bytes);

}  // namespace tilereel::gpu
