// Chooses the largest cells for which the window has room.
const kCaption = 26, kMostPitch = 44, kLeastPitch = 3;
const kTooSmall = 8, kReadable = 14;  // below kTooSmall, a part is shown with cells of kReadable
const kPartType = 8;  // pixels; font size of C's values where a part is shown
const kComfortable = 30;  // cell size of a part whose columns fit
const kCornerWidth = 250, kCornerHeight = 150;  // for a product: the corner to the left of B
// A frame of a lesson's page is narrow on a large screen, too.
const isEmbedded = () => document.documentElement.classList.contains('embedded');
const isPhone = () => !isEmbedded() && window.matchMedia('(max-width: 760px)').matches;
let global, shared;  // of `figures`
let onlyFigure = null;  // of a lesson's picture by bank: the one that is shown
const figureOfRole = (role) => global.find((figure) => figure.array.role === role);
let isProduct;

function placeFigures() {
  global = figures.filter((figure) => !figure.shared);
  shared = figures.filter((figure) => figure.shared);
  isProduct = !onlyFigure && data.launch.product && ['A', 'B', 'C'].every(figureOfRole);
  const all = byId('figures'), column = element('div');
  all.className = isProduct ? 'product' : 'flow';
  column.id = 'shared';
  const others = isProduct ? global.filter((figure) => figure.array.role === ' ') : [];
  for (const figure of figures) figure.element.remove();
  for (const figure of global) if (!others.includes(figure) && !onlyFigure) all.append(figure.element);
  for (const figure of [...shared, ...others]) if (!onlyFigure || onlyFigure === figure) column.append(figure.element);
  all.append(column);
}

// By bank, tiles of 32 or more columns and all arrays of a program are easier to read.
function chooseViews() {
  for (const figure of shared) figure.byBank = !isProduct || figure.size().width >= data.launch.banks;
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// The largest integer pitch at which the stacked figures fit.
function columnPitch(list, width, height) {
  let pitch = kMostPitch;
  for (const figure of list) pitch = Math.min(pitch, Math.floor((width - 4) / figure.size().width));
  const rows = list.reduce((sum, figure) => sum + figure.size().height, 0);
  const room = height - list.length * (kCaption + 14);
  if (rows > 0) pitch = Math.min(pitch, Math.floor(room / rows));
  return clamp(pitch, kLeastPitch, kMostPitch);
}

// The height of figures that wrap into rows of a given width.
function flowHeight(list, pitch, width) {
  let x = 0, rowHeight = 0, height = 0;
  for (const figure of list) {
    const { width: columns, height: rows } = figure.size(), w = Math.max(columns * pitch + 4, 160), h = rows * pitch + kCaption + 14;
    if (x > 0 && x + w > width) { height += rowHeight; x = 0; rowHeight = 0; }
    x += w + 24;
    rowHeight = Math.max(rowHeight, h);
  }
  return height + rowHeight;
}

function flowPitch(list, width, height, most) {
  for (let pitch = most; pitch > kLeastPitch; --pitch)
    if (list.every((figure) => figure.size().width * pitch + 4 <= width) && flowHeight(list, pitch, width) <= height) return pitch;
  return kLeastPitch;
}

function layOutProduct(width, height) {
  const a = figureOfRole('A').size(), b = figureOfRole('B').size(), c = figureOfRole('C').size();
  const column = [...byId('shared').querySelectorAll('canvas')].map((canvas) => canvas.figure);
  const phone = isPhone();
  let sharedWidth = 0;
  if (column.length > 0 && !phone) {
    const pitch = columnPitch(column, width * 0.42, height);
    for (const figure of column) figure.resize(pitch);
    sharedWidth = Math.max(...column.map((figure) => figure.size().width * pitch + 4), 150) + 20;
  }
  const columns = Math.max(b.width, c.width), rows = Math.max(a.height, c.height);
  const wide = (cells, pitch) => Math.max(cells * pitch + 4, kCaptionWidth);
  const leftOf = (pitch) => phone ? wide(a.width, pitch) : Math.max(a.width * pitch + 4, kCornerWidth);
  const fits = (pitch) => {
    if (phone) return (a.width + columns) * pitch + 24 <= width;
    const high = Math.max(b.height * pitch + 4 + kCaption, kCornerHeight) + rows * pitch + 4 + kCaption + 12;
    return leftOf(pitch) + wide(columns, pitch) + 40 + sharedWidth <= width && high <= height;
  };
  let pitch = kMostPitch;
  while (pitch > kLeastPitch && !fits(pitch)) --pitch;
  // The sums of C are longer than other values. If they cannot be read, a part is shown.
  const sums = figureOfRole('C'), part = pitch < Math.max(kTooSmall, sums.pitchOfType(kLeastType)) && !phone;
  if (part) pitch = clamp(sums.pitchOfType(kPartType), kReadable, kComfortable);
  // C gets up to half of the room, A and B the rest, but no less than the corner.
  const allWidth = width - sharedWidth - 40, allHeight = height - 2 * kCaption - 20;
  const right = part ? Math.min(wide(columns, pitch), allWidth / 2, allWidth - kCornerWidth) : Infinity, low = part ? Math.min(rows * pitch + 4, allHeight / 2) : Infinity;
  const left = part ? allWidth - right : Infinity, high = part ? allHeight - low : Infinity;
  figureOfRole('A').resize(pitch, left, low);
  figureOfRole('B').resize(pitch, right, high);
  figureOfRole('C').resize(pitch, right, low);
  byId('corner').style.width = phone ? '' : (part ? Math.max(Math.min(leftOf(pitch), left), kCornerWidth) : leftOf(pitch)) + 'px';
  if (phone) {
    const small = flowPitch(column, width, Infinity, 24);
    for (const figure of column) figure.resize(Math.max(small, 5));
  }
}

function layOutFlow(width, height) {
  const all = onlyFigure ? [onlyFigure] : figures;
  const phone = isPhone(), pitch = flowPitch(all, width, height, phone ? 26 : kMostPitch);
  if (pitch >= kTooSmall) {
    for (const figure of all) figure.resize(pitch);
    return;
  }
  // Shows a part of each figure: as many side by side as are readable, all of the same height.
  const across = clamp(Math.floor(width / 330), 1, Math.min(all.length, 3)), down = Math.ceil(all.length / across);
  const roomWidth = Math.floor((width - 24 * (across - 1)) / across) - 2;
  const roomHeight = phone ? 320 : Math.max(Math.floor(height / down) - kCaption - 12, 90);
  for (const figure of all) {
    const pitch = clamp(Math.floor((roomWidth - 4 - kScrollBar) / figure.size().width), kReadable, kComfortable);
    figure.resize(pitch, roomWidth, roomHeight);
  }
}

function layOut() {
  // For a product, phase and warps are in the free corner; on a phone above the matrices.
  if (isProduct && !isPhone()) byId('figures').prepend(byId('corner')); else byId('stage').prepend(byId('corner'));
  const all = byId('figures'), width = all.clientWidth, height = isPhone() ? Infinity : all.clientHeight;
  if (isProduct) {
    layOutProduct(width, height);
  } else {
    layOutFlow(width, height);
  }
  for (const figure of figures) figure.measure();
  measureBanks();
  const flights = byId('flights'), stage = byId('stage'), ratio = window.devicePixelRatio || 1;
  flights.style.width = stage.scrollWidth + 'px';
  flights.style.height = stage.scrollHeight + 'px';
  flights.width = stage.scrollWidth * ratio;
  flights.height = stage.scrollHeight * ratio;
}
