// Why. A GPU has no instruction for a bit-field. nvcc loads the word that holds the field; for a
// store it loads the word, changes the field's bits and stores the word. g++ does the same, but
// only in its last passes, so that a hook cannot be put before.
//
//     x = p->f;           ->  word = *(unsigned*)p;  x = word >> 4 & 0xf;
//     p->f = v;           ->  word = *(unsigned*)p;  word = (word & ~0xf0) | (v & 0xf) << 4;
//                             *(unsigned*)p = word;
//
// Rules, as nvcc 13 has them (its PTX, with and without optimisation):
// - the word has the size of the field's declared type, and is aligned to it
// - a load whose upper 8, 16 or 32 bits are enough loads only those; so does the load before a
//   store that keeps the lower 8, 16 or 32 bits of the word
// - fields of one word share a load, and a store, within a basic block, where nothing between them
//   may access the same bytes; fields that fill the word are stored without a load
// - a volatile field shares nothing
#include "bit_fields.h"

#include <set>
#include <vector>

#include "accesses_of_block.h"

namespace tilereel::runtime {
namespace {

using Bits = unsigned HOST_WIDE_INT;

std::set<gimple*> rest_loads;  // of the function

// Which bits of a structure a reference means, and the word that holds them.
struct Field {
    tree object = NULL_TREE;           // the structure
    unsigned first_bit = 0, bits = 0;  // in the structure
    unsigned word_bits = 0;            // 0: no aligned word holds the field
    [[nodiscard]] unsigned word() const { return first_bit / word_bits; }
    [[nodiscard]] unsigned shift() const { return first_bit % word_bits; }
    [[nodiscard]] Bits mask() const { return mask_of(bits) << shift(); }
    static Bits mask_of(unsigned bits) {
        return bits == HOST_BITS_PER_WIDE_INT ? ~Bits(0) : (Bits(1) << bits) - 1;
    }
};

bool is_bit_field(tree reference) {
    return TREE_CODE(reference) == BIT_FIELD_REF ||
           (TREE_CODE(reference) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(reference, 1)));
}

bool is_recorded_field(tree reference) {
    return is_bit_field(reference) && is_recorded_memory(reference);
}

// The size of the declared type of the bit-field whose bits a comparison reads; 0: there is none.
unsigned declared_bits(tree object, unsigned first_bit, unsigned bits) {
    if (!RECORD_OR_UNION_TYPE_P(TREE_TYPE(object))) return 0;
    for (tree field = TYPE_FIELDS(TREE_TYPE(object)); field; field = DECL_CHAIN(field)) {
        if (TREE_CODE(field) != FIELD_DECL || !DECL_BIT_FIELD_TYPE(field)) continue;
        const unsigned first = unsigned(tree_to_uhwi(bit_position(field)));
        if (first < first_bit + bits && first_bit < first + tree_to_uhwi(DECL_SIZE(field)))
            return 8 * size_of(DECL_BIT_FIELD_TYPE(field));
    }
    return 0;
}

unsigned round_up_to_power(unsigned number) {
    unsigned power = 8;
    while (power < number) power *= 2;
    return power;
}

Field field_of(tree reference) {
    Field field;
    field.object = TREE_OPERAND(reference, 0);
    unsigned widest = 0;
    if (TREE_CODE(reference) == COMPONENT_REF) {
        tree member = TREE_OPERAND(reference, 1);
        field.first_bit = unsigned(tree_to_uhwi(bit_position(member)));
        field.bits = unsigned(tree_to_uhwi(DECL_SIZE(member)));
        tree declared = DECL_BIT_FIELD_TYPE(member);
        widest = 8 * size_of(declared ? declared : TREE_TYPE(member));
    } else {
        field.bits = unsigned(tree_to_uhwi(TREE_OPERAND(reference, 1)));
        field.first_bit = unsigned(tree_to_uhwi(TREE_OPERAND(reference, 2)));
        // g++ compares as many bytes as the fields take, nvcc one byte or the word.
        if (field.bits > 8) widest = declared_bits(field.object, field.first_bit, field.bits);
        if (widest == 0) widest = round_up_to_power(field.bits);
    }
    const auto holds = [&](unsigned bits) {
        return bits != 0 && bits <= 64 && field.first_bit % bits + field.bits <= bits;
    };
    if (holds(widest) && TYPE_ALIGN(TREE_TYPE(field.object)) >= widest &&
        8 * size_of(TREE_TYPE(field.object)) >= (field.first_bit / widest + 1) * widest)
        field.word_bits = widest;
    else if (holds(8))
        field.word_bits = 8;
    return field;
}

tree word_type(unsigned bits) { return build_nonstandard_integer_type(bits, 1); }

// The part of the object from bit `first` on, as an element of an array of such words.
tree word_of(tree object, unsigned first, unsigned bits) {
    tree type = word_type(bits);
    tree words = build_array_type_nelts(type, 8 * size_of(TREE_TYPE(object)) / bits);
    return build4(ARRAY_REF, type, build1(VIEW_CONVERT_EXPR, words, unshare_expr(object)),
                  size_int(first / bits), NULL_TREE, NULL_TREE);
}

// An access of a field.
struct FieldAccess {
    gimple* statement = NULL;
    Field field;
    bool stores = false, is_volatile = false;
};

// Accesses of fields of one word. The word is a register from the first of them on.
class Word {
  public:
    Word(const Field& field, LocalValues::Number place)
        : place_(place), word_(field.word()), bits_(field.word_bits) {}

