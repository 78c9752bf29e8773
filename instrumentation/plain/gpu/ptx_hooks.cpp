#include "instrumentation/plain/gpu/ptx_hooks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "instrumentation/plain/gpu/dump.h"

namespace tilereel::plain {
namespace {

constexpr unsigned kWidest = 16;  // bytes of an access that a trace can hold

// A call of a function of recorder.cu, in braces with what it needs.
class Call {
  public:
    Call(std::string function, const std::string& guard)
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

std::string in_braces(const std::string& text) { return "{\n" + text + "}\n"; }

// Bits of a register; of a number or a name `otherwise`.
unsigned bits_of(const PtxRegisters& registers, const std::string& name, unsigned otherwise) {
    const unsigned bits = registers.bits_of(name);
    return bits == 0 ? otherwise : bits;
}

enum class Memory : std::uint8_t { kGeneric, kGlobal, kShared, kConstant, kNone, kUnknown };

Memory memory_of(const PtxInstruction& instruction) {
    for (const std::string_view part : instruction.parts) {
        if (part == "global") return Memory::kGlobal;
        if (part == "shared" || part == "shared::cta") return Memory::kShared;
        if (part == "const") return Memory::kConstant;
        if (part == "local" || part.starts_with("param")) return Memory::kNone;
        if (part.starts_with("shared::")) return Memory::kUnknown;
    }
    return Memory::kGeneric;
}

// Puts the address into a register of 64 bits of this name: generic, or of shared memory.
std::string address_text(const PtxAddress& address, Memory memory, const PtxRegisters& registers,
                         const std::string& name) {
    std::string text = ".reg .b64 " + name + ";\n";
    const bool is_shared = memory == Memory::kShared;
    const bool is_symbol = !address.base.empty() && registers.bits_of(address.base) == 0;
    const unsigned bits = is_symbol ? (is_shared ? 32 : 64) : bits_of(registers, address.base, 64);
    const std::string base = address.base.empty() ? "0" : address.base;
    if (bits == 32) {
        text += ".reg .b32 " + name + "_32;\n";
        text += "mov.u32 " + name + "_32, " + base + ";\n";
        text += "add.s32 " + name + "_32, " + name + "_32, " + address.offset + ";\n";
        text += "cvt.u64.u32 " + name + ", " + name + "_32;\n";
    } else {
        text += "mov.u64 " + name + ", " + base + ";\n";
        text += "add.s64 " + name + ", " + name + ", " + address.offset + ";\n";
    }
    if (memory == Memory::kGlobal) text += "cvta.global.u64 " + name + ", " + name + ";\n";
    if (memory == Memory::kConstant) text += "cvta.const.u64 " + name + ", " + name + ";\n";
    return text;
}

// A number with what the recorder must know of the address.
std::string site_number(std::uint32_t site, Memory memory) {
    const PtxSpace space = memory == Memory::kShared    ? PtxSpace::kShared
                           : memory == Memory::kGeneric ? PtxSpace::kGeneric
                                                        : PtxSpace::kGlobal;
    return std::to_string(site << 2 | static_cast<std::uint32_t>(space));
}

// Puts the elements of an operand into words of 32 bits: registers tilereel_w0 and on. Elements of
// 8 or 16 bits get a word each where there is one, and share words where there are several.
class Words {
  public:
    Words(const std::vector<std::string_view>& operand, const PtxType& type,
          const PtxRegisters& registers)
        : type_(type), registers_(registers) {
        std::string element;
        for (const std::string_view token : operand) {
            if (token == "{" || token == "}") continue;
            if (token == ",") {
                add(element);
                element.clear();
            } else {
                element += token;
            }
        }
        add(element);
    }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] unsigned count() const { return word_; }
    // The words and zeros, `most` in all.
    void pass_to(Call& call, unsigned most) const {
        for (unsigned i = 0; i < most; ++i)
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
            // A register may be wider than what is stored of it.
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

struct Context {
    const PtxInstruction& instruction;
    const PtxRegisters& registers;
    std::uint32_t first;
    const std::string& caller;
};

PtxWork left_out() { return {.sites = {}, .hook = {}, .left_out = true}; }

PtxWork load_or_store(const Context& context) {
    const PtxInstruction& instruction = context.instruction;
    const bool stores = instruction.parts[0] == "st";
    const Memory memory = memory_of(instruction);
    if (memory == Memory::kNone) return {};
    const auto type = ptx_type(instruction);
    const std::size_t place = stores ? 0 : 1;
    if (memory == Memory::kUnknown || !type || instruction.operands.size() < 2 ||
        type->bytes() > kWidest)
        return left_out();
    const auto address = ptx_address(instruction.operands[place]);
    if (!address) return left_out();
    PtxSite site;
    site.operation = stores ? Operation::kStore : Operation::kLoad;
    site.width_bytes = static_cast<std::uint8_t>(type->bytes());
    Call call(stores ? "tilereel_gpu_store" : "tilereel_gpu_load", instruction.guard);
    call.prepare(address_text(*address, memory, context.registers, "%tilereel_a"));
    call.pass(64, "%tilereel_a");
    call.pass(32, site_number(context.first, memory));
    call.pass(32, context.caller);
    if (stores) {
        const Words words(instruction.operands[1], *type, context.registers);
        call.prepare(words.text());
        call.pass(32, std::to_string(words.count()));
        words.pass_to(call, 4);
        site.value_words = static_cast<std::uint8_t>(words.count());
    }
    return {.sites = {site},
            .hook = {.before = in_braces(call.text()), .behind = {}, .instead = {}}};
}

// As recorder.cu numbers types of atomics.
std::optional<unsigned> number_of_type(std::string_view name) {
    static constexpr std::array<std::string_view, 13> kTypes = {
        "u32",   "s32",  "u64",    "s64", "f32", "f64", "f16",
        "f16x2", "bf16", "bf16x2", "b32", "b64", "b16"};
    const auto found = std::ranges::find(kTypes, name);
    if (found == kTypes.end()) return std::nullopt;
    return static_cast<unsigned>(found - kTypes.begin());
}

unsigned bits_of_type(std::string_view name) {
    if (name.ends_with("x2")) return 32;
    unsigned bits = 32;
    const std::size_t digit = name.find_first_of("0123456789");
    std::from_chars(name.data() + digit, name.data() + name.size(), bits);
    return bits;
}

std::optional<AtomicKind> atomic_kind(const PtxInstruction& instruction) {
    static constexpr std::pair<std::string_view, AtomicKind> kKinds[] = {
        {"add", AtomicKind::kAdd},       {"min", AtomicKind::kMinimum},
        {"max", AtomicKind::kMaximum},   {"inc", AtomicKind::kIncrement},
        {"dec", AtomicKind::kDecrement}, {"and", AtomicKind::kAnd},
        {"or", AtomicKind::kOr},         {"xor", AtomicKind::kXor},
        {"exch", AtomicKind::kExchange}, {"cas", AtomicKind::kCompareAndSwap}};
    for (const auto& [name, kind] : kKinds)
        if (instruction.has(name)) return kind;
    return std::nullopt;
}

// A value of 16, 32 or 64 bits in a register of 64.
std::string widened(const std::string& name, const std::string& value, unsigned bits) {
    std::string text = ".reg .b64 " + name + ";\n";
    if (bits == 64) return text + "mov.b64 " + name + ", " + value + ";\n";
    text += ".reg .b32 " + name + "_32;\n.reg .b32 " + name + "_0;\nmov.b32 " + name + "_0, 0;\n";
    if (bits == 16)
        text += ".reg .b16 " + name + "_16;\nmov.b16 " + name + "_16, " + value +
                ";\ncvt.u32.u16 " + name + "_32, " + name + "_16;\n";
    else
        text += "mov.b32 " + name + "_32, " + value + ";\n";
    return text + "mov.b64 " + name + ", {" + name + "_32, " + name + "_0};\n";
}

// The old value and the operands tell what the lane left there. A reduction becomes an atomic, for
// its old value.
PtxWork atomic(const Context& context) {
    const PtxInstruction& instruction = context.instruction;
    const bool reduces = instruction.parts[0] == "red";
    const std::string_view type = instruction.parts.back();
    const auto kind = atomic_kind(instruction);
    const auto number = number_of_type(type);
    const Memory memory = memory_of(instruction);
    const std::size_t place = reduces ? 0 : 1;
    const bool is_vector = instruction.has("v2") || instruction.has("v4") || instruction.has("v8");
    if (!kind || !number || is_vector || memory == Memory::kUnknown || instruction.has("async") ||
        instruction.operands.size() < place + 2)
        return left_out();
    const auto address = ptx_address(instruction.operands[place]);
    if (!address) return left_out();
    const unsigned bits = bits_of_type(type);
    const bool swaps = *kind == AtomicKind::kCompareAndSwap;
    std::string old = reduces ? "_" : instruction.operand(0);
    std::string text = address_text(*address, memory, context.registers, "%tilereel_a");
    // Operands may be the register that gets the old value.
    text += widened("%tilereel_b", instruction.operand(place + 1), bits);
    text += swaps ? widened("%tilereel_c", instruction.operand(place + 2), bits) : std::string();
    if (old == "_") {
        old = "%tilereel_old";
        text += ".reg .b" + std::to_string(bits) + " " + old + ";\n";
    }
    std::string opcode(instruction.opcode);
    if (reduces) opcode.replace(0, 3, "atom");
    text += instruction.guard + " " + opcode + " " + old;
    for (std::size_t i = place; i < instruction.operands.size(); ++i)
        text += ", " + instruction.operand(i);
    text += ";\n" + widened("%tilereel_d", old, bits);
    Call call("tilereel_gpu_atomic", instruction.guard);
    call.pass(64, "%tilereel_a");
    call.pass(32, site_number(context.first, memory));
    call.pass(32, context.caller);
    call.pass(32, std::to_string(static_cast<unsigned>(*kind) << 8 | *number));
    call.pass(64, "%tilereel_d");
    call.pass(64, "%tilereel_b");
    call.pass(64, swaps ? "%tilereel_c" : "0");
    PtxSite site;
    site.operation = Operation::kAtomic;
    site.width_bytes = static_cast<std::uint8_t>(bits / 8);
    site.value_words = bits == 64 ? 2 : 1;
    site.variety = static_cast<std::uint8_t>(*kind);
    return {.sites = {site},
            .hook = {.before = {}, .behind = {}, .instead = in_braces(text + call.text())}};
}

// A record without addresses.
PtxWork event(const Context& context, const std::vector<PtxSite>& sites) {
    std::string text;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        Call call("tilereel_gpu_event", context.instruction.guard);
        call.pass(32, std::to_string((context.first + i) << 2));
        call.pass(32, context.caller);
        text += in_braces(call.text());
    }
    return {.sites = sites, .hook = {.before = text, .behind = {}, .instead = {}}};
}

PtxSite plain_site(Operation operation) {
    PtxSite site;
    site.operation = operation;
    return site;
}

// Barrier 0 with all threads is __syncthreads(). Others are of some threads, or are no barrier of
// the block.
PtxWork barrier(const Context& context) {
    const PtxInstruction& instruction = context.instruction;
    if (instruction.has("warp")) return event(context, {plain_site(Operation::kWarpBarrier)});
    const bool reduces = instruction.has("red");
    if (instruction.has("cluster") || (!instruction.has("sync") && !reduces)) return left_out();
    const std::size_t number = reduces ? 1 : 0, operands = reduces ? 3 : 1;
    if (instruction.operands.size() != operands || instruction.operand(number) != "0")
        return left_out();
    return event(context, {plain_site(Operation::kBarrier)});
}

// cp.async of 4, 8 or 16 bytes. Fewer bytes may be read; zeros take the place of the others.
PtxWork copy(const Context& context) {
    const PtxInstruction& instruction = context.instruction;
    if (instruction.has("commit_group"))
        return event(context, {plain_site(Operation::kCommitCopies)});
    PtxSite wait = plain_site(Operation::kWaitCopies);
    if (instruction.has("wait_all"))
        return event(context, {plain_site(Operation::kCommitCopies), wait});
    if (instruction.has("wait_group") && instruction.operands.size() == 1) {
        unsigned groups = 0;
        const std::string text = instruction.operand(0);
        std::from_chars(text.data(), text.data() + text.size(), groups);
        wait.groups = static_cast<std::uint8_t>(std::min(groups, kMostGroups));
        return event(context, {wait});
    }
    const bool plain = instruction.has("ca") || instruction.has("cg");
    if (!plain || instruction.operands.size() < 3 || instruction.has("shared::cluster"))
        return left_out();
    const auto to = ptx_address(instruction.operands[0]);
    const auto from = ptx_address(instruction.operands[1]);
    const std::string size = instruction.operand(2);
    unsigned bytes = 0;
    std::from_chars(size.data(), size.data() + size.size(), bytes);
    if (!to || !from || (bytes != 4 && bytes != 8 && bytes != 16)) return left_out();
    // The fourth operand is a size or a predicate that says to ignore the source.
    std::string read_bytes = size;
    if (instruction.operands.size() > 3 && !instruction.has("L2::cache_hint")) {
        if (context.registers.bits_of(instruction.operand(3)) == 1) return left_out();
        read_bytes = instruction.operand(3);
    }
    Call call("tilereel_gpu_copy", instruction.guard);
    call.prepare(address_text(*to, Memory::kShared, context.registers, "%tilereel_a"));
    call.prepare(address_text(*from, Memory::kGlobal, context.registers, "%tilereel_b"));
    call.pass(64, "%tilereel_a");
    call.pass(64, "%tilereel_b");
    call.pass(32, std::to_string(context.first));
    call.pass(32, context.caller);
    call.pass(32, size);
    call.pass(32, read_bytes);
    PtxSite load = plain_site(Operation::kCopyLoad), store = plain_site(Operation::kCopyStore);
    load.width_bytes = store.width_bytes = static_cast<std::uint8_t>(bytes);
    store.value_words = static_cast<std::uint8_t>(bytes / 4);
    return {.sites = {load, store},
            .hook = {.before = in_braces(call.text()), .behind = {}, .instead = {}}};
}

// The address of an operand in a register of 64 bits, for a hook; false: it is none that is known.
bool prepare_address(Call& call, const Context& context, std::size_t operand, Memory memory,
                     const std::string& name) {
    const auto address = ptx_address(context.instruction.operands[operand]);
    if (!address) return false;
    call.prepare(address_text(*address, memory, context.registers, name));
    return true;
}

PtxSite phase_site(Operation operation) {
    PtxSite site = plain_site(operation);
    site.arguments = tilereel_gpu::kPhaseRows;
    return site;
}

// A barrier in shared memory: PTX ISA, "mbarrier". `place`: the operand that says which.
PtxWork phase(const Context& context, Operation operation, std::size_t place,
              const std::string& guard, const std::string& count, const std::string& bytes) {
    const Memory memory = memory_of(context.instruction);
    Call call("tilereel_gpu_phase", guard);
    if ((memory != Memory::kShared && memory != Memory::kGeneric) ||
        !prepare_address(call, context, place, memory, "%tilereel_a"))
        return left_out();
    call.pass(64, "%tilereel_a");
    call.pass(32, site_number(context.first, memory));
    call.pass(32, context.caller);
    call.pass(32, count);
    call.pass(32, bytes);
    const std::string text = in_braces(call.text());
    PtxHook hook;
    (operation == Operation::kWaitPhase ? hook.behind : hook.before) = text;
    return {.sites = {phase_site(operation)}, .hook = hook};
}

PtxWork shared_barrier(const Context& context) {
    const PtxInstruction& instruction = context.instruction;
    const std::size_t operands = instruction.operands.size();
    const bool takes_bytes = instruction.has("expect_tx");
    if (instruction.has("inval") || instruction.has("pending_count")) return {};
    if (instruction.has("init") && operands == 2)
        return phase(context, Operation::kMakeBarrier, 0, instruction.guard, instruction.operand(1),
                     "0");
    if (instruction.has("arrive") && operands >= 2) {
        const std::string more = operands > 2 ? instruction.operand(2) : "1";
        return phase(context, Operation::kArrive, 1, instruction.guard, takes_bytes ? "1" : more,
                     takes_bytes ? more : "0");
    }
    if (takes_bytes && operands == 2)
        return phase(context, Operation::kArrive, 0, instruction.guard, "0",
                     instruction.operand(1));
    const bool waits = instruction.has("try_wait") || instruction.has("test_wait");
    if (!waits || operands < 3 || !instruction.guard.empty()) return left_out();
    const std::string parity = instruction.has("parity")
                                   ? instruction.operand(2)
                                   : std::to_string(tilereel_gpu::kParityUnknown);
    return phase(context, Operation::kWaitPhase, 1, "@" + instruction.operand(0), parity, "0");
}

// The coordinates of "[map, {c0, c1}]".
std::vector<std::string> coordinates_of(const std::vector<std::string_view>& operand) {
    std::vector<std::string> coordinates;
    const auto open = std::ranges::find(operand, "{"), close = std::ranges::find(operand, "}");
    for (auto token = open; token < close; ++token)
        if (*token == "{" || *token == ",")
            coordinates.emplace_back();
        else
            coordinates.back() += *token;
    return coordinates;
}

// A copy of the copy engine from global to shared memory: PTX ISA, "cp.async.bulk",
// "cp.async.bulk.tensor".
PtxWork bulk_copy(const Context& context) {
    const PtxInstruction& instruction = context.instruction;
    const bool is_tensor = instruction.has("tensor");
    const std::size_t barrier = is_tensor ? 2 : 3;
    const bool to_shared = (instruction.has("shared::cluster") || instruction.has("shared::cta")) &&
                           instruction.has("global") &&
                           instruction.has("mbarrier::complete_tx::bytes");
    if (!to_shared || instruction.has("multicast::cluster") || instruction.has("im2col") ||
        instruction.operands.size() <= barrier)
        return left_out();
    std::vector<std::string> numbers = {"0"};
    PtxAddress from;
    if (is_tensor) {
        numbers = coordinates_of(instruction.operands[1]);
        if (numbers.empty() || numbers.size() > 5 || instruction.operands[1].size() < 3)
            return left_out();
        from.base = instruction.operands[1][1];
    } else {
        const auto address = ptx_address(instruction.operands[1]);
        if (!address) return left_out();
        from = *address;
        numbers = {instruction.operand(2)};
    }
    PtxSite site = plain_site(Operation::kStartBox);
    site.arguments = tilereel_gpu::kBoxRows;
    site.rank = static_cast<std::uint8_t>(is_tensor ? numbers.size() : 0);
    Call call("tilereel_gpu_box", instruction.guard);
    if (!prepare_address(call, context, barrier, Memory::kShared, "%tilereel_a") ||
        !prepare_address(call, context, 0, Memory::kShared, "%tilereel_b"))
        return left_out();
    call.prepare(address_text(from, is_tensor ? Memory::kGeneric : Memory::kGlobal,
                              context.registers, "%tilereel_c"));
    call.pass(64, "%tilereel_a");
    call.pass(32, site_number(context.first, Memory::kShared));
    call.pass(32, context.caller);
    call.pass(64, "%tilereel_b");
    call.pass(64, "%tilereel_c");
    call.pass(32, is_tensor ? "1" : "0");
    for (std::size_t i = 0; i < 5; ++i) call.pass(32, i < numbers.size() ? numbers[i] : "0");
    return {.sites = {site},
            .hook = {.before = in_braces(call.text()), .behind = {}, .instead = {}}};
}

bool touches_memory(const PtxInstruction& instruction) {
    const std::string_view first = instruction.parts[0];
    for (const std::string_view name : {"ldmatrix", "stmatrix", "tex", "tld4", "suld", "sust",
                                        "sured", "multimem", "tcgen05", "wgmma"})
        if (first == name) return true;
    return first == "wmma" && (instruction.has("load") || instruction.has("store"));
}

}  // namespace

void PtxRegisters::declare(const PtxStatement& directive) {
    const auto& tokens = directive.tokens;
    if (tokens.size() < 3 || tokens[0] != ".reg") return;
    unsigned bits = 1;  // .pred
    const std::size_t digit = tokens[1].find_first_of("0123456789");
    if (digit != std::string_view::npos)
        std::from_chars(tokens[1].data() + digit, tokens[1].data() + tokens[1].size(), bits);
    for (std::size_t i = 2; i < tokens.size(); ++i) {
        if (tokens[i] == "<")
            i += 2;
        else if (tokens[i] != ",")
            bits_[std::string(tokens[i])] = bits;
    }
}

unsigned PtxRegisters::bits_of(const std::string& name) const {
    auto found = bits_.find(name);
    if (found == bits_.end()) {
        const std::size_t last = name.find_last_not_of("0123456789");
        if (last != std::string::npos) found = bits_.find(name.substr(0, last + 1));
    }
    return found == bits_.end() ? 0 : found->second;
}

PtxWork ptx_work(const PtxInstruction& instruction, const PtxRegisters& registers,
                 std::uint32_t first, const std::string& caller) {
    if (instruction.parts.empty()) return {};
    const Context context{instruction, registers, first, caller};
    const std::string_view name = instruction.parts[0];
    if (name == "ld" || name == "ldu") return load_or_store(context);
    if (name == "st")
        return instruction.has("async") || instruction.has("bulk") ? left_out()
                                                                   : load_or_store(context);
    if (name == "atom" || name == "red") return atomic(context);
    if (name == "bar" || name == "barrier") return barrier(context);
    if (name == "cp") return instruction.has("bulk") ? bulk_copy(context) : copy(context);
    if (name == "mbarrier") return shared_barrier(context);
    return touches_memory(instruction) ? left_out() : PtxWork{};
}

}  // namespace tilereel::plain
