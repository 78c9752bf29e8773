// What lanes hold for the tensor cores: A, B and C as matrices whose cells are registers. B lies
// above C and has its columns, A at the left of C has its rows. A moment is written by
// export/html/page_fragments.h.
let chosenLane = 0, fragmentsShown = true;
let fragmentCells = [];  // [{x, y, w, h, matrix, cell}] of the last frame

function momentOf(step) {
  const number = step < stepCount ? steps.fragments[step] : -1;
  if (number < 0) return null;
  const [operation, layout, matrices] = tables.fragments[number];
  return { operation, matrices: tables.fragmentLayouts[layout].map(([name, rows, columns, cells], i) => {
    const [values, former, when] = matrices[i], split = (row) => row < 0 ? null : tables.fragmentValues[row].split(' ');
    return { name, rows, columns, cells, when, values: split(values), former: split(former) };
  }) };
}

const whenOf = (matrix, cell) => matrix.when.length === 1 ? matrix.when : matrix.when[cell];
const toneOf = (matrix) => ({ A: '--a', B: '--b', C: '--c', D: '--c' })[matrix.name] || '--a';
const isSum = (matrix) => matrix.name === 'C' || matrix.name === 'D';

// The values that a cell shows: of sums those before the product until the request's last
// wavefront. null: none yet.
function valuesOf(matrix, cell, last) {
  const when = whenOf(matrix, cell), [, , , rows, columns] = matrix.cells[cell], count = rows * columns;
  const early = isSum(matrix) ? when === 'l' || (when === 'n' && !last) : when === 'l';
  const from = early ? (isSum(matrix) ? matrix.former : null) : matrix.values;
  if (!from) return null;
  if (matrix.first === undefined) {
    matrix.first = [];
    matrix.cells.reduce((sum, each) => { matrix.first.push(sum); return sum + each[3] * each[4]; }, 0);
  }
  return from.slice(matrix.first[cell], matrix.first[cell] + count);
}

const registerName = (matrix, cell) => matrix.name === '' ? 'r' + matrix.cells[cell][5] : matrix.name.toLowerCase() + matrix.cells[cell][5];

// The size of the cells of a matrix with values in a type of so many pixels. The values of a register
// stand side by side, also where they lie one above the other in the matrix.
function cellSize(matrix, type) {
  const [, , , rows, columns] = matrix.cells[0];
  const longest = Math.max(1, ...(matrix.values || ['']).map((text) => text.length), ...(matrix.former || ['']).map((text) => text.length));
  const lane = 2 * 0.6 * Math.max(9, 0.8 * type) + 5;
  return { w: Math.ceil(lane + rows * columns * (Math.min(longest, 6) + 0.7) * 0.6 * type + 4), h: Math.ceil(1.3 * type + 3), lane, longest: Math.min(longest, 6) };
}

const kFragmentTitle = 24, kFragmentNumbers = 30, kFragmentGap = 16, kFragmentHead = 30, kHeldLine = 17;

// Where the matrices lie: [{x, y, cw, ch, type, lane}], cw and ch the size of a cell.
function placeFragments(matrices, width, height) {
  const across = matrices.map((matrix) => matrix.columns / matrix.cells[0][4]), down = matrices.map((matrix) => matrix.rows / matrix.cells[0][3]);
  const three = matrices.length === 3, room = height - kFragmentHead;
  const fit = (sizes, type) => {
    if (!three) {
      const [{ w, h }] = sizes, list = kHeldLine * 5;
      return across[0] * w + kFragmentNumbers <= width && down[0] * h + kFragmentTitle + list <= room
        ? [{ x: kFragmentNumbers, y: kFragmentHead + kFragmentTitle + list, cw: w, ch: h, type }] : null;
    }
    const [a, b, c] = sizes, right = Math.max(across[1] * b.w, across[2] * c.w), low = Math.max(down[0] * a.h, down[2] * c.h);
    const ch = low / down[2], cw = right / across[2], left = across[0] * a.w, top = down[1] * b.h;
    if (left + right + 2 * kFragmentNumbers + kFragmentGap > width || top + low + 2 * kFragmentTitle + kFragmentGap > room) return null;
    const x = kFragmentNumbers + left + kFragmentGap + kFragmentNumbers, y = kFragmentHead + kFragmentTitle + top + kFragmentGap + kFragmentTitle;
    return [{ x: kFragmentNumbers, y, cw: a.w, ch: low / down[0], type }, { x, y: kFragmentHead + kFragmentTitle, cw: right / across[1], ch: b.h, type }, { x, y, cw, ch, type }];
  };
  for (let type = 13; type >= 9; type -= 0.5) {
    const sizes = matrices.map((matrix) => cellSize(matrix, type)), places = fit(sizes, type);
    if (places) return places.map((place, i) => ({ ...place, lane: sizes[i].lane, longest: sizes[i].longest }));
  }
  const sizes = matrices.map((_, i) => three ? { w: (width - 2 * kFragmentNumbers - kFragmentGap) / (across[0] + Math.max(across[1], across[2])), h: (room - 2 * kFragmentTitle - kFragmentGap) / (down[1] + Math.max(down[0], down[2])) }
    : { w: (width - kFragmentNumbers) / across[i], h: Math.min(24, (room - kFragmentTitle - 5 * kHeldLine) / down[i]) });
  return fit(sizes, 0).map((place) => ({ ...place, type: 0, lane: 0, longest: 0 }));
}

