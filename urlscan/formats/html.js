"use strict";
// Filters the findings of the page. Reads the page as text only, so that nothing in it becomes markup or script.
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
  if (!form) return;
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
