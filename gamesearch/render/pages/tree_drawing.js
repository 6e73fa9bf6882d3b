// Draws the tree as on a blackboard: a shape for the side to move, values next to shapes, and crossed-out branches for
// cutoffs. A node that is folded in the outline is also folded in the drawing, and vice versa.

const BOARDS = data.boards ?? {}; // by the number of a node: [width, height, drawing] of its board
const TALLEST = Math.max(24, ...Object.values(BOARDS).map((board) => board[1]));
const half = (place) => (BOARDS[place.node?.number]?.[1] ?? 24) / 2; // half the height of a node's shape
const STEP = 54 + TALLEST + (data.boards ? 16 : 0); // the distance between two levels
const LETTER = 7.5;
const CROWD = 30; // with more boards than this number, the boards below a node form two columns
let zoom; // at first, a wide tree is shrunk to the width of the page
let fall = 0; // the additional distance below the root, which makes the edges of wide trees steeper

/** The branches that a cutoff left out, as nodes: with their values if data.pruned has them, otherwise only the moves. */
function cutBranches(node, hasChildren) {
  const cut = cutOf(node);
  const branch = (more) => ({ above: node, side: "", children: [], bests: [], ranges: [], ...more });
  if (!cut) return [];
  if (data.pruned[node.number]) {
    return data.pruned[node.number].map(([number, move, side, value]) => branch({
      number, move: text(move), side: text(side), left: { at: cut.at, bound: "exact", value: text(value) }, isPruned: true,
    }));
  }
  if (!data.boards) return cut.moves.map((move) => branch({ move, isStub: true }));
  return hasChildren && cut.moves.length ? [branch({ move: cut.moves.join(", "), isStub: true })] : [];
}

/** The place of each visible node: leaves are side by side; every other node is above the middle of its children. */
function placed(node, view, level, room) {
  const left = leftOf(node);
  const best = bestOf(node);
  const value = left ? `${SIGNS[left.bound] === "=" ? "" : SIGNS[left.bound]}${left.value}` : best ? `${best.value}…` : "";
  const open = isOpen(node, view.onPath);
  const children = open ? childrenOf(node) : [];
  const branches = open ? [...children, ...cutBranches(node, children.length)] : [];
  const isLow = (child) => !isOpen(child, view.onPath) || !childrenOf(child).length;
  if (Object.keys(BOARDS).length > CROWD && branches.length > 2 && branches.every(isLow)) {
    return { node, value, open, y: level, isStacked: true, ...stacked(branches, view, level + 1, room) };
  }
  const below = branches.map((child) => placed(child, view, level + 1, room));
  const letters = Math.max(value.length, node.move.length, node.isStub ? 0 : 3, ((BOARDS[node.number]?.[0] ?? 0) - 12) / LETTER);
  const x = below.length ? (below[0].x + below.at(-1).x) / 2 : taken(room, letters);
  room.deep = Math.max(room.deep, level);
  room.across = Math.max(room.across ?? 0, ...below.map((child) => Math.abs(child.x - x)));
  return { node, value, open, below, x, y: level };
}

/** Place nodes in two columns; return their places and the middle between the columns. */
function stacked(children, view, level, room) {
  const row = (Math.max(...children.map((child) => BOARDS[child.number]?.[1] ?? 24)) + 38) / STEP;
  const own = { used: 0, deep: 0 };
  const below = children.map((child) => ({ start: own.used, ...placed(child, view, level, own), end: own.used }));
  const width = Math.max(...below.map((place) => place.end - place.start));
  const gap = children.some((child) => child.isPruned || child.isStub) ? 22 : 8; // room for crossed-out branches
  const x = taken(room, (2 * width + gap - 34) / LETTER + 2);
  below.forEach((place, at) => Object.assign(place, { x: x + (at % 2 - 0.5) * (width + gap), y: level + Math.floor(at / 2) * row }));
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
  fall = Math.max(0, Math.min(room.across / 6 - 36, 74));
  const [width, height] = [room.used + 10, 36 + TALLEST + (data.boards ? 16 : 0) + fall + room.deep * STEP];
  zoom ??= Math.max(0.6, Math.min(picture.clientWidth / width, 1));
  const parts = [...branches(tree, view), ...marks(tree)];
  const size = { width: width * zoom, height: height * zoom, viewBox: `0 0 ${width} ${height}` };
  picture.replaceChildren(shape("svg", { ...size, role: "img", "aria-label": "The searched tree, drawn" }, ...parts));
  const here = places(tree).find((place) => place.node === (looked ?? present()));
  if (here) picture.scrollTo(inView(picture.scrollLeft, picture.clientWidth, here.x), inView(picture.scrollTop, picture.clientHeight, down(here)));
}

/** The scroll position at which a coordinate of the drawing is visible: the present scroll position, if possible. */
function inView(scrolled, size, coordinate) {
  const place = coordinate * zoom;
  return place > scrolled && place < scrolled + size ? scrolled : place - size / 2;
}

const places = (place) => [place, ...place.below.flatMap(places)];
const down = (place) => 12 + TALLEST / 2 + place.y * STEP + (place.y >= 1 ? fall : 0);

function branches(place, view) {
  return place.below.flatMap((child) => {
    const best = !data.blank && view.line.has(child.node.number) && view.line.has(place.node.number);
    const kind = best ? "edge best" : child.node.isPruned ? "edge faded" : "edge";
    return [edge(place, child, kind), ...branches(child, view)];
  });
}

function edge(above, below, kind) {
  const foot = down(above) + half(above) + (data.boards && above.value ? 18 : 1);
  const label = { class: "branch", x: below.x, y: down(below) - half(below) - 4 };
  const name = shape("text", label, data.moves || below.node.isStub ? below.node.move : "");
  const isCut = below.node.isPruned || below.node.isStub;
  if (!above.isStacked) {
    const ends = [above.x, foot, below.x, down(below) - half(below) - 15];
    const line = shape("line", { class: kind, x1: ends[0], y1: ends[1], x2: ends[2], y2: ends[3] });
    return shape("g", {}, line, ...(isCut ? slashes(...ends, 8) : []), name);
  }
  const side = below.x > above.x ? 1 : -1;
  const rail = above.x + (kind === "edge best" ? 6 * side : 0); // so that it does not hide the line to the other boards
  const end = below.x - side * ((BOARDS[below.node.number]?.[0] ?? below.node.move.length * LETTER) / 2 + 2);
  const level = down(below) - (below.node.isStub ? half(below) + 8 : 0);
  const line = shape("path", { class: kind, d: `M${rail} ${foot} V${level} H${end}`, fill: "none" });
  return shape("g", {}, line, ...(isCut ? slashes(rail, level, end, level, 5) : []), name);
}

/** Two short lines that cross a line, whatever its direction. */
function slashes(x1, y1, x2, y2, size) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [x, y] = [size * (0.34 * dx + 0.94 * dy), size * (0.34 * dy - 0.94 * dx)];
  return [-0.35, 0.35].map((shift) => {
    const [midX, midY] = [(x1 + x2) / 2 + shift * size * dx, (y1 + y2) / 2 + shift * size * dy];
    return shape("line", { class: "edge struck", x1: midX - x, y1: midY - y, x2: midX + x, y2: midY + y });
  });
}

function marks(place) {
  const { node, x } = place;
  if (node.isStub) return [];
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
  const pruned = node.isPruned ? " pruned" : "";
  const drawnNode = shape("g", { class: `mark ${kind}${folded}${here}${pruned}` }, outline, shape("text", text, place.value));
  if (!pruned) drawnNode.onclick = () => (node.children.length ? toggle(node) : look(node));
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
