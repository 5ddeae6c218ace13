// The tabs, and the place in the page: its launch, its view, and what is chosen there. The address keeps it.

const views = [overviewView, sourceView, accessView, stepView, tableView];
let place = {launch: 0, view: "overview"};
let pending = null;

function address() {
  return "#" + new URLSearchParams(Object.entries(place).filter(([, value]) => value !== undefined)).toString();
}

function writeAddress(push) {
  clearTimeout(pending);
  try {
    if (push)
      history.pushState(null, "", address());
    else
      history.replaceState(null, "", address());
  } catch { /* a page without an address of its own */
  }
}

/// Draws another place. What `change` does not name is forgotten, except launch and view.
function goTo(change) {
  place = {launch: place.launch, view: place.view, ...change};
  draw();
  writeAddress(true);
}

/// What was chosen within the view, which is drawn already. Later, as browsers limit how often an address changes.
function keepPlace(values) {
  Object.assign(place, values);
  clearTimeout(pending);
  pending = setTimeout(() => writeAddress(false), 400);
}

function readAddress() {
  const read = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const launch = Number(read.launch ?? 0);
  if (location.hash && !("view" in read)) return false;
  place = {
    ...read,
    launch: launch in launches ? launch : 0,
    view: views.some((view) => view.name === read.view) ? read.view : "overview"
  };
  return true;
}

function tabOf(view) { return byId(`tab-${view.name}`); }

function draw() {
  const launch = launches[place.launch];
  const lost = document.activeElement;
  markLaunch(place.launch);
  drawLaunchHead(launch);
  for (const view of views) {
    const panel = byId(`panel-${view.name}`);
    const current = view.name === place.view;
    tabOf(view).setAttribute("aria-selected", current ? "true" : "false");
    tabOf(view).tabIndex = current ? 0 : -1;
    panel.hidden = !current;
    panel.replaceChildren();
    if (current) view.draw(panel, launch, place);
  }
  // What had the focus is gone: it goes on in the new view.
  if (lost && lost !== document.body && !lost.isConnected) {
    const panel = byId(`panel-${place.view}`);
    (panel.querySelector("[data-focus], .listing, .frame") ?? panel).focus({preventScroll: true});
  }
}

function drawTabs() {
  const tabs = byId("tabs");
  for (const view of views) {
    const choose = (event) => {
      goTo({view: view.name});
      // By mouse: keys then go to the view. By keyboard: they stay with the tabs.
      if (event.detail > 0)
        byId(`panel-${view.name}`).querySelector("[data-focus], .listing")?.focus({preventScroll: true});
    };
    tabs.append(
        button(view.title, choose, {role: "tab", id: `tab-${view.name}`, "aria-controls": `panel-${view.name}`}));
    byId("panels").append(element("section", {
      role: "tabpanel",
      id: `panel-${view.name}`,
      "aria-labelledby": `tab-${view.name}`,
      tabindex: -1,
      hidden: true
    }));
  }
  tabs.addEventListener("keydown", (event) => {
    const at = views.findIndex((view) => view.name === place.view);
    const next = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1}[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const view = views[(next + views.length) % views.length];
    goTo({view: view.name});
    tabOf(view).focus();
  });
}

// On paper all views of the launch stand below each other.
function preparePrint() {
  document.body.classList.add("printing");
  const kept = {...place};
  for (const view of views) {
    const panel = byId(`panel-${view.name}`);
    panel.replaceChildren(element("h2", {class: "print-title"}, view.title));
    view.draw(panel, launches[place.launch], view.name === kept.view ? kept : {launch: kept.launch, view: view.name});
  }
  place = kept;
  for (const each of document.querySelectorAll("#panels details")) each.open = false;
}

function endPrint() {
  document.body.classList.remove("printing");
  draw();
}

function start() {
  byId("origin").textContent = [
    profile.kiln ? `Kiln ${profile.kiln}` : null, profile.device?.name,
    profile.device?.compute_capability ? `compute capability ${profile.device.compute_capability}` : null
  ].filter(Boolean).join(" \u00b7 ");
  const unreadable = profile.format !== "kiln-emulator-profile" || profile.version !== 1;
  if (unreadable || launches.length === 0) {
    byId("content").replaceChildren(element("p", {class: "message"},
        unreadable ? "This page reads profiles of version 1; what it holds is another." :
                     "The profile has no launches: the program launched no kernel on the emulator."));
    byId("launch-count").textContent = "0";
    return;
  }
  document.title =
      `${launchTitle(launches[0])}${launches.length > 1 ? ` and ${launches.length - 1} more` : ""} \u2013 Kiln profile`;
  drawTabs();
  drawLaunchList();
  readAddress();
  draw();
  addEventListener("popstate", () => {
    if (readAddress()) draw();
  });
  addEventListener("beforeprint", preparePrint);
  addEventListener("afterprint", endPrint);
}

start();
