"use strict";
// Code that all pages of gamesearch share: reading the data, handling keys and buttons, and the light or dark theme.

const element = (id) => document.getElementById(id);
const data = JSON.parse(element("data").textContent);

function make(tag, properties, ...content) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
}

/** Call the function of a pressed key unless `meansElse` is true, or of the data-key of a clicked button. */
function obey(keys, meansElse) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key) || meansElse(event)) return;
    event.preventDefault();
    keys[event.key]();
  });
  for (const button of document.querySelectorAll("[data-key]")) button.onclick = () => keys[button.dataset.key]();
}

element("theme").onclick = () => {
  const style = document.documentElement.style;
  const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  style.colorScheme = (style.colorScheme || preferred) === "dark" ? "light" : "dark";
};

