// The recording, as export/html/page_data.cpp writes it. The page applies no rule of a GPU: costs,
// banks, states and sentences come from Tilereel's analysis of the trace.
const page = JSON.parse(document.getElementById('data').textContent);

// Applies what changes_between() of export/html/page_changes.h wrote.
function changed(first, changes) {
  if (changes === null || typeof changes !== 'object' || Array.isArray(changes)) return changes;
  if (!Array.isArray(first)) {
    const made = { ...first };
    for (const [name, change] of Object.entries(changes)) made[name] = changed(first[name], change);
    return made;
  }
  const made = [...first];
  for (const [index, value] of Object.entries(changes)) made[index] = value;
  return made;
}

// The launch that the page opens with and, of a kernel, launches with other TILEs and PADs.
const variants = [page, ...JSON.parse(document.getElementById('others').textContent).map((changes) => changed(page, changes))];
let data, steps, tables, arrays;
let stepCount;  // the columns have one more entry, for the end
let lastTick;
function read(variant) {
  data = variant;
  ({ steps, tables, arrays } = data);
  stepCount = steps.begin.length - 1;
  lastTick = data.timeline.ticks;
}
read(page);

const Operation = { load: 0, store: 1, copyLoad: 5, copyStore: 6, atomic: 13, matrixLoad: 16, matrixStore: 17 };
const operationWords = { 0: 'load', 1: 'store', 5: 'copy of', 6: 'copy into', 13: 'atomic on', 16: 'matrix load of', 17: 'matrix store to' };
const partWords = ['load', 'compute', 'store'];
const toneColour = ['--ink2', '--ink', '--a', '--b', '--c', '--conflict', '--wait', '--accent'];

const byId = (id) => document.getElementById(id);
const withCommas = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const counted = (count, one, many) => withCommas(count) + ' ' + (count === 1 ? one : many);

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// The step that runs at a tick. stepCount at the end.
function stepAt(tick) {
  if (tick >= lastTick) return stepCount;
  let low = 0, high = stepCount;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (steps.begin[middle] <= tick) low = middle; else high = middle;
  }
  return low;
}

// The request that is shown. At the end it is the last one.
const requestOf = (step) => Math.min(step, stepCount - 1);

// The cost of a step's request, and the amounts that it adds to the counters.
function costOf(step) {
  const row = tables.costs[steps.cost[step]];
  const [lanes, wavefronts, conflicts, transactions, lines, asked, used, moved] = row;
  return { lanes, wavefronts, conflicts, transactions, lines, asked, used, moved, adds: row.slice(8) };
}

// The active lanes: [{lane, byte}]. byte: offset of the lane's first byte, from the start of the
// array (global memory) or of the block's shared memory.
function lanesOf(step) {
  const pattern = tables.patterns[steps.pattern[step]], lanes = [];
  for (let lane = 0, next = 1; lane < 32; ++lane)
    if ((pattern[0] >>> lane) & 1) lanes.push({ lane, byte: steps.base[step] + pattern[next++] });
  return lanes;
}

// How the banks serve the request. null if it is not a request to shared memory.
function serviceOf(step) {
  const row = tables.services[steps.service[step]];
  if (row.length === 0) return null;
  const banks = [], words = [];
  let at = 1;
  for (let i = 0; i < row[0]; ++i, at += 3) banks.push({ bank: row[at], words: row[at + 1], wavefronts: row[at + 2] });
  for (; at < row.length; at += 4) words.push({ lane: row[at], bank: row[at + 1], wavefront: row[at + 2], word: row[at + 3] });
  return { banks, words };
}

// Index from 0 of the wavefront (for global memory: the line) that runs at a tick. In modelled time
// each takes one tick. For measured time the data has it for each tick.
function wavefrontAt(step, tick) {
  const within = tick - steps.begin[step];
  return steps.tickWavefronts[step] === null ? within : steps.tickWavefronts[step][within];
}

// Thread of a lane: "(3,1)"; "(3,1,0)" in a block of three dimensions, "7" in one of one.
function threadName(warp, lane) {
  const [x, y, z] = data.launch.threads, number = warp * 32 + lane;
  const name = [number % x];
  if (y > 1 || z > 1) name.push(Math.floor(number / x) % y);
  if (z > 1) name.push(Math.floor(number / (x * y)));
  return name.length === 1 ? String(name[0]) : '(' + name.join(',') + ')';
}

const isWrite = (operation) => operation === Operation.store || operation === Operation.copyStore || operation === Operation.matrixStore || operation === Operation.atomic;
const isRead = (operation) => operation === Operation.load || operation === Operation.copyLoad || operation === Operation.matrixLoad || operation === Operation.atomic;
