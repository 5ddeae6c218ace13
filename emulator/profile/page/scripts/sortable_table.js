// A table that sorts by a column when its heading's button is pressed. Rows are made as they are needed.

const rowsAtOnce = 200;

/// columns: {title, help, text(row), value(row) to sort by, numeric, cell(row): a node in place of the text}.
function sortableTable(caption, columns, rows, start = {}) {
  let sorted = [...rows];
  let column = start.column ?? null;
  let falling = start.falling ?? true;
  let shown = rowsAtOnce;

  const body = element("tbody");
  const more = button("", () => {
    shown += 5 * rowsAtOnce;
    fill();
  }, {class: "quiet more"});
  const heads = columns.map((each, index) => {
    const press = button(each.title, () => sortBy(index), {title: each.help || null});
    return element("th", {scope: "col", class: each.numeric ? "number" : null}, press);
  });

  function compare(a, b) {
    const [x, y] = [columns[column].value(a), columns[column].value(b)];
    if (x === null || y === null) return (x === null) - (y === null);  // without a value: last
    const order = typeof x === "number" ? x - y : x < y ? -1 : x > y ? 1 : 0;
    return falling ? -order : order;
  }
  function sortBy(index) {
    falling = column === index ? !falling : Boolean(columns[index].numeric);
    column = index;
    arrange();
  }
  function arrange() {
    if (column !== null) sorted = [...rows].sort(compare);
    heads.forEach((head, index) => {
      if (index === column)
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      else
        head.removeAttribute("aria-sort");
    });
    fill();
  }
  function fill() {
    const count = document.body.classList.contains("printing") ? 5 * rowsAtOnce : shown;
    body.replaceChildren(...sorted.slice(0, count).map(
        (row) => element("tr", {},
            columns.map((each, index) =>
                            element(index === 0 ? "th" : "td", {
                              scope: index === 0 ? "row" : null,
                              class: each.numeric ? (each.value(row) === 0 ? "number muted" : "number") :
                                  each.code       ? "code" :
                                                    null,
                              title: each.code ? each.text(row) : null
                            },
                                each.cell?.(row) ?? each.text(row))))));
    more.hidden = count >= sorted.length;
    more.textContent = `Show more (${grouped(sorted.length - count)} left)`;
  }
  arrange();
  return element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": caption},
      element("table", {class: "sortable"}, element("caption", {}, caption),
          element("thead", {}, element("tr", {}, heads)), body),
      more);
}

function figureColumn(metric) {
  const countersOf = (row) => row.counters ?? row.totals ?? {};
  return {
    title: metric.title,
    help: metric.help,
    numeric: true,
    value: (row) => metric.value(countersOf(row)),
    text: (row) => figureText(metric, countersOf(row)),
  };
}
