#pragma once
// Generates PTX that calls a function of recorder.cu and computes its arguments.
#include <cstdint>
#include <string>

#include "instrumentation/gpu/ptx/module/ptx_instruction.h"
#include "instrumentation/gpu/ptx/module/ptx_registers.h"
#include "instrumentation/trace/space.h"

namespace tilereel::gpu {

// A call of a function of recorder.cu, with the instructions that prepare its arguments.
class PtxCall {
  public:
    PtxCall(std::string function, const std::string& guard)
        : function_(std::move(function)), guard_(guard) {}

    void prepare(const std::string& line) { text_ += line + "\n"; }
    void pass(unsigned bits, const std::string& value) {
        const std::string name = "tilereel_p" + std::to_string(count_++);
        const std::string type = ".b" + std::to_string(bits);
        passed_ += ".param " + type + " " + name + ";\nst.param" + type + " [" + name + "], " +
                   value + ";\n";
        names_ += (names_.empty() ? "" : ", ") + name;
    }
    [[nodiscard]] std::string text() const {
        return text_ + passed_ + (guard_.empty() ? "" : guard_ + " ") + "call " + function_ +
               ", (" + names_ + ");\n";
    }

  private:
    std::string function_, guard_, text_, passed_, names_;
    unsigned count_ = 0;
};

// Encloses `text` in braces: a scope for the registers that it declares.
[[nodiscard]] std::string in_braces(const std::string& text);

// The state space that an instruction accesses; kLocal also for parameters.
[[nodiscard]] Space space_of(const PtxInstruction& instruction);

// PTX that moves the address, generic or of the block's own shared memory, to the 64-bit register
// `name`.
[[nodiscard]] std::string address_text(const PtxAddress& address, Space space,
                                       const PtxRegisters& registers, const std::string& name);
// PTX that moves a value of 16, 32 or 64 bits to the 64-bit register `name`.
[[nodiscard]] std::string widened(const std::string& name, const std::string& value, unsigned bits);
// The number of a site, with the space in its two lowest bits (dump.h).
[[nodiscard]] std::string site_number(std::uint32_t site, Space space);

}  // namespace tilereel::gpu
