// The layout of an array's cells in its picture, in units of a cell.
const kCaptionWidth = 130;  // pixels; smallest width of a caption
const kScrollBar = 16;      // pixels
const kGap = 0.6;  // cells; between planes, and where rows are left out

class Figure {
  constructor(index) {
    this.index = index;
    this.array = arrays[index];
    this.shared = this.array.space === 'shared';
    this.byBank = false;
    this.pitch = 0;
    const figure = this.element = element('figure', undefined, 'figure role-' + this.array.role.trim());
    this.caption = figure.appendChild(element('figcaption'));
    this.view = figure.appendChild(element('div', undefined, 'view'));
    this.canvas = this.view.appendChild(element('canvas'));
    this.canvas.figure = this;
    const name = this.caption.appendChild(element('b', this.array.name, 'tone' + this.array.tone));
    if (this.array.tone < 2) name.className = '';
    this.caption.append(this.words());
    this.caption.title = this.caption.textContent;
    this.placeRows();
  }

  // "64 x 64, rows 16 to 31"
  words() {
    const { extents, rows, columns, rowLength, byColumns, cells: count, type, oneExtent } = this.array;
    const shown = rows.reduce((sum, [, length]) => sum + length, 0);
    const height = byColumns ? rowLength : Math.ceil(count / rowLength);
    let words = extents.map(withCommas).join(' \u00d7 ') + (data.launch.product ? '' : ' ' + type);
    if (oneExtent && !this.shared && count > rowLength) words += ', ' + rowLength + ' a row';
    const tall = shown < height, narrow = columns[1] - columns[0] < (byColumns ? Math.ceil(count / rowLength) : rowLength);
    if (oneExtent && (tall || narrow)) return words + ', the accessed part';
    if (tall) words += rows.length === 1 ? ', rows ' + rows[0][0] + ' to ' + (rows[0][0] + shown - 1) : ', the accessed rows';
    if (narrow && !oneExtent && !this.shared && rowLength > columns[1]) words += ', columns ' + columns[0] + ' to ' + (columns[1] - 1);
    return words;
  }

  // Computes the vertical position of each shown row.
  placeRows() {
    this.top = new Map();
    let y = 0, last = -1;
    for (const [first, length] of this.array.rows)
      for (let row = first; row < first + length; ++row) {
        const newPlane = this.array.planeRows > 0 && row % this.array.planeRows === 0;
        if (last >= 0 && (row !== last + 1 || newPlane)) y += kGap;
        this.top.set(row, y++);
        last = row;
      }
    this.height = y;
  }

  get bankRowBytes() { return data.launch.banks * 4; }

  // Width and height in cells.
  size() {
    const { columns, cells: count, cellBytes, base } = this.array;
    if (!this.byBank) return { width: columns[1] - columns[0], height: this.height };
    const first = Math.floor(base / this.bankRowBytes);
    return { width: data.launch.banks, height: Math.ceil((base + count * cellBytes) / this.bankRowBytes) - first };
  }

  // {x, y, w, h} of a cell, in cells. null if it is not shown.
  rect(cell) {
    const { rowLength, byColumns, columns, cells: count, cellBytes, base } = this.array;
    if (cell < 0 || cell >= count) return null;
    if (this.byBank) {
      const byte = base + cell * cellBytes, row = Math.floor(byte / this.bankRowBytes);
      return { x: byte % this.bankRowBytes / 4, y: row - Math.floor(base / this.bankRowBytes), w: Math.min(cellBytes / 4, data.launch.banks), h: 1 };
    }
    const row = byColumns ? cell % rowLength : Math.floor(cell / rowLength);
    const column = byColumns ? Math.floor(cell / rowLength) : cell % rowLength;
    if (!this.top.has(row) || column < columns[0] || column >= columns[1]) return null;
    return { x: column - columns[0], y: this.top.get(row), w: 1, h: 1 };
  }

  // The length of the longest value that the array ever holds. Longer ones are shortened to four
  // characters.
  get characters() {
    if (this.longest) return this.longest;
    this.longest = 1;
    for (const changes of steps.changes)
      for (let i = 0; i < changes.length;) {
        const mine = changes[i++] === this.index;
        for (let runs = changes[i++]; runs > 0; --runs) {
          const length = changes[i + 1];
          for (let n = 0; mine && n < length; ++n) this.longest = Math.max(this.longest, tables.values[changes[i + 3 + n]].length);
          i += 3 + length;
        }
      }
    return this.longest = Math.min(this.longest, 4);
  }

