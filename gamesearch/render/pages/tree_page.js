// Replays a recorded search. This script computes no values: all values, windows and sentences were recorded while the
// search ran, and the script selects those known at a moment. exports/html.py describes the rows of the data.

const SIGNS = { exact: "=", lower: "≥", upper: "≤" };
const LONGEST = 10; // the greatest length of the names of cut moves between boards
const SMALL = 200; // a tree with at most this many nodes is completely unfolded at the beginning

// The recording. ------------------------------------------------------------------------------------
const events = data.events.map(readEvent);
const last = events.length - 1;

/** Read an event and store its facts in its node, each with the index of the event from which it is known. */
function readEvent([kindNumber, number, ...facts], at) {
  const kind = data.kinds[kindNumber];
  if (kind === "enter") enter(at, [number, ...facts]);
  const node = nodes.get(number);
  if (kind === "best") {
    const [child, move, value, window] = facts;
    node.bests.push({ at, child, move: text(move), value: text(value), window: text(window) });
  } else if (kind === "cutoff") {
    node.cut = { at, moves: facts[0].map(text), reason: text(facts.at(-1)) };
  } else if (kind === "leave") {
    const [value, bound, found, below] = facts;
    node.left = { at, value: text(value), bound: text(bound), kind: text(found), nodes: below };
  } else if (kind === "probe") {
    node.probed = at;
  }
  return { kind, number, sentence: text(facts.at(-1)) };
}

/** Add the node of a row. On a worksheet, the row names the moves that were cut, but not the reason. */
function enter(at, row) {
  const pruned = data.blank ? row[8] : [];
  addNode(row, { at, bests: [], ranges: [], cut: pruned.length ? { at, moves: pruned.map(text), reason: "" } : undefined });
}

// The state of the search after the present event. --------------------------------------------------
for (const [moment, changes] of Object.entries(data.ranges)) {
  for (const [number, range] of changes) nodes.get(number).ranges.push({ at: Number(moment), range: text(range) });
}
let at = last; // the index of the present event
let looked = null; // the node that the user has selected; if null, the present node is selected
const unfolded = new Map(); // nodes that the user unfolded (true) or folded (false)

/** The interval in which the value of a node lies, according to the values found below it so far. */
function rangeOf(node) {
  return node.children.length ? node.ranges.findLast((range) => range.at <= at)?.range ?? "[−∞, +∞]" : "";
}

const bestOf = (node) => node.bests.findLast((best) => best.at <= at);
const cutOf = (node) => (node.cut?.at <= at ? node.cut : undefined);
const leftOf = (node) => (node.left?.at <= at ? node.left : undefined);
const childrenOf = (node) => node.children.filter((child) => child.at <= at);

/** The node of the last event up to the present event that belongs to a recorded node. */
function present() {
  for (let i = at; i >= 0; i--) {
    const node = nodes.get(events[i].number);
    if (node) return node;
  }
  return undefined;
}

function bestLine(root) {
  const line = [];
  for (let node = root, best; node && (best = bestOf(node)); node = nodes.get(best.child)) {
    line.push({ move: best.move, child: best.child });
  }
  return line;
}

function isOpen(node, onPath) {
  return unfolded.get(node.number) ?? (nodes.size <= SMALL || onPath.has(node));
}

// Drawing. ------------------------------------------------------------------------------------------
function draw() {
  const node = present();
  const root = node && path(node)[0];
  drawn = [];
  const view = { onPath: new Set(node && path(node)), line: new Set(root && bestLine(root).map((best) => best.child)) };
  view.line.add(root?.number);
  element("tree").replaceChildren(...(root ? [item(root, view, 1, 1)] : []));
  const shown = visible(looked ?? node);
  const current = visible(node);
  drawn.find((each) => each.node === current)?.item.setAttribute("aria-current", "step");
  if (shown) select(drawn.find((each) => each.node === shown));
  drawTree(root, {
    below: (each) => (isOpen(each, view.onPath) ? [...childrenOf(each), ...cutBranches(each)] : []),
    value: drawnValue,
    isFolded: (each) => !each.isCut && childrenOf(each).length > 0 && !isOpen(each, view.onPath),
    isBest: (each) => !data.blank && view.line.has(each.number) && view.line.has(each.above.number),
    choose: (each) => (each.children.length ? toggle(each) : look(each)),
    here: looked ?? node,
  });
  drawControls(at, last, `event ${count(at + 1)} of ${count(last + 1)}`, events[at].sentence);
  drawPanel(looked ?? node, root);
}

/** The value that is drawn at a node. */
function drawnValue(node) {
  const left = node.isCut ? node.left : leftOf(node);
  const best = bestOf(node);
  return left ? `${SIGNS[left.bound] === "=" ? "" : SIGNS[left.bound]}${left.value}` : best ? `${best.value}…` : "";
}

/** The branches that a cutoff left out, as nodes: with their values if data.pruned has them, otherwise only the moves. */
function cutBranches(node) {
  const cut = cutOf(node);
  const branch = (more) => ({ above: node, side: "", children: [], bests: [], isCut: true, ...more });
  if (!cut?.moves.length) return [];
  if (data.pruned[node.number]) {
    return data.pruned[node.number].map(([number, move, side, value]) => branch({
      number, move: text(move), side: text(side), left: { at: cut.at, bound: "exact", value: text(value) },
    }));
  }
  if (!data.boards) return cut.moves.map((move) => branch({ move, isStub: true }));
  const names = cut.moves.join(", ");
  const move = names.length > LONGEST ? `${cut.moves.length} ${node.side === "chance" ? "outcomes" : "moves"}` : names;
  return node.children.length ? [branch({ move, isStub: true })] : [];
}

