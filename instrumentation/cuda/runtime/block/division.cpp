#include "instrumentation/cuda/runtime/block/division.h"

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_block.h"
#include "instrumentation/cuda/runtime/source_line.h"

namespace tilereel::runtime {
namespace {

#if defined(__x86_64__)
// An instruction DIV or IDIV. Intel 64 Software Developer's Manual, volume 2, chapter 2,
// "Instruction Format".
class Division {
  public:
    explicit Division(gregset_t& registers)
        : registers_(registers), at_(reinterpret_cast<const unsigned char*>(registers[REG_RIP])) {
        read();
    }
    [[nodiscard]] bool is_division() const { return width_ != 0; }
    [[nodiscard]] std::uint64_t divisor() const { return divisor_; }

    // Puts quotient and remainder into the registers, and goes on behind the instruction.
    void finish(bool by_zero) {
        const std::uint64_t dividend = value(REG_RAX);
        const std::uint64_t quotient = by_zero ? ~std::uint64_t{0} : dividend;
        const std::uint64_t remainder = by_zero ? dividend : 0;
        if (width_ == 1) {  // AL holds the quotient, AH the remainder
            set(REG_RAX, 2, (quotient & 0xff) | (remainder & 0xff) << 8);
        } else {
            set(REG_RAX, width_, quotient);
            set(REG_RDX, width_, remainder);
        }
        registers_[REG_RIP] = static_cast<greg_t>(reinterpret_cast<std::uint64_t>(at_));
    }

