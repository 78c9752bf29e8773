#pragma once
// PTX that calls a function of recorder.cu, and PTX that computes what it is called with.
#include <cstdint>
#include <string>

#include "instrumentation/plain/gpu/ptx_instruction.h"
#include "instrumentation/plain/gpu/ptx_registers.h"

namespace tilereel::plain {

// A call of a function of recorder.cu, in braces with what it needs.
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

// A scope of its own for the registers that `text` declares.
[[nodiscard]] std::string in_braces(const std::string& text);

// The state space that an instruction accesses. kNone: a thread's own memory or a parameter.
enum class PtxMemory : std::uint8_t { kGeneric, kGlobal, kShared, kConstant, kNone, kUnknown };
[[nodiscard]] PtxMemory memory_of(const PtxInstruction& instruction);

// Puts the address into a register of 64 bits of this name: generic, or of shared memory.
[[nodiscard]] std::string address_text(const PtxAddress& address, PtxMemory memory,
                                       const PtxRegisters& registers, const std::string& name);
// Puts a value of 16, 32 or 64 bits into a register of 64 bits of this name.
[[nodiscard]] std::string widened(const std::string& name, const std::string& value, unsigned bits);
// A site's number, and in its two lowest bits what recorder.cu must know of the address: PtxSpace.
[[nodiscard]] std::string site_number(std::uint32_t site, PtxMemory memory);

}  // namespace tilereel::plain
