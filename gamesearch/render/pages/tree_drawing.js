// Draws the tree as on a blackboard: a shape or a board for each node, values next to them, and crossed-out branches for
// cutoffs. A node that is folded in the outline is also folded in the drawing, and vice versa.
//
// `drawTree` calls these functions of a page: below(node) returns the visible children, value(node) a text,
// isFolded(node) whether its children are hidden, isBest(node) whether the edge to it is bold, and choose(node) handles a click. `here` is the current node. Some
// children are not nodes of the search: `isCut` marks branches that were cut, and `isStub` marks texts without a shape.

const BOARDS = data.boards ?? {}; // by the number of a node: [width, height, drawing] of its board
const LETTER = 7.5;
const LABEL = data.boards ? 16 : 0; // the height of a value below a board
const ROWS = data.boards ? [0, 8, 6, 5, 4, 3, 2] : [0]; // the numbers of rows that are tried for stacks of boards; 0: no stacks
const TALL = 0.9; // the height of a drawing that needs no other layout, as a part of the height of the window
let zoom; // at first, a wide tree is shrunk to the width of the page

/** The places of all visible nodes: leaves are side by side; every other node is above the middle of its children. If
 *  `rows` is not 0, neighboring leaves of a node are stacked in pairs of columns with at most this number of rows. */
function layout(root, page, rows) {
  const places = [];
  const tallest = []; // the height of the tallest node at each level
  let [used, across] = [10, 0];

  const take = (width) => { used += width; return used - width / 2; };

  function place(node, level) {
    const [board, height] = BOARDS[node.number] ?? [0, 24];
    const value = node.isStub ? "" : page.value(node);
    const letters = Math.max(value.length, node.move.length, node.isStub ? 0 : 3);
    const here = { node, value, level, height, width: Math.max(LETTER * letters + 12, board) + 14, drop: 0 };
    places.push(here);
    tallest[level] = Math.max(tallest[level] ?? 24, height);
    const branches = node.isStub || node.isCut ? [] : page.below(node);
    here.below = branches.map((child) => place(child, level + 1));
    here.isLeaf = !branches.length;
    return here;
  }

  function arrange(here) {
    const feet = []; // the ends of the lines to the children
    for (let i = 0, end; i < here.below.length; i = end) {
      for (end = i; here.below[end]?.isLeaf;) end++;
      const leaves = here.below.slice(i, end);
      if (rows && leaves.length > 2) {
        feet.push(...stack(leaves));
      } else {
        end = i + 1;
        arrange(here.below[i]);
        feet.push(here.below[i].x);
      }
    }
    here.x = feet.length ? (feet[0] + feet.at(-1)) / 2 : take(here.width);
    across = Math.max(across, ...feet.map((x) => Math.abs(x - here.x)));
  }

  /** Stack leaves in pairs of columns; return the positions of the vertical lines between the columns. */
  function stack(leaves) {
    const pairs = Math.ceil(leaves.length / (2 * rows));
    const width = Math.max(...leaves.map((child) => child.width));
    const gap = leaves.some((child) => child.node.isCut) ? 22 : 8; // room for crossed-out branches
    const row = Math.max(...leaves.map((child) => child.height)) + 22 + LABEL;
    const rails = Array.from({ length: pairs }, () => take(2 * width + gap));
    leaves.forEach((child, i) => {
      const column = i % (2 * pairs);
      child.rail = rails[Math.floor(column / 2)];
      child.x = child.rail + (column % 2 ? 1 : -1) * (width + gap) / 2;
      child.drop = Math.floor(i / (2 * pairs)) * row;
    });
    return rails;
  }

  const tree = place(root, 0);
  arrange(tree);
  const fall = Math.max(0, Math.min(across / 6 - 36, 74)); // makes the edges of wide trees steeper
  const middles = [12 + tallest[0] / 2];
  for (let i = 1; i < tallest.length; i++) {
    middles.push(middles[i - 1] + (tallest[i - 1] + tallest[i]) / 2 + 54 + LABEL + (i === 1 ? fall : 0));
  }
  for (const each of places) each.y = middles[each.level] + each.drop;
  return { tree, places, width: used + 10, height: Math.max(...places.map((each) => each.y + each.height / 2)) + LABEL + 24 };
}

