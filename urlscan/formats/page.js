"use strict";
// Filters the findings of `check --format html`. Reads the page as text only, so that nothing in it becomes markup or script.
(() => {
  const byId = (id) => document.getElementById(id);
  const form = byId("filters");
  const rows = document.querySelectorAll("#files tbody tr");
  const files = Array.from(document.querySelectorAll(".file"), (node, number) => ({
    node,
    row: rows[number],
    count: node.querySelector("h3 small"),
    groups: Array.from(node.querySelectorAll(":scope > div"), (group) => ({
      node: group,
      findings: Array.from(group.children, (finding) => ({
        node: finding,
        severity: finding.className,
        rule: finding.dataset.rule,
        fixable: "fix" in finding.dataset,
        text: null,
      })),
    })),
  }));
  if (!byId("bar")) return;
  for (const file of files) file.total = file.groups.reduce((sum, group) => sum + group.findings.length, 0);
  const total = files.reduce((sum, file) => sum + file.total, 0);
  const number = (value) => value.toLocaleString("en");
  const plural = (value) => `${number(value)} ${value === 1 ? "finding" : "findings"}`;
  const hide = (node, hidden) => {
    if (node.hidden !== hidden) node.hidden = hidden;
  };
  const textOf = (file, finding) => {
    finding.text ??= `${file.node.firstElementChild.firstElementChild.textContent}\n${finding.node.textContent}`.toLowerCase();
    return finding.text;
  };

  const apply = () => {
    const { text, rule, fixable } = form.elements;
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const severities = new Set(Array.from(form.querySelectorAll("[name=severity]:checked"), (box) => box.value));
    let shown = 0;
    for (const file of files) {
      let left = 0;
      for (const group of file.groups) {
        const before = left;
        for (const finding of group.findings) {
          const matches =
            severities.has(finding.severity) &&
            (!rule.value || finding.rule === rule.value) &&
            (!fixable.checked || finding.fixable) &&
            words.every((word) => textOf(file, finding).includes(word));
          hide(finding.node, !matches);
          left += matches;
        }
        hide(group.node, left === before);
      }
      hide(file.node, !left);
      hide(file.row, !left);
      const count = left === file.total ? plural(left) : `${number(left)} of ${plural(file.total)}`;
      if (file.count.textContent !== count) file.count.textContent = count;
      shown += left;
    }
    byId("shown").textContent = shown === total ? plural(total) : `${number(shown)} of ${plural(total)} shown`;
    byId("empty").hidden = shown > 0;
    byId("clear").hidden = shown === total;
  };

  // Typing filters when it pauses; everything else at once.
  let waiting = 0;
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, event.target.name === "text" ? 120 : 0);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));

  const toggle = byId("toggle");
  toggle.addEventListener("click", () => {
    const open = byId("more").classList.toggle("open");
    toggle.setAttribute("aria-expanded", String(open));
  });
  for (const button of document.querySelectorAll(".action button")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      form.elements.rule.value = button.dataset.rule;
      apply();
      byId("findings").scrollIntoView();
      byId("findings").focus({ preventScroll: true });
    });
  }
  // A link to a finding that the filters hide shows all findings.
  const reveal = () => {
    const target = location.hash && byId(location.hash.slice(1));
    if (target && target.closest("[hidden]")) {
      form.reset();
      apply();
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", reveal);
  addEventListener("pageshow", apply); // browsers restore the state of forms
  byId("bar").hidden = false;
  apply();
})();

