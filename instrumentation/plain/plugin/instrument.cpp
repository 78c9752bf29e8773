#include "instrument.h"

#include <algorithm>

#include "flow.h"
#include "hooks.h"

namespace tilereel::plain {
namespace {

bool is_local(tree base) {
    return TREE_CODE(base) == PARM_DECL || TREE_CODE(base) == RESULT_DECL ||
           (VAR_P(base) && !is_global_var(base));
}

// Threads read these as registers.
bool is_built_in(tree base) {
    return VAR_P(base) && lookup_attribute("tilereel_built_in", DECL_ATTRIBUTES(base));
}

bool is_memory(tree reference) {
    return handled_component_p(reference) || TREE_CODE(reference) == MEM_REF ||
           TREE_CODE(reference) == TARGET_MEM_REF || VAR_P(reference);
}

unsigned size_of(tree type) {
    tree size = TYPE_SIZE_UNIT(type);
    return size && tree_fits_uhwi_p(size) ? unsigned(tree_to_uhwi(size)) : 0;
}

// The declaration that a reference starts from: the array, or the pointer.
tree declaration_of(tree reference) {
    tree base = get_base_address(reference);
    if (base && TREE_CODE(base) == MEM_REF) base = TREE_OPERAND(base, 0);
    if (base && TREE_CODE(base) == ADDR_EXPR) base = get_base_address(TREE_OPERAND(base, 0));
    return base && DECL_P(base) ? base : NULL_TREE;
}

// The named pointer that the address of a reference is computed from, for x[i] the pointer x: what
// the statements before `at` say of the temporary that is dereferenced.
tree pointer_behind(gimple_stmt_iterator at, tree reference) {
    tree base = get_base_address(reference);
    if (!base || TREE_CODE(base) != MEM_REF) return NULL_TREE;
    tree pointer = TREE_OPERAND(base, 0);
    for (int steps = 0; steps < 64 && !gsi_end_p(at); ++steps, gsi_prev(&at)) {
        if (DECL_P(pointer) && DECL_NAME(pointer)) return pointer;
        gimple* statement = gsi_stmt(at);
        if (!is_gimple_assign(statement) || gimple_assign_lhs(statement) != pointer) continue;
        tree source = gimple_assign_rhs1(statement);
        const tree_code code = gimple_assign_rhs_code(statement);
        const bool moves = code == POINTER_PLUS_EXPR || CONVERT_EXPR_CODE_P(code) ||
                           (gimple_assign_single_p(statement) && DECL_P(source));
        if (!moves) return NULL_TREE;
        pointer = source;
    }
    return DECL_P(pointer) && DECL_NAME(pointer) ? pointer : NULL_TREE;
}

SiteText text_of(tree declaration) {
    if (!declaration || !DECL_NAME(declaration) || DECL_ARTIFICIAL(declaration)) return {};
    return {IDENTIFIER_POINTER(DECL_NAME(declaration)), type_name(TREE_TYPE(declaration)), "", ""};
}

bool is_named_local(tree target) {
    tree base = get_base_address(target);
    return base && DECL_P(base) && is_local(base) && DECL_NAME(base) && !DECL_ARTIFICIAL(base);
}

bool has_value(tree type) {
    return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type) ||
           (TREE_CODE(type) == REAL_TYPE && size_of(type) <= 8 && size_of(type) >= 4);
}

// The value as one of the three types that hooks take; `chosen` is 0 int, 1 float, 2 double.
tree as_argument(gimple_seq* sequence, tree value, int& chosen) {
    tree type = TREE_TYPE(value);
    if (TREE_CODE(type) == REAL_TYPE) {
        chosen = size_of(type) == 4 ? 1 : 2;
        return value;
    }
    chosen = 0;
    // The value's own bits, without copies of its sign.
    if (INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type)) {
        tree bits = build_nonstandard_integer_type(TYPE_PRECISION(type), 1);
        if (TREE_CODE(value) == INTEGER_CST) {
            value = fold_convert(bits, value);
        } else {
            tree same = create_tmp_reg(bits);
            gimple_seq_add_stmt(sequence, gimple_build_assign(same, NOP_EXPR, value));
            value = same;
        }
    }
    if (TREE_CODE(value) == INTEGER_CST) return fold_convert(long_unsigned_type_node, value);
    tree wide = create_tmp_reg(long_unsigned_type_node);
    gimple_seq_add_stmt(sequence, gimple_build_assign(wide, NOP_EXPR, value));
    return wide;
}

}  // namespace

