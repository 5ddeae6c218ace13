// Elements are made by these alone. Text becomes text nodes: no name or source line of the profile can become HTML.

function setProperties(node, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else if (name === "vars") {
      for (const [variable, text] of Object.entries(value)) node.style.setProperty(variable, String(text));
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  setProperties(node, properties);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function drawn(tag, properties = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setProperties(node, properties);
  node.append(...children.flat(Infinity));
  return node;
}

function byId(id) { return document.getElementById(id); }

function button(text, action, properties = {}) {
  return element("button", {type: "button", on: {click: action}, ...properties}, text);
}

/// choices: [value, text] or {group, choices}.
function chooser(label, choices, value, action, properties = {}) {
  const option = ([choice, text]) =>
      element("option", {value: choice, selected: String(choice) === String(value)}, text);
  const parts = choices.map((choice) => Array.isArray(choice) ?
          option(choice) :
          element("optgroup", {label: choice.group}, choice.choices.map(option)));
  const select = element("select", {on: {change: () => action(select.value)}, ...properties}, parts);
  return element("label", {class: "field"}, element("span", {}, label), select);
}

function section(title, ...children) {
  return element("section", {class: "card"}, element("h2", {}, title), ...children);
}
