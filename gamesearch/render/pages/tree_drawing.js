// Draws the tree as on a blackboard: a shape for the side to move, values next to shapes, and crossed-out branches for
// cutoffs. A node that is folded in the outline is also folded in the drawing, and vice versa.

const BOARDS = data.boards ?? {}; // by the number of a node: [width, height, drawing] of its board
const TALLEST = Math.max(24, ...Object.values(BOARDS).map((board) => board[1]));
const half = (place) => (BOARDS[place.node?.number]?.[1] ?? 24) / 2; // half the height of a node's shape
const STEP = 54 + TALLEST + (data.boards ? 16 : 0); // the distance between two levels
const LETTER = 7.5;
const CROWD = 30; // with more boards than this number, the boards below a node form two columns
let zoom = 1;

/** The place of each visible node: leaves are side by side; every other node is above the middle of its children. */
function placed(node, view, level, room) {
  const left = leftOf(node);
  const best = bestOf(node);
  const value = left ? `${SIGNS[left.bound] === "=" ? "" : SIGNS[left.bound]}${left.value}` : best ? `${best.value}…` : "";
  const open = isOpen(node, view.onPath);
  const cut = cutOf(node);
  const children = open ? childrenOf(node) : [];
  const isLow = (child) => !isOpen(child, view.onPath) || !childrenOf(child).length;
  if (Object.keys(BOARDS).length > CROWD && !cut && children.length > 2 && children.every(isLow)) {
    return { node, value, open, stubs: [], y: level, isStacked: true, ...stacked(children, view, level + 1, room) };
  }
  const below = children.map((child) => placed(child, view, level + 1, room));
  const stubs = open && cut ? cut.moves.map((move) => ({ move, x: taken(room, move.length), y: level + 1 })) : [];
  const ends = [...below, ...stubs].map((each) => each.x);
  const x = ends.length ? (ends[0] + ends.at(-1)) / 2 : taken(room, Math.max(value.length, node.move.length, 3, ((BOARDS[node.number]?.[0] ?? 0) - 12) / LETTER));
  room.deep = Math.max(room.deep, level + (stubs.length ? 1 : 0));
  return { node, value, open, below, stubs, x, y: level };
}

/** Place nodes in two columns; return their places and the middle between the columns. */
function stacked(children, view, level, room) {
  const row = (Math.max(...children.map((child) => BOARDS[child.number]?.[1] ?? 24)) + 38) / STEP;
  const own = { used: 0, deep: 0 };
  const below = children.map((child) => ({ start: own.used, ...placed(child, view, level, own), end: own.used }));
  const width = Math.max(...below.map((place) => place.end - place.start));
  const x = taken(room, (2 * width - 26) / LETTER + 2);
  below.forEach((place, at) => Object.assign(place, { x: x + (at % 2 - 0.5) * (width + 8), y: level + Math.floor(at / 2) * row }));
  room.deep = Math.max(room.deep, below.at(-1).y);
  return { x, below };
}

/** Reserve the next free space that is wide enough for a number of letters; return its middle. */
function taken(room, letters) {
  const width = letters * LETTER + 26;
  room.used += width;
  return room.used - width / 2;
}

function drawTree(root, view) {
  const picture = element("picture");
  if (!root) return picture.replaceChildren();
  const room = { used: 10, deep: 0 };
  const tree = placed(root, view, 0, room);
  const [width, height] = [room.used + 10, 36 + TALLEST + (data.boards ? 16 : 0) + room.deep * STEP];
  const parts = [...branches(tree, view), ...marks(tree)];
  const size = { width: width * zoom, height: height * zoom, viewBox: `0 0 ${width} ${height}` };
  picture.replaceChildren(shape("svg", { ...size, role: "img", "aria-label": "The searched tree, drawn" }, ...parts));
}

const down = (place) => 12 + TALLEST / 2 + place.y * STEP;

function branches(place, view) {
  const parts = [];
  for (const child of place.below) {
    const best = !data.blank && view.line.has(child.node.number) && view.line.has(place.node.number);
    parts.push(edge(place, child, best ? "edge best" : "edge", child.node.move), ...branches(child, view));
  }
  for (const stub of place.stubs) {
    const [x, y] = [(place.x + stub.x) / 2, (down(place) + down(stub)) / 2];
    parts.push(edge(place, stub, "edge", stub.move));
    for (const shift of [-3, 3]) {
      parts.push(shape("line", { class: "edge struck", x1: x - 8, y1: y + 4 + shift, x2: x + 8, y2: y - 4 + shift }));
    }
  }
  return parts;
}

function edge(above, below, kind, move) {
  const foot = down(above) + half(above) + (data.boards && above.value ? 18 : 1);
  const ends = { class: kind, x1: above.x, y1: foot, x2: below.x, y2: down(below) - half(below) - 14 };
  const name = shape("text", { class: "branch", x: below.x, y: down(below) - half(below) - 3 }, move);
  if (!above.isStacked) return shape("g", {}, shape("line", ends), name);
  const side = (below.x > above.x ? -1 : 1) * ((BOARDS[below.node.number]?.[0] ?? 24) / 2 + 2);
  const rail = `M${above.x} ${foot} V${down(below)} H${below.x + side}`;
  return shape("g", {}, shape("path", { class: kind, d: rail, fill: "none" }), name);
}

function marks(place) {
  const { node, x } = place;
  const y = down(place);
  const kind = role(node.side);
  const outlines = {
    Max: () => shape("path", { d: `M${x} ${y - 12} l15 24 h-30 z` }),
    Min: () => shape("path", { d: `M${x} ${y + 12} l15 -24 h-30 z` }),
    chance: () => shape("circle", { cx: x, cy: y, r: 12 }),
  };
  const side = Math.max(12, place.value.length * LETTER / 2 + 4);
  const box = () => shape("rect", { x: x - side, y: y - 11, width: 2 * side, height: 22 });
  const board = BOARDS[node.number];
  const outline = board ? boardAt(board, x, y) : (outlines[kind] ?? box)();
  const inside = !outlines[kind];
  const beside = { x: inside ? x : x + 18, y: y + 5, "text-anchor": inside ? "middle" : "start" };
  const below = { x, y: y + board?.[1] / 2 + 15, "text-anchor": "middle" };
  const text = { class: "worth", ...(board ? below : beside) };
  const folded = !place.open && node.children.length ? " folded" : "";
  const here = node === (looked ?? present()) ? " here" : "";
  const drawnNode = shape("g", { class: `mark ${kind}${folded}${here}` }, outline, shape("text", text, place.value));
  drawnNode.onclick = () => (node.children.length ? toggle(node) : look(node));
  return [drawnNode, ...place.below.flatMap(marks)];
}

/** A board in its frame. The drawing is SVG that gamesearch has made, with all texts escaped. */
function boardAt([width, height, drawing], x, y) {
  const at = { x: x - width / 2 - 2, y: y - height / 2 - 2, width: width + 4, height: height + 4 };
  const inside = shape("g", { transform: `translate(${x - width / 2} ${y - height / 2})` });
  inside.innerHTML = drawing;
  return shape("g", { class: "board" }, shape("rect", { class: "frame", ...at }), inside);
}

function enlarge(factor) {
  zoom = Math.max(0.2, Math.min(zoom * factor, 4));
  draw();
}

element("picture").addEventListener("wheel", (event) => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  enlarge(event.deltaY < 0 ? 1.1 : 1 / 1.1);
}, { passive: false });
