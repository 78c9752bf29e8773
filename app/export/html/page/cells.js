// The look and the value of every cell at a step. Recorded changes are applied or undone.
const Look = { neverWritten: 0, stale: 1, valid: 2, underWay: 3, notLoaded: 4, partialSum: 5, stored: 6 };
const lookWords = [
  'never written', 'stale: nobody reads it again', 'valid', 'a copy into it is under way',
  'stored by a lane that loaded nothing', 'a partial sum', 'stored by this block'];

const cells = {
  changed: new Set(),  // arrays that changed since they were painted

  empty() {
    this.step = -1;
    this.of = arrays.map(() => new Map());  // cell -> look * 2^24 + value
    this.undo = [];  // by step: [array, cell, previous look and value]...
    this.changed.clear();
  },

  at(array, cell) {
    const now = this.of[array].get(cell) || 0;
    return { look: now >>> 24, value: tables.values[now & 0xffffff] };
  },

  goTo(step) {
    while (this.step < step) this.apply(++this.step);
    while (this.step > step) this.takeBack(this.step--);
  },

  // Format of changes[step]: for each array [array, number of runs, then each run: skipped cells,
  // length, look, values...].
  apply(step) {
    const changes = steps.changes[step], undo = [];
    for (let i = 0; i < changes.length;) {
      const array = changes[i++], now = this.of[array];
      this.changed.add(array);
      let runs = changes[i++], cell = 0;
      for (; runs > 0; --runs) {
        cell += changes[i++];
        const length = changes[i++], look = changes[i++];
        for (let n = 0; n < length; ++n, ++cell) {
          undo.push(array, cell, now.get(cell) || 0);
          now.set(cell, look * 0x1000000 + changes[i++]);
        }
      }
    }
    this.undo[step] = undo;
  },

  takeBack(step) {
    const undo = this.undo[step];
    for (let i = 0; i < undo.length; i += 3) this.changed.add(undo[i]);
    for (let i = undo.length - 3; i >= 0; i -= 3) this.of[undo[i]].set(undo[i + 1], undo[i + 2]);
  },
};

cells.empty();

// The cells of an array that one lane of a step accesses: [first, last].
function cellsOfLane(step, byte) {
  const array = arrays[steps.array[step]], offset = byte - array.base;
  return [Math.floor(offset / array.cellBytes), Math.floor((offset + steps.width[step] - 1) / array.cellBytes)];
}

// Calls visit(cell, lane) for each cell that a step accesses.
function forEachCell(step, visit) {
  for (const { lane, byte } of lanesOf(step)) {
    const [first, last] = cellsOfLane(step, byte);
    for (let cell = first; cell <= last; ++cell) visit(cell, lane);
  }
}

// The steps and lanes that access each cell of an array: cell -> [step * 32 + lane]. Computed at
// the first call.
const accessesOf = [];
function accesses(array, cell) {
  if (!accessesOf[array]) {
    const found = accessesOf[array] = new Map();
    for (let step = 0; step < stepCount; ++step) {
      if (steps.array[step] !== array) continue;
      forEachCell(step, (at, lane) => {
        if (!found.has(at)) found.set(at, []);
        found.get(at).push(step * 32 + lane);
      });
    }
  }
  return accessesOf[array].get(cell) || [];
}

// The element as the kernel writes it: "As[1][3][5]".
function cellName(array, cell) {
  const { name, rowLength, byColumns, planeRows, oneExtent, extents, cellBytes } = arrays[array];
  if (oneExtent || extents.length === 1) return name + '[' + cell + ']';
  let row = byColumns ? cell % rowLength : Math.floor(cell / rowLength);
  const column = byColumns ? Math.floor(cell / rowLength) : cell % rowLength;
  let plane = '';
  if (planeRows > 0) {
    let number = Math.floor(row / planeRows);
    for (let i = extents.length - 3; i >= 0; --i) {
      plane = '[' + number % extents[i] + ']' + plane;
      number = Math.floor(number / extents[i]);
    }
    row %= planeRows;
  }
  return name + plane + '[' + row + '][' + column + ']';
}
