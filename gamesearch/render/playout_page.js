// A tree grown by playouts, after as many of them as the slider says. Only what is to be seen is drawn: nodes with few
// playouts are folded. The rows are described in exports/html.py.

const format = new Intl.NumberFormat("en");
const count = (number) => format.format(number);
const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
const text = (number) => (number === null ? "" : data.texts[number]);
const ROLES = { [data.sides[0]]: "Max", [data.sides[1]]: "Min" };
const role = (side) => ROLES[side] ?? side;
const SHAPES = { Max: "▲", Min: "▼", chance: "●", end: "■" };
const LIKELY = 1.959963984540054; // so many standard errors hold 95 % of a normal distribution, to both sides
const OPEN = 0.05; // a node with this share of all playouts is open at first
const SVG = "http://www.w3.org/2000/svg";
const SPAN = data.greatest - data.least || 1;

// The recording. ------------------------------------------------------------------------------------
const nodes = new Map();
for (const [born, number, parent, move, side, chance, , board, position] of data.nodes) {
  const above = nodes.get(parent);
  const node = {
    number, born, above, move: text(move), side: text(side), chance: text(chance), board, position,
    children: [], proven: null, level: above ? above.level + 1 : 1, visits: 0, totals: [], squares: 0,
  };
  nodes.set(number, node);
  above?.children.push(node);
}
for (const [born, number, shown] of data.proofs) nodes.get(number).proven = { born, shown: text(shown) };
const root = nodes.values().next().value;
const last = data.playouts.length;

function path(node) {
  return node.above ? [...path(node.above), node] : [node];
}

/** The lines of a board or a position: those of the parent's, but for the ones that changed. */
function lines(node, name) {
  const [height, ...changes] = node[name];
  const result = node.above ? lines(node.above, name).slice(0, height) : [];
  for (let i = 0; i < changes.length; i += 2) result[changes[i]] = text(changes[i + 1]);
  return result;
}

// What is known after so many playouts. -------------------------------------------------------------
let at = 0;

/** Add up the playouts, from the first again where there are fewer than before. */
function tally(moment) {
  if (moment < at) {
    for (const node of nodes.values()) Object.assign(node, { visits: 0, totals: [], squares: 0 });
    at = 0;
  }
  for (; at < moment; at++) {
    const [through, paid] = data.playouts[at];
    const along = Array.isArray(through) ? through.map((number) => nodes.get(number)) : path(nodes.get(through));
    along.forEach((node, i) => add(node, Array.isArray(through) || paid.length > 1 ? paid[i] : paid[0]));
  }
}

function add(node, paid) {
  const payoffs = [paid].flat();
  node.visits += 1;
  payoffs.forEach((payoff, i) => { node.totals[i] = (node.totals[i] ?? 0) + payoff; });
  node.squares += payoffs[0] ** 2;
}

const provenOf = (node) => (node.proven?.born < at || at === last && node.proven ? node.proven.shown : "");
const averages = (node) => node.totals.map((total) => total / node.visits);

function interval(node) {
  if (node.totals.length !== 1 || node.side === "end" || provenOf(node)) return null;
  const [size, { least, greatest }] = [node.visits + 2, data];
  const mean = (node.totals[0] + least + greatest) / size;
  const variance = Math.max(0, (node.squares + least ** 2 + greatest ** 2) / size - mean ** 2);
  const error = LIKELY * Math.sqrt(variance / size);
  return [Math.max(least, mean - error), Math.min(greatest, mean + error)];
}

function shown(number, digits = 3) {
  const rounded = Number(number.toFixed(digits));
  return `${data.signed && rounded > 0 ? "+" : ""}${rounded}`.replace("-", "−");
}

function value(node) {
  if (provenOf(node)) return provenOf(node);
  if (!node.visits) return "";
  const words = averages(node).map((average) => shown(average));
  return words.length > 1 ? `(${words.join(", ")})` : `${node.side === "end" ? "" : "≈ "}${words[0]}`;
}

