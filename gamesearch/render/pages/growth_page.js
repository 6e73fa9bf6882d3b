// Shows a growing tree after the number of steps (playouts or expansions) that the slider selects. Nodes with few steps
// are folded, and only visible nodes are drawn. If the search fills a table of values, the page also has a graph of the
// positions; if boards are drawn, it has a drawing of the tree. growth_page.py describes the rows of the data.

const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
const LIKELY = 1.959963984540054; // half the width of a 95 % interval of a normal distribution, in standard errors
const OPEN = 0.05; // nodes with at least this share of all steps are unfolded at the beginning
const INDENT = 1.1; // the indent of each level in rem; smaller if all levels together are wider than WIDEST
const WIDEST = 11;
const LONGEST = 30; // the greatest length of a notation in a line of the outline
const FEW = 12; // in searches by expansions, a node with at most this many moves shows all of them
const SPAN = data.greatest - data.least || 1;
const PROVES = data.growth === "proof" || data.growth === "costs";
const PLAYED = data.growth === "playouts"; // whether steps are playouts; otherwise they are expansions
const FILLS = data.growth === "table"; // whether steps fill a table
document.documentElement.dataset.growth = data.growth;

// The recording. ------------------------------------------------------------------------------------
for (const [born, ...facts] of data.nodes) addNode(facts, { born, changes: [], visits: 0, totals: [], squares: 0 });
for (const [born, number, shown, certain, mean, deviation, chance] of data.changes) {
  nodes.get(number).changes.push({ born, shown: text(shown), certain, mean, deviation, chance });
}
for (const [number, first] of data.same) nodes.get(number).same = nodes.get(first);
for (const [moment, numbers] of data.drops) for (const number of numbers) nodes.get(number).dropped = moment;
const root = nodes.values().next().value;
const last = data.steps.length;

// The state of the tree after the selected number of steps. -----------------------------------------
let at = 0;

/** Count the visits and payoffs of the first `moment` steps; count again from step 0 if `moment` became smaller. */
function tally(moment) {
  if (moment < at) {
    for (const node of nodes.values()) Object.assign(node, { visits: 0, totals: [], squares: 0 });
    at = 0;
  }
  for (; at < moment; at++) {
    const [through, paid] = data.steps[at];
    const along = Array.isArray(through) ? through.map((number) => nodes.get(number)) : path(nodes.get(through));
    along.forEach((node, i) => add(node, Array.isArray(through) || paid.length > 1 ? paid[i] : paid[0]));
  }
}

function add(node, paid) {
  node.visits += 1;
  if (!PLAYED) return;
  const payoffs = [paid].flat();
  payoffs.forEach((payoff, i) => { node.totals[i] = (node.totals[i] ?? 0) + payoff; });
  node.squares += payoffs[0] ** 2;
}

/** The last change of a node up to the selected step; the root has its first change from the beginning. */
function standing(node) {
  const known = node.changes.findLast((each) => each.born < at || at === last);
  return known ?? (node === root ? node.changes[0] : undefined);
}

const provenOf = (node) => (standing(node)?.certain ? standing(node).shown : "");
const averages = (node) => node.totals.map((total) => total / node.visits);

/** The 95 % interval of a node's value, computed from its playouts or its belief; null if it has none. */
function interval(node) {
  const { mean: middle, deviation } = standing(node) ?? {};
  if (!PLAYED) return deviation ? within(middle, LIKELY * deviation) : null;
  if (node.totals.length !== 1 || node.side === "end" || provenOf(node)) return null;
  const [size, { least, greatest }] = [node.visits + 2, data];
  const mean = (node.totals[0] + least + greatest) / size;
  const variance = Math.max(0, (node.squares + least ** 2 + greatest ** 2) / size - mean ** 2);
  return within(mean, LIKELY * Math.sqrt(variance / size));
}

const within = (mean, error) => [Math.max(data.least, mean - error), Math.min(data.greatest, mean + error)];

function shown(number, digits = 3) {
  const rounded = Number(number.toFixed(digits));
  return `${data.signed && rounded > 0 ? "+" : ""}${rounded}`.replace("-", "−");
}

function value(node) {
  if (provenOf(node)) return provenOf(node);
  if (!PLAYED) return worth(standing(node));
  if (!node.visits) return "";
  const words = averages(node).map((average) => shown(average));
  return words.length > 1 ? `(${words.join(", ")})` : `${node.side === "end" ? "" : "≈ "}${words[0]}`;
}

/** The text for the value of a node in a search by expansions; in a proof, its proof numbers or its cost. */
function worth(known) {
  if (!known) return "";
  return PROVES || known.mean === null ? known.shown : `≈ ${shown(known.mean)}`;
}

