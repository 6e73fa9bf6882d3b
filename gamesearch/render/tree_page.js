// Replays a recorded search. Nothing is computed here but what is known at one moment: every value,
// window and reason was written down while the search ran. The rows are described in exports/html.py.

const format = new Intl.NumberFormat("en");
const count = (number) => format.format(number);
const text = (number) => (number === null ? "" : data.texts[number]);
const ROLES = { [data.sides[0]]: "Max", [data.sides[1]]: "Min" };
const role = (side) => ROLES[side] ?? side;
const does = (side, verb) => `${side} ${side === data.league ? data.plurals[verb] : verb}`;
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const SHAPES = { Max: "▲", Min: "▼", chance: "●", end: "■" };
const SIGNS = { exact: "=", lower: "≥", upper: "≤" };
const AT = { exact: "", lower: "at least ", upper: "at most " };
const KINDS = {
  estimate: "estimate", table: "from the table", bounds: "from the game's bounds",
  database: "from a database", recurrence: "repetition: a draw", stuck: "every move forbidden: a draw",
};
const SMALL = 200; // A tree of so few nodes is unfolded from the start.

// The recording. ------------------------------------------------------------------------------------
const nodes = new Map();
const events = data.events.map(readEvent);
const last = events.length - 1;

/** An event with its node; the node keeps what will be known of it, and from which event on. */
function readEvent([kindNumber, number, ...facts], at) {
  const kind = data.kinds[kindNumber];
  if (kind === "enter") enter(at, number, facts);
  const node = nodes.get(number);
  if (kind === "best") {
    const [child, move, value, window] = facts;
    node.bests.push({ at, child, move: text(move), value: text(value), window: text(window) });
  } else if (kind === "cutoff") {
    node.cut = { at, moves: facts[0].map(text), reason: text(facts[1]) };
  } else if (kind === "leave") {
    const [value, bound, found, below] = facts;
    node.left = { at, value: text(value), bound: text(bound), kind: text(found), nodes: below };
  } else if (kind === "probe") {
    node.probed = at;
  }
  return { kind, number, sentence: kind === "iteration" || kind === "end" ? text(facts[0]) : "" };
}

function enter(at, number, [parent, move, side, chance, window, board, position, pruned = []]) {
  const above = nodes.get(parent);
  nodes.set(number, {
    number, above, at, move: text(move), side: text(side), chance: text(chance), window: text(window),
    board, position, children: [], bests: [], level: above ? above.level + 1 : 1,
    // A worksheet tells which moves were cut, and not why.
    cut: pruned.length ? { at, moves: pruned.map(text), reason: "" } : undefined,
  });
  above?.children.push(nodes.get(number));
}

/** The lines of a board or a position: those of the parent's, but for the ones that changed. */
function lines(node, name) {
  const [height, ...changes] = node[name];
  const result = node.above ? lines(node.above, name).slice(0, height) : [];
  for (let i = 0; i < changes.length; i += 2) result[changes[i]] = text(changes[i + 1]);
  return result;
}

function path(node) {
  return node.above ? [...path(node.above), node] : [node];
}

// What is known at the present moment. --------------------------------------------------------------
let at = last; // the number of the event that just happened
let looked = null; // the node that the reader looks at, where it is not the present one
const unfolded = new Map(); // what the reader unfolded (true) and folded (false)

const bestOf = (node, moment = at) => node.bests.findLast((best) => best.at <= moment);
const cutOf = (node) => (node.cut?.at <= at ? node.cut : undefined);
const leftOf = (node) => (node.left?.at <= at ? node.left : undefined);
const childrenOf = (node) => node.children.filter((child) => child.at <= at);

