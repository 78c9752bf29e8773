// Why. nvcc joins accesses of members that lie side by side in an object of known alignment, within
// a basic block, where nothing between them may access the same bytes. A program is recorded as it
// is written, but what is written as one assignment, such as *p = {a, b}, reaches this pass as one
// statement for each member, and a GPU counts one request.
//
//     p->x = a;  p->y = b;      ->  tmp.x = a;  tmp.y = b;  *p = tmp;
//     s = p->x;  t = p->y;      ->  tmp = *p;   s = tmp.x;  t = tmp.y;
//
// Rules, as nvcc 13 has them at every level of optimisation:
// - a joined access is as wide as a power of two, up to 16 bytes and 4 members, and aligned to that
// - joined stores lie side by side; joined loads may leave out members that lie between them
// - members of class types, such as halves, are joined where they are stored
// - a load moves up to the first of its group, a store down to the last
// - members of one type at different offsets are different bytes; any other two may be the same
#include "joined_members.h"

#include <algorithm>
#include <vector>

#include "accesses_of_block.h"

namespace tilereel::runtime {
namespace {

constexpr unsigned kMostBytes = 16, kMostJoined = 4;

// What a statement accesses.
struct Access {
    gimple* statement = NULL;
    tree reference = NULL_TREE;
    bool stores = false;
    tree object = NULL_TREE;        // around the member, aligned to more than the member; or null
    LocalValues::Number place = 0;  // of the object
    unsigned offset = 0, size = 0;  // in the object
    std::size_t order = 0;          // in the block
    [[nodiscard]] unsigned end() const { return offset + size; }
    [[nodiscard]] unsigned align() const { return TYPE_ALIGN_UNIT(TREE_TYPE(object)); }
};
using Accesses = std::vector<Access>;

bool is_power_of_two(unsigned number) { return number != 0 && (number & (number - 1)) == 0; }

// The structure around a member that is aligned to more than the member, and the member's offset.
void find_object(Access& access, LocalValues& values) {
    unsigned offset = 0, best = access.size;
    for (tree at = access.reference; handled_component_p(at); at = TREE_OPERAND(at, 0)) {
        if (TREE_CODE(at) == COMPONENT_REF) {
            if (DECL_BIT_FIELD(TREE_OPERAND(at, 1))) break;
            offset += unsigned(int_byte_position(TREE_OPERAND(at, 1)));
        } else if (TREE_CODE(at) == ARRAY_REF && tree_fits_uhwi_p(TREE_OPERAND(at, 1))) {
            offset += unsigned(tree_to_uhwi(TREE_OPERAND(at, 1))) * size_of(TREE_TYPE(at));
        } else {
            break;
        }
        tree around = TREE_OPERAND(at, 0);
        if (TREE_CODE(TREE_TYPE(around)) != RECORD_TYPE) continue;
        if (TYPE_ALIGN_UNIT(TREE_TYPE(around)) <= best) continue;
        best = TYPE_ALIGN_UNIT(TREE_TYPE(around));
        access.object = around;
        access.offset = offset;
    }
    if (access.object) access.place = values.place(access.object);
}

bool may_overlap(const Access& a, const Access& b) {
    if (!a.object || !b.object) return true;
    if (a.place != b.place &&
        TYPE_MAIN_VARIANT(TREE_TYPE(a.object)) != TYPE_MAIN_VARIANT(TREE_TYPE(b.object)))
        return true;
    return a.offset < b.end() && b.offset < a.end();
}

// Members that become one access of `bytes` from `offset` on.
struct Joined {
    Accesses members;  // in the order of the program
    unsigned offset = 0, bytes = 0;
};

// The type of the joined access: that of the object, or as many elements as it has.
tree joined_type(const Access& member, unsigned bytes) {
    if (bytes == size_of(TREE_TYPE(member.object)))
        return TYPE_MAIN_VARIANT(TREE_TYPE(member.object));
    tree element = TYPE_MAIN_VARIANT(TREE_TYPE(member.reference));
    return build_aligned_type(build_array_type_nelts(element, bytes / member.size), 8 * bytes);
}
tree joined_reference(const Access& member, const Joined& joined, tree type) {
    tree object = unshare_expr(member.object);
    if (joined.bytes == size_of(TREE_TYPE(object))) return object;
    tree pieces = build_array_type_nelts(type, size_of(TREE_TYPE(object)) / joined.bytes);
    return build4(ARRAY_REF, type, build1(VIEW_CONVERT_EXPR, pieces, object),
                  size_int(joined.offset / joined.bytes), NULL_TREE, NULL_TREE);
}

void join(const Joined& joined) {
    const Access& first = joined.members.front();
    tree type = joined_type(first, joined.bytes);
    tree copy = create_tmp_var(type);
    TREE_ADDRESSABLE(copy) = 1;
    const auto member_of_copy = [&](const Access& member) {
        return build2(MEM_REF, TREE_TYPE(member.reference), build_fold_addr_expr(copy),
                      build_int_cst(ptr_type_node, member.offset - joined.offset));
    };
    for (const Access& member : joined.members) {
        if (member.stores)
            gimple_assign_set_lhs(member.statement, member_of_copy(member));
        else
            gimple_assign_set_rhs1(member.statement, member_of_copy(member));
    }
    const Access& at = first.stores ? joined.members.back() : first;
    tree whole = joined_reference(at, joined, type);
    gimple* moved =
        first.stores ? gimple_build_assign(whole, copy) : gimple_build_assign(copy, whole);
    gimple_set_location(moved, gimple_location(at.statement));
    gimple_stmt_iterator place = gsi_for_stmt(at.statement);
    if (first.stores)
        gsi_insert_after(&place, moved, GSI_SAME_STMT);
    else
        gsi_insert_before(&place, moved, GSI_SAME_STMT);
}

// Accesses of members of one object that can be made at once.
class Group {
  public:
    explicit Group(const Access& first) : members_{first} {}
    [[nodiscard]] bool is_of(const Access& access) const {
        const Access& first = members_.front();
        return first.stores == access.stores && first.place == access.place &&
               first.size == access.size;
    }
    // `passed`: all accesses of the block so far.
    [[nodiscard]] bool takes(const Access& access, const Accesses& passed) const {
        for (std::size_t i = members_.front().order + 1; i < access.order; ++i) {
            const Access& other = passed[i];
            // The load moves up over stores; stores of the group move down over all others.
            if (!access.stores && other.stores && may_overlap(access, other)) return false;
            if (!access.stores || has(other)) continue;
            for (const Access& member : members_)
                if (member.order < i && may_overlap(member, other)) return false;
        }
        return true;
    }
    void add(const Access& access) { members_.push_back(access); }