function drawTree(root, page) {
  const picture = element("picture");
  if (!root) return picture.replaceChildren();
  const fit = ({ width, height }) => Math.min(1, picture.clientWidth / width, TALL * innerHeight / height);
  let best = layout(root, page, ROWS[0]);
  for (let i = 1; i < ROWS.length && fit(best) < 1; i++) {
    const other = layout(root, page, ROWS[i]);
    if (fit(other) > fit(best)) best = other;
  }
  const { tree, places, width, height } = best;
  zoom ??= Math.max(0.6, Math.min(picture.clientWidth / width, 1));
  const edges = branches(tree, page);
  const isBest = (edge) => Number(edge.querySelector(".best") !== null);
  edges.sort((one, other) => isBest(one) - isBest(other)); // other edges do not hide the best edges
  const parts = [...edges, ...places.filter((each) => !each.node.isStub).map((each) => mark(each, page))];
  const size = { width: width * zoom, height: height * zoom, viewBox: `0 0 ${width} ${height}` };
  picture.replaceChildren(shape("svg", { ...size, role: "img", "aria-label": "The searched tree, drawn" }, ...parts));
  const here = places.find((each) => each.node === page.here);
  if (here) picture.scrollTo(inView(picture.scrollLeft, picture.clientWidth, here.x), inView(picture.scrollTop, picture.clientHeight, here.y));
}

/** The scroll position at which a coordinate of the drawing is visible: the present scroll position, if possible. */
function inView(scrolled, size, coordinate) {
  const place = coordinate * zoom;
  return place > scrolled && place < scrolled + size ? scrolled : place - size / 2;
}

function branches(place, page) {
  return place.below.flatMap((child) => [edge(place, child, page), ...branches(child, page)]);
}

function edge(above, below, page) {
  const { node, x, y, height } = below;
  const kind = page.isBest(node) ? "edge best" : node.isCut && !node.isStub ? "edge faded" : "edge";
  const foot = above.y + above.height / 2 + (data.boards && above.value ? 18 : 1);
  const name = shape("text", { class: "branch", x, y: y - height / 2 - 4 }, data.moves === false && !node.isStub ? "" : node.move);
  if (below.rail === undefined) {
    const ends = [above.x, foot, x, y - height / 2 - 15];
    const line = shape("line", { class: kind, x1: ends[0], y1: ends[1], x2: ends[2], y2: ends[3] });
    return shape("g", {}, line, ...(node.isCut ? slashes(...ends, 8) : []), name);
  }
  const side = x > below.rail ? 1 : -1;
  const rail = below.rail + (kind === "edge best" ? 6 * side : 0); // so that it does not hide the line to the other boards
  const end = x - side * ((BOARDS[node.number]?.[0] ?? node.move.length * LETTER) / 2 + 2);
  const level = y - (node.isStub ? height / 2 + 8 : 0);
  const start = below.rail === above.x ? `M${rail} ${foot}` : `M${above.x} ${foot} L${rail} ${foot + 18}`;
  const line = shape("path", { class: kind, d: `${start} V${level} H${end}`, fill: "none" });
  return shape("g", {}, line, ...(node.isCut ? slashes(rail, level, end, level, 5) : []), name);
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

function mark(place, page) {
  const { node, x, y, value } = place;
  const kind = role(node.side);
  const outlines = {
    Max: () => shape("path", { d: `M${x} ${y - 12} l15 24 h-30 z` }),
    Min: () => shape("path", { d: `M${x} ${y + 12} l15 -24 h-30 z` }),
    chance: () => shape("circle", { cx: x, cy: y, r: 12 }),
  };
  const side = Math.max(12, value.length * LETTER / 2 + 4);
  const box = () => shape("rect", { x: x - side, y: y - 11, width: 2 * side, height: 22 });
  const board = BOARDS[node.number];
  const outline = board ? boardAt(board, x, y) : (outlines[kind] ?? box)();
  const inside = !outlines[kind];
  const beside = { x: inside ? x : x + 18, y: y + 5, "text-anchor": inside ? "middle" : "start" };
  const below = { x, y: y + board?.[1] / 2 + 15, "text-anchor": "middle" };
  const text = { class: "worth", ...(board ? below : beside) };
  const folded = page.isFolded(node) ? " folded" : "";
  const here = node === page.here ? " here" : "";
  const pruned = node.isCut ? " pruned" : "";
  const drawnNode = shape("g", { class: `mark ${kind}${folded}${here}${pruned}` }, outline, shape("text", text, value));
  if (!pruned) drawnNode.onclick = () => page.choose(node);
  return drawnNode;
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

for (const button of document.querySelectorAll("[data-zoom]")) button.onclick = () => enlarge(Number(button.dataset.zoom));
element("picture").addEventListener("wheel", (event) => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  enlarge(event.deltaY < 0 ? 1.1 : 1 / 1.1);
}, { passive: false });