/** The probability that the move to a node is the best move of the root. */
function chanceOf(node) {
  const chance = standing(node)?.chance ?? null;
  if (chance === null) return "";
  if (chance > 0 && chance < 0.005) return "< 1 %";
  return chance < 1 && chance >= 0.995 ? "> 99 %" : `${(100 * chance).toFixed(0)} %`;
}

// Folding. ------------------------------------------------------------------------------------------
let looked = root; // the node that the user has selected
let share = 0.01; // moves of a node with a smaller share of all steps are collected on one line
const unfolded = new Map(); // nodes that the user unfolded (true) or folded (false)
const revealed = new Set(); // nodes for which the user has unfolded the collected moves

const isThere = (node) => node.born < at || node === root;
const isDropped = (node) => (node.same ?? node).dropped < at;
const grown = (node) => node.children.filter(isThere).sort((a, b) => (FILLS ? 0 : b.visits - a.visits));
const isOpen = (node) => unfolded.get(node) ?? (node === root || node.visits >= OPEN * root.visits);

/** The children of a node: the children with their own lines, and the children that are collected on one line. */
function parted(node) {
  const children = grown(node);
  if (revealed.has(node) || !PLAYED && children.length <= FEW) return [children, []];
  const least = Math.max(PLAYED ? 2 : 1, share * root.visits);
  const many = children.filter((child, i) => i === 0 || child.visits >= least);
  const few = children.slice(many.length);
  return few.length === 1 ? [children, []] : [many, few];
}

// Drawing. ------------------------------------------------------------------------------------------
function draw() {
  drawn = [];
  element("tree").replaceChildren(item(root, 1, 1));
  const deepest = Math.max(...drawn.map((each) => Number(each.item.ariaLevel)));
  element("tree").style.setProperty("--step", `${Math.min(INDENT, WIDEST / deepest)}rem`);
  look(looked);
  if (data.boards) drawTree(root, drawing());
  else drawGraph();
  drawControls(at, last, `after ${count(at)} of ${plural(last, data.noun)}`, at === last ? data.result : best());
}

