// The launches at the left; arrow keys move through them.

function launchButton(launch, index, most) {
  const executed = launch.totals?.inst_executed ?? 0;
  const advice = launch.advice ?? [];
  const worst = ["high", "medium", "low"].find((severity) => advice.some((each) => each.severity === severity));
  const shape = `${launchBlocks(launch) === 1 ? "1 block" : `${sizes(launch.grid, "\u00d7")} blocks`} of ${
                    sizes(launch.block, "\u00d7")}` +
      (launch.launches > 1 ? `, ${grouped(launch.launches)} times` : "");
  return element("li", {"data-name": `${launch.kernel} ${launch.mangled}`.toLowerCase()},
      element("button", {
        type: "button",
        title: launch.kernel,
        "data-launch": index,
        on: {click: () => goTo({launch: index, view: place.view})},
      },
          element("span", {class: "name"}, launchTitle(launch)),
          worst ? element("span",
                      {class: `count ${worst}`, title: counted(advice.length, "piece of advice", "pieces of advice")},
                      String(advice.length)) :
                  null,
          element("span", {class: "small muted shape"}, shape),
          element("span", {class: "meter", "aria-hidden": "true", vars: {"--part": most > 0 ? executed / most : 0}})));
}

function drawLaunchList() {
  const most = launches.reduce((value, launch) => Math.max(value, launch.totals?.inst_executed ?? 0), 0);
  const list = byId("launch-list");
  byId("launch-count").textContent = grouped(launches.length);
  list.replaceChildren(...launches.map((launch, index) => launchButton(launch, index, most)));
  list.addEventListener("keydown", (event) => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step === undefined) return;
    const buttons = [...list.querySelectorAll("li:not([hidden]) button")];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.click();
  });
  const filter = byId("launch-filter");
  filter.hidden = launches.length < 8;
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const item of list.children) item.hidden = !item.dataset.name.includes(wanted);
  });
  if (profile.launches_omitted > 0) {
    byId("launches-omitted").textContent =
        `${counted(profile.launches_omitted, "further launch", "further launches")} had no place in the profile.`;
  }
}

function markLaunch(index) {
  for (const each of byId("launch-list").querySelectorAll("button")) {
    const current = Number(each.dataset.launch) === index;
    if (current)
      each.setAttribute("aria-current", "true");
    else
      each.removeAttribute("aria-current");
    if (current) each.scrollIntoView({block: "nearest"});
  }
}

function drawLaunchHead(launch) {
  byId("kernel").textContent = launch.kernel || launch.mangled || "(unnamed)";
  const shared = (launch.static_shared_bytes ?? 0) + (launch.dynamic_shared_bytes ?? 0);
  const facts = [
    ["grid", sizes(launch.grid)],
    ["block", sizes(launch.block)],
    [
      "threads",
      grouped(launch.totals?.threads ?? launchBlocks(launch) * launch.block[0] * launch.block[1] * launch.block[2])
    ],
    ["shared", shared > 0 ? byteCount(shared) : null],
    ["local", launch.local_bytes ? `${byteCount(launch.local_bytes)} a thread` : null],
    ["launches", launch.launches > 1 ? grouped(launch.launches) : null],
    ["launch", launch.cooperative ? "cooperative" : null],
    ["target", profile.programs?.[launch.program]?.target ?? null],
  ].filter(([, value]) => value !== null);
  byId("shape").replaceChildren(...facts.map(
      ([name, value]) => element("span", {class: "fact"}, element("span", {class: "muted"}, name), ` ${value}`)));
  byId("failed").hidden = !launch.failed;
  byId("failed").textContent = launch.failed ?
      `${counted(launch.failed, "launch", "launches")} ended by a fault; counted is what was executed up to there.` :
      "";
}
