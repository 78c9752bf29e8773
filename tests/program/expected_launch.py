"""Counts the memory requests of a launch from its index expressions.

The rules are the hardware's, as measured by tests/hardware/h100_warp_accesses.csv: a request is one
warp-wide access; sectors are distinct aligned 32-byte pieces; wavefronts are, for each group of
lanes that is served together, the most distinct 4-byte words in one of the 32 banks (4 bytes and
less: 32 lanes together, 8 bytes: half a warp, 16 bytes: a quarter; loads of 8 and 16 bytes merge
groups if all neighbours read the same address); conflicts are the wavefronts of a group beyond the
first.
"""

WARP = 32
COUNTERS = [f"{space}_{way}_{unit}" for space, units in
            (("global", ["requests", "sectors"]), ("shared", ["requests", "wavefronts", "conflicts"]))
            for way in ("load", "store", "atomic") for unit in units]


def merges(addresses, distance):
    """Every lane whose neighbour at `distance` takes part reads what that neighbour reads."""
    return all(addresses[lane ^ distance] == at for lane, at in addresses.items()
               if lane ^ distance in addresses)


def wavefronts(addresses, width, is_load):
    together = {4: 32, 8: 16, 16: 8}[max(width, 4)]
    if is_load and width > 4 and (merges(addresses, 1) or merges(addresses, 2)):
        together *= 2
    total = groups = 0
    for first in range(0, WARP, together):
        banks = {}
        for lane in range(first, first + together):
            if lane in addresses:
                for word in range(addresses[lane] // 4, (addresses[lane] + width - 1) // 4 + 1):
                    banks.setdefault(word % 32, set()).add(word)
        if banks:
            groups += 1
            total += max(len(words) for words in banks.values())
    return total, groups


class Launch:
    """Counts what a kernel does. The kernel is called once a block and says, for each of its
    accesses, which byte each thread wants (None: the thread does not take part)."""

    def __init__(self, grid, block):
        self.grid, self.block = grid, block
        self.counts = dict.fromkeys(COUNTERS, 0)

    def blocks(self):
        gx, gy, gz = self.grid
        return [(x, y, z) for z in range(gz) for y in range(gy) for x in range(gx)]

    def access(self, space, way, width, address_of):
        bx, by, bz = self.block
        threads = [(x, y, z) for z in range(bz) for y in range(by) for x in range(bx)]
        for first in range(0, len(threads), WARP):
            lanes = {lane: address_of(*thread)
                     for lane, thread in enumerate(threads[first:first + WARP])}
            lanes = {lane: at for lane, at in lanes.items() if at is not None}
            if lanes:
                self.count(space, way, width, lanes)

    def count(self, space, way, width, lanes):
        self.counts[f"{space}_{way}_requests"] += 1
        if space == "global":
            self.counts[f"global_{way}_sectors"] += len(
                {sector for at in lanes.values()
                 for sector in range(at // 32, (at + width - 1) // 32 + 1)})
        else:
            total, groups = wavefronts(lanes, width, way == "load")
            self.counts[f"shared_{way}_wavefronts"] += total
            self.counts[f"shared_{way}_conflicts"] += total - groups

    def load(self, address_of, width=4):
        self.access("global", "load", width, address_of)

    def store(self, address_of, width=4):
        self.access("global", "store", width, address_of)

    def read(self, address_of, width=4):
        self.access("shared", "load", width, address_of)

    def write(self, address_of, width=4):
        self.access("shared", "store", width, address_of)

    def atomic(self, space, address_of, width=4):
        self.access(space, "atomic", width, address_of)


def when(condition, address):
    return address if condition else None
