// Draws the pictures of arrays. Shape shows the state and hue the array, as in Tilereel's window.
let colours = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = {};
  for (const name of ['--cell', '--line', '--ink', '--ink2', '--ink3', '--on', '--a', '--a-tint', '--b', '--b-tint', '--c', '--c-tint',
    '--wait', '--conflict', '--conflict-tint', '--accent', '--accent-tint', '--panel', '--raised'])
    colours[name] = style.getPropertyValue(name).trim();
}

const solidOf = (tone) => colours[toneColour[tone]] || colours['--ink2'];
const tintOf = (tone) => colours[toneColour[tone] + '-tint'] || colours['--raised'];

// As much of a value as fits into so many characters.
function fitting(text, most) {
  if (text.length <= most) return text;
  const number = Number(text);
  if (text === '' || Number.isNaN(number)) return '';
  for (let digits = most; digits > 0; --digits) {
    const short = String(Number(number.toPrecision(digits))).replace(/^(-?)0\./, '$1.');
    if (short.length <= most) return short;
  }
  return '';
}

function hatch(g, x, y, w, h, colour) {
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  g.strokeStyle = colour;
  g.lineWidth = 1;
  g.beginPath();
  for (let d = -h; d < w; d += 4) { g.moveTo(x + d, y + h); g.lineTo(x + d + h, y); }
  g.stroke();
  g.restore();
}

const kLeastType = 6.5;  // pixels; values in smaller type are shown only on the card

// Draws a cell. `mark`: what the current request does with it, or ''. `characters`: length of the
// longest value in the figure, so that all its values have the same font size.
function paintCell(g, x, y, w, h, look, tone, mark, text, characters) {
  const solid = solidOf(tone), tint = tintOf(tone), large = h >= 7, gap = h >= 6 ? 1 : 0;
  x += gap; y += gap; w -= 2 * gap; h -= 2 * gap;
  g.fillStyle = colours['--cell'];
  if (look === Look.partialSum || look === Look.stored || look === Look.underWay || look === Look.notLoaded) g.fillStyle = tint;
  if (look === Look.valid && mark !== 'input') g.fillStyle = tint;
  if (mark === 'touched') g.fillStyle = tint;
  if (mark === 'now') g.fillStyle = solid;
  if (mark === 'conflict') g.fillStyle = colours['--conflict'];
  if (mark === 'waiting') g.fillStyle = colours['--conflict-tint'];
  if (look !== Look.stale || mark === 'now' || mark === 'conflict' || mark === 'waiting') g.fillRect(x, y, w, h);
  if (look === Look.notLoaded && mark === '') hatch(g, x, y, w, h, solid);
  if (large && (look === Look.stale || look === Look.underWay || (look === Look.valid && mark === '') || look === Look.stored || mark === 'touched')) {
    g.setLineDash(look === Look.stale || look === Look.underWay ? [3, 2] : []);
    g.strokeStyle = look === Look.stale ? colours['--ink3'] : solid;
    g.lineWidth = 1;
    g.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
    g.setLineDash([]);
  }
  if (mark === 'conflict' || mark === 'waiting') {
    g.strokeStyle = mark === 'conflict' ? colours['--ink'] : colours['--conflict'];
    g.lineWidth = large ? 2 : 1;
    g.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  }
  if (look === Look.neverWritten && large && mark === '') {
    g.fillStyle = colours['--ink3'];
    g.fillRect(x + w / 2 - 1, y + h / 2 - 1, 2, 2);
  }
  if (look === Look.partialSum && large) {
    g.fillStyle = solid;
    g.fillRect(x + 2, y + h - 3, w - 4, 2);
  }
  if (look === Look.stored && large) {
    g.fillStyle = solid;
    g.beginPath();
    g.moveTo(x + w, y + h);
    g.lineTo(x + w - 0.36 * h, y + h);
    g.lineTo(x + w, y + 0.64 * h);
    g.fill();
  }
  const px = Math.min(16, h * (h < 16 ? 0.8 : 0.62), (w - 1) / (characters * 0.6));
  if (!text || px < kLeastType) return;
  g.font = (mark === 'now' || mark === 'conflict' ? '700 ' : look === Look.valid && mark !== 'input' ? '600 ' : '') + px + 'px "JetBrains Mono", Consolas, Menlo, monospace';
  g.fillStyle = mark === 'now' || mark === 'conflict' ? colours['--on'] : look === Look.stale ? colours['--ink3'] : mark === 'input' ? colours['--ink2'] : colours['--ink'];
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.fillText(fitting(text, characters), x + w / 2, y + h / 2 + 0.5);
}