/** The node, or its nearest visible ancestor if the node is folded away. */
function visible(node) {
  while (node && !drawn.some((each) => each.node === node)) node = node.above;
  return node;
}

function item(node, view, place, places) {
  const left = leftOf(node);
  const cut = cutOf(node);
  const children = childrenOf(node);
  const unwritten = missing(left, children);
  const hasBranches = children.length > 0 || cut || unwritten.length > 0;
  const open = isOpen(node, view.onPath);
  const content = label(node, left, view);
  if (hasBranches && !open && left) content.push(remark(`(${count(left.nodes - 1)} below)`));
  if (cut && !open) content.push(make("span", { className: "cut" }, "✂ cut"));
  const fold = foldSign(hasBranches ? (open ? "▾" : "▸") : "");
  const row = make("div", { className: "node" }, fold, ...content);
  const made = treeItem(`node${node.number}`, node.level, place, places, row);
  made.className = left ? "" : "open";
  const words = content.map((each) => each.ariaLabel ?? each.textContent).join(" ");
  made.ariaLabel = cut ? `${words}. ${cutText(cut)}` : words;
  fold.onclick = (event) => { event.stopPropagation(); toggle(node); };
  row.onclick = () => look(node);
  drawn.push({ node, item: made });
  if (!hasBranches) return made;
  made.ariaExpanded = String(open);
  if (open) {
    const branches = children.map((child, i) => item(child, view, i + 1, children.length));
    const rest = [...(cut ? [cutBranch(cut)] : []), ...unwritten];
    made.append(make("ul", { role: "group" }, ...branches, ...rest));
  }
  return made;
}

/** The parts of a node's line: its move, side, window, value and remarks. */
function label(node, left, view) {
  const parts = [];
  if (node.above && data.moves) parts.push(make("span", { className: "move" }, node.move));
  if (node.chance) parts.push(make("span", {}, `(${node.chance})`));
  parts.push(make("span", { className: `side ${role(node.side)}` }, `${symbol(node)} ${node.side}`));
  const best = bestOf(node);
  if (data.windows === "ranges") {
    parts.push(make("span", { className: "window" }, rangeOf(node)));
  } else if (node.window && data.windows === "search") {
    const now = best && best.window !== node.window ? ` → ${best.window}` : "";
    parts.push(make("span", { className: "window" }, node.window + now));
  }
  const found = left ? `${SIGNS[left.bound]} ${left.value}` : best ? `so far ${best.value}` : "";
  const value = data.blank && !left ? "= ____" : found; // worksheets show only the values of leaves
  if (value) parts.push(make("span", { className: "value" }, value));
  if (data.notes && left && data.remarks[left.kind]) parts.push(remark(data.remarks[left.kind]));
  if (data.notes && node.probed <= at) parts.push(remark("probe: only the first move is searched"));
  if (node.above && !data.blank && view.line.has(node.number) && view.line.has(node.above.number)) {
    parts.push(make("span", { className: "value", title: "on the best line", ariaLabel: "on the best line" }, "★"));
  }
  if (!data.blank && !left && at === last) parts.push(remark("not finished"));
  return parts;
}

function remark(words) {
  return make("span", { className: "remark" }, words);
}

/** The line with the moves that were cut and the reason, which screen readers read as a part of the node's line. */
function cutBranch(cut) {
  const names = cut.moves.map((move) => make("s", {}, move));
  return make("li", { role: "none", className: "cut", ariaHidden: "true" }, "✂ ", ...names, cut.reason);
}

/** A cutoff in words: its reason, or its moves if the reason is not shown (on a worksheet). */
function cutText(cut) {
  return cut.reason || `cut: ${cut.moves.join(", ")}`;
}

/** A line with the number of nodes below that were visited but not recorded, because the recording was full. */
function missing(left, children) {
  if (!left) return [];
  const unwritten = children.reduce((rest, child) => rest - child.left.nodes, left.nodes - 1);
  const words = `… ${count(unwritten)} nodes not on this page`;
  return unwritten > 0 ? [make("li", { role: "none" }, make("div", { className: "node remark" }, words))] : [];
}

function drawPanel(node, root) {
  const line = data.blank ? [] : bestLine(root).map((best) => best.move);
  drawNode(node, [["best line", line.join(" ")], ["cut", cutOf(node)?.reason]]);
}

// Actions of the user. ------------------------------------------------------------------------------
function go(moment) {
  at = Math.max(0, Math.min(moment, last));
  looked = null;
  draw();
}

/** Go to the next wanted event; stay at the present event if no later event is wanted. */
function seek(isWanted) {
  const found = events.findIndex((event, moment) => moment > at && isWanted(event));
  go(found < 0 ? at : found);
}

/** Go to the event that finishes the present node, or its parent if the node is finished already. */
function finish() {
  const open = path(present()).reverse().find((node) => node.left?.at > at);
  go(open ? open.left.at : last);
}

function look(node) {
  looked = node;
  element("tree").focus({ preventScroll: true });
  draw();
}

function toggle(node) {
  unfolded.set(node.number, element(`node${node.number}`).ariaExpanded !== "true");
  looked = node;
  draw();
}

const KEYS = {
  c: () => seek((event) => event.kind === "cutoff"),
  b: () => seek((event) => event.kind === "best" && !nodes.get(event.number).above),
  f: finish,
  "+": () => enlarge(1.25),
  "-": () => enlarge(0.8),
  Enter: () => toggle(drawn.find(isSelected).node),
};
replay(KEYS, go, last, "step", 1);
