// The page of a game graph: shows details of the position that the user points at, focuses or selects, and moves and
// zooms the graph.

const positions = data.positions;
const svg = document.querySelector("#picture svg");
const nodes = positions.map((_, number) => element(`p${number}`));
const moves = [...svg.querySelectorAll(".edge:not(.legend)")];
const whole = svg.getAttribute("viewBox").split(" ").map(Number);
const before = positions.map(() => []);
positions.forEach((position, number) => {
  for (const move of position.moves) if (!before[move.to].includes(number)) before[move.to].push(number);
});
let kept = null;
let view = [...whole];

// Details. ----------------------------------------------------------------------------------------
function goTo(number) {
  const button = make("button", { type: "button" }, positions[number].position);
  button.addEventListener("click", () => {
    keep(number);
    nodes[number].focus();
    bringIntoView(number);
  });
  return button;
}

function show(number) {
  const position = positions[number];
  element("name").textContent = position.position;
  element("board").textContent = position.board.join("\n");
  element("facts").textContent = `${position.turn}: ${position.words}`;
  element("moves").replaceChildren(...position.moves.map((move) => {
    const cells = [move.move, goTo(move.to), positions[move.to].worth, move.remark];
    return make("tr", { className: move.quality }, ...cells.map((cell) => make("td", {}, cell)));
  }));
  element("before").replaceChildren(
    ...(before[number].length ? ["Reached from: ", ...before[number].map(goTo)] : []));
  const near = new Set([number, ...before[number], ...position.moves.map((move) => move.to)]);
  svg.classList.add("apart");
  nodes.forEach((node, other) => {
    node.classList.toggle("near", near.has(other));
    node.classList.toggle("shown", other === number);
    node.setAttribute("aria-pressed", String(other === kept));
  });
  for (const move of moves) {
    move.classList.toggle("near", move.id.split("-").includes(`p${number}`));
  }
}

function keep(number) {
  kept = number;
  show(number);
}

function letGo() {
  kept = null;
  show(0);
  svg.classList.remove("apart");
}

function pointAt(number) {
  if (kept === null) show(number);
}

nodes.forEach((node, number) => {
  node.setAttribute("tabindex", "0");
  node.setAttribute("role", "button");
  const { position, turn, words } = positions[number];
  node.setAttribute("aria-label", `${position}: ${turn}; ${words}`);
  node.addEventListener("mouseenter", () => pointAt(number));
  node.addEventListener("mouseleave", () => { if (kept === null) letGo(); });
  node.addEventListener("focus", () => {
    pointAt(number);
    if (node.matches(":focus-visible")) bringIntoView(number);  // if reached by Tab, the node may be out of view
  });
  node.addEventListener("click", () => keep(number));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    keep(number);
  });
});

// Moving and zooming: `view` is the visible part of the picture as [left, top, width, height]. -------
function look(left, top, width, height) {
  view = [left, top, width, height];
  svg.setAttribute("viewBox", view.join(" "));
}

function zoom(factor, x = view[0] + view[2] / 2, y = view[1] + view[3] / 2) {
  const width = Math.min(Math.max(view[2] / factor, whole[2] / 40), whole[2] * 4);
  const share = width / view[2];
  look(x - (x - view[0]) * share, y - (y - view[1]) * share, width, view[3] * share);
}

function pan(right, down) {
  look(view[0] + right * view[2], view[1] + down * view[3], view[2], view[3]);
}

function bringIntoView(number) {
  const box = nodes[number].getBoundingClientRect();
  const frame = svg.getBoundingClientRect();
  const inside = box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
  if (inside) return;
  const middle = placeOf((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  look(middle.x - view[2] / 2, middle.y - view[3] / 2, view[2], view[3]);
}

function placeOf(x, y) {
  return new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
}

const keys = {
  "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: () => look(...whole),
  ArrowLeft: () => pan(-0.1, 0), ArrowRight: () => pan(0.1, 0), ArrowUp: () => pan(0, -0.1), ArrowDown: () => pan(0, 0.1),
  Escape: letGo,
};
obey(keys, ({ key, target }) => target.closest("aside") && key.startsWith("Arrow"));  // arrow keys scroll the details
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const place = placeOf(event.clientX, event.clientY);
  zoom(Math.exp(-event.deltaY / 500), place.x, place.y);
}, { passive: false });

let dragged = null;
svg.addEventListener("pointerdown", (event) => {
  if (event.button === 0 && !event.target.closest(".node")) dragged = placeOf(event.clientX, event.clientY);
});
window.addEventListener("pointermove", (event) => {
  if (dragged === null) return;
  const here = placeOf(event.clientX, event.clientY);
  look(view[0] + dragged.x - here.x, view[1] + dragged.y - here.y, view[2], view[3]);
});
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => { dragged = null; });
letGo();
