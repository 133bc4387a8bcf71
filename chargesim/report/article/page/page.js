"use strict";
(function () {
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.key === undefined ? cell.textContent.trim() : cell.dataset.key;
  };
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const number = (text) => (text === "" ? NaN : Number(text.replace("\u2212", "-").replace(",", ".")));
  for (const table of document.querySelectorAll("table")) {
    const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
    const body = table.tBodies[0];
    if (!body || body.rows.length < 2) continue;
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      if (!button.textContent.trim()) return;
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...body.rows];
        const keys = new Map(rows.map((row) => [row, key(row, column)]));
        const numeric = rows.every((row) => keys.get(row) === "" || !isNaN(number(keys.get(row))));
        rows.sort((one, other) => {
          const a = keys.get(one), b = keys.get(other);
          if (a === "" || b === "") return (a === "") - (b === "");
          const order = numeric ? number(a) - number(b) : collator.compare(a, b);
          return down ? -order : order;
        });
        body.append(...rows);
      });
    });
  }
})();