    void join_all() const {
        std::vector<unsigned> offsets;
        for (const Access& member : members_) offsets.push_back(member.offset);
        std::sort(offsets.begin(), offsets.end());
        offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
        if (members_.front().stores)
            for (std::size_t i = 0, end = 0; i < offsets.size(); i = end) {
                end = i + 1;
                while (end < offsets.size() && offsets[end] == offsets[end - 1] + size()) ++end;
                join_run(offsets[i], unsigned(end - i));
            }
        else
            for (std::size_t i = 0; i < offsets.size();) i += join_loads(offsets, i);
    }

  private:
    [[nodiscard]] unsigned size() const { return members_.front().size; }
    [[nodiscard]] bool has(const Access& access) const {
        return std::any_of(members_.begin(), members_.end(),
                           [&](const Access& member) { return member.order == access.order; });
    }
    [[nodiscard]] bool fits(unsigned offset, unsigned bytes) const {
        return is_power_of_two(bytes) && bytes <= kMostBytes && bytes <= kMostJoined * size() &&
               offset % bytes == 0 && bytes <= members_.front().align();
    }
    // Members side by side: the greatest power of two of them, if it is aligned, else its halves.
    void join_run(unsigned offset, unsigned count) const {
        if (count < 2) return;
        unsigned part = 1;
        while (2 * part <= count) part *= 2;
        if (fits(offset, part * size())) {
            make(offset, part * size());
        } else {
            join_run(offset, part / 2);
            join_run(offset + part / 2 * size(), part / 2);
        }
        join_run(offset + part * size(), count - part);
    }
    // The most members from `first` on that one aligned access covers. Returns their number.
    [[nodiscard]] std::size_t join_loads(const std::vector<unsigned>& offsets,
                                         std::size_t first) const {
        for (std::size_t last = offsets.size() - 1; last > first; --last) {
            unsigned bytes = size();
            while (bytes < offsets[last] + size() - offsets[first]) bytes *= 2;
            if (!fits(offsets[first], bytes)) continue;
            make(offsets[first], bytes);
            return last - first + 1;
        }
        return 1;
    }
    void make(unsigned offset, unsigned bytes) const {
        Joined joined{{}, offset, bytes};
        for (const Access& member : members_)
            if (member.offset >= offset && member.end() <= offset + bytes)
                joined.members.push_back(member);
        join(joined);
    }

    Accesses members_;  // in the order of the program
};

class MemberJoiner {
  public:
    void block(basic_block bb) {
        for_each_access(
            bb, values_,
            [&](gimple* statement, tree reference, bool stores) {
                if (is_recorded(reference)) add(statement, reference, stores);
            },
            [&] { close(); });
    }

  private:
    void add(gimple* statement, tree reference, bool stores) {
        if (TREE_THIS_VOLATILE(reference)) {
            close();
            return;
        }
        Access access{statement, reference, stores};
        access.size = size_of(TREE_TYPE(reference));
        access.order = passed_.size();
        find_object(access, values_);
        passed_.push_back(access);
        if (!access.object || !is_power_of_two(access.size) || access.size >= kMostBytes ||
            (!stores && AGGREGATE_TYPE_P(TREE_TYPE(reference))))
            return;
        const auto last = std::find_if(groups_.rbegin(), groups_.rend(),
                                       [&](const Group& group) { return group.is_of(access); });
        if (last != groups_.rend() && last->takes(access, passed_))
            last->add(access);
        else
            groups_.emplace_back(access);
    }
    void close() {
        for (const Group& group : groups_) group.join_all();
        groups_.clear();
        passed_.clear();
    }

    LocalValues values_;
    Accesses passed_;
    std::vector<Group> groups_;
};

}  // namespace

bool only_computes(gimple* call) {
    tree callee = gimple_call_fndecl(call);
    if (!callee || is_device_function(callee)) return false;
    for (const char* attribute : {"tilereel_call", "tilereel_access"})
        if (lookup_attribute(attribute, DECL_ATTRIBUTES(callee))) return false;
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        tree argument = gimple_call_arg(call, i);
        if (POINTER_TYPE_P(TREE_TYPE(argument)) || (is_memory(argument) && is_recorded(argument)))
            return false;
    }
    tree target = gimple_call_lhs(call);
    return !target || !is_memory(target) || !is_recorded(target);
}

void join_members(function* function) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, function) MemberJoiner().block(bb);
}

}  // namespace tilereel::runtime
