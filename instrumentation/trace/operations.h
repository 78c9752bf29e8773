#pragma once
// The operations of a warp: one table says what each of them is.
//
// Why a table: the file format, the analysis, the replay and every text ask the same questions of
// an operation (does it read, may its record have values, what is its word?). An operation that is
// added answers them in its row of kOperations, and has no second place that can disagree.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tilereel {

enum class Operation : std::uint8_t {
    kLoad = 0,
    kStore = 1,
    kMultiplyAdd = 2,  // sum += a * b into an Accumulator
    kBarrier = 3,      // __syncthreads(); Site::variety: BarrierKind
    kWarpBarrier = 4,  // __syncwarp()
    // An asynchronous copy (cp.async) from global to shared memory is two consecutive records with
    // the same line and lanes: the read and the write. The value is not in shared memory before the
    // lane has waited for the copy's group (copy_groups.h).
    kCopyLoad = 5,
    kCopyStore = 6,
    kCommitCopies = 7,  // makes a group of the copies since the last commit
    kWaitCopies = 8,    // waits for all groups but the newest ones
    // Operations on an mbarrier in shared memory (PTX ISA, mbarrier).
    kArrive = 9,
    // Starts a bulk copy of the TMA, which counts towards a phase. The copy follows as kCopyLoad
    // and kCopyStore records of the same line. The TMA has no lanes: each of up to 32 pieces takes
    // the place of a lane. A kCopyStore without a kCopyLoad before it writes zeros for elements
    // outside the matrix.
    kStartBulkCopy = 10,
    kWaitPhase = 11,    // waits until a phase is complete; its bulk copies are then complete, too
    kInitBarrier = 12,  // mbarrier.init: must come before the other operations
    kAtomic = 13,       // a read-modify-write; Site::variety: AtomicKind
    // Lanes of a warp exchange values without memory. Site::variety: ExchangeKind.
    kExchange = 14,
    kAssign = 15,  // an assignment to a named local, Site::local
    // ldmatrix and stmatrix (PTX ISA): each lane of the record gives the address of a row of 16
    // bytes; 8 rows are a matrix. The lanes that get or give the elements are others:
    // matrix_load_element(). Site::variety: MatrixAccessKind.
    kMatrixLoad = 16,
    kMatrixStore = 17,
    // A product of a warp's fragments, D = A B + C (PTX ISA, mma.sync). The values of a lane are
    // its registers of A, B and D, one after another. Or a warp's part of a warpgroup's product
    // (wgmma.mma_async): the values are the descriptors of A and B, Site::variety is
    // WarpgroupOperands::variety().
    kMatrixProduct = 18,
    // Groups of a warpgroup's products (wgmma.commit_group, wgmma.wait_group).
    kCommitProducts = 19,
    kWaitProducts = 20,  // waits for all groups but the newest ones
    kFence = 21,         // Site::variety: FenceKind
    kSetRegisters = 22,  // setmaxnreg: how many registers a thread has from now on
};
inline constexpr Operation kLastOperation = Operation::kSetRegisters;

// What an operation does to the array of its site.
enum class Touch : std::uint8_t { kNothing, kReads, kWrites, kBoth };

// The part that an operation has in a phase (analysis/phases).
enum class PhasePart : std::uint8_t {
    kAccess,       // load or store of a tile: its array says which
    kMultiplyAdd,  // the computation of the phase
    kBarrier,
    kCopies,  // starts, commits and waits of copies; mbarriers
    kNone,    // belongs to the part of the record before it
};

// What Records::base holds.
enum class BaseMeaning : std::uint8_t {
    kOffset,       // bytes of the lowest active lane from the array's first byte (global memory) or
                   // from the first byte of the block's shared memory
    kAccumulator,  // the number of the sum
    kGroups,       // the groups of copies or products that may stay pending, at most kMostGroups
    kPhase,        // MBarrierPhase::base()
    kSourceLane,   // of the lowest active lane, if the exchange takes from a lane; else 0
    kElement,      // of a local array; else 0
    kProduct,      // WarpProduct::code()
    kRegisters,    // of a thread
    kZero,
};