  // The smallest pitch at which paintCell() writes all values of the figure in this font size.
  pitchOfType(px) { return Math.ceil(px * 0.6 * this.characters + 3); }

  isPadding(cell) {
    const { rowLength, usedColumns } = this.array;
    return cell % rowLength >= usedColumns;
  }

  // A name of the element that a cell holds, whatever TILE and PAD are. Padding holds none.
  elementOf(cell) {
    const { rowLength, planeRows } = this.array, row = Math.floor(cell / rowLength);
    if (this.isPadding(cell)) return '';
    const place = planeRows > 0 ? [Math.floor(row / planeRows), row % planeRows] : [0, row];
    return [...place, cell % rowLength].join();
  }

  // Calls visit(cell) for each shown cell.
  forEach(visit) {
    const { rows, columns, rowLength, byColumns, cells: count } = this.array;
    for (const [first, length] of rows)
      for (let row = first; row < first + length; ++row)
        for (let column = columns[0]; column < columns[1]; ++column) {
          const cell = byColumns ? column * rowLength + row : row * rowLength + column;
          if (cell < count) visit(cell);
        }
  }

  // Scrolls to the cells that the step accesses (or the last earlier step that accesses this array)
  // if they are not visible.
  follow(step) {
    const view = this.view;
    if (!this.scrolls) return;
    while (step >= 0 && steps.array[step] !== this.index) --step;
    if (step < 0) return;
    let left = Infinity, top = Infinity, right = 0, bottom = 0;
    forEachCell(step, (cell) => {
      const at = this.rect(cell);
      if (!at) return;
      left = Math.min(left, at.x * this.pitch); right = Math.max(right, (at.x + at.w) * this.pitch);
      top = Math.min(top, at.y * this.pitch); bottom = Math.max(bottom, (at.y + at.h) * this.pitch);
    });
    if (left < view.scrollLeft || right > view.scrollLeft + view.clientWidth) view.scrollLeft = Math.max(left - view.clientWidth / 8, 0);
    if (top < view.scrollTop || bottom > view.scrollTop + view.clientHeight) view.scrollTop = Math.max(top - view.clientHeight / 8, 0);
  }

  // The cell under a point of the canvas (CSS pixels). -1 if there is none.
  cellAt(x, y) {
    let found = -1;
    const ux = x / this.pitch, uy = y / this.pitch;
    this.forEach((cell) => {
      const at = this.rect(cell);
      if (at && ux >= at.x && ux < at.x + at.w && uy >= at.y && uy < at.y + at.h) found = cell;
    });
    return found;
  }

  // Measured once a layout, because the browser computes the layout anew for it.
  measure() {
    const view = this.view;
    this.scrolls = view.scrollWidth > view.clientWidth || view.scrollHeight > view.clientHeight;
  }

  // Width and height in pixels for a pitch.
  widthAt(pitch) { return this.size().width * pitch + 4; }
  heightAt(pitch) { return this.size().height * pitch + 4; }

  // If the room is too small for all cells, a part is shown, which scrolls to the current request.
  resize(pitch, roomWidth = Infinity, roomHeight = Infinity) {
    this.pitch = pitch;
    const bar = this.heightAt(pitch) > roomHeight ? kScrollBar : 0;
    this.view.style.width = Math.min(this.widthAt(pitch) + bar, roomWidth) + 'px';
    this.view.style.height = Math.min(this.heightAt(pitch), roomHeight) + 'px';
    this.caption.style.width = Math.max(Math.min(this.widthAt(pitch), roomWidth), kCaptionWidth) + 'px';
    const { width, height } = this.size(), ratio = window.devicePixelRatio || 1;
    this.canvas.style.width = width * pitch + 4 + 'px';
    this.canvas.style.height = height * pitch + 4 + 'px';
    this.canvas.width = Math.ceil((width * pitch + 4) * ratio);
    this.canvas.height = Math.ceil((height * pitch + 4) * ratio);
  }
}

let figures = arrays.map((_, index) => new Figure(index));
