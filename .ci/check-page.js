// The faults of the page as it is shown now, each as one sentence: "category: fault". The script is evaluated in the
// page by check-page, at each width and in each colour scheme.
(() => {
  const findings = [];
  const report = (category, text) => findings.push(`${category}: ${text}`);
  const named = (element) => {
    const name = element.id ? `#${element.id}` : element.getAttribute("class") ? `.${element.getAttribute("class")}` : "";
    const text = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${element.tagName.toLowerCase()}${name}>${text ? ` "${text}"` : ""}`;
  };

  // Renders: one heading, sections with content, no tag of a template left over.
  const headings = [...document.querySelectorAll("h1, h2, h3, h4")];
  if (document.querySelectorAll("h1").length !== 1) report("renders", "there is not exactly one h1");
  // The page of a sweep has its points, charts and command. The page of a run begins with its answer, and all else is
  // folded.
  const isSweep = document.getElementById("points") !== null;
  const sectionCount = document.querySelectorAll("main > section, main > details").length;
  if (sectionCount < (isSweep ? 3 : 7)) report("renders", `only ${sectionCount} sections`);
  if (document.querySelectorAll("main > section").length !== 1) report("renders", "not exactly one section is open");
  if (document.querySelectorAll("tbody tr").length === 0) report("renders", "no row in any table");
  if (/\{\{|\}\}/.test(document.body.innerText)) report("renders", "a tag of the template is left over");
  if (!document.documentElement.lang) report("renders", "the page does not say its language");
  if (!document.querySelector("meta[name=viewport]")) report("renders", "the page does not say its viewport");
  headings.reduce((before, heading) => {
    const level = Number(heading.tagName[1]);
    if (level > before + 1) report("renders", `${named(heading)} skips a level of headings`);
    return level;
  }, 0);
  for (const cell of document.querySelectorAll("th:not([scope])")) report("renders", `${named(cell)} has no scope`);

  // Images: every drawing exists, has a size, and shows all parts that it refers to.
  for (const image of document.images) {
    if (!image.complete || image.naturalWidth === 0) report("images", `${image.getAttribute("src")} is not there`);
  }
  const ids = new Set();
  for (const element of document.querySelectorAll("[id]")) {
    if (ids.has(element.id)) report("images", `two elements are called ${element.id}`);
    ids.add(element.id);
  }
  for (const figure of document.querySelectorAll("figure")) {
    const shown = [...figure.querySelectorAll("svg, .missing")].filter((part) => part.checkVisibility());
    if (shown.length !== 1) report("images", `${named(figure)} shows ${shown.length} drawings`);
  }
  const visibleCharts = [...document.querySelectorAll("svg")].filter((svg) => svg.checkVisibility());
  for (const svg of visibleCharts) {
    const box = svg.getBoundingClientRect();
    const drawn = svg.getBBox();
    if (box.width < 1 || box.height < 1) report("images", `${named(svg)} is ${box.width} by ${box.height} px`);
    if (drawn.width < 1 || drawn.height < 1) report("images", `${named(svg)} draws nothing`);
    for (const use of svg.querySelectorAll("use")) {
      const target = (use.getAttribute("href") || use.getAttribute("xlink:href") || "").slice(1);
      if (!ids.has(target)) report("images", `a mark refers to ${target}, which is not there`);
      else if (!use.closest("defs") && use.getBoundingClientRect().width === 0) report("images", `a mark is not drawn`);
    }
  }

  // Overflow: the page never scrolls sideways. Wide parts do so in a separate box, which a keyboard can reach.
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    report("overflow", `the page is ${document.documentElement.scrollWidth} px wide in a window of ${width}`);
  }
  const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
  const hidden = (element) => {
    const box = element.getBoundingClientRect();
    return !element.checkVisibility({ visibilityProperty: true }) || box.width <= 1 || box.height <= 1;
  };
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest("svg") || hidden(element)) continue;
    const box = element.getBoundingClientRect();
    let scroller = element.parentElement;
    while (scroller && !scrolls(scroller)) scroller = scroller.parentElement;
    if (!scroller && (box.right > width + 0.5 || box.left < -0.5)) {
      report("overflow", `${named(element)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)} px`);
    }
    if (scrolls(element) && element.scrollWidth > element.clientWidth) {
      if (element.getAttribute("tabindex") !== "0") report("keyboard", `${named(element)} scrolls and cannot be focused`);
      if (!element.getAttribute("aria-label")) report("keyboard", `${named(element)} scrolls and has no name`);
    } else if (getComputedStyle(element).overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1) {
      report("overflow", `${named(element)} is cut off`);
    }
  }
  for (const element of document.querySelectorAll("[tabindex]")) {
    if (Number(element.getAttribute("tabindex")) > 0) report("keyboard", `${named(element)} jumps the order of focus`);
  }

  // Text: it is at least 12 px high as rendered, and has a contrast of 4.5 : 1 to its background (WCAG 2, AA).
  const parsed = (text) => {
    const [r, g, b, a = 1] = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => {
    const mix = (a, b) => a * top.a + b * (1 - top.a);
    return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
  };
  const luminance = ({ r, g, b }) => {
    const linear = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const backgroundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = parsed(getComputedStyle(at).backgroundColor);
      if (colour.a > 0) layers.push(colour);
      if (colour.a === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const filledShapes = (svg) => [...svg.querySelectorAll("rect, path, polygon, circle")].filter((shape) =>
    !shape.closest("defs") && getComputedStyle(shape).fill !== "none" && parsed(getComputedStyle(shape).fill).a > 0);
  const shapes = new Map(visibleCharts.map((svg) => [svg, filledShapes(svg)]));
  const behind = (text) => {
    const svg = text.closest("svg");
    const box = text.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const covering = shapes.get(svg).filter((shape) => {
      if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) return false;
      const at = shape.getBoundingClientRect();
      return at.left <= x && x <= at.right && at.top <= y && y <= at.bottom;
    });
    return covering.reduce((below, shape) => over(parsed(getComputedStyle(shape).fill), below), backgroundOf(svg));
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const content = texts.currentNode.data.trim();
    const element = texts.currentNode.parentElement;
    if (!content || ["STYLE", "SCRIPT"].includes(element.tagName) || hidden(element)) continue;
    const style = getComputedStyle(element);
    const svg = element.closest("svg");
    const matrix = svg ? element.getScreenCTM() : null;
    const size = parseFloat(style.fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    if (size < 11.95) report("size", `"${content.slice(0, 40)}" is ${size.toFixed(1)} px`);
    const background = svg ? behind(element) : backgroundOf(element);
    const colour = over(parsed(svg ? style.fill : style.color), background);
    const ratio = contrast(colour, background);
    if (ratio < 4.5) report("contrast", `"${content.slice(0, 40)}" in ${named(element)} has ${ratio.toFixed(2)} : 1`);
  }

  // Labels of a chart do not lie over each other, and are not cut off at its edge.
  for (const svg of visibleCharts) {
    const edge = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll("text")) {
      const at = text.getBoundingClientRect();
      if (at.left < edge.left - 1 || at.right > edge.right + 1 || at.top < edge.top - 1 || at.bottom > edge.bottom + 1) {
        report("labels", `"${text.textContent}" reaches beyond its chart`);
      }
    }
    const boxes = [...svg.querySelectorAll("text")].map((text) => [text, text.getBoundingClientRect()]);
    boxes.forEach(([text, box], index) => {
      for (const [other, at] of boxes.slice(index + 1)) {
        const across = Math.min(box.right, at.right) - Math.max(box.left, at.left);
        const down = Math.min(box.bottom, at.bottom) - Math.max(box.top, at.top);
        // Line boxes are higher than the text in them.
        if (across > 1 && down > 0.35 * Math.min(box.height, at.height)) {
          report("labels", `"${text.textContent}" and "${other.textContent}" lie over each other`);
        }
      }
    });
  }

  // On a phone every row is a card: each figure follows the title of its column as a whole, and no part scrolls.
  if (width <= 640) {
    for (const table of document.querySelectorAll("table")) {
      const titles = [...table.querySelectorAll("thead th")].map((title) => title.textContent.trim());
      for (const row of table.querySelectorAll("tbody tr")) {
        [...row.children].forEach((cell, index) => {
          const box = cell.getBoundingClientRect();
          const text = cell.textContent.trim();
          if (box.width < 1 || box.left < 0 || box.right > width + 0.5 || cell.scrollWidth > cell.clientWidth + 1) {
            report("cards", `"${text}" of ${named(row)} is not shown whole`);
          }
          const label = getComputedStyle(cell, "::before").content.replace(/^"|"$/g, "");
          if (cell.tagName === "TD" && label !== titles[index]) {
            report("cards", `"${text}" of ${named(row)} stands behind "${label}", not "${titles[index]}"`);
          }
        });
      }
    }
    for (const element of document.querySelectorAll("main *")) {
      if (!element.closest("svg") && !hidden(element) && scrolls(element) && element.scrollWidth > element.clientWidth) {
        report("cards", `${named(element)} scrolls sideways`);
      }
    }
  }

  // The page contains no path of the computer that made it, since other computers do not have the path.
  const attributes = [...document.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].filter(({ name }) => !["d", "transform", "href"].includes(name)).map(({ value }) => value));
  // The command and its flags name files as the user did, so that the command works.
  const shownToAll = document.body.cloneNode(true);
  for (const element of shownToAll.querySelectorAll("pre, style, details:has(> summary > #flags)")) element.remove();
  for (const text of [document.title, shownToAll.textContent, ...attributes]) {
    const path = text.match(/(?:^|[\s"'=,(])((?:~|\.\.?)?(?:\/[\w.@+-]+){2,})/m);
    if (path) report("paths", `"${path[1]}" is a path of another computer`);
  }

  if (!isSweep) {
    // The answer has the line that says how sure it is, and the picture of the stack that it takes.
    const taken = document.querySelector("h1").textContent.match(/^Take (.*)$/);
    if (taken) {
      const answer = document.querySelector('section[aria-labelledby="answer"]');
      const line = [...answer.querySelectorAll("dt")].find((term) => term.textContent === "Best");
      const sentence = line ? line.nextElementSibling.textContent : "";
      if (!/^(sure|likely|unsure|first|no other)\b.*\.$/.test(sentence)) report("sure", `"${sentence}" says not how sure it is`);
      const picture = answer.querySelector("svg");
      if (!picture || !picture.textContent.includes(taken[1])) report("images", `no picture of ${taken[1]}`);
    }

    // These are the stalls of the stack that the answer takes.
    const own = document.getElementById("best-stalls");
    const rows = [...document.querySelectorAll(".short table")][0].querySelectorAll("tbody th");
    if (taken && rows.length > 1) {
      const section = own && own.closest("details");
      if (!own || !own.textContent.includes(taken[1])) report("stalls", `no section for the stalls of ${taken[1]}`);
      else if (!section.querySelector("li, .missing")) report("stalls", `nothing is said of the stalls of ${taken[1]}`);
      else if ([...section.querySelectorAll("li")].some((stall) => !stall.textContent.startsWith(`${taken[1]},`))) {
        report("stalls", `a stall of another stack stands below ${taken[1]}`);
      }
    }

    // Each thing has one name: every column of the tables is in the glossary, and so are the measures of axes.
    const terms = [...document.querySelectorAll("details:has(> summary > #words) dt")].map((term) => term.textContent);
    const glossary = [...document.querySelectorAll("details:has(> summary > #words) .terms")].map((list) => list.textContent).join(" ");
    for (const title of document.querySelectorAll(".short thead th:not(:first-child)")) {
      const name = title.textContent.replace(" (> 500 ms)", "");
      if (!terms.includes(name)) report("titles", `"${name}" is not in the glossary`);
    }
    const all = [...document.querySelectorAll(".measures tbody th")].map((name) => name.textContent);
    const notMeasures = ["main thread time", "time since the first payload arrived"];
    for (const svg of visibleCharts) {
      for (const text of svg.querySelectorAll("text")) {
        const axis = text.textContent.match(/^(.*) \((ms|s|MB|ms\/s)\)$/);
        if (!axis || notMeasures.includes(axis[1])) continue;
        const isMeasure = terms.includes(`${axis[1]} ${axis[2]}`) && all.some((name) => name.startsWith(`${axis[1]} `));
        if (!isMeasure && !glossary.includes(axis[1])) report("titles", `"${axis[1]}" of a chart is not in the glossary`);
      }
    }
  }

  // Charts have titles, show where an axis does not begin at zero, and list the stacks as the tables do.
  const order = [...document.querySelectorAll(".short table")].slice(0, 1).flatMap((table) =>
    [...table.querySelectorAll("tbody th")].map((name) => name.firstChild.textContent.trim()));
  for (const svg of visibleCharts) {
    const texts = [...svg.querySelectorAll("text")];
    const words = texts.map((text) => text.textContent).join(" ");
    const name = svg.getAttribute("aria-labelledby");
    // The picture of a stack has no figures.
    if (name === "chart-stack") continue;
    const about = isSweep ? /machines?, [\d,]+ (?:rows|numbers of rows)/ : /machine, [\d,]+ rows, \d{4}-\d\d-\d\d/;
    if (!about.test(words)) report("charts", `${named(svg)} does not name machine, rows${isSweep ? "" : " and date"}`);
    if (["chart-percentiles", "chart-lateness"].includes(name) && !/begins? at .*0\.1 ms/.test(words)) {
      report("charts", `${name} does not say that its axis begins at 0.1 ms`);
    }
    if (name === "chart-import-vs-hitch" && !/logarithmic/.test(words)) {
      report("charts", `${name} does not say that its axis is logarithmic`);
    }
    // The names of percentiles and imports are next to their marks if there is room.
    const isOrdered = ["chart-main-queue", "chart-lateness"].includes(name) || (!isSweep && width <= 640);
    if (!isOrdered || order.length === 0) continue;
    const place = (text) => {
      const box = text.getBoundingClientRect();
      return Math.round(box.top / 8) * 10_000 + box.left;
    };
    const names = texts.filter((text) => order.includes(text.textContent)).sort((a, b) => place(a) - place(b))
      .map((text) => text.textContent);
    if (names.join() !== order.filter((stack) => names.includes(stack)).join() || names.length === 0) {
      report("charts", `${name} lists ${names.join(", ")}`);
    }
  }

  // The page has the scheme that was requested.
  const page = luminance(backgroundOf(document.body));
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  if (isDark ? page > 0.2 : page < 0.8) report("scheme", `the page is ${isDark ? "light" : "dark"} where it should not be`);
  return findings;
})()