    [[nodiscard]] bool is_of(const Field& field, LocalValues::Number place) const {
        return place == place_ && field.word_bits == bits_ && field.word() == word_;
    }
    // Whether an access of other bytes of the same object is meant.
    [[nodiscard]] bool is_beside(LocalValues::Number place, unsigned first_bit,
                                 unsigned bits) const {
        return place == place_ &&
               (first_bit + bits <= word_ * bits_ || first_bit >= (word_ + 1) * bits_);
    }
    void add(const FieldAccess& access) {
        if (!value_) value_ = create_tmp_reg(word_type(bits_));
        if (accesses_++ == 0) first_ = access;
        if (access.stores)
            store(access);
        else
            load(access);
    }
    // Puts the word into memory behind the last statement that changes it.
    void flush() {
        if (!last_store_.statement) return;
        kept_ |= ~known_ & Field::mask_of(bits_);
        gimple* const moved = gimple_build_assign(
            volatile_like(word_of(last_store_.field.object, word_ * bits_, bits_), last_store_),
            value_);
        gimple_set_location(moved, gimple_location(last_store_.statement));
        gimple_stmt_iterator at = gsi_for_stmt(last_store_.statement);
        gsi_insert_after(&at, moved, GSI_SAME_STMT);
        last_store_ = {};
    }
    // Puts the load of the word before the first access, if a bit of it was needed.
    void close() {
        flush();
        gimple* begun = NULL;
        unsigned from = 0, bits = bits_;
        if (accesses_ == 1 && read_ != 0) from = upper_part();
        if (accesses_ == 1 && read_ == 0) bits = lower_part();
        bits = from != 0 ? bits_ - from : bits;
        gimple_seq sequence = NULL;
        if ((read_ | kept_) == 0) {
            begun = gimple_build_assign(value_, build_int_cst(word_type(bits_), 0));
        } else {
            tree memory =
                volatile_like(word_of(first_.field.object, word_ * bits_ + from, bits), first_);
            tree part = bits == bits_ ? value_ : create_tmp_reg(word_type(bits));
            begun = gimple_build_assign(part, memory);
            gimple_set_location(begun, gimple_location(first_.statement));
            if (read_ == 0) rest_loads.insert(begun);
            if (part != value_) {
                gimple_seq_add_stmt(&sequence, begun);
                gimple_seq moved = NULL;
                tree wide = force_gimple_operand(
                    fold_build2(LSHIFT_EXPR, word_type(bits_),
                                build1(NOP_EXPR, word_type(bits_), part), size_int(from)),
                    &moved, true, NULL_TREE);
                gimple_seq_add_seq(&sequence, moved);
                begun = gimple_build_assign(value_, wide);
            }
        }
        gimple_set_location(begun, gimple_location(first_.statement));
        gimple_seq_add_stmt(&sequence, begun);
        gimple_stmt_iterator at = gsi_for_stmt(first_before_);
        gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
    }