// Whether a record has values in Trace::words.
enum class Values : std::uint8_t { kNever, kMay, kAlways };

// The words for an operation. Verbs are in the third person and have the array as their object.
struct OperationWords {
    std::string_view name;    // in reports and JSON: "copy_load"
    std::string_view access;  // the kind of access in tables: "load", "store", "atomic"; else empty
    std::string_view request;  // before an array's name: "load", "atomic on"
    std::string_view hazard;   // what a party of a race does: "reads", "atomically changes"
    std::string_view moment;   // what a warp does at a tick: "loads", "starts to copy"
};

struct OperationFacts {
    Operation operation = Operation::kLoad;
    OperationWords words;
    Touch touch = Touch::kNothing;
    PhasePart part = PhasePart::kNone;
    BaseMeaning base = BaseMeaning::kZero;
    Values values = Values::kNever;
    bool copies = false;        // one of the two records of a copy
    bool waits = false;         // threads wait in it for other threads or for copies
    bool synchronises = false;  // may order accesses before it and after it
};

inline constexpr std::array kOperations = [] {
    using enum Operation;
    using enum Touch;
    using enum Values;
    using enum BaseMeaning;
    using Part = PhasePart;
    constexpr std::string_view kNo;
    return std::to_array<OperationFacts>({
        {.operation = kLoad,
         .words = {"load", "load", "load", "reads", "loads"},
         .touch = kReads,
         .part = Part::kAccess,
         .base = kOffset},
        {.operation = kStore,
         .words = {"store", "store", "store", "writes", "stores"},
         .touch = kWrites,
         .part = Part::kAccess,
         .base = kOffset,
         .values = kAlways},
        {.operation = kMultiplyAdd,
         .words = {"multiply_add", kNo, kNo, kNo, kNo},
         .part = Part::kMultiplyAdd,
         .base = kAccumulator,
         .values = kMay},
        {.operation = kBarrier,
         .words = {"barrier", kNo, kNo, kNo, kNo},
         .part = Part::kBarrier,
         .waits = true,
         .synchronises = true},
        {.operation = kWarpBarrier,
         .words = {"warp_barrier", kNo, kNo, kNo, kNo},
         .part = Part::kBarrier,
         .waits = true,
         .synchronises = true},
        {.operation = kCopyLoad,
         .words = {"copy_load", "load", "copy of", "reads", "starts to copy"},
         .touch = kReads,
         .part = Part::kAccess,
         .base = kOffset,
         .copies = true},
        {.operation = kCopyStore,
         .words = {"copy_store", "store", "copy into", "copies into", "finishes a copy into"},
         .touch = kWrites,
         .part = Part::kAccess,
         .base = kOffset,
         .values = kAlways,
         .copies = true},
        {.operation = kCommitCopies,
         .words = {"commit_copies", kNo, kNo, kNo, kNo},
         .part = Part::kCopies,
         .synchronises = true},
        {.operation = kWaitCopies,
         .words = {"wait_copies", kNo, kNo, kNo, kNo},
         .part = Part::kCopies,
         .base = kGroups,
         .waits = true,
         .synchronises = true},
        {.operation = kArrive,
         .words = {"arrive", kNo, kNo, kNo, kNo},
         .part = Part::kCopies,
         .base = kPhase,
         .synchronises = true},
        {.operation = kStartBulkCopy,
         .words = {"start_bulk_copy", kNo, kNo, kNo, kNo},
         .part = Part::kCopies,
         .base = kPhase,
         .synchronises = true},
        {.operation = kWaitPhase,
         .words = {"wait_phase", kNo, kNo, kNo, kNo},
         .part = Part::kCopies,
         .base = kPhase,
         .waits = true,
         .synchronises = true},
        {.operation = kInitBarrier,
         .words = {"init_barrier", kNo, kNo, kNo, kNo},
         .part = Part::kCopies,
         .base = kPhase,
         .synchronises = true},
        {.operation = kAtomic,
         .words = {"atomic", "atomic", "atomic on", "atomically changes", "changes"},
         .touch = kBoth,
         .part = Part::kAccess,
         .base = kOffset,
         .values = kAlways},
        {.operation = kExchange,
         .words = {"exchange", kNo, kNo, kNo, kNo},
         .base = kSourceLane,
         .values = kMay},
        {.operation = kAssign,
         .words = {"assign", kNo, kNo, kNo, kNo},
         .base = kElement,
         .values = kMay},
        {.operation = kMatrixLoad,
         .words = {"matrix_load", "load", "matrix load of", "reads", "loads matrices of"},
         .touch = kReads,
         .part = Part::kAccess,
         .base = kOffset},
        {.operation = kMatrixStore,
         .words = {"matrix_store", "store", "matrix store to", "writes", "stores matrices to"},
         .touch = kWrites,
         .part = Part::kAccess,
         .base = kOffset,
         .values = kAlways},
        {.operation = kMatrixProduct,
         .words = {"matrix_product", kNo, kNo, "reads", kNo},
         .part = Part::kMultiplyAdd,
         .base = kProduct,
         .values = kMay},
        {.operation = kCommitProducts, .words = {"commit_products", kNo, kNo, kNo, kNo}},
        {.operation = kWaitProducts,
         .words = {"wait_products", kNo, kNo, kNo, kNo},
         .base = kGroups},
        {.operation = kFence, .words = {"fence", kNo, kNo, kNo, kNo}},
        {.operation = kSetRegisters,
         .words = {"set_registers", kNo, kNo, kNo, kNo},
         .base = kRegisters},
    });
}();