function best() {
  const [first] = grown(root);
  if (!PLAYED) return at ? text(data.steps[at - 1][2]) : `No ${data.noun} yet.`;
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

/** A line of the tree; a click on the line acts like the key Enter. */
function line(level, place, places, parts) {
  const row = make("div", { className: "node" }, ...parts);
  row.firstChild.style.setProperty("--level", level - 1);
  const made = treeItem(`line${drawn.length}`, level, place, places, row);
  row.onclick = () => {
    element("tree").focus({ preventScroll: true });
    act(drawn.find((each) => each.item === made));
  };
  return made;
}

function cells(node, fold) {
  const odds = node.chance ? ` (${node.chance})` : "";
  const name = make("span", { className: "name" },
    foldSign(fold),
    make("span", { className: `side ${role(node.side)}`, title: node.side }, symbol(node)),
    make("span", { className: "move" }, node.above ? node.move + odds : "root"));
  if (node.same) name.append(sameAs(node.same));
  if (isDropped(node)) name.append(make("span", { className: "rest" }, "dropped"));
  if (chanceOf(node)) name.append(make("span", { className: "rest" }, `best: ${chanceOf(node)}`));
  const proven = (provenOf(node) ? " proven" : "") + (isDropped(node) ? " dropped" : "");
  const visits = make("span", { className: "visits", title: `${data.noun}s` }, count(node.visits));
  visits.style.setProperty("--share", `${100 * node.visits / (node.above ?? node).visits || 0}%`);
  return [name, make("span", { className: `value${proven}` }, value(node)), whisker(node), visits];
}

/** A short name of a position: its notation, or else the moves that lead to its first node. */
function nameOf(first) {
  const notation = lines(first, "position").join("");
  return notation.length <= LONGEST ? notation : path(first).slice(1).map((each) => each.move).join(" ") || "root";
}

/** A link to the first node of a position that is reached again. */
function sameAs(first) {
  const link = make("button", { className: "same", title: "The first node of this position" }, `= ${nameOf(first)}`);
  link.onclick = (event) => {
    event.stopPropagation();
    for (const node of path(first).slice(0, -1)) unfolded.set(node, true);
    looked = first;
    draw();
  };
  return link;
}

/** A picture of a node's value: a scale from the least to the greatest payoff, with the average and its interval. */
function whisker(node) {
  const place = (payoff) => 2 + 96 * (payoff - data.least) / SPAN;
  const picture = shape("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  const middle = PLAYED ? node.visits && averages(node)[0] : standing(node)?.mean ?? null;
  if (middle === null || PLAYED && (!node.visits || node.totals.length > 1)) return picture;
  picture.append(shape("line", { class: "scale", x1: 2, x2: 98, y1: 5, y2: 5 }));
  const ends = interval(node);
  if (ends) picture.append(shape("line", { class: "interval", x1: place(ends[0]), x2: place(ends[1]), y1: 5, y2: 5 }));
  picture.append(shape("rect", { class: "mean", x: place(middle) - 0.7, y: 1, width: 1.4, height: 8 }));
  return picture;
}

/** The line that collects the moves with few steps. */
function restOf(node, few, size) {
  const visits = few.reduce((sum, child) => sum + child.visits, 0);
  const words = `… ${plural(few.length, "move")} with ${PLAYED ? "few playouts" : `few or no ${data.noun}s`}`;
  const name = make("span", { className: "name rest" }, foldSign("▸"), words);
  const parts = [name, make("span", { className: "visits rest" }, count(visits))];
  const made = line(node.level + 1, size, size, parts);
  made.ariaExpanded = "false";
  drawn.push({ item: made, node: null, act: () => revealed.add(node) });
  return made;
}

/** Select a node, or its nearest ancestor with a line if the node has no line. */
function look(node) {
  while (!drawn.some((each) => each.node === node)) node = node.above;
  looked = node;
  select(drawn.find((each) => each.node === node));
  const ends = node.visits || !PLAYED ? interval(node) : null;
  const named = { playouts: "average", expansions: "value", beliefs: "mean", proof: "numbers", table: "value", costs: "cost" }[data.growth];
  drawNode(node, [
    ["to move", node.side === "end" ? "" : node.side],
    ["first node", node.same ? path(node.same).map((each) => each.move || "root").join(" › ") : ""],
    [`${data.noun}s`, FILLS ? "" : count(node.visits)],
    [provenOf(node) && !PROVES && !FILLS ? "proven" : named, value(node).replace("≈ ", "") + (isDropped(node) ? ", dropped" : "")],
    ["95 % within", ends ? `[${ends.map((end) => shown(end, 2)).join(", ")}]` : ""],
    ["the best with", chanceOf(node)],
  ]);
}

/** What `drawTree` draws: the lines of the outline, and one branch for the moves that the outline collects. */
function drawing() {
  const below = (node) => {
    if (!isOpen(node)) return [];
    const [many, few] = parted(node);
    return few.length ? [...many, { above: node, children: [], move: `… ${few.length} moves`, isStub: true }] : many;
  };
  const line = new Set();
  for (let node = PLAYED ? root : null; node?.visits; node = grown(node)[0]) line.add(node);
  return {
    below, value, here: looked,
    isFolded: (node) => grown(node).length > 0 && !isOpen(node),
    isBest: (node) => line.has(node),
    choose: (node) => act(drawn.find((each) => each.node === node)),
  };
}

/** Show the graph as it is known at the selected step: hide later positions and moves, and write the present values. */
function drawGraph() {
  const step = data.steps[at - 1];
  const here = at < last && step ? nodes.get([step[0]].flat().at(-1)) : null;
  document.querySelector("#picture svg")?.classList.toggle("unfinished", at < last);
  for (const node of nodes.values()) {
    const move = element(`to_n${node.number}`);
    const position = element(`n${node.number}`);
    move?.toggleAttribute("hidden", !isThere(node));
    move?.classList.toggle("here", node === here);
    if (!position) continue;
    position.toggleAttribute("hidden", !isThere(node));
    position.classList.toggle("here", node === (here?.same ?? here));
    position.classList.toggle("dropped", isDropped(node));
    if (position.matches(".here")) position.scrollIntoView({ block: "nearest", inline: "nearest" });
    position.querySelector("text[font-weight=bold]").textContent = value(node);
  }
}

// Actions of the user. ------------------------------------------------------------------------------
function go(moment) {
  tally(Math.max(0, Math.min(moment, last)));
  draw();
}

function act(each) {
  each.act();
  if (each.node) looked = each.node;
  draw();
}

function foldBy(factor) {
  share = Math.max(1e-5, Math.min(share * factor, 0.5));
  draw();
}

const KEYS = {
  "+": () => foldBy(0.5),
  "-": () => foldBy(2),
  r: () => { share = 0.01; unfolded.clear(); revealed.clear(); draw(); },
  Enter: () => act(drawn.find(isSelected)),
};
replay(KEYS, go, last, `${data.noun}s`, 0);