function paintFragment(g, matrix, index, place, last) {
  const tone = colours[toneOf(matrix)], { x, y, cw, ch, type, lane } = place;
  const text = (words, px, py, colour, font, align = 'center') => {
    g.font = font;
    g.fillStyle = colour;
    g.textAlign = align;
    g.textBaseline = 'middle';
    g.fillText(words, px, py);
  };
  const mono = (px, bold) => (bold ? '700 ' : '') + px + 'px "JetBrains Mono", Consolas, Menlo, monospace';
  const all = (letter) => [...matrix.when].every((each) => each === letter);
  const when = !matrix.values ? 'values not known' : isSum(matrix) ? (all('b') || (all('n') && last) ? 'with this product' : matrix.former ? 'sums so far' : 'not summed yet')
    : all('l') ? 'not loaded yet' : all('n') ? 'loaded now' : '';
  text(matrix.name || 'matrices', x, y - 14, tone, '700 17px Inter, "Segoe UI", sans-serif', 'left');
  text(matrix.rows + ' \u00d7 ' + matrix.columns + (when ? ', ' + when : ''), x + (matrix.name ? 20 : 76), y - 13, colours['--ink2'], '13px Inter, "Segoe UI", sans-serif', 'left');
  matrix.cells.forEach(([of, row, column, rows, columns], cell) => {
    const px = x + column / columns * cw, py = y + row / rows * ch, values = valuesOf(matrix, cell, last), chosen = of === chosenLane;
    fragmentCells.push({ x: px, y: py, w: cw, h: ch, matrix: index, cell });
    g.globalAlpha = values || !matrix.values ? (chosen ? 1 : 0.12 + 0.2 * Math.floor(of / 4) / 7) : 0.05;
    g.fillStyle = tone;
    g.fillRect(px + 1, py + 1, cw - 2, ch - 2);
    g.globalAlpha = 1;
    if (whenOf(matrix, cell) === 'n' && values && !chosen && cw > 8) {
      g.strokeStyle = tone;
      g.lineWidth = 1;
      g.strokeRect(px + 1.5, py + 1.5, cw - 3, ch - 3);
    }
    if (chosen) {
      g.strokeStyle = colours['--accent'];
      g.lineWidth = 2;
      g.strokeRect(px + 1, py + 1, cw - 2, ch - 2);
    }
    const filled = chosen && values, size = type > 0 ? Math.max(9, 0.8 * type) : Math.min(11, ch / 1.2, cw / 1.5);
    if (size < 8) return;
    if (type === 0) return text(of, px + cw / 2, py + ch / 2, filled ? colours['--on'] : colours['--ink2'], mono(size, chosen));
    if (chosen) {
      g.fillStyle = colours['--accent'];
      g.fillRect(px + 1, py + 1, lane, ch - 2);
    }
    text(of, px + 1 + lane / 2, py + ch / 2, chosen ? colours['--on'] : colours['--ink3'], mono(size, chosen));
    if (!values) return;
    values.forEach((value, i) => {
      const vx = px + lane + (i + 0.5) * (cw - lane) / values.length;
      text(fitting(value, place.longest), vx, py + ch / 2, filled ? colours['--on'] : colours['--ink'], mono(type, true));
    });
  });
  const rowsOfCell = matrix.cells[0][3];
  for (let row = 0; row < matrix.rows; row += Math.max(1, Math.ceil(12 / (ch / rowsOfCell))))
    text(row, x - 5, y + (row + 0.5) * ch / rowsOfCell, colours['--ink3'], mono(10), 'right');
}

