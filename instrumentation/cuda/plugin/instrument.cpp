#include "instrument.h"

#include <algorithm>

#include "flow.h"
#include "hook_declarations.h"
#include "place_inline_hooks.h"
#include "references.h"
#include "statements/bit_fields.h"
#include "statements/joined_members.h"
#include "statements/moved_bytes.h"

namespace tilereel::runtime {
bool hooks_assignments = true;

Instrument::Instrument(function* function)
    : function_(function),
      descriptors_(function->decl),
      in_library_(is_in_library(function->decl)) {}

// Aligns local arrays to 16 bytes, so that an access is misaligned here where it is on a GPU.
static void align_local_arrays(function* function) {
    constexpr unsigned kBits = 128;
    unsigned i;
    tree local;
    FOR_EACH_LOCAL_DECL(function, i, local)
    if (VAR_P(local) && !is_global_var(local) && TREE_CODE(TREE_TYPE(local)) == ARRAY_TYPE &&
        DECL_ALIGN(local) < kBits)
        SET_DECL_ALIGN(local, kBits);
}

void Instrument::run() {
    align_local_arrays(function_);
    assign_moved_bytes(function_);
    lower_bit_fields(function_);
    join_members(function_);
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
    const std::vector<basic_block> blocks = blocks_in_order(function_);
    arithmetic_.emplace(function_, blocks);
    for (basic_block bb : blocks) {
        block_ = bb;
        for (LoopPointer loop = bb->loop_father; loop; loop = loop_outer(loop))
            loop_ordinals_.emplace(loop, ordinal_ + 1);
        block(bb);
    }
    arithmetic_->settle();
    on_entry();
    // GCC has not kept the inline hooks for a function that it has seen before.
    if (!Descriptors::keeps_data) use_inline_hooks(function_, inlined_);
    loop_optimizer_finalize();
    free_dominance_info(CDI_DOMINATORS);
    subscripts_.place();
}

void Instrument::block(basic_block bb) {
    products_.clear();
    sums_.clear();
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        gimple* statement = gsi_stmt(at);
        if (gimple_has_location(statement)) location_ = gimple_location(statement);
        if (gimple_clobber_p(statement)) continue;
        note_shared_operands(statement);
        arithmetic_->at(bb, statement);
        if (is_gimple_assign(statement))
            assignment(at);
        else if (is_gimple_call(statement))
            call(at);
    }
}

namespace {

// A product that wraps on a GPU if it does not fit. C++ leaves it undefined.
bool is_product_of_ints(gimple* statement) {
    tree type = TREE_TYPE(gimple_assign_lhs(statement));
    return gimple_assign_rhs_code(statement) == MULT_EXPR && TREE_CODE(type) == INTEGER_TYPE &&
           TYPE_PRECISION(type) == 32 && TYPE_OVERFLOW_UNDEFINED(type);
}

}  // namespace

void Instrument::assignment(gimple_stmt_iterator& at) {
    gimple* statement = gsi_stmt(at);
    tree target = gimple_assign_lhs(statement);
    check_local(at, target, true);
    if (gimple_assign_single_p(statement)) {
        tree source = gimple_assign_rhs1(statement);
        check_local(at, source, false);
        if (is_memory(source) && is_recorded(source))
            gimple_assign_set_rhs1(statement, load(at, source));
        else if (is_packed_field(source) && is_recorded_memory(source))
            gimple_assign_set_rhs1(statement, packed(at, source, kLoad));
        if (is_memory(source) && is_tracked_local(source)) note_local(at, source, kLoad);
        if (is_memory(target) && is_tracked_local(target)) note_local(at, target, kStore);
        if (is_memory(target) && is_recorded(target)) {
            gimple_assign_set_lhs(statement, store(at, target, gimple_assign_rhs1(statement)));
            stored(at);
            return;
        }
        if (is_packed_field(target) && is_recorded_memory(target)) {
            gimple_assign_set_lhs(statement, packed(at, target, kStore));
            stored(at);
            return;
        }
        const Kind kind = sums_.count(source) ? kMultiplyAdd : kLocal;
        if (is_named_local(target) && has_value(TREE_TYPE(target)))
            value_after(at, target, is_gimple_reg(target) ? target : source, kind);
        return;
    }
    if (TREE_CODE(TREE_TYPE(target)) == REAL_TYPE) {
        note_sum(at);
        return;
    }
    if (is_product_of_ints(statement)) check_overflow(at);
    if (is_named_local(target) && has_value(TREE_TYPE(target)))
        value_after(at, target, target, kLocal);
}