// What is folded. -----------------------------------------------------------------------------------
let looked = root; // the node that the reader looks at
let share = 0.01; // moves with a smaller share of all playouts are one line together
const unfolded = new Map(); // what the reader opened (true) and folded (false)
const revealed = new Set(); // nodes all of whose moves are to be seen

const grown = (node) => node.children.filter((child) => child.visits).sort((a, b) => b.visits - a.visits);
const isOpen = (node) => unfolded.get(node) ?? (node === root || node.visits >= OPEN * root.visits);

/** The moves that have a line each, and those that share one. */
function parted(node) {
  const children = grown(node);
  if (revealed.has(node)) return [children, []];
  const many = children.filter((child, i) => i === 0 || child.visits >= Math.max(2, share * root.visits));
  const few = children.slice(many.length);
  return few.length === 1 ? [children, []] : [many, few];
}

// Drawing. ------------------------------------------------------------------------------------------
let drawn = []; // what has a line, from top to bottom

function draw() {
  drawn = [];
  element("tree").replaceChildren(item(root, 1, 1));
  select(looked);
  element("slider").max = last;
  element("slider").value = at;
  element("count").textContent = `after ${count(at)} of ${plural(last, "playout")}`;
  element("slider").setAttribute("aria-valuetext", element("count").textContent);
  element("sentence").textContent = at === last ? data.result : best();
}

function best() {
  const [first] = grown(root);
  return first ? `${first.move} has the most playouts, ${count(first.visits)}: ${value(first)}.` : "No playout yet.";
}

function item(node, place, places) {
  const children = grown(node);
  const open = children.length > 0 && isOpen(node);
  const made = line(node.level, place, places, cells(node, children.length ? (open ? "▾" : "▸") : ""));
  drawn.push({ item: made, node, act: () => { if (children.length) unfolded.set(node, !open); } });
  if (!children.length) return made;
  made.ariaExpanded = String(open);
  if (!open) return made;
  const [many, few] = parted(node);
  const size = many.length + (few.length > 0);
  const below = many.map((child, i) => item(child, i + 1, size));
  if (few.length) below.push(restOf(node, few, size));
  made.append(make("ul", { role: "group" }, ...below));
  return made;
}

/** A line of the tree; a click does what Enter does. */
function line(level, place, places, parts) {
  const made = make("li", { id: `line${drawn.length}`, role: "treeitem" });
  Object.assign(made, { ariaLevel: level, ariaPosInSet: place, ariaSetSize: places });
  const row = make("div", { className: "node" }, ...parts);
  row.firstChild.style.paddingLeft = `${(level - 1) * 1.1}rem`;
  row.onclick = () => {
    element("tree").focus({ preventScroll: true });
    act(drawn.find((each) => each.item === made));
  };
  made.append(row);
  return made;
}

function cells(node, fold) {
  const odds = node.chance ? ` (${node.chance})` : "";
  const name = make("span", { className: "name" },
    make("span", { className: "fold", ariaHidden: "true" }, fold),
    make("span", { className: `side ${role(node.side)}`, title: node.side }, SHAPES[role(node.side)] ?? "◆"),
    make("span", { className: "move" }, node.above ? node.move + odds : "root"));
  const proven = provenOf(node) ? " proven" : "";
  const visits = make("span", { className: "visits", title: "playouts" }, count(node.visits));
  visits.style.setProperty("--share", `${100 * node.visits / (node.above ?? node).visits || 0}%`);
  return [name, make("span", { className: `value${proven}` }, value(node)), whisker(node), visits];
}

/** The average and its interval between the least payoff and the greatest. */
function whisker(node) {
  const place = (payoff) => 2 + 96 * (payoff - data.least) / SPAN;
  const picture = shape("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  if (!node.visits || node.totals.length > 1) return picture;
  picture.append(shape("line", { class: "scale", x1: 2, x2: 98, y1: 5, y2: 5 }));
  const ends = interval(node);
  if (ends) picture.append(shape("line", { class: "interval", x1: place(ends[0]), x2: place(ends[1]), y1: 5, y2: 5 }));
  picture.append(shape("rect", { class: "mean", x: place(averages(node)[0]) - 0.7, y: 1, width: 1.4, height: 8 }));
  return picture;
}

function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, setting] of Object.entries(attributes)) made.setAttribute(name, setting);
  return made;
}