  private:
    static tree volatile_like(tree reference, const FieldAccess& access) {
        TREE_THIS_VOLATILE(reference) = access.is_volatile;
        return reference;
    }
    // Where the upper 8, 16 or 32 bits begin, if they hold all that is read; else 0.
    [[nodiscard]] unsigned upper_part() const {
        for (unsigned bits = 8; bits < bits_; bits *= 2)
            if ((read_ & Field::mask_of(bits_ - bits)) == 0 && first_.field.shift() == bits_ - bits)
                return bits_ - bits;
        return 0;
    }
    // The lower 8, 16 or 32 bits, if they are what is kept; else the whole word.
    [[nodiscard]] unsigned lower_part() const {
        for (unsigned bits = 8; bits < bits_; bits *= 2)
            if (kept_ == Field::mask_of(bits)) return bits;
        return bits_;
    }
    void note_first(gimple* before) {
        if (!first_before_) first_before_ = before;
    }
    void load(const FieldAccess& access) {
        read_ |= access.field.mask() & ~known_;
        tree type = word_type(bits_);
        tree shifted = build2(RSHIFT_EXPR, type, value_, size_int(access.field.shift()));
        tree masked = build2(BIT_AND_EXPR, type, shifted,
                             build_int_cstu(type, Field::mask_of(access.field.bits)));
        tree target = gimple_assign_lhs(access.statement);
        gimple_seq sequence = NULL;
        tree value = force_gimple_operand(build1(NOP_EXPR, TREE_TYPE(target), masked), &sequence,
                                          true, NULL_TREE);
        insert(access.statement, sequence);
        gimple_assign_set_rhs1(access.statement, value);
    }
    void store(const FieldAccess& access) {
        tree type = word_type(bits_);
        tree value = gimple_assign_rhs1(access.statement);
        tree own = build_nonstandard_integer_type(TYPE_PRECISION(TREE_TYPE(value)), 1);
        tree bits = build2(BIT_AND_EXPR, type, build1(NOP_EXPR, type, build1(NOP_EXPR, own, value)),
                           build_int_cstu(type, Field::mask_of(access.field.bits)));
        tree placed = build2(LSHIFT_EXPR, type, bits, size_int(access.field.shift()));
        tree others =
            build2(BIT_AND_EXPR, type, value_, build_int_cstu(type, ~access.field.mask()));
        gimple_seq sequence = NULL;
        tree changed = force_gimple_operand(build2(BIT_IOR_EXPR, type, others, placed), &sequence,
                                            true, NULL_TREE);
        insert(access.statement, sequence);
        gimple_assign_set_lhs(access.statement, value_);
        gimple_assign_set_rhs1(access.statement, changed);
        known_ |= access.field.mask();
        last_store_ = access;
    }
    void insert(gimple* statement, gimple_seq sequence) {
        note_first(sequence ? gimple_seq_first_stmt(sequence) : statement);
        gimple_stmt_iterator at = gsi_for_stmt(statement);
        if (sequence) gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
    }

    LocalValues::Number place_;
    unsigned word_, bits_;
    tree value_ = NULL_TREE;
    unsigned accesses_ = 0;
    FieldAccess first_, last_store_;
    gimple* first_before_ = NULL;           // the first statement that uses the register
    Bits known_ = 0, read_ = 0, kept_ = 0;  // stored; read or kept before they are stored
};

class BitFields {
  public:
    void block(basic_block bb) {
        for_each_access(
            bb, values_,
            [&](gimple* statement, tree reference, bool stores) {
                if (is_recorded_memory(reference)) access(statement, reference, stores);
            },
            [&] { close(); });
    }