// Lets a product of ints call the runtime where it does not fit. GCC makes a jump of the internal
// function that costs next to nothing; versions without hooks keep it.
void Instrument::check_overflow(gimple_stmt_iterator& at) {
    gimple* statement = gsi_stmt(at);
    gcall* checked = gimple_build_call_internal(
        IFN_UBSAN_CHECK_MUL, 2, gimple_assign_rhs1(statement), gimple_assign_rhs2(statement));
    gimple_call_set_lhs(checked, gimple_assign_lhs(statement));
    gimple_set_location(checked, gimple_location(statement));
    gsi_replace(&at, checked, true);
}

// Checks the subscripts of an access of a local array, which has no hook.
void Instrument::check_local(gimple_stmt_iterator& at, tree reference, bool is_store) {
    tree base = handled_component_p(reference) ? get_base_address(reference) : NULL_TREE;
    if (base && DECL_P(base) && is_local(base) && !in_library_)
        subscripts_.add(at, reference, is_store, location_);
}

// Notes a floating-point operation. An addition with a product as operand is a multiply-add.
void Instrument::note_sum(gimple_stmt_iterator& at) {
    gimple* statement = gsi_stmt(at);
    tree target = gimple_assign_lhs(statement);
    const tree_code code = gimple_assign_rhs_code(statement);
    const bool adds = code == PLUS_EXPR || code == MINUS_EXPR;
    const bool sum = adds && (products_.count(gimple_assign_rhs1(statement)) ||
                              products_.count(gimple_assign_rhs2(statement)));
    products_.erase(target);
    sums_.erase(target);
    if (code == MULT_EXPR) products_.insert(target);
    if (is_named_local(target)) {
        value_after(at, target, target, sum ? kMultiplyAdd : kLocal);
        return;
    }
    if (!sum) return;
    // The target is a temporary. If the next statement copies it to an element of a local array,
    // the hook belongs there.
    gimple_stmt_iterator next = at;
    gsi_next(&next);
    if (!gsi_end_p(next) && gimple_assign_single_p(gsi_stmt(next)) &&
        gimple_assign_rhs1(gsi_stmt(next)) == target &&
        is_named_local(gimple_assign_lhs(gsi_stmt(next))))
        sums_.insert(target);
    else
        value_after(at, NULL_TREE, target, kMultiplyAdd);
}

// Tells the runtime of an access of a local variable, before it happens.
void Instrument::note_local(gimple_stmt_iterator& at, tree reference, Kind kind) {
    tree type = TREE_TYPE(reference);
    gimple_seq sequence = NULL;
    tree address = force_gimple_operand(build_fold_addr_expr(unshare_expr(reference)), &sequence,
                                        true, NULL_TREE);
    tree place = site(location_, text_of(get_base_address(reference)), kind, size_of(type),
                      TYPE_ALIGN_UNIT(type), element_type(type), NULL_TREE);
    gcall* hooked = gimple_build_call(hooks().load, 2, address, place);
    gimple_set_location(hooked, location_);
    gimple_seq_add_stmt(&sequence, hooked);
    gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
}

tree Instrument::load(gimple_stmt_iterator& at, tree reference) {
    return redirect(at, reference, hooks().load, kLoad, NULL_TREE);
}

tree Instrument::store(gimple_stmt_iterator& at, tree reference, tree value) {
    tree type = TREE_TYPE(reference);
    wide_ = NULL_TREE;
    if (!has_value(type) || !value || !is_gimple_val(value)) {
        tree redirected = redirect(at, reference, hooks().store_wide, kStore, NULL_TREE);
        wide_ = TREE_OPERAND(redirected, 0);
        return redirected;
    }
    gimple_seq sequence = NULL;
    int chosen = 0;
    tree argument = as_argument(&sequence, value, chosen);
    gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
    tree hook = chosen == 0   ? hooks().store_int
                : chosen == 1 ? hooks().store_float
                              : hooks().store_double;
    return redirect(at, reference, hook, kStore, argument);
}

