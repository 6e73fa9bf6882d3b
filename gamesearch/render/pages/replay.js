// Code that the pages with a replay share: texts, nodes and boards, the line of a node, and the controls.

const format = new Intl.NumberFormat("en");
const count = (number) => format.format(number);
const text = (number) => (number === null ? "" : data.texts[number]);
const ROLES = { [data.sides[0]]: "Max", [data.sides[1]]: "Min" };
const role = (side) => ROLES[side] ?? side;
const SHAPES = { Max: "▲", Min: "▼", chance: "●", end: "■" };
const symbol = (node) => SHAPES[role(node.side)] ?? "◆";
const SVG = make("div", { innerHTML: "<svg>" }).firstChild.namespaceURI;

const nodes = new Map();

/** Add a node to its parent; `more` has the properties that differ between pages. */
function addNode([number, parent, move, side, chance, window, board, position], more) {
  const above = nodes.get(parent);
  const node = {
    number, above, move: text(move), side: text(side), chance: text(chance), window: text(window), board, position,
    children: [], level: above ? above.level + 1 : 1, ...more,
  };
  nodes.set(number, node);
  above?.children.push(node);
}

function path(node) {
  return node.above ? [...path(node.above), node] : [node];
}

/** The lines of a node's board or position: the lines of its parent, except for the stored changes. */
function lines(node, name) {
  const [height, ...changes] = node[name];
  const result = node.above ? lines(node.above, name).slice(0, height) : [];
  for (let i = 0; i < changes.length; i += 2) result[changes[i]] = text(changes[i + 1]);
  return result;
}

// The outline and the details next to it. -----------------------------------------------------------
let drawn = []; // the visible lines from top to bottom; a line for several moves has the node null

const foldSign = (sign) => make("span", { className: "fold", ariaHidden: "true" }, sign);

/** An item of the outline that contains the line `row`. */
function treeItem(id, level, place, places, row) {
  const made = make("li", { id, role: "treeitem" }, row);
  return Object.assign(made, { ariaLevel: level, ariaPosInSet: place, ariaSetSize: places });
}

/** Mark a line as selected, and scroll to it. */
function select(line) {
  for (const each of drawn) each.item.ariaSelected = String(each === line);
  element("tree").setAttribute("aria-activedescendant", line.item.id);
  line.item.firstChild.scrollIntoView({ block: "nearest" });
}

const isSelected = (line) => line.item.ariaSelected === "true";

function shape(tag, attributes, ...content) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/** Show the path to the selected node, its board, and the facts, which are pairs of a name and a text. */
function drawNode(node, facts) {
  element("path").textContent = ["root", ...path(node).slice(1).map((each) => each.move)].join(" › ");
  element("board").textContent = lines(node, "board").join("\n");
  const known = [["position", lines(node, "position").join("")], ...facts].filter(([, fact]) => fact);
  element("facts").replaceChildren(
    ...known.flatMap(([name, fact]) => [make("dt", {}, name), make("dd", {}, fact)]));
}

// The controls. -------------------------------------------------------------------------------------
function drawControls(at, last, counted, sentence) {
  const slider = element("slider");
  slider.max = last;
  slider.value = at;
  element("count").textContent = counted;
  slider.setAttribute("aria-valuetext", counted);
  element("sentence").textContent = sentence;
}

/** Select a line above or below the selected line. */
function lookBeside(step) {
  const next = drawn[drawn.findIndex(isSelected) + step];
  if (next?.node) look(next.node);
  else if (next) select(next);
}

/** Begin at the step in the address, such as tree.html#step=12, or else at the last step; handle the controls. */
function replay(keys, go, last, name, first) {
  const moveBy = (steps) => () => go(Number(element("slider").value) + steps);
  const shared = {
    ArrowRight: moveBy(1), ArrowLeft: moveBy(-1), Home: () => go(0), End: () => go(last),
    ArrowUp: () => lookBeside(-1), ArrowDown: () => lookBeside(1), " ": keys.Enter, "?": () => element("help").showModal(),
  };
  obey({ ...shared, ...keys }, ({ key, target }) => (
    element("help").open
    || target.matches("button") && (key === "Enter" || key === " ")
    || target.matches("#slider") && /^Arrow|Home|End/.test(key)));
  element("slider").oninput = (event) => go(Number(event.target.value));
  const addressed = () => {
    const [, named, moment] = /^#(\w+)=(\d+)$/.exec(location.hash) ?? [];
    go(named === name ? Number(moment) - first : last);
  };
  addEventListener("hashchange", addressed);
  addressed();
}
