// Grades the answers to the questions of a lesson in the same way as PosedQuestion.judge in Python.

const score = { right: 0, answered: 0 };

/** The text of a number in lower case, without signs and words such as + or "at least", and without spaces, except between digits. */
function plain(text) {
  const bare = text.toLowerCase().replace(/[−–]/g, "-").replace(/∞|infinity/g, "inf").replace(/at least|at most|<=|>=|[≤≥=+]/g, "");
  return bare.trim().replace(/\s+/g, " ").replace(/(?<![0-9.]) | (?![0-9.])/g, "");
}

/** The texts of the numbers in an answer, such as [2, 7]. */
function parted(text, count) {
  const inside = text.trim().replace(/^[[\](){}]+|[[\](){}]+$/g, "");
  if (count === 1) return inside.split(",");
  const separated = inside.toLowerCase().replace(/;|\.{2,}|…|\b(?:to|and)\b/g, ",");
  const [first, ...named] = separated.split(/(alpha|beta|α|β)\s*[=:]?/);
  if (named.length && !first.trim()) {
    const ends = Array.from({ length: named.length / 2 }, (_, at) => named.slice(2 * at, 2 * at + 2));
    return ends.sort(([one], [other]) => one < other ? -1 : 1).map(([, end]) => end.replace(/[,\s]+$/, ""));
  }
  return separated.includes(",") ? separated.split(",") : separated.split(/\s+/).filter(Boolean);
}

/** The number that a text such as 3, 7/2 or -inf means; NaN if the text is not a number. */
function numberOf(text) {
  if (/^-?inf$/.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  const found = text.match(/^(-?[0-9]*\.?[0-9]+)(?:\/([0-9]+))?$/);
  return found ? Number(found[1]) / (found[2] ? Number(found[2]) : 1) : NaN;
}

/** Whether `text` is `number` rounded to at least two significant digits, if `number` has more than two decimals. */
function isRounded(text, number) {
  const found = text.match(/^-?([0-9]*)\.([0-9]+)$/);
  if (!found || (found[1] + found[2]).replace(/^0+/, "").length < 2 || Number(number.toFixed(2)) === number) return false;
  return Number(number.toFixed(found[2].length)) === Number(text);
}

/** Whether an answer is right; null if it cannot be read as the required kind of answer, such as a number. */
function judge(posed, given) {
  const verb = posed.kind === "word" ? / +(wins( in \d+ \w+)?|to move)\.?$/i : "";
  const text = given.trim().replace(verb, ""), lower = text.toLowerCase();
  if (["searched", "cut", "stored", "decided"].includes(posed.kind)) {
    return ["yes", "y", "no", "n"].includes(lower) ? lower[0] === posed.answer[0] : null;
  }
  if (posed.words.length) {
    const known = posed.words.find((word) => word === text || word.toLowerCase() === lower) ?? posed.spellings[text];
    if (known === undefined) return posed.kind === "text" ? false : null;
    return posed.right.includes(known);
  }
  const whole = posed.kind === "count" ? text.replace(/(?<=\d)[,_ ](?=\d{3})/g, "") : text;
  const parts = parted(whole, posed.numbers.length).map(plain);
  const wanted = parted(posed.answer, posed.numbers.length).map(plain);
  if (parts.length !== posed.numbers.length) return null;
  if (parts.some((part) => Number.isNaN(numberOf(part.split("in")[0] === "" ? part : part.replace(/(\d)in\d+$/, "$1"))))) return null;
  return parts.every((part, at) => {
    const number = Number(posed.numbers[at].replace("inf", "Infinity"));
    return part === wanted[at] || numberOf(part) === number || Math.abs(numberOf(part) - number) <= posed.within || isRounded(part, number);
  });
}

const closed = [];  // the outputs that are open only while the page is printed
addEventListener("beforeprint", () => {
  closed.push(...document.querySelectorAll("details:not([open])"));
  for (const output of closed) output.open = true;
});
addEventListener("afterprint", () => {
  for (const output of closed.splice(0)) output.open = false;
});

for (const form of document.querySelectorAll(".question")) {
  const instances = data.questions[Number(form.dataset.question)];
  let at = 0, isCounted = true;  // only the first answer to a question counts
  const prompt = make("div", {}), options = make("div", {});
  const typed = make("input", { type: "text", ariaLabel: "your answer", autocomplete: "off" });
  const verdict = make("p", { className: "verdict" });
  const again = make("button", { type: "button", textContent: "Another one" });
  again.hidden = instances.length < 2;
  const buttons = make("div", { className: "buttons" }, make("button", { textContent: "Check" }), again);

  function show() {
    const posed = instances[at];
    prompt.innerHTML = posed.prompt;
    options.replaceChildren(...posed.options.map((option, number) => {
      const input = make("input", { type: "radio", name: `question-${form.dataset.question}`, value: posed.words[number] });
      const text = make("span", { innerHTML: option });
      return make("label", {}, input, ` ${posed.words[number]}) `, text);
    }));
    typed.hidden = posed.options.length > 0;
    typed.value = verdict.textContent = "";
    verdict.className = "verdict";
  }

  form.onsubmit = (event) => {
    event.preventDefault();
    const posed = instances[at];
    const chosen = options.querySelector("input:checked");
    const given = posed.options.length ? (chosen ? chosen.value : "") : typed.value;
    const isRight = given.trim() ? judge(posed, given) : null;
    if (isRight === null) {
      verdict.className = "verdict";
      verdict.textContent = given.trim() ? `${posed.misread.replace("'?'", () => `'${given.trim()}'`)}.` :
        posed.options.length ? "Choose an option." : "Type an answer.";
      return;
    }
    const html = (text) => make("span", { innerHTML: text });
    const answer = posed.reason ? [`${posed.answer}: `, html(posed.reason)] : [`${posed.answer}.`];
    const own = posed.options.length ? [`${given}: `, html(posed.reasons[posed.words.indexOf(given)] || posed.reason)] : answer;
    verdict.className = `verdict ${isRight ? "right" : "wrong"}`;
    verdict.replaceChildren(...(isRight ? ["Right. The answer is ", ...own] :
      posed.options.length ? ["Wrong. ", ...own, "\nThe answer is ", ...answer] : ["Wrong. The answer is ", ...answer]));
    if (posed.explanation) verdict.append("\n", html(posed.explanation));
    if (isCounted) {
      score.answered += 1;
      score.right += isRight;
      isCounted = false;
    }
    element("score").textContent = `${score.right} of ${score.answered} right`;
  };
  again.onclick = () => {
    at = (at + 1) % instances.length;
    show();
  };
  form.append(prompt, options, typed, buttons, verdict);
  show();
}