bool hooks_assignments = true;

Instrument::Instrument(function* function) : function_(function), descriptors_(function->decl) {}

void Instrument::run() {
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
    for (basic_block bb : blocks_in_order(function_)) {
        block_ = bb;
        for (LoopPointer loop = bb->loop_father; loop; loop = loop_outer(loop))
            loop_ordinals_.emplace(loop, ordinal_ + 1);
        block(bb);
    }
    on_entry();
    loop_optimizer_finalize();
    free_dominance_info(CDI_DOMINATORS);
}

void Instrument::block(basic_block bb) {
    products_.clear();
    sums_.clear();
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        gimple* statement = gsi_stmt(at);
        if (gimple_has_location(statement)) location_ = gimple_location(statement);
        if (gimple_clobber_p(statement)) continue;
        note_shared_operands(statement);
        if (is_gimple_assign(statement))
            assignment(at);
        else if (is_gimple_call(statement))
            call(at);
    }
}

void Instrument::assignment(gimple_stmt_iterator& at) {
    gimple* statement = gsi_stmt(at);
    tree target = gimple_assign_lhs(statement);
    if (gimple_assign_single_p(statement)) {
        tree source = gimple_assign_rhs1(statement);
        if (is_memory(source) && is_recorded(source))
            gimple_assign_set_rhs1(statement, load(at, source));
        if (is_memory(target) && is_recorded(target)) {
            gimple_assign_set_lhs(statement, store(at, target, gimple_assign_rhs1(statement)));
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
    if (is_named_local(target) && has_value(TREE_TYPE(target)))
        value_after(at, target, target, kLocal);
}

// A floating operation: a sum that takes in a product is a multiply-add.
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
    // A temporary, which the next statement puts into an element of a local array.
    gimple_stmt_iterator next = at;
    gsi_next(&next);
    if (!gsi_end_p(next) && gimple_assign_single_p(gsi_stmt(next)) &&
        gimple_assign_rhs1(gsi_stmt(next)) == target &&
        is_named_local(gimple_assign_lhs(gsi_stmt(next))))
        sums_.insert(target);
    else
        value_after(at, NULL_TREE, target, kMultiplyAdd);
}

// The variable whose address a MEM_REF dereferences, where the code says so; else null.
tree pointed_to(tree reference) {
    if (TREE_CODE(reference) != MEM_REF) return NULL_TREE;
    tree pointer = TREE_OPERAND(reference, 0);
    if (TREE_CODE(pointer) == SSA_NAME) {
        gimple* definition = SSA_NAME_DEF_STMT(pointer);
        if (!definition || !gimple_assign_single_p(definition)) return NULL_TREE;
        pointer = gimple_assign_rhs1(definition);
    }
    return TREE_CODE(pointer) == ADDR_EXPR ? get_base_address(TREE_OPERAND(pointer, 0)) : NULL_TREE;
}

bool Instrument::is_recorded(tree reference) const {
    tree base = get_base_address(reference);
    if (!base || is_built_in(base)) return false;
    if (DECL_P(base) && is_local(base)) return false;
    if (VAR_P(base) && DECL_ARTIFICIAL(base)) return false;
    if (tree inner = pointed_to(base); inner && DECL_P(inner)) {
        // What the compiler keeps for itself, such as a static variable's guard, is not the
        // program's.
        if (is_local(inner) || is_built_in(inner) || (VAR_P(inner) && DECL_ARTIFICIAL(inner)))
            return false;
    }
    if (!DECL_P(base) && TREE_CODE(base) != MEM_REF) return false;
    if (TREE_CODE(reference) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(reference, 1)))
        return false;
    if (TREE_CODE(reference) == BIT_FIELD_REF || TREE_CODE(reference) == REALPART_EXPR ||
        TREE_CODE(reference) == IMAGPART_EXPR)
        return false;
    return size_of(TREE_TYPE(reference)) != 0;
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

// After a store whose value no register held.
void Instrument::stored(gimple_stmt_iterator& at) {
    if (!wide_ || stmt_ends_bb_p(gsi_stmt(at))) return;
    gcall* hooked = gimple_build_call(hooks().stored, 1, wide_);
    gimple_set_location(hooked, location_);
    gsi_insert_after(&at, hooked, GSI_NEW_STMT);
    wide_ = NULL_TREE;
}

tree Instrument::redirect(gimple_stmt_iterator& at, tree reference, tree hook, Kind kind,
                          tree value) {
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
    const SiteText text = text_of(declaration);
    tree place = site(location_, text, kind, size_of(type), TYPE_ALIGN_UNIT(type),
                      element_type(type), variable);
    gcall* hooked = value ? gimple_build_call(hook, 3, address, place, value)
                          : gimple_build_call(hook, 2, address, place);
    tree target = create_tmp_reg(ptr_type_node);
    gimple_call_set_lhs(hooked, target);
    gimple_set_location(hooked, location_);
    gimple_seq_add_stmt(&sequence, hooked);
    gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
    tree redirected = build2(MEM_REF, type, target, build_int_cst(ptr_type_node, 0));
    TREE_THIS_VOLATILE(redirected) = TREE_THIS_VOLATILE(reference);
    return redirected;
}

void Instrument::value_after(gimple_stmt_iterator& at, tree target, tree value, Kind kind) {
    if (kind == kLocal && !hooks_assignments) return;
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
    // A pointer that a kernel is given: what it points to.
    const bool points = kind == kParameter && POINTER_TYPE_P(type);
    SiteText text = text_of(base);
    if (points) text.members = members_of(TREE_TYPE(type));
    tree place = site(location_, text, kind, size_of(type),
                      points ? std::max(1u, size_of(TREE_TYPE(type))) : TYPE_ALIGN_UNIT(type),
                      element_type(points ? TREE_TYPE(type) : type), NULL_TREE);
    gcall* hooked = gimple_build_call(hook, 3, place, argument, offset);
    gimple_set_location(hooked, location_);
    gimple_seq_add_stmt(sequence, hooked);
}

// What the C library does for the host, the runtime does for the device.
tree replacement_of(tree callee) {
    static const std::map<std::string, const char*> replacements = {
        {"printf", "tilereel_printf"}, {"clock", "tilereel_clock"},  {"malloc", "tilereel_malloc"},
        {"free", "tilereel_free"},     {"_Znwm", "tilereel_malloc"}, {"_Znam", "tilereel_malloc"},
        {"_ZdlPv", "tilereel_free"},   {"_ZdaPv", "tilereel_free"},  {"_ZdlPvm", "tilereel_free"},
        {"_ZdaPvm", "tilereel_free"}};
    if (!TREE_PUBLIC(callee)) return NULL_TREE;
    const auto found = replacements.find(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee)));
    if (found == replacements.end()) return NULL_TREE;
    tree decl = build_fn_decl(found->second, TREE_TYPE(callee));
    TREE_NOTHROW(decl) = 1;
    return decl;
}

