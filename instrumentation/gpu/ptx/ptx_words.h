#pragma once
// Generates PTX that splits the value of an operand into 32-bit words for a call of recorder.cu.
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/gpu/ptx/module/ptx_instruction.h"
#include "instrumentation/gpu/ptx/module/ptx_registers.h"
#include "instrumentation/gpu/ptx/ptx_call.h"

namespace tilereel::gpu {

// Moves the elements of an operand to the 32-bit registers tilereel_w0, tilereel_w1, ... Several
// elements of 8 or 16 bits share a register.
class PtxWords {
  public:
    PtxWords(const std::vector<std::string_view>& operand, const PtxType& type,
             const PtxRegisters& registers)
        : type_(type), registers_(registers) {
        for (const std::string& element : ptx_elements(operand)) add(element);
    }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] unsigned count() const { return word_; }
    // Passes this number of arguments: the words, then zeros.
    void pass_to(PtxCall& call, unsigned arguments) const {
        for (unsigned i = 0; i < arguments; ++i)
            call.pass(32, i < word_ ? "%tilereel_w" + std::to_string(i) : "0");
    }

  private:
    static bool is_literal(const std::string& element) {
        return element.front() == '-' || (element.front() >= '0' && element.front() <= '9');
    }
    std::string new_word() {
        const std::string name = "%tilereel_w" + std::to_string(word_++);
        text_ += ".reg .b32 " + name + ";\n";
        return name;
    }
    void add(const std::string& element) {
        const std::string number = std::to_string(elements_++);
        if (type_.bits == 128) {
            const std::string low = "%tilereel_l" + number, high = "%tilereel_h" + number;
            text_ += ".reg .b64 " + low + ", " + high + ";\nmov.b128 {" + low + ", " + high +
                     "}, " + element + ";\n";
            split(low);
            split(high);
        } else if (type_.bits == 64) {
            const std::string whole = "%tilereel_v" + number;
            text_ += ".reg .b64 " + whole + ";\nmov." + (type_.kind == 'f' ? "f64 " : "b64 ") +
                     whole + ", " + element + ";\n";
            split(whole);
        } else if (type_.bits == 32) {
            // The register may be wider than the stored value.
            const char* const moves = registers_.bits_of(element) == 64 ? "cvt.u32.u64 "
                                      : type_.kind == 'f'               ? "mov.f32 "
                                                                        : "mov.b32 ";
            const std::string word = new_word();
            text_ += moves + word + ", " + element + ";\n";
        } else {
            add_narrow(element, number);
        }
    }
    void split(const std::string& whole) {
        const std::string low = new_word(), high = new_word();
        text_ += "mov.b64 {" + low + ", " + high + "}, " + whole + ";\n";
    }
    void add_narrow(const std::string& element, const std::string& number) {
        const std::string whole = "%tilereel_v" + number, bits = std::to_string(type_.bits);
        text_ += ".reg .b32 " + whole + ";\n";
        if (is_literal(element))
            text_ += "mov.b32 " + whole + ", " + element + ";\nand.b32 " + whole + ", " + whole +
                     ", " + std::to_string((1u << type_.bits) - 1) + ";\n";
        else
            text_ += "cvt.u32.u" + bits + " " + whole + ", " + element + ";\n";
        if (filled_ % 32 == 0) {
            word_name_ = new_word();
            text_ += "mov.b32 " + word_name_ + ", " + whole + ";\n";
        } else {
            text_ += "shl.b32 " + whole + ", " + whole + ", " + std::to_string(filled_ % 32) +
                     ";\nor.b32 " + word_name_ + ", " + word_name_ + ", " + whole + ";\n";
        }
        filled_ += type_.bits;
    }

    PtxType type_;
    const PtxRegisters& registers_;
    std::string text_, word_name_;
    unsigned word_ = 0, elements_ = 0, filled_ = 0;
};

}  // namespace tilereel::gpu