  private:
    // In the order of their numbers in an instruction.
    static constexpr std::array<int, 16> kRegisters = {
        REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
        REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

    [[nodiscard]] std::uint64_t value(int of) const {
        return static_cast<std::uint64_t>(registers_[of]);
    }
    [[nodiscard]] std::uint64_t numbered(unsigned number) const {
        return value(kRegisters[number]);
    }
    // Writing 4 bytes of a register clears the other 4; writing fewer leaves the rest.
    void set(int of, unsigned bytes, std::uint64_t bits) {
        const std::uint64_t mask =
            bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
        const std::uint64_t kept = bytes < 4 ? value(of) & ~mask : 0;
        registers_[of] = static_cast<greg_t>((bits & mask) | kept);
    }
    template <class T>
    T take() {
        T taken;
        std::memcpy(&taken, at_, sizeof taken);
        at_ += sizeof taken;
        return taken;
    }

    void read() {
        bool has_16_bits = false, in_thread_memory = false;
        unsigned extension = 0;  // a REX prefix
        for (;; ++at_) {
            if (*at_ == 0x66)
                has_16_bits = true;
            else if (*at_ == 0x64)
                in_thread_memory = true;
            else if (*at_ != 0x2e && *at_ != 0x3e && *at_ != 0xf2 && *at_ != 0xf3)
                break;
        }
        if ((*at_ & 0xf0) == 0x40) extension = take<unsigned char>();
        const unsigned code = take<unsigned char>();
        if (code != 0xf6 && code != 0xf7) return;
        const unsigned operand = take<unsigned char>();
        if ((operand >> 3 & 7) < 6) return;  // 6: DIV, 7: IDIV
        width_ = code == 0xf6 ? 1 : (extension & 8) != 0 ? 8 : has_16_bits ? 2 : 4;
        if (operand >> 6 == 3) {
            const unsigned number = (operand & 7) | (extension & 1) << 3;
            const bool is_second_byte = width_ == 1 && extension == 0 && number >= 4;  // AH ... BH
            divisor_ = is_second_byte ? numbered(number - 4) >> 8 : numbered(number);
        } else {
            std::uint64_t address = address_of(operand, extension);
            if (in_thread_memory)
                address += reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
            std::memcpy(&divisor_, reinterpret_cast<const void*>(address), width_);
        }
        if (width_ < 8) divisor_ &= (std::uint64_t{1} << 8 * width_) - 1;
    }
    // The address of an operand in memory: base + index * scale + displacement.
    std::uint64_t address_of(unsigned operand, unsigned extension) {
        const unsigned mode = operand >> 6, low = operand & 7;
        std::uint64_t address = 0;
        bool has_base = true;
        if (low == 4) {
            const unsigned scaled = take<unsigned char>();
            const unsigned index = (scaled >> 3 & 7) | (extension & 2) << 2;
            if (index != 4) address += numbered(index) << (scaled >> 6);
            has_base = mode != 0 || (scaled & 7) != 5;
            if (has_base) address += numbered((scaled & 7) | (extension & 1) << 3);
        } else {
            has_base = mode != 0 || low != 5;
            if (has_base) address += numbered(low | (extension & 1) << 3);
        }
        if (mode == 1)
            return address + static_cast<std::uint64_t>(std::int64_t{take<std::int8_t>()});
        if (mode == 2 || !has_base)
            address += static_cast<std::uint64_t>(std::int64_t{take<std::int32_t>()});
        // Without a base register, the address counts from the next instruction.
        return low == 5 && mode == 0 ? address + reinterpret_cast<std::uint64_t>(at_) : address;
    }

    gregset_t& registers_;
    const unsigned char* at_;
    unsigned width_ = 0;  // in bytes; 0: another instruction
    std::uint64_t divisor_ = 0;
};
#endif

struct Noted {
    std::atomic<std::uint64_t> code{0};  // 0: the element is free
    std::atomic<std::uint64_t> count{0};
    BadDivision division = BadDivision::kNone;
    std::uint32_t line = 0;
    RunningThread thread;
};
std::array<Noted, 64> noted;  // divisions at more places are not reported

struct Place {
    BadDivision division = BadDivision::kNone;
    RunningThread thread;
    std::uint64_t count = 0;
};

}  // namespace

BadDivision skip_division([[maybe_unused]] void* context) {
#if defined(__x86_64__)
    Division division(static_cast<ucontext_t*>(context)->uc_mcontext.gregs);
    if (!division.is_division()) return BadDivision::kNone;
    const bool by_zero = division.divisor() == 0;
    division.finish(by_zero);
    return by_zero ? BadDivision::kByZero : BadDivision::kOverflow;
#else
    return BadDivision::kNone;
#endif
}

void note_division(BadDivision division, const RunningBlock& block, std::uint64_t code,
                   std::uint32_t line) {
    for (Noted& place : noted) {
        std::uint64_t known = place.code;
        const bool is_new = known == 0 && place.code.compare_exchange_strong(known, code);
        if (is_new) {
            place.division = division;
            place.line = line;
            place.thread = thread_of(block);
        }
        if (!is_new && known != code) continue;
        ++place.count;
        return;
    }
}

void report_divisions(LaunchRecorder* recorder) {
    std::map<std::pair<std::uint32_t, BadDivision>, Place> places;  // by line
    for (Noted& each : noted) {
        const std::uint64_t code = each.code;
        if (code == 0) break;
        const std::uint32_t exact = source_line(code).line;
        Place& place = places[{exact != 0 ? exact : each.line, each.division}];
        if (place.count == 0) place.thread = each.thread;
        place.count += each.count;
        each.count = 0;
        each.code = 0;
    }
    for (const auto& [key, place] : places) {
        const auto& [line, division] = key;
        RecordedFinding finding =
            finding_of(place.thread, RecordedFindingKind::kOther,
                       division == BadDivision::kByZero ? "divides an integer by 0"
                                                        : "divides the least integer by -1",
                       line, place.count);
        finding.error = false;
        finding.advice = division == BadDivision::kByZero
                             ? "Check the divisor first: on a GPU the result is unspecified, and "
                               "the launch goes on."
                             : "The quotient does not fit into the type: on a GPU the result is "
                               "unspecified, and the launch goes on.";
        add_or_send(recorder, finding);
    }
}

}  // namespace tilereel::runtime