/** The line for moves with few playouts. */
function restOf(node, few, size) {
  const visits = few.reduce((sum, child) => sum + child.visits, 0);
  const name = make("span", { className: "name rest" },
    make("span", { className: "fold", ariaHidden: "true" }, "▸"), `… ${plural(few.length, "move")} with few playouts`);
  const parts = [name, make("span", {}), make("span", {}), make("span", { className: "visits rest" }, count(visits))];
  const made = line(node.level + 1, size, size, parts);
  made.ariaExpanded = "false";
  drawn.push({ item: made, node: null, act: () => revealed.add(node) });
  return made;
}

/** Mark the line of a node, or of the nearest above it that has one, and show what is known of it. */
function select(node) {
  while (!drawn.some((each) => each.node === node)) node = node.above;
  looked = node;
  for (const each of drawn) each.item.ariaSelected = String(each.node === node);
  const here = drawn.find((each) => each.node === node).item;
  element("tree").setAttribute("aria-activedescendant", here.id);
  here.firstChild.scrollIntoView({ block: "nearest" });
  drawPanel(node);
}

function drawPanel(node) {
  element("path").textContent = ["root", ...path(node).slice(1).map((each) => each.move)].join(" › ");
  element("board").textContent = lines(node, "board").join("\n");
  const ends = node.visits ? interval(node) : null;
  const facts = [
    ["position", lines(node, "position").join("")],
    ["to move", node.side === "end" ? "" : node.side],
    ["playouts", count(node.visits)],
    [provenOf(node) ? "proven" : "average", value(node).replace("≈ ", "")],
    ["95 % within", ends ? `[${ends.map((end) => shown(end, 2)).join(", ")}]` : ""],
  ];
  element("facts").replaceChildren(
    ...facts.filter(([, fact]) => fact).flatMap(([name, fact]) => [make("dt", {}, name), make("dd", {}, fact)]));
}

// What the reader does. -----------------------------------------------------------------------------
function go(moment) {
  tally(Math.max(0, Math.min(moment, last)));
  draw();
}

function act(each) {
  each.act();
  if (each.node) looked = each.node;
  draw();
}

let marked = null; // a line without a node that the keys have come to

function lookBeside(step) {
  const here = marked === null ? drawn.findIndex((each) => each.node === looked) : marked;
  const next = drawn[here + step];
  if (!next) return;
  marked = next.node ? null : here + step;
  if (next.node) return select(next.node);
  for (const each of drawn) each.item.ariaSelected = String(each === next);
  element("tree").setAttribute("aria-activedescendant", next.item.id);
  next.item.firstChild.scrollIntoView({ block: "nearest" });
}

function foldBy(factor) {
  share = Math.max(1e-5, Math.min(share * factor, 0.5));
  draw();
}

const KEYS = {
  ArrowRight: () => go(at + 1),
  ArrowLeft: () => go(at - 1),
  Home: () => go(0),
  End: () => go(last),
  "+": () => foldBy(0.5),
  "-": () => foldBy(2),
  r: () => { share = 0.01; unfolded.clear(); revealed.clear(); draw(); },
  "?": () => element("help").showModal(),
  ArrowUp: () => lookBeside(-1),
  ArrowDown: () => lookBeside(1),
  Enter: () => { const here = drawn[marked] ?? drawn.find((each) => each.node === looked); marked = null; act(here); },
};
KEYS[" "] = KEYS.Enter;

obey(KEYS, ({ key, target }) => (
  element("help").open
  || target.matches("button") && (key === "Enter" || key === " ")
  || target.matches("#slider") && /^Arrow|Home|End/.test(key)));
element("slider").oninput = (event) => go(Number(event.target.value));

/** The number of playouts that the address names: tree.html#playouts=12. */
function addressed() {
  const named = /^#playouts=(\d+)$/.exec(location.hash);
  go(named ? Number(named[1]) : last);
}
addEventListener("hashchange", addressed);
addressed();