// After a store whose value was not in a register, the hook reads the value from memory.
void Instrument::stored(gimple_stmt_iterator& at) {
    if (!wide_ || stmt_ends_bb_p(gsi_stmt(at))) return;
    gcall* hooked = gimple_build_call(hooks().stored, 1, wide_);
    gimple_set_location(hooked, location_);
    gsi_insert_after(&at, hooked, GSI_NEW_STMT);
    wide_ = NULL_TREE;
}

tree Instrument::redirect(gimple_stmt_iterator& at, tree reference, tree hook, Kind kind,
                          tree value) {
    if (!in_library_ && !keeps_rest_) subscripts_.add(at, reference, kind != kLoad, location_);
    tree type = TREE_TYPE(reference);
    tree declaration = declaration_of(reference);
    tree base = get_base_address(reference);
    tree variable = NULL_TREE;
    if (DECL_P(base)) {
        TREE_ADDRESSABLE(base) = 1;
        if (is_shared(base) || is_device_variable(base)) variable = Descriptors::variable(base);
    }
    if (declaration && is_shared(declaration)) note_shared(declaration);
    gimple_seq sequence = NULL;
    tree address = force_gimple_operand(build_fold_addr_expr(unshare_expr(reference)), &sequence,
                                        true, NULL_TREE);
    if (!declaration || !DECL_NAME(declaration) || DECL_ARTIFICIAL(declaration))
        declaration = pointer_behind(at, reference);
    SiteText text = text_of(declaration);
    const unsigned align = align_of(reference);
    if (TREE_THIS_VOLATILE(reference)) text.callee = "volatile";
    if (keeps_rest_ || loads_rest_of_word(gsi_stmt(at))) text.callee = kRestOfWord;
    address_ = arithmetic_->address_of(reference);
    tree place = site(location_, text, kind, size_of(type), align, element_type(type), variable);
    address_ = 0;
    gcall* hooked = value ? gimple_build_call(hook, 3, address, place, value)
                          : gimple_build_call(hook, 2, address, place);
    if (hook == hooks().load || (value && size_of(type) <= 4)) put_inline(hooked, align);
    tree target = create_tmp_reg(ptr_type_node);
    gimple_call_set_lhs(hooked, target);
    gimple_set_location(hooked, location_);
    gimple_seq_add_stmt(&sequence, hooked);
    gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
    if (align < TYPE_ALIGN_UNIT(type)) type = build_aligned_type(type, 8 * align);
    tree redirected = build2(MEM_REF, type, target, build_int_cst(ptr_type_node, 0));
    TREE_THIS_VOLATILE(redirected) = TREE_THIS_VOLATILE(reference);
    return redirected;
}

// The bytes of a packed bit-field. A store first loads those of which it keeps a part.
tree Instrument::packed(gimple_stmt_iterator& at, tree reference, Kind kind) {
    const PackedField field = packed_field(reference);
    const auto redirected = [&](unsigned first, unsigned bytes, tree hook, Kind how) {
        return redirect(at, bytes_of_packed(reference, first, bytes), hook, how, NULL_TREE);
    };
    const unsigned last = field.first_byte + field.bytes - 1;
    keeps_rest_ = true;
    if (kind == kStore && field.keeps_first) redirected(field.first_byte, 1, hooks().load, kLoad);
    if (kind == kStore && field.keeps_last) redirected(last, 1, hooks().load, kLoad);
    keeps_rest_ = false;
    tree bytes = redirected(field.first_byte, field.bytes,
                            kind == kLoad ? hooks().load : hooks().store_wide, kind);
    wide_ = kind == kStore ? TREE_OPERAND(bytes, 0) : NULL_TREE;
    return packed_field_at(reference, TREE_OPERAND(bytes, 0));
}

void Instrument::put_inline(gcall* hooked, unsigned align) {
    inlined_.emplace(hooked, std::min(align, 16u) - 1);
}

