#pragma once
// The CUDA functions that make a thread wait and that can be removed from a kernel. CUDA C++
// Programming Guide, "Synchronization Functions" and "Asynchronous Data Copies using
// cuda::pipeline"; PTX ISA, "mbarrier.try_wait".
#include <array>
#include <cstdint>
#include <string_view>

namespace tilereel {

enum class WaitFor : std::uint8_t { kBlock, kWarp, kCopies, kPhase };

struct WaitFunction {
    std::string_view name;
    WaitFor what;
};

inline constexpr std::array kWaitFunctions = {
    WaitFunction{"__syncthreads", WaitFor::kBlock},
    WaitFunction{"__syncwarp", WaitFor::kWarp},
    WaitFunction{"__pipeline_wait_prior", WaitFor::kCopies},
    WaitFunction{"mbarrier_try_wait_parity", WaitFor::kPhase},
};

// The first of them that a line of source calls; null: none. Comments are ignored.
[[nodiscard]] constexpr const WaitFunction* wait_function_in(std::string_view line) {
    const std::string_view code = line.substr(0, line.find("//"));
    for (const WaitFunction& function : kWaitFunctions) {
        const std::size_t at = code.find(function.name);
        if (at != std::string_view::npos && code.substr(at + function.name.size()).starts_with('('))
            return &function;
    }
    return nullptr;
}

}  // namespace tilereel
