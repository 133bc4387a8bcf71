// What of a page is how legible: kind, contrast with what is behind it, and what it is.
// Run within the page; hidden texts are left out.
const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
  .getContext("2d", { willReadFrequently: true });
const parse = (text) => {
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
};
const over = (top, below) =>
  [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const light = (c) =>
  [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => sum + weight * linear(c[i] / 255), 0);
const contrast = (one, other) => {
  const [bright, dim] = [light(one), light(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
};
const ground = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    layers.push(parse(getComputedStyle(at).backgroundColor));
    if (layers.at(-1)[3] === 1) break;
  }
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
};
const hidden = (e) =>
  e.closest("svg, script") || (e.closest("details:not([open])") && !e.closest("summary"));

const found = [];
for (const e of document.body.querySelectorAll("*")) {
  const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  if (hidden(e) || !own) continue;
  const letters = over(parse(getComputedStyle(e).color), ground(e));
  found.push(["text", contrast(letters, ground(e)), e.outerHTML.slice(0, 80)]);
}
const paper = ground(document.body);
for (const e of document.querySelectorAll('.plot svg g[id*="text_"] use')) {
  const fill = getComputedStyle(e).fill;
  // letters upon a colour are black or white, and are looked at by themselves
  if (!["rgb(1, 1, 1)", "rgb(254, 254, 254)"].includes(fill)) {
    found.push(["letter", contrast(parse(fill), paper), fill]);
  }
}
for (const name of ["--c1", "--c2", "--c3", "--c4", "--c5", "--c6"]) {
  const colour = getComputedStyle(document.documentElement).getPropertyValue(name);
  found.push(["colour", contrast(parse(colour), paper), name]);
}
return found;