void Instrument::value_after(gimple_stmt_iterator& at, tree target, tree value, Kind kind) {
    if (kind == kLocal && (!hooks_assignments || in_library_)) return;
    if (stmt_ends_bb_p(gsi_stmt(at)) || !is_gimple_val(value)) return;
    gimple_seq sequence = NULL;
    insert_value(&sequence, target, value, kind);
    gsi_insert_seq_after(&at, sequence, GSI_CONTINUE_LINKING);
}

void Instrument::insert_value(gimple_seq* sequence, tree target, tree value, Kind kind) {
    tree type = TREE_TYPE(value);
    tree base = target ? get_base_address(target) : NULL_TREE;
    tree offset = build_int_cst(unsigned_type_node, 0);
    if (target && target != base) {
        poly_int64 bits, position;
        tree variable_offset;
        machine_mode mode;
        int is_unsigned, reversed, is_volatile;
        get_inner_reference(target, &bits, &position, &variable_offset, &mode, &is_unsigned,
                            &reversed, &is_volatile);
        const HOST_WIDE_INT constant = position.is_constant() ? position.to_constant() / 8 : 0;
        offset = build_int_cst(unsigned_type_node, constant);
        if (variable_offset)
            offset = fold_build2(PLUS_EXPR, unsigned_type_node,
                                 fold_convert(unsigned_type_node, unshare_expr(variable_offset)),
                                 offset);
        gimple_seq computed = NULL;
        offset = force_gimple_operand(offset, &computed, true, NULL_TREE);
        gimple_seq_add_seq(sequence, computed);
    }
    int chosen = 0;
    tree argument = as_argument(sequence, value, chosen);
    tree hook = chosen == 0   ? hooks().value_int
                : chosen == 1 ? hooks().value_float
                              : hooks().value_double;
    // For a kernel's pointer parameter the site describes what it points to.
    const bool points = kind == kParameter && POINTER_TYPE_P(type);
    SiteText text = text_of(base);
    if (points) text.members = members_of(TREE_TYPE(type));
    tree place = site(location_, text, kind, size_of(type),
                      points ? std::max(1u, size_of(TREE_TYPE(type))) : TYPE_ALIGN_UNIT(type),
                      element_type(points ? TREE_TYPE(type) : type), NULL_TREE);
    gcall* hooked = gimple_build_call(hook, 3, place, argument, offset);
    if (kind != kParameter && size_of(type) <= 4) inlined_.emplace(hooked, 0);
    gimple_set_location(hooked, location_);
    gimple_seq_add_stmt(sequence, hooked);
}

namespace {

// Of calls those whose records the estimate of the time counts.
bool is_always_recorded(Kind kind, const std::string& callee) {
    if (kind == kCall) return callee == "__syncthreads" || callee.rfind("__shfl", 0) == 0;
    return kind == kLoad || kind == kStore || kind == kAtomic || kind == kMultiplyAdd;
}

}  // namespace

tree Instrument::site(location_t location, const SiteText& text, Kind kind, unsigned width,
                      unsigned align, ElementType element, tree variable) {
    SiteNumbers numbers;
    numbers.ordinal = ++ordinal_;
    if (kind == kCall) ordinal_ += kOrdinalsOfCall;
    numbers.kind = kind;
    numbers.width_bytes = width;
    numbers.align_bytes = align;
    numbers.element = element;
    numbers.in_library = in_library_;
    numbers.address = address_;
    tree made = descriptors_.site(location, text, numbers,
                                  block_ ? loop_of(block_->loop_father) : NULL_TREE, variable);
    if (block_ && is_always_recorded(kind, text.callee))
        arithmetic_->note_site(made, RecordedSite::kAlways);
    else if (block_ && kind == kLocal)
        arithmetic_->note_site(made, RecordedSite::kAssignment);
    return made;
}

// Null for the outermost loop, which in GCC represents the function itself.
tree Instrument::loop_of(LoopPointer loop) {
    if (!loop || !loop_outer(loop)) return NULL_TREE;
    tree& found = loops_[loop];
    if (!found) {
        tree outer = loop_of(loop_outer(loop));
        loops_[loop] = found = descriptors_.loop(outer, loop_ordinals_[loop]);
    }
    return found;
}

}  // namespace tilereel::runtime