void Instrument::call(gimple_stmt_iterator& at) {
    gimple* statement = gsi_stmt(at);
    tree callee = gimple_call_fndecl(statement);
    if (callee)
        if (tree other = replacement_of(callee))
            gimple_call_set_fndecl(as_a<gcall*>(statement), other);
    if (callee && (lookup_attribute("tilereel_call", DECL_ATTRIBUTES(callee)) ||
                   lookup_attribute("tilereel_access", DECL_ATTRIBUTES(callee))))
        runtime_call(at, callee);
    for (unsigned i = 0; i < gimple_call_num_args(statement); ++i) {
        tree argument = gimple_call_arg(statement, i);
        if (!is_gimple_val(argument) && is_memory(argument) && is_recorded(argument))
            gimple_call_set_arg(statement, i, load(at, argument));
    }
    tree target = gimple_call_lhs(statement);
    if (target && is_memory(target) && is_recorded(target))
        gimple_call_set_lhs(statement, store(at, target, NULL_TREE));
    if (wide_) stored(at), gsi_prev(&at);
    if (callee && is_device_function(callee)) device_call(at);
    target = gimple_call_lhs(statement);
    if (!target || !has_value(TREE_TYPE(target))) return;
    const bool fused = gimple_call_builtin_p(statement, BUILT_IN_FMAF) ||
                       gimple_call_builtin_p(statement, BUILT_IN_FMA) ||
                       (callee && lookup_attribute("tilereel_fma", DECL_ATTRIBUTES(callee)));
    if (fused || is_named_local(target))
        value_after(at, is_named_local(target) ? target : NULL_TREE, target,
                    fused ? kMultiplyAdd : kLocal);
}