  private:
    void access(gimple* statement, tree reference, bool stores) {
        if (!is_recorded_field(reference) || is_packed_field(reference))
            return pass(reference, stores);
        FieldAccess access{statement, field_of(reference), stores};
        access.is_volatile = TREE_THIS_VOLATILE(reference);
        const LocalValues::Number place = values_.place(access.field.object);
        if (access.is_volatile) close();
        touch(place, access.field.word() * access.field.word_bits, access.field.word_bits, stores,
              &access.field);
        for (Word& word : words_)
            if (word.is_of(access.field, place)) return word.add(access);
        words_.emplace_back(access.field, place).add(access);
        if (access.is_volatile) close();
    }
    // An access of something else.
    void pass(tree reference, bool stores) {
        if (words_.empty()) return;
        if (TREE_CODE(reference) != COMPONENT_REF || is_bit_field(reference))
            return touch(0, 0, 0, stores, NULL);
        tree member = TREE_OPERAND(reference, 1);
        touch(values_.place(TREE_OPERAND(reference, 0)), 8 * unsigned(int_byte_position(member)),
              8 * size_of(TREE_TYPE(reference)), stores, NULL);
    }
    // What it may overlap is put into memory before; after a store it is no longer known.
    void touch(LocalValues::Number place, unsigned first_bit, unsigned bits, bool stores,
               const Field* field) {
        for (size_t i = 0; i < words_.size();) {
            Word& word = words_[i];
            const bool is_apart = (field && word.is_of(*field, place)) ||
                                  (bits != 0 && word.is_beside(place, first_bit, bits));
            if (is_apart || !stores) {
                if (!is_apart) word.flush();
                ++i;
                continue;
            }
            word.close();
            words_.erase(words_.begin() + long(i));
        }
    }
    void close() {
        for (Word& word : words_) word.close();
        words_.clear();
    }

    LocalValues values_;
    std::vector<Word> words_;
};

// A call that stores to a bit-field stores to a register first.
void separate_calls(basic_block bb) {
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const call = gsi_stmt(at);
        tree target = is_gimple_call(call) ? gimple_call_lhs(call) : NULL_TREE;
        if (!target || !is_recorded_field(target) || stmt_ends_bb_p(call)) continue;
        tree value = create_tmp_reg(TREE_TYPE(target));
        gimple_call_set_lhs(call, value);
        gimple* const store = gimple_build_assign(target, value);
        gimple_set_location(store, gimple_location(call));
        gsi_insert_after(&at, store, GSI_SAME_STMT);
    }
}

}  // namespace

void lower_bit_fields(function* function) {
    rest_loads.clear();
    basic_block bb;
    FOR_EACH_BB_FN(bb, function) {
        separate_calls(bb);
        BitFields().block(bb);
    }
}

bool loads_rest_of_word(gimple* statement) { return rest_loads.count(statement) != 0; }

bool is_packed_field(tree reference) {
    return TREE_CODE(reference) == COMPONENT_REF && is_bit_field(reference) &&
           field_of(reference).word_bits == 0;
}

PackedField packed_field(tree reference) {
    const Field field = field_of(reference);
    const unsigned end = field.first_bit + field.bits, first = field.first_bit / 8;
    return {first, (end + 7) / 8 - first, field.first_bit % 8 != 0, end % 8 != 0};
}

tree bytes_of_packed(tree reference, unsigned first_byte, unsigned bytes) {
    tree object = TREE_OPERAND(reference, 0);
    tree all = build_array_type_nelts(unsigned_char_type_node, size_of(TREE_TYPE(object)));
    return build4(ARRAY_RANGE_REF, build_array_type_nelts(unsigned_char_type_node, bytes),
                  build1(VIEW_CONVERT_EXPR, all, unshare_expr(object)), size_int(first_byte),
                  NULL_TREE, NULL_TREE);
}

tree packed_field_at(tree reference, tree pointer) {
    tree type = TREE_TYPE(TREE_OPERAND(reference, 0));
    tree object = build2(MEM_REF, type, pointer,
                         build_int_cst(ptr_type_node, -long(packed_field(reference).first_byte)));
    tree field =
        build3(COMPONENT_REF, TREE_TYPE(reference), object, TREE_OPERAND(reference, 1), NULL_TREE);
    TREE_THIS_VOLATILE(object) = TREE_THIS_VOLATILE(field) = TREE_THIS_VOLATILE(reference);
    return field;
}

}  // namespace tilereel::runtime