// The row of an operation. The operations of a trace that was read are valid (trace_check.h).
[[nodiscard]] constexpr const OperationFacts& facts_of(Operation operation) {
    return kOperations[static_cast<std::size_t>(operation)];
}
[[nodiscard]] constexpr const OperationWords& words_for(Operation operation) {
    return facts_of(operation).words;
}
// The rows are in the order of the enumerators, and each operation has one.
static_assert([] {
    for (std::size_t i = 0; i < kOperations.size(); ++i)
        if (kOperations[i].operation != static_cast<Operation>(i)) return false;
    return kOperations.size() == static_cast<std::size_t>(kLastOperation) + 1;
}());

// A bit for each operation whose row passes the test: the questions of hot loops.
template <class Test>
[[nodiscard]] consteval std::uint32_t operations_where(Test test) {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < kOperations.size(); ++i)
        if (test(kOperations[i])) found |= std::uint32_t{1} << i;
    return found;
}
[[nodiscard]] constexpr bool is_one_of(Operation operation, std::uint32_t operations) {
    return (operations >> static_cast<unsigned>(operation) & 1) != 0;
}

// Whether the operation reads or writes an array. An atomic does both.
[[nodiscard]] constexpr bool reads(Operation operation) {
    return is_one_of(operation, operations_where([](const OperationFacts& facts) {
                         return facts.touch == Touch::kReads || facts.touch == Touch::kBoth;
                     }));
}
[[nodiscard]] constexpr bool writes(Operation operation) {
    return is_one_of(operation, operations_where([](const OperationFacts& facts) {
                         return facts.touch == Touch::kWrites || facts.touch == Touch::kBoth;
                     }));
}
[[nodiscard]] constexpr bool is_access(Operation operation) {
    return is_one_of(operation, operations_where([](const OperationFacts& facts) {
                         return facts.touch != Touch::kNothing;
                     }));
}
[[nodiscard]] constexpr bool is_copy(Operation operation) {
    return is_one_of(operation,
                     operations_where([](const OperationFacts& facts) { return facts.copies; }));
}
[[nodiscard]] constexpr bool is_matrix_access(Operation operation) {
    return operation == Operation::kMatrixLoad || operation == Operation::kMatrixStore;
}
[[nodiscard]] constexpr bool is_mbarrier_operation(Operation operation) {
    return is_one_of(operation, operations_where([](const OperationFacts& facts) {
                         return facts.base == BaseMeaning::kPhase;
                     }));
}

}  // namespace tilereel