// A function of the runtime learns where it was called; one that stands for an access of what its
// first argument points to is recorded as such.
void Instrument::runtime_call(gimple_stmt_iterator& at, tree callee) {
    gimple* statement = gsi_stmt(at);
    tree access = lookup_attribute("tilereel_access", DECL_ATTRIBUTES(callee));
    if (access && gimple_call_num_args(statement) > 0) {
        const std::string what = TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(access)));
        const Kind kind = what == "load" ? kLoad : what == "store" ? kStore : kAtomic;
        tree hook = kind == kLoad    ? hooks().load
                    : kind == kStore ? hooks().store_wide
                                     : hooks().atomic;
        tree parameter = TREE_VALUE(TYPE_ARG_TYPES(TREE_TYPE(callee)));
        tree type = TREE_TYPE(parameter), pointer = gimple_call_arg(statement, 0);
        tree declaration = DECL_P(pointer) ? pointer : NULL_TREE, variable = NULL_TREE;
        if (TREE_CODE(pointer) == ADDR_EXPR) {
            tree base = get_base_address(TREE_OPERAND(pointer, 0));
            if (base && DECL_P(base)) {
                if (is_local(base)) return;
                declaration = base;
                if (is_shared(base)) note_shared(base);
                if (is_shared(base) || is_device_variable(base))
                    variable = Descriptors::variable(base);
            }
        }
        SiteText text = text_of(declaration);
        text.callee = IDENTIFIER_POINTER(DECL_NAME(callee));
        tree place = site(location_, text, kind, size_of(type), TYPE_ALIGN_UNIT(type),
                          element_type(type), variable);
        gcall* hooked = gimple_build_call(hook, 2, pointer, place);
        tree target = create_tmp_reg(ptr_type_node);
        gimple_call_set_lhs(hooked, target);
        gimple_set_location(hooked, location_);
        gsi_insert_before(&at, hooked, GSI_SAME_STMT);
        gimple_call_set_arg(statement, 0, target);
        if (kind == kLoad || stmt_ends_bb_p(statement)) return;
        gcall* after = gimple_build_call(hooks().stored, 1, target);
        gimple_set_location(after, location_);
        gsi_insert_after(&at, after, GSI_SAME_STMT);
        return;
    }
    tree place = site(location_, {"", "", IDENTIFIER_POINTER(DECL_NAME(callee))}, kCall, 0, 0, {},
                      NULL_TREE);
    gcall* hooked = gimple_build_call(hooks().at, 1, place);
    gimple_set_location(hooked, location_);
    gsi_insert_before(&at, hooked, GSI_SAME_STMT);
}

void Instrument::device_call(gimple_stmt_iterator& at) {
    if (stmt_ends_bb_p(gsi_stmt(at))) return;
    tree callee = gimple_call_fndecl(gsi_stmt(at));
    tree place = site(location_, {"", "", IDENTIFIER_POINTER(DECL_NAME(callee))}, kEnter, 0, 0, {},
                      NULL_TREE);
    gcall* enter = gimple_build_call(hooks().enter, 1, place);
    gcall* leave = gimple_build_call(hooks().leave, 1, place);
    gimple_set_location(enter, location_);
    gimple_set_location(leave, location_);
    gsi_insert_before(&at, enter, GSI_SAME_STMT);
    gsi_insert_after(&at, leave, GSI_NEW_STMT);
    gsi_prev(&at);
}

namespace {

// A CUtensorMap stands for the array that it describes, whose address our runtime puts first.
bool is_tensor_map(tree type) {
    if (TREE_CODE(type) != RECORD_TYPE) return false;
    tree name = TYPE_NAME(TYPE_MAIN_VARIANT(type));
    if (name && TREE_CODE(name) == TYPE_DECL) name = DECL_NAME(name);
    return name && strcmp(IDENTIFIER_POINTER(name), "CUtensorMap_st") == 0;
}

// A void* that the variable begins with.
tree first_pointer(gimple_seq* sequence, tree variable) {
    TREE_ADDRESSABLE(variable) = 1;
    tree value = create_tmp_reg(ptr_type_node);
    tree address = create_tmp_reg(build_pointer_type(TREE_TYPE(variable)));
    gimple_seq_add_stmt(sequence, gimple_build_assign(address, build_fold_addr_expr(variable)));
    tree first = build2(MEM_REF, ptr_type_node, address, build_int_cst(ptr_type_node, 0));
    gimple_seq_add_stmt(sequence, gimple_build_assign(value, first));
    return value;
}

}  // namespace