// What the chosen lane holds, line by line: "a0  row 3, columns 2, 3: 3, 2".
function paintHeld(g, moment, last, x, y, width, height) {
  g.textAlign = 'left';
  g.textBaseline = 'middle';
  g.font = '700 15px Inter, "Segoe UI", sans-serif';
  g.fillStyle = colours['--accent'];
  g.fillText('Lane ' + chosenLane + ' holds', x, y);
  g.font = '13px Inter, "Segoe UI", sans-serif';
  g.fillStyle = colours['--ink2'];
  g.fillText(chosenLane + ' = 4 \u00b7 ' + Math.floor(chosenLane / 4) + ' + ' + chosenLane % 4, x + 130, y);
  const lines = moment.matrices.flatMap((matrix) => matrix.cells.map(([lane, row, column, rows, columns], cell) => lane !== chosenLane ? null : { tone: toneOf(matrix), words: heldWords(matrix, cell, last) }).filter(Boolean));
  const per = Math.max(1, Math.floor((height - 14) / kHeldLine)), across = Math.max(1, Math.floor(width / 215));
  lines.slice(0, per * across).forEach(({ tone, words }, i) => {
    g.font = '12px "JetBrains Mono", Consolas, Menlo, monospace';
    g.fillStyle = colours[tone];
    g.fillText(words, x + Math.floor(i / per) * 215, y + kHeldLine * (1 + i % per));
  });
}
function heldWords(matrix, cell, last) {
  const [, row, column, rows, columns] = matrix.cells[cell], values = valuesOf(matrix, cell, last);
  const range = (first, count) => '[' + first + (count > 1 ? '..' + (first + count - 1) : '') + ']';
  return registerName(matrix, cell) + ' ' + (matrix.name || 'm') + range(row, rows) + range(column, columns) + (values ? ' = ' + values.join(', ') : '');
}

function showFragments(step, wavefront) {
  const moment = momentOf(step), box = byId('fragments'), canvas = box.firstElementChild;
  byId('as-fragments').hidden = !steps.fragments.some((number) => number >= 0);
  box.hidden = !moment || !fragmentsShown;
  byId('stage').classList.toggle('fragments', !box.hidden);
  fragmentCells = [];
  if (box.hidden) return;
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const g = canvas.getContext('2d'), last = wavefront + 1 >= costOf(step).wavefronts + costOf(step).lines;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.font = '700 16px Inter, "Segoe UI", sans-serif';
  g.fillStyle = colours['--ink'];
  g.textBaseline = 'middle';
  g.textAlign = 'left';
  g.fillText('warp ' + steps.warp[step] + ': ' + moment.operation, 0, 10, width);
  const places = placeFragments(moment.matrices, width, height);
  moment.matrices.forEach((matrix, i) => paintFragment(g, matrix, i, places[i], last));
  const three = places.length === 3;
  paintHeld(g, moment, last, 0, kFragmentHead + 10, three ? places[1].x - kFragmentNumbers - 8 : width, (three ? places[0].y - kFragmentTitle : kFragmentHead + 5 * kHeldLine) - kFragmentHead);
}

function chooseLane(lane) {
  chosenLane = lane % 32;
  showFragments(position.step, position.wavefront);
}
function changeFragments() {
  fragmentsShown = !fragmentsShown;
  byId('as-fragments').setAttribute('aria-pressed', fragmentsShown);
  showFragments(position.step, position.wavefront);
}

function listenToFragments() {
  const canvas = byId('fragments').firstElementChild;
  canvas.addEventListener('click', (event) => {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const under = fragmentCells.find((cell) => x >= cell.x && x < cell.x + cell.w && y >= cell.y && y < cell.y + cell.h), moment = momentOf(position.step);
    if (under && moment) chooseLane(moment.matrices[under.matrix].cells[under.cell][0]);
  });
}
