// Matrix loads and stores, and products of a warp's fragments (PTX ISA, "Warp Level Matrix
// Multiply-Accumulate Instructions": ldmatrix, stmatrix, mma).
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/gpu/dump.h"
#include "instrumentation/gpu/ptx/ptx_call.h"
#include "instrumentation/gpu/ptx/ptx_kinds.h"
#include "instrumentation/gpu/ptx/ptx_product.h"

namespace tilereel::gpu {
namespace {

constexpr std::size_t kMostMatrices = 4;
constexpr std::uint8_t kRowBytes = 16, kRowWords = 4;

}  // namespace

// The hook gets the registers of all lanes, because the row that a lane stores comes from four
// others. With .trans the registers are transposed first.
PtxWork matrix_access_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    const bool stores = instruction.parts[0] == "stmatrix";
    const Space space = space_of(instruction);
    if (!instruction.has("m8n8") || instruction.operands.size() != 2 ||
        (space != Space::kShared && space != Space::kGeneric))
        return left_out_work();
    const auto address = ptx_address(instruction.operands[stores ? 0 : 1]);
    const std::vector<std::string> registers = ptx_elements(instruction.operands[stores ? 1 : 0]);
    if (!address || registers.size() > kMostMatrices) return left_out_work();
    const bool transposes = instruction.has("trans");
    PtxSite site = plain_site(stores ? Operation::kMatrixStore : Operation::kMatrixLoad);
    site.width_bytes = kRowBytes;
    site.variety = static_cast<std::uint8_t>(transposes ? MatrixAccessKind::kTransposed
                                                        : MatrixAccessKind::kPlain);
    site.value_words = stores ? kRowWords : 0;
    PtxCall call(stores ? "tilereel_gpu_matrix_store" : "tilereel_gpu_matrix_load",
                 instruction.guard);
    call.prepare(address_text(*address, space, context.registers, "%tilereel_a"));
    if (stores) {
        call.prepare(".reg .b32 %tilereel_w<4>;\n" + converged(context));
        const char* const moves = transposes ? "movmatrix.sync.aligned.m8n8.trans.b16" : "mov.b32";
        for (std::size_t i = 0; i < registers.size(); ++i)
            call.prepare(instruction.guard + " " + moves + " %tilereel_w" + std::to_string(i) +
                         ", " + registers[i] + ";");
    }
    call.pass(64, "%tilereel_a");
    call.pass(32, site_number(context.first, space));
    call.pass(32, context.caller);
    call.pass(32, std::to_string(registers.size()));
    for (std::size_t i = 0; stores && i < kMostMatrices; ++i)
        call.pass(32, i < registers.size() ? "%tilereel_w" + std::to_string(i) : "0");
    return work_before({site}, call.text() + converged(context));
}

PtxProductHook::PtxProductHook(const PtxContext& context) : context_(context) {
    text_.before = "{\n.reg .b32 %tilereel_w<" + std::to_string(kMostWords) + ">;\n";
}

PtxProductHook::Words PtxProductHook::words_of(const std::vector<std::string>& registers,
                                               std::string& text) {
    Words words;
    const auto new_word = [&] {
        words.push_back("%tilereel_w" + std::to_string(count_++));
        return words.back();
    };
    for (const std::string& each : registers) {
        if (context_.registers.bits_of(each) == 64) {
            const std::string low = new_word(), high = new_word();
            text += "mov.b64 {" + low + ", " + high + "}, " + each + ";\n";
        } else {
            text += "mov.b32 " + new_word() + ", " + each + ";\n";
        }
    }
    return words;
}

PtxProductHook::Words PtxProductHook::factor(std::size_t operand) {
    return words_of(ptx_elements(context_.instruction.operands[operand]), text_.before);
}
PtxProductHook::Words PtxProductHook::sums(std::size_t operand) {
    return words_of(ptx_elements(context_.instruction.operands[operand]), text_.after);
}

bool PtxProductHook::add(const WarpProduct& product, const Words& words) {
    if (words.size() != static_cast<std::size_t>(registers_of(product))) return false;
    const bool is_wide = words.size() > kNarrowWords;
    PtxSite site = plain_site(Operation::kMatrixProduct);
    site.width_bytes = static_cast<std::uint8_t>(4 * words.size());
    site.value_words = static_cast<std::uint8_t>(words.size());
    site.base = product.code();
    PtxCall call(is_wide ? "tilereel_gpu_wide_product" : "tilereel_gpu_product",
                 context_.instruction.guard);
    const auto number = context_.first + static_cast<std::uint32_t>(sites_.size());
    call.pass(32, site_number(number, Space::kGlobal));
    call.pass(32, context_.caller);
    call.pass(32, std::to_string(words.size()));
    for (std::size_t i = 0; i < (is_wide ? kWideWords : kNarrowWords); ++i)
        call.pass(32, i < words.size() ? words[i] : "0");
    text_.after += in_braces(call.text());
    sites_.push_back(site);
    return true;
}

PtxWork PtxProductHook::take() {
    text_.before += converged(context_);
    text_.after += "}\n";
    return {.sites = std::move(sites_), .hook = std::move(text_)};
}

// A and B are copied before the instruction, because D may take their registers.
PtxWork product_work(const PtxContext& context) {
    const PtxInstruction& instruction = context.instruction;
    const Result<WarpProduct> product = find_warp_product(instruction.opcode);
    if (!product || instruction.operands.size() != 4) return left_out_work();
    PtxProductHook hook(context);
    PtxProductHook::Words words = hook.factor(1);
    for (const std::size_t operand : {2, 0}) {
        const PtxProductHook::Words more = operand == 0 ? hook.sums(0) : hook.factor(operand);
        words.insert(words.end(), more.begin(), more.end());
    }
    return hook.add(*product, words) ? hook.take() : left_out_work();
}

}  // namespace tilereel::gpu
