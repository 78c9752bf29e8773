#!/usr/bin/env python3
"""Computes the memory requests of the launches in programs/*.cu from their index expressions alone.

  expected.py            prints a JSON object: program -> launch -> counter -> count
  expected.py --csv      prints the same as a table

Nothing here reads the program's output or its trace. expected_launch.py has the rules.
"""
import json
import sys

from expected_launch import COUNTERS, Launch, when


def reduction():
    threads, count = 128, 2048

    def begin(blocks):
        return Launch((blocks, 1, 1), (threads, 1, 1))

    def add(launch, at_of, s):  # part[at] += part[at + s], for the threads that have an `at`
        # The order in which the two are read does not change the counts.
        def other(x, y, z):
            at = at_of(x)
            return None if at is None else 4 * (at + s)

        def own(x, y, z):
            at = at_of(x)
            return None if at is None else 4 * at
        launch.read(other)
        launch.read(own)
        launch.write(own)

    def end(launch, block):
        launch.read(lambda x, y, z: when(x == 0, 0))
        launch.store(lambda x, y, z: when(x == 0, 4 * block))

    def last_warp(launch):
        for s in (32, 16, 8, 4, 2, 1):
            add(launch, lambda x: when(x < 32, x), s)

    def first(at_of_step, steps):
        launch = begin(count // threads)
        for b, _, _ in launch.blocks():
            launch.load(lambda x, y, z: 4 * (b * threads + x))
            launch.write(lambda x, y, z: 4 * x)
            for s in steps:
                add(launch, lambda x: at_of_step(x, s), s)
            end(launch, b)
        return launch.counts

    def halved(launch, b):
        for half in (0, threads):
            launch.load(lambda x, y, z: 4 * (b * threads * 2 + x + half))
        launch.write(lambda x, y, z: 4 * x)

    up, down = [1, 2, 4, 8, 16, 32, 64], [64, 32, 16, 8, 4, 2, 1]
    results = [first(lambda x, s: when(x % (2 * s) == 0, x), up),
               first(lambda x, s: when(2 * s * x < threads, 2 * s * x), up),
               first(lambda x, s: when(x < s, x), down)]
    for steps in (down, None, None):
        launch = begin(count // threads // 2)
        for b, _, _ in launch.blocks():
            halved(launch, b)
            for s in steps or [64]:
                add(launch, lambda x: when(x < s, x), s)
            if steps is None:
                last_warp(launch)
            end(launch, b)
        results.append(launch.counts)
    launch = begin(4)
    for b, _, _ in launch.blocks():
        for i in range(0, count, threads * 4):
            launch.load(lambda x, y, z: 4 * (b * threads + x + i))
        launch.write(lambda x, y, z: 4 * x)
        add(launch, lambda x: when(x < 64, x), 64)
        last_warp(launch)
        end(launch, b)
    return results + [launch.counts]


def transpose():
    side, tile, rows = 64, 32, 8
    results = []
    for form, pitch in (("straight", 0), ("shared", tile), ("padded", tile + 1), ("diagonal", tile + 1)):
        launch = Launch((2, 2, 1), (tile, rows, 1))
        for gx, gy, _ in launch.blocks():
            bx, by = ((gx + gy) % 2, gx) if form == "diagonal" else (gx, gy)
            for j in range(0, tile, rows):
                launch.load(lambda x, y, z: 4 * ((by * tile + y + j) * side + bx * tile + x))
                if form == "straight":
                    launch.store(lambda x, y, z: 4 * ((bx * tile + x) * side + by * tile + y + j))
                else:
                    launch.write(lambda x, y, z: 4 * ((y + j) * pitch + x))
            if form == "straight":
                continue
            for j in range(0, tile, rows):
                launch.read(lambda x, y, z: 4 * (x * pitch + y + j))
                launch.store(lambda x, y, z: 4 * ((bx * tile + y + j) * side + by * tile + x))
        results.append(launch.counts)
    return results


def convolution():
    radius, block, count = 2, 64, 1000
    launch = Launch(((count + block - 1) // block, 1, 1), (block, 1, 1))
    for b, _, _ in launch.blocks():
        launch.load(lambda x, y, z: when(b * block + x < count, 4 * (b * block + x)))
        launch.write(lambda x, y, z: 4 * (x + radius))
        launch.load(lambda x, y, z: when(x < radius and b * block + x - radius >= 0,
                                         4 * (b * block + x - radius)))
        launch.write(lambda x, y, z: when(x < radius, 4 * x))
        launch.load(lambda x, y, z: when(x < radius and b * block + x + block < count,
                                         4 * (b * block + x + block)))
        launch.write(lambda x, y, z: when(x < radius, 4 * (x + radius + block)))
        for k in range(-radius, radius + 1):  # the mask is in constant memory: no global access
            launch.read(lambda x, y, z: when(b * block + x < count, 4 * (x + radius + k)))
        launch.store(lambda x, y, z: when(b * block + x < count, 4 * (b * block + x)))
    return [launch.counts]


def stencil():
    sx, sy, sz = 16, 12, 10
    launch = Launch((2, 3, 5), (8, 4, 2))
    for bx, by, bz in launch.blocks():
        def point(x, y, z, offset):
            x, y, z = bx * 8 + x, by * 4 + y, bz * 2 + z
            inside = 1 <= x < sx - 1 and 1 <= y < sy - 1 and 1 <= z < sz - 1
            return when(inside, 8 * ((z * sy + y) * sx + x + offset))
        for offset in (-1, 1, -sx, sx, -sx * sy, sx * sy, 0):
            launch.load(lambda x, y, z: point(x, y, z, offset), 8)
        launch.store(lambda x, y, z: point(x, y, z, 0), 8)
    return [launch.counts]


def histogram():
    count, bins, block = 1024, 64, 128
    data = [(i * 37 + i // 5) % bins for i in range(count)]
    plain, shared = (Launch((count // block, 1, 1), (block, 1, 1)) for _ in range(2))
    for b, _, _ in plain.blocks():
        plain.load(lambda x, y, z: b * block + x, 1)
        plain.atomic("global", lambda x, y, z: 4 * data[b * block + x])
        shared.write(lambda x, y, z: when(x < bins, 4 * x))
        shared.load(lambda x, y, z: b * block + x, 1)
        shared.atomic("shared", lambda x, y, z: 4 * data[b * block + x])
        shared.read(lambda x, y, z: when(x < bins, 4 * x))
        shared.atomic("global", lambda x, y, z: when(x < bins, 4 * x))
    return [plain.counts, shared.counts]


def scan():
    count = 512
    steps, tree = Launch((1, 1, 1), (count, 1, 1)), Launch((1, 1, 1), (count // 2, 1, 1))
    steps.load(lambda x, y, z: 4 * x)
    steps.write(lambda x, y, z: 4 * x)
    offset, source, to = 1, 0, 1
    while offset < count:
        steps.read(lambda x, y, z: 4 * (source * count + x))
        steps.read(lambda x, y, z: when(x >= offset, 4 * (source * count + x - offset)))
        steps.write(lambda x, y, z: 4 * (to * count + x))
        to, source, offset = source, 1 - source, offset * 2
    steps.read(lambda x, y, z: 4 * (source * count + x))
    steps.store(lambda x, y, z: 4 * x)

    for half in (0, 1):
        tree.load(lambda x, y, z: 4 * (2 * x + half))
        tree.write(lambda x, y, z: 4 * (2 * x + half))
    offset, d = 1, count // 2
    while d > 0:
        def left(x, y, z):
            return when(x < d, 4 * (offset * (2 * x + 1) - 1))

        def right(x, y, z):
            return when(x < d, 4 * (offset * (2 * x + 2) - 1))
        tree.read(left)
        tree.read(right)
        tree.write(right)
        offset, d = offset * 2, d // 2
    tree.write(lambda x, y, z: when(x == 0, 4 * (count - 1)))
    d = 1
    while d < count:
        offset //= 2

        def low(x, y, z):
            return when(x < d, 4 * (offset * (2 * x + 1) - 1))

        def high(x, y, z):
            return when(x < d, 4 * (offset * (2 * x + 2) - 1))
        tree.read(low)
        tree.read(high)
        tree.write(low)
        tree.read(high)
        tree.write(high)
        d *= 2
    for half in (0, 1):
        tree.read(lambda x, y, z: 4 * (2 * x + half))
        tree.store(lambda x, y, z: 4 * (2 * x + half))
    return [steps.counts, tree.counts]


def matrix_vector():
    rows, columns = 48, 100
    thread, warp = Launch((2, 1, 1), (32, 1, 1)), Launch((rows // 4, 1, 1), (128, 1, 1))
    for b, _, _ in thread.blocks():
        for k in range(columns):
            thread.load(lambda x, y, z: when(b * 32 + x < rows, 4 * ((b * 32 + x) * columns + k)))
            thread.load(lambda x, y, z: when(b * 32 + x < rows, 4 * k))
        thread.store(lambda x, y, z: when(b * 32 + x < rows, 4 * (b * 32 + x)))
    for b, _, _ in warp.blocks():
        for k in range(0, columns, 32):
            warp.load(lambda x, y, z: when(x % 32 + k < columns,
                                           4 * ((b * 4 + x // 32) * columns + x % 32 + k)))
            warp.load(lambda x, y, z: when(x % 32 + k < columns, 4 * (x % 32 + k)))
        warp.store(lambda x, y, z: when(x % 32 == 0, 4 * (b * 4 + x // 32)))
    return [thread.counts, warp.counts]


def half_product():
    side, tile = 32, 16
    launch = Launch((2, 2, 1), (tile, tile, 1))
    bs = tile * tile * 2  # byte offset of bs, which lies after as
    for bx, by, _ in launch.blocks():
        for t in range(0, side, tile):
            launch.load(lambda x, y, z: 2 * ((by * tile + y) * side + t + x), 2)
            launch.write(lambda x, y, z: 2 * (y * tile + x), 2)
            launch.load(lambda x, y, z: 2 * ((t + y) * side + bx * tile + x), 2)
            launch.write(lambda x, y, z: bs + 2 * (y * tile + x), 2)
            for k in range(tile):
                launch.read(lambda x, y, z: 2 * (y * tile + k), 2)
                launch.read(lambda x, y, z: bs + 2 * (k * tile + x), 2)
        launch.store(lambda x, y, z: 2 * ((by * tile + y) * side + bx * tile + x), 2)
    return [launch.counts]


def particles():
    structs, arrays, vectors = (Launch((2, 1, 1), (128, 1, 1)) for _ in range(3))
    for b, _, _ in structs.blocks():
        def i(x):
            return b * 128 + x

        def member(offset, even=False):
            return lambda x, y, z: when(not even or i(x) % 2 == 0, 16 * i(x) + offset)
        structs.load(member(12))
        structs.load(member(0, even=True))
        structs.store(member(0, even=True))
        structs.load(member(4))
        structs.store(member(4))
        arrays.load(lambda x, y, z: 4 * i(x))
        for way in (arrays.load, arrays.store):
            way(lambda x, y, z: when(i(x) % 2 == 0, 4 * i(x)))
            way(lambda x, y, z: 4 * i(x))
        vectors.load(lambda x, y, z: 16 * i(x), 16)
        vectors.store(lambda x, y, z: 16 * i(x), 16)
    return [structs.counts, arrays.counts, vectors.counts]


def groups():
    launch = Launch((4, 1, 1), (128, 1, 1))
    for b, _, _ in launch.blocks():
        for _ in "ab":
            launch.load(lambda x, y, z: 4 * (b * 128 + x))
        launch.write(lambda x, y, z: when(x % 16 == 0, 4 * (x // 16)))
        for k in range(8):
            launch.read(lambda x, y, z: when(x == 0, 4 * k))
        launch.atomic("global", lambda x, y, z: when(x == 0, 0))
    return [launch.counts]


PROGRAMS = {program.__name__: program for program in (
    reduction, transpose, convolution, stencil, histogram, scan, matrix_vector, half_product,
    particles, groups)}


def main():
    results = {name: program() for name, program in PROGRAMS.items()}
    if "--csv" not in sys.argv[1:]:
        print(json.dumps(results, indent=1))
        return
    print(",".join(["program", "launch"] + COUNTERS))
    for name, launches in results.items():
        for number, counts in enumerate(launches):
            print(",".join([name, str(number)] + [str(counts[counter]) for counter in COUNTERS]))


if __name__ == "__main__":
    main()