// What the current request does with each cell of a figure, and which cells this phase has
// accessed.
function marksOf(figure, step, wavefront) {
  const marks = new Map(), phase = steps.phase[Math.min(step, stepCount)];
  if (!figure.shared)
    for (let i = Math.min(step, stepCount) - 1; i >= 0 && steps.phase[i] === phase; --i)
      if (steps.array[i] === figure.index) forEachCell(i, (cell) => marks.set(cell, 'touched'));
  if (step >= stepCount || steps.array[step] !== figure.index) return marks;
  const service = serviceOf(step), conflicts = costOf(step).conflicts > 0, turn = new Map();
  if (service && conflicts) for (const word of service.words) turn.set(word.lane, Math.max(turn.get(word.lane) || 0, word.wavefront));
  forEachCell(step, (cell, lane) => {
    const mine = turn.has(lane) ? turn.get(lane) : wavefront;
    const mark = mine > wavefront ? 'waiting' : conflicts && mine === wavefront && wavefront > 0 ? 'conflict' : 'now';
    if (marks.get(cell) !== 'conflict') marks.set(cell, mark);
  });
  return marks;
}

// Whether a figure looks different from when it was last painted, at step `before`.
function looksOther(figure, before, step) {
  const accessed = (at) => at >= 0 && at < stepCount && steps.array[at] === figure.index;
  return before < 0 || cells.changed.has(figure.index) || accessed(before) || accessed(step) || Math.abs(step - before) > 1 || steps.phase[before] !== steps.phase[step];
}

function paintFigure(figure, step, wavefront) {
  const g = figure.canvas.getContext('2d'), ratio = window.devicePixelRatio || 1, pitch = figure.pitch;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, figure.canvas.width, figure.canvas.height);
  const marks = marksOf(figure, step, wavefront);
  figure.forEach((cell) => {
    const at = figure.rect(cell);
    if (!at) return;
    const x = at.x * pitch + 1, y = at.y * pitch + 1, w = at.w * pitch, h = at.h * pitch;
    const { look, value } = cells.at(figure.index, cell);
    if (look === Look.neverWritten && figure.isPadding(cell)) { hatch(g, x + 1, y + 1, w - 2, h - 2, colours['--ink3']); return; }
    const mark = marks.get(cell) || (figure.shared || look !== Look.valid ? '' : 'input');
    paintCell(g, x, y, w, h, look, figure.array.tone, mark, value, figure.characters);
  });
}

// Draws the samples of the legend next to their labels.
function paintLegend() {
  const rows = [[Look.neverWritten, '', 'never written'], [Look.stale, '', 'stale'], [Look.valid, '', 'valid'],
    [Look.valid, 'now', 'accessed now'], [Look.stored, '', 'stored']];
  if (steps.cost.some((_, step) => costOf(step).conflicts > 0)) rows.push([Look.valid, 'conflict', 'conflict'], [Look.valid, 'waiting', 'waits for its bank']);
  byId('legend').replaceChildren(...rows.map(([look, mark, words]) => {
    const item = element('span'), sample = item.appendChild(element('canvas')), ratio = window.devicePixelRatio || 1;
    sample.width = sample.height = 16 * ratio;
    sample.style.width = sample.style.height = '16px';
    const g = sample.getContext('2d');
    g.scale(ratio, ratio);
    paintCell(g, 0, 0, 16, 16, look, 2, mark, '', 1);
    item.append(words);
    return item;
  }));
}