// Fills and filters the table of URLs of `report`.
(() => {
  const element = document.getElementById("data");
  if (!element) return;
  const { rows, urls, sources, messages, joins, findings } = JSON.parse(element.textContent);
  const [URL_, HOST, SCHEME] = [0, 1, 2], [DATE, SUBJECT, SENDER] = [0, 1, 2];
  const PAGE = 100;
  const form = document.getElementById("filters"), body = document.getElementById("rows");
  const count = rows.url.length;
  const format = new Intl.NumberFormat("en").format;
  const years = messages.map((message) => (message[DATE] === null ? "" : new Date(message[DATE] * 1000).getUTCFullYear() + ""));
  let order = null, sorted = "", descending = false, matching = [], page = 0, host = "";

  // Texts to search are lowered once, and each distinct text is searched once.
  const lowered = [urls.map((url) => url[URL_] + "\n" + url[HOST]), sources, messages.map((message) => message[SUBJECT] + "\n" + message[SENDER])]
    .map((texts) => texts.map((text) => text.toLowerCase()));

  function fill(name, values, label = (value) => value) {
    for (const value of values) form.elements[name].append(new Option(label(value), value));
  }
  const distinct = (values) => [...new Set(values)].filter(Boolean).sort();
  fill("scheme", distinct(urls.map((url) => url[SCHEME])));
  fill("year", distinct(years).reverse());
  fill("rule", ["any", ...distinct(findings.flat())], (value) => (value === "any" ? "With findings" : value));
  fill("joined", ["joined", "none"], (value) => (value === "none" ? "Not broken" : "Rejoined"));

  function predicate() {
    const wanted = Object.fromEntries(["scheme", "year", "rule", "joined"].map((name) => [name, form.elements[name].value]));
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.map((word) => lowered.map((texts) => texts.map((text) => text.includes(word))));
    const fits = findings.map((codes) => !wanted.rule || (wanted.rule === "any" ? codes.length > 0 : codes.includes(wanted.rule)));
    const byUrl = urls.map((url) => (!wanted.scheme || url[SCHEME] === wanted.scheme) && (!host || url[HOST] === host));
    const byMessage = years.map((year) => !wanted.year || year === wanted.year);
    const byJoin = joins.map((joined) => !wanted.joined || (joined === "none") === (wanted.joined === "none"));
    return (row) => fits[rows.codes[row]] && byUrl[rows.url[row]] && byMessage[rows.message[row]] && byJoin[rows.joined[row]]
      && found.every(([url, source, message]) => url[rows.url[row]] || source[rows.source[row]] || message[rows.message[row]]);
  }

  function ranks(values, compare) {
    const positions = values.map((_, index) => index).sort((a, b) => compare(values[a], values[b]));
    const result = new Int32Array(values.length);
    positions.forEach((index, rank) => { result[index] = rank; });
    return result;
  }
  const text = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const sorters = {
    date: () => { const rank = ranks(messages, (a, b) => (a[DATE] ?? Infinity) - (b[DATE] ?? Infinity) || 0); return (row) => rank[rows.message[row]]; },
    url: () => { const rank = ranks(urls, (a, b) => text(a[URL_], b[URL_])); return (row) => rank[rows.url[row]]; },
    source: () => (row) => row,
  };

  function sort(name) {
    descending = sorted === name && !descending;
    sorted = name;
    const rank = sorters[name](), sign = descending ? -1 : 1;
    order = Array.from({ length: count }, (_, row) => row).sort((a, b) => sign * (rank(a) - rank(b)) || a - b);
    for (const button of document.querySelectorAll("[data-sort]")) {
      const state = button.dataset.sort === name ? (descending ? "descending" : "ascending") : "none";
      button.closest("th").setAttribute("aria-sort", state);
    }
    show();
  }

  function show() {
    const keep = predicate();
    matching = (order ?? Array.from({ length: count }, (_, row) => row)).filter(keep);
    page = 0;
    const part = host ? ` with the host ${host}` : "";
    document.getElementById("shown").textContent =
      (matching.length === count ? `${format(count)} URL${count === 1 ? "" : "s"}` : `${format(matching.length)} of ${format(count)} URLs`) + part;
    draw();
  }

  function cell(row, name, ...parts) {
    const td = row.insertCell();
    td.className = name;
    td.append(...parts);
  }

  function small(content) {
    const node = document.createElement("small");
    node.textContent = content;
    return node;
  }

  function chip(code) {
    const node = document.createElement("span");
    node.className = "code";
    node.textContent = code;
    return node;
  }

  function draw() {
    body.replaceChildren();
    for (const row of matching.slice(page * PAGE, (page + 1) * PAGE)) {
      const tr = body.insertRow(), message = messages[rows.message[row]], joined = joins[rows.joined[row]];
      cell(tr, "date", message[DATE] === null ? "" : new Date(message[DATE] * 1000).toISOString().slice(0, 10));
      const notes = joined === "none" ? [] : [small(joined === "guess" ? "rejoined (guess)" : "rejoined")];
      cell(tr, "url", urls[rows.url[row]][URL_], ...notes);
      cell(tr, "codes", ...findings[rows.codes[row]].map(chip));
      const about = [message[SUBJECT], message[SENDER]].filter(Boolean).map(small);
      cell(tr, "where", `${sources[rows.source[row]]}:${rows.line[row]}:${rows.column[row]}`, ...about);
    }
    const pages = Math.max(1, Math.ceil(matching.length / PAGE));
    document.getElementById("page").textContent = `Page ${format(page + 1)} of ${format(pages)}`;
    const [previous, next] = document.querySelectorAll("[data-page]");
    previous.disabled = page === 0;
    next.disabled = page + 1 >= pages;
    document.getElementById("pages").hidden = pages === 1;
    const first = Math.min(page * PAGE + 1, matching.length), last = Math.min((page + 1) * PAGE, matching.length);
    document.getElementById("printed").textContent =
      `Rows ${format(first)} to ${format(last)} of ${format(matching.length)}; the page shows all in a browser.`;
  }

  let waiting = 0;
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(show, 120); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => { host = ""; setTimeout(show); });
  document.getElementById("headings").addEventListener("click", (event) => {
    const name = event.target.dataset?.sort;
    if (name) sort(name);
  });
  document.getElementById("pages").addEventListener("click", (event) => {
    const step = Number(event.target.dataset?.page || 0);
    if (!step) return;
    page += step;
    draw();
    document.getElementById("grid").focus();
  });
  for (const button of document.querySelectorAll("[data-filter]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      form.reset();
      const { filter, value } = button.dataset;
      if (filter === "host") host = value;
      else form.elements[filter].value = filter === "scheme" && value === "none" ? "" : value;
      setTimeout(() => { if (filter === "host") host = value; show(); document.getElementById("urls").focus(); });
    });
  }
  form.hidden = false;
  document.getElementById("grid").hidden = false;
  show();
})();
