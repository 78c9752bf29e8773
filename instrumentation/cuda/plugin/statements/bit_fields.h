#pragma once
#include "../gcc.h"

namespace tilereel::runtime {

// Replaces accesses of bit-fields in memory by accesses of the words that hold them. Packed
// bit-fields of several bytes stay as they are: see is_packed_field().
void lower_bit_fields(function* function);

// Whether the statement loads a word only because a store of one of its bit-fields keeps the rest.
bool loads_rest_of_word(gimple* statement);
constexpr char kRestOfWord[] = "bit-field";  // Site::callee of such a load (hooks.h)

// A bit-field that no aligned word holds. nvcc accesses each of its bytes.
struct PackedField {
    unsigned first_byte = 0, bytes = 0;            // in the structure
    bool keeps_first = false, keeps_last = false;  // a store keeps bits of the first, the last byte
};
bool is_packed_field(tree reference);
PackedField packed_field(tree reference);
// These bytes of the structure around the field, as an array.
tree bytes_of_packed(tree reference, unsigned first_byte, unsigned bytes);
// The same field, where its first byte lies at `pointer`.
tree packed_field_at(tree reference, tree pointer);

}  // namespace tilereel::runtime