/** The node that an event is about; a search of the root is about the root, once it is entered. */
function present(moment = at) {
  for (let i = moment; i >= 0; i--) {
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

// Each event as a sentence. -------------------------------------------------------------------------
function sentence() {
  const event = events[at];
  const node = present();
  const best = bestOf(node);
  const tell = {
    enter: () => entered(node),
    probe: () => `This is a probe: ${node.side}'s first move alone gives a bound (Star2).`,
    best: () => bettered(node, best, bestOf(node, at - 1)),
    table: () => "The table knows enough of this position; no move is searched here.",
    bounds: () => "The game's own bounds say enough of this position; no move is searched here.",
    database: () => "A database has the value of this position; no move is searched here.",
    recurrence: () => "This position stands on the path already, a repetition; no move is searched here.",
    cutoff: () => `${node.cut.reason}.`,
    leave: () => finished(node, node.left, best),
  };
  return tell[event.kind]?.() ?? event.sentence;
}

function entered(node) {
  const turn = { end: "the game is over", chance: "chance decides" }[node.side] ?? `${does(node.side, "is")} to move`;
  const window = node.window && node.side !== "end" && !data.blank ? `, with the window ${node.window}` : "";
  if (!node.above) return `At the root ${turn}${window}.`;
  if (node.chance) return `The outcome ${node.move} has probability ${node.chance}: ${turn}${window}.`;
  return capital(`${does(node.above.side, "tries")} ${node.move}: ${turn}${window}.`);
}

function bettered(node, best, before) {
  const its = node.side === data.league ? "their" : "its";
  const better = before ? `better than ${before.value}` : `${its} first move`;
  const window = best.window !== (before ?? node).window ? `; the window is ${best.window} now` : "";
  return capital(`${does(node.side, "has")} ${best.value} with ${best.move}, ${better}${window}.`);
}

function finished(node, left, best) {
  const value = AT[left.bound] + left.value;
  if (left.kind === "end") return `The game ends with ${value}.`;
  if (left.kind === "stuck") return `Every move would bring back a position, which is forbidden: the game is a draw, ${value}.`;
  if (left.kind === "estimate") return `The search goes no deeper: the evaluation says ${value}.`;
  if (left.kind !== "searched") return `The node is worth ${value}.`;
  if (node.side === "chance") return `The chance node is worth ${value}.`;
  return capital(`${does(node.side, "backs")} up ${value}${best ? `, with ${best.move}` : ""}.`);
}

// Drawing. ------------------------------------------------------------------------------------------
let drawn = []; // the nodes of the tree as it stands there, from top to bottom

function draw() {
  const node = present();
  const tree = element("tree");
  const root = node && path(node)[0];
  drawn = [];
  const view = { onPath: new Set(node && path(node)), line: new Set(root && bestLine(root).map((best) => best.child)) };
  view.line.add(root?.number);
  tree.replaceChildren(...(root ? [item(root, view, 1, 1)] : []));
  const shown = visible(looked ?? node);
  const current = visible(node);
  for (const each of drawn) each.item.ariaSelected = String(each.node === shown);
  drawn.find((each) => each.node === current)?.item.setAttribute("aria-current", "step");
  if (shown) {
    tree.setAttribute("aria-activedescendant", `node${shown.number}`);
    element(`node${shown.number}`).firstChild.scrollIntoView({ block: "nearest" });
  }
  drawTree(root, view);
  drawControls();
  drawPanel(looked ?? node, root);
}

/** The node, or where that is folded away, the nearest above it that is to be seen. */
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
  const fold = make("span", { className: "fold", ariaHidden: "true" }, hasBranches ? (open ? "▾" : "▸") : "");
  const made = make("li", { id: `node${node.number}`, role: "treeitem", className: left ? "" : "open" });
  Object.assign(made, { ariaLevel: node.level, ariaPosInSet: place, ariaSetSize: places });
  const words = content.map((each) => each.ariaLabel ?? each.textContent).join(" ");
  made.ariaLabel = cut ? `${words}. ${cutText(cut)}` : words;
  const row = make("div", { className: "node" }, fold, ...content);
  fold.onclick = (event) => { event.stopPropagation(); toggle(node); };
  row.onclick = () => look(node);
  made.append(row);
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

/** The parts of a node's line. */
function label(node, left, view) {
  const parts = [];
  if (node.above) parts.push(make("span", { className: "move" }, node.move));
  if (node.chance) parts.push(make("span", {}, `(${node.chance})`));
  const shape = SHAPES[role(node.side)] ?? "◆";
  parts.push(make("span", { className: `side ${role(node.side)}` }, `${shape} ${node.side}`));
  const best = bestOf(node);
  if (node.window) {
    const now = best && best.window !== node.window ? ` → ${best.window}` : "";
    parts.push(make("span", { className: "window" }, node.window + now));
  }
  const found = left ? `${SIGNS[left.bound]} ${left.value}` : best ? `so far ${best.value}` : "";
  const value = data.blank && !left ? "= ____" : found; // a worksheet tells of its leaves alone that they are left
  if (value) parts.push(make("span", { className: "value" }, value));
  if (left && KINDS[left.kind]) parts.push(remark(KINDS[left.kind]));
  if (node.probed <= at) parts.push(remark("probe: only its first move"));
  if (node.above && !data.blank && view.line.has(node.number) && view.line.has(node.above.number)) {
    parts.push(make("span", { className: "value", title: "on the best line", ariaLabel: "on the best line" }, "★"));
  }
  if (!data.blank && !left && at === last) parts.push(remark("not finished"));
  return parts;
}

function remark(words) {
  return make("span", { className: "remark" }, words);
}

/** The moves that a cutoff left out, and why; a reader who listens hears it with the node itself. */
function cutBranch(cut) {
  const names = cut.moves.map((move) => make("s", {}, move));
  return make("li", { role: "none", className: "cut", ariaHidden: "true" }, "✂ ", ...names, cut.reason);
}

/** A cutoff in words: its reason or, on a worksheet, its moves. */
function cutText(cut) {
  return cut.reason || `cut: ${cut.moves.join(", ")}`;
}

/** How many nodes below were visited after the recording was full. */
function missing(left, children) {
  if (!left) return [];
  const unwritten = children.reduce((rest, child) => rest - child.left.nodes, left.nodes - 1);
  const words = `… ${count(unwritten)} nodes not written down`;
  return unwritten > 0 ? [make("li", { role: "none" }, make("div", { className: "node remark" }, words))] : [];
}

function drawControls() {
  const slider = element("slider");
  slider.max = last;
  slider.value = at;
  element("count").textContent = `event ${count(at + 1)} of ${count(last + 1)}`;
  slider.setAttribute("aria-valuetext", element("count").textContent);
  element("sentence").textContent = sentence();
}

/** The board of the node looked at, the path to it, and what else is known of it. */
function drawPanel(node, root) {
  const moves = path(node).slice(1).map((each) => each.move);
  element("path").textContent = ["root", ...moves].join(" › ");
  element("board").textContent = lines(node, "board").join("\n");
  const facts = [["position", lines(node, "position").join("")]];
  const line = data.blank ? [] : bestLine(root).map((best) => best.move);
  if (line.length) facts.push(["best line", line.join(" ")]);
  if (cutOf(node)?.reason) facts.push(["cut", cutOf(node).reason]);
  element("facts").replaceChildren(
    ...facts.flatMap(([name, fact]) => [make("dt", {}, name), make("dd", {}, fact)]));
}

// What the reader does. -----------------------------------------------------------------------------
function go(moment) {
  at = Math.max(0, Math.min(moment, last));
  looked = null;
  draw();
}

/** To the next event of a kind; stay where there is none. */
function seek(isWanted) {
  const found = events.findIndex((event, moment) => moment > at && isWanted(event));
  go(found < 0 ? at : found);
}

/** To where the present node is left; from there, to where its parent is. */
function finish() {
  const open = path(present()).reverse().find((node) => node.left?.at > at);
  go(open ? open.left.at : last);
}

function look(node) {
  looked = node;
  element("tree").focus({ preventScroll: true });
  draw();
}

function lookBeside(step) {
  const here = drawn.findIndex((each) => each.item.ariaSelected === "true");
  const next = drawn[here + step];
  if (next) look(next.node);
}

function toggle(node) {
  unfolded.set(node.number, element(`node${node.number}`).ariaExpanded !== "true");
  looked = node;
  draw();
}

const KEYS = {
  ArrowRight: () => go(at + 1),
  ArrowLeft: () => go(at - 1),
  Home: () => go(0),
  End: () => go(last),
  c: () => seek((event) => event.kind === "cutoff"),
  b: () => seek((event) => event.kind === "best" && !nodes.get(event.number).above),
  f: finish,
  "+": () => enlarge(1.25),
  "-": () => enlarge(0.8),
  "?": () => element("help").showModal(),
  ArrowUp: () => lookBeside(-1),
  ArrowDown: () => lookBeside(1),
  Enter: () => toggle(drawn.find((each) => each.item.ariaSelected === "true").node),
};
KEYS[" "] = KEYS.Enter;

obey(KEYS, ({ key, target }) => (
  element("help").open
  || target.matches("button") && (key === "Enter" || key === " ")
  || target.matches("#slider") && /^Arrow|Home|End/.test(key)));
element("slider").oninput = (event) => go(Number(event.target.value));

/** The event that the address names: tree.html#step=12. */
function addressed() {
  const step = /^#step=(\d+)$/.exec(location.hash);
  go(step ? Number(step[1]) - 1 : last);
}
addEventListener("hashchange", addressed);
addressed();
