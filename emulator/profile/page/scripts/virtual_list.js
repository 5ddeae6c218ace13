// A list of thousands of rows of one height, of which only those in sight are elements. One row is chosen: by a click,
// by arrow keys, Page Up and Down, Home and End.

class VirtualList {
  /// makeRow(index): the content of a row, as nodes.
  constructor(label, count, makeRow, onChoose) {
    this.count = count;
    this.makeRow = makeRow;
    this.onChoose = onChoose;
    this.chosen = -1;
    this.id = `list-${++VirtualList.lists}`;
    this.spacer = element("div", {class: "spacer", role: "presentation"});
    this.box = element("div", {
      class: "listing",
      role: "listbox",
      tabindex: 0,
      "aria-label": label,
      on: {scroll: () => this.draw(), keydown: (event) => this.onKey(event), click: (event) => this.onClick(event)},
    },
        this.spacer);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.box);
  }

  get rowHeight() { return this.height ??= parseFloat(getComputedStyle(this.box).getPropertyValue("--row")) || 22; }

  redraw() {
    this.first = undefined;
    this.draw();
  }

  draw() {
    if (!this.box.isConnected) return;
    this.spacer.style.height = `${this.count * this.rowHeight}px`;
    const inSight = Math.ceil((this.box.clientHeight || 600) / this.rowHeight);
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.rowHeight) - 10);
    const last = Math.min(this.count, first + inSight + 20);
    if (first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const rows = [];
    for (let index = first; index < last; ++index) rows.push(this.row(index));
    this.spacer.replaceChildren(...rows);
    this.mark();
  }

  row(index) {
    const row = element("div", {
      class: "row",
      role: "option",
      id: `${this.id}-${index}`,
      "data-index": index,
      "aria-selected": index === this.chosen ? "true" : "false",
      "aria-posinset": index + 1,
      "aria-setsize": this.count,
    },
        this.makeRow(index));
    row.style.transform = `translateY(${index * this.rowHeight}px)`;
    return row;
  }

  mark() {
    for (const row of this.spacer.children) {
      row.setAttribute("aria-selected", Number(row.dataset.index) === this.chosen ? "true" : "false");
    }
    if (this.chosen >= 0) this.box.setAttribute("aria-activedescendant", `${this.id}-${this.chosen}`);
  }

  choose(index, place = "nearest") {
    if (this.count === 0) return;
    this.chosen = Math.min(Math.max(index, 0), this.count - 1);
    this.show(this.chosen, place);
    this.mark();
    this.onChoose(this.chosen);
  }

  show(index, place) {
    const top = index * this.rowHeight;
    const height = this.box.clientHeight;
    if (place === "center")
      this.box.scrollTop = top - height / 2;
    else if (top < this.box.scrollTop)
      this.box.scrollTop = top;
    else if (top + this.rowHeight > this.box.scrollTop + height)
      this.box.scrollTop = top + this.rowHeight - height;
    this.draw();
  }

  onClick(event) {
    const row = event.target.closest(".row");
    if (row) this.choose(Number(row.dataset.index));
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 1);
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.count, End: this.count};
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.choose(Math.max(this.chosen, 0) + (this.chosen < 0 ? 0 : steps[event.key]));
  }
}
VirtualList.lists = 0;