void Instrument::on_entry() {
    gimple_seq sequence = NULL;
    for (tree decl : shared_) {
        gimple_seq computed = NULL;
        TREE_ADDRESSABLE(decl) = 1;
        tree address = force_gimple_operand(build_fold_addr_expr(decl), &computed, true, NULL_TREE);
        gimple_seq_add_seq(&sequence, computed);
        gimple_seq_add_stmt(
            &sequence, gimple_build_call(hooks().shared, 2, address, Descriptors::variable(decl)));
    }
    for (tree decl : pointed_at_)
        gimple_seq_add_stmt(&sequence,
                            gimple_build_call(hooks().shared, 2, build_fold_addr_expr(decl),
                                              Descriptors::variable(decl)));
    if (lookup_attribute("tilereel_global", DECL_ATTRIBUTES(function_->decl))) {
        gimple_seq_add_stmt(
            &sequence,
            gimple_build_call(hooks().begin, 1,
                              build_fold_addr_expr(Descriptors::kernel_cell(function_->decl))));
        block_ = NULL;
        location_ = DECL_SOURCE_LOCATION(function_->decl);
        for (tree parameter = DECL_ARGUMENTS(function_->decl); parameter;
             parameter = DECL_CHAIN(parameter))
            if (DECL_NAME(parameter) && has_value(TREE_TYPE(parameter))) {
                tree value = parameter;
                if (!is_gimple_reg(parameter)) {  // its address is taken, as by a lambda
                    value = create_tmp_reg(TREE_TYPE(parameter));
                    gimple_seq_add_stmt(&sequence, gimple_build_assign(value, parameter));
                }
                insert_value(&sequence, parameter, value, kParameter);
            } else if (DECL_NAME(parameter) && is_tensor_map(TREE_TYPE(parameter))) {
                insert_value(&sequence, parameter, first_pointer(&sequence, parameter), kParameter);
            }
    }
    if (sequence)
        gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(function_)),
                                         sequence);
}

// Shared arrays whose address is taken, for a pointer or for another function.
void Instrument::note_shared_operands(gimple* statement) {
    for (unsigned i = 0; i < gimple_num_ops(statement); ++i) {
        tree operand = gimple_op(statement, i);
        if (!operand || TREE_CODE(operand) != ADDR_EXPR) continue;
        tree base = get_base_address(TREE_OPERAND(operand, 0));
        if (base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == ADDR_EXPR)
            base = get_base_address(TREE_OPERAND(TREE_OPERAND(base, 0), 0));
        if (!base || !DECL_P(base)) continue;
        if (is_shared(base)) note_shared(base);
        if (is_device_variable(base) &&
            std::find(pointed_at_.begin(), pointed_at_.end(), base) == pointed_at_.end())
            pointed_at_.push_back(base);
    }
}

void Instrument::note_shared(tree decl) {
    for (tree known : shared_)
        if (known == decl) return;
    // All names of dynamic shared memory are one symbol.
    if (DECL_EXTERNAL(decl))
        symtab->change_decl_assembler_name(decl, get_identifier("tilereel_dynamic_shared"));
    // In the order of declaration.
    auto place = shared_.begin();
    while (place != shared_.end() && DECL_UID(*place) < DECL_UID(decl)) ++place;
    shared_.insert(place, decl);
}

tree Instrument::site(location_t location, const SiteText& text, Kind kind, unsigned width,
                      unsigned align, ElementType element, tree variable) {
    SiteNumbers numbers;
    numbers.ordinal = ++ordinal_;
    numbers.kind = kind;
    numbers.width_bytes = width;
    numbers.align_bytes = align;
    numbers.element = element;
    return descriptors_.site(location, text, numbers,
                             block_ ? loop_of(block_->loop_father) : NULL_TREE, variable);
}

// Null for the function itself.
tree Instrument::loop_of(LoopPointer loop) {
    if (!loop || !loop_outer(loop)) return NULL_TREE;
    tree& found = loops_[loop];
    if (!found) {
        tree outer = loop_of(loop_outer(loop));
        loops_[loop] = found = descriptors_.loop(outer, loop_ordinals_[loop]);
    }
    return found;
}

}  // namespace tilereel::plain
