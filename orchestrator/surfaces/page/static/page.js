// What the page gains from a script: answers that grow source by source, narrowing at once, copying, keys.
// Without it every form and link works by itself; all HTML comes from the server, escaped there.
"use strict";
(() => {
  const form = document.getElementById("ask");
  const happening = document.getElementById("happening");
  const said = document.getElementById("said");
  document.documentElement.classList.add("js");
  if (!form || !happening) return;
  const words = happening.dataset;
  const plain = { createHTML: (html) => html };
  const policy = window.trustedTypes ? trustedTypes.createPolicy("fedsearch", plain) : plain;
  const box = form.elements.question;
  let stream = null;
  let shownFor = location.search;

  const say = (text) => { said.textContent = text || ""; };
  const put = (place, html) => { place.innerHTML = policy.createHTML(html); };
  const made = (html) => {
    const template = document.createElement("template");
    put(template, html);
    return template.content.firstElementChild;
  };
  const button = (text, look, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = look;
    made.textContent = text;
    made.addEventListener("click", () => act(made));
    return made;
  };

  // What has the focus may go away: who reads by keyboard or ear goes on from `place`, and not from the top of the page.
  const land = (had, place) => {
    const active = document.activeElement;
    if (!had || (active && active !== document.body)) return;
    if (place.matches("h1")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  };
  const isStop = (each) => Boolean(each) && each.classList.contains("stop");

  // ---- asking

  const addressOf = (question, others = {}) => "/?" + new URLSearchParams({ question, ...zone(), ...others });
  function zone() {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
    return here && here !== form.dataset.zone ? { zone: here } : {};
  }

  function ask(address, isNew) {
    const parameters = new URL(address, location.href).searchParams;
    const from = document.activeElement;
    if (isNew) history.pushState(null, "", address);
    shownFor = location.search;
    close();
    leaveHome();
    box.value = parameters.get("question");
    document.title = box.value + " – fedsearch";
    const heading = document.querySelector("h1");
    heading.className = "vh";
    heading.textContent = box.value;
    happening.replaceChildren();
    happening.setAttribute("aria-busy", "true");
    land(from !== document.body, from === box ? box : heading);
    say(words.reading);
    window.scrollTo(0, 0);
    listen(parameters, address);
  }

  function listen(parameters, address) {
    const here = (stream = new EventSource("/search/stream?" + parameters));
    const on = (name, act) => here.addEventListener(name, (event) => {
      if (here === stream) act(JSON.parse(event.data));
    });
    on("plan", showPlan);
    on("outcome", showOutcome);
    on("revision", (told) => told.html && showFound(told.html));
    on("answer", (told) => showFound(told.html));
    on("problem", (told) => { showFound(told.html); close(); });
    on("done", close);
    here.onerror = () => {
      if (here !== stream) return;
      if (here.readyState === EventSource.CLOSED) location.assign(address); // refused: the page itself says why
      else say(words.lost);
    };
  }

  function close() {
    if (stream) stream.close();
    stream = null;
    happening.removeAttribute("aria-busy");
    const had = isStop(document.activeElement);
    for (const each of document.querySelectorAll(".stop")) each.remove();
    land(had, document.querySelector("h1"));
  }

  function leaveHome() {
    if (!document.body.classList.contains("home")) return;
    document.body.className = "asked";
    document.querySelector(".top nav").before(form);
    for (const each of document.querySelectorAll("main section")) if (!happening.contains(each)) each.remove();
  }

  function stopButton() {
    return button(words.stop, "stop", () => { close(); say(words.stopped); box.focus(); });
  }

  function showPlan(told) {
    put(happening, told.html);
    happening.firstElementChild.append(stopButton());
    say(told.said);
  }

  function showOutcome(told) {
    const list = happening.querySelector(".progress ul");
    if (!list) return;
    list.append(made(told.html));
    happening.querySelector("progress").value = list.children.length;
  }

  function showFound(html) {
    const old = document.getElementById("found");
    const found = made(html);
    const stopping = isStop(document.activeElement);
    if (found.dataset.final === "0") found.querySelector(".strip").after(stopButton());
    else for (const each of happening.querySelectorAll(".progress")) each.remove();
    if (old) {
      const kept = remember(old);
      old.replaceWith(found);
      recall(found, kept);
    } else {
      happening.append(found);
    }
    const stop = found.querySelector(".stop");
    if (stopping && stop) stop.focus({ preventScroll: true });
    else land(stopping, document.querySelector("h1"));
    say(found.dataset.said);
    dress(found);
  }

  // What a reader has opened and reached stays so when the answer grows, whatever its number has become; what is ticked stands in the address.
  const named = (each) => (each.querySelector("input[type=hidden]") || {}).value;
  const thing = (each) => named(each.closest(".hit") || each);
  function remember(old) {
    const active = document.activeElement;
    const inside = old.contains(active) && !isStop(active);
    return {
      open: new Map([...old.querySelectorAll(".why, .facets details")].map((each) => [thing(each), each.open])),
      hits: new Set([...old.querySelectorAll(".hit")].map(thing)),
      hit: inside ? thing(active) : null,
      name: inside ? active.tagName + (active.getAttribute("href") || active.value || "") : null,
    };
  }

  function recall(found, kept) {
    const hits = [...found.querySelectorAll(".hit")];
    for (const each of found.querySelectorAll(".why, .facets details")) if (kept.open.has(thing(each))) each.open = kept.open.get(thing(each));
    for (const each of hits) each.classList.toggle("new", !kept.hits.has(thing(each)));
    if (kept.name === null) return;
    const place = (kept.hit && hits.find((each) => thing(each) === kept.hit)) || found;
    const same = [...place.querySelectorAll("a,button,input,summary")].find(
      (each) => each.tagName + (each.getAttribute("href") || each.value || "") === kept.name);
    if (same || kept.hit) (same || place).focus({ preventScroll: true });
    land(true, document.querySelector("h1"));
  }

  // ---- what is found

  function dress(found) {
    const address = new URLSearchParams(location.search);
    for (const each of found.querySelectorAll(".facets input")) each.checked = address.getAll(each.name).includes(each.value);
    for (const each of found.querySelectorAll("pre.native")) {
      const row = document.createElement("div");
      row.className = "copied";
      each.replaceWith(row);
      row.append(each, button(words.copy, "copy", (made) => copy(each, made)));
    }
    const written = found.querySelector(".to-copy");
    if (written) {
      const bare = written.cloneNode();
      bare.value = unmarked(written.value);
      written.after(bare);
      const about = found.querySelector(".answer .about");
      about.append(" ", button(written.dataset.markdown, "copy", (made) => copy(written, made)));
      about.append(" ", button(written.dataset.text, "copy", (made) => copy(bare, made)));
      written.className = "";
    }
    const narrow = found.querySelector(".facets details");
    if (narrow && !narrow.id) {
      narrow.id = "narrowing";
      if (matchMedia("(max-width: 63.99rem)").matches) narrow.open = Boolean(narrow.querySelector(":checked"));
    }
    apply();
  }

  // Markdown as the server writes it, without its marks: a citation is its number, and of another link the address stands behind it.
  const unmarked = (text) => text
    .replace(/^\*\*(.*)\*\*$/m, "$1")
    .replace(/\[((?:\\.|[^\]\\])*)\]\(<([^>]*)>\)/g, (_, name, url) => /^\\\[\d+\\\]$/.test(name) ? name : name + " (" + url.replace(/\\/g, "%5C") + ")")
    .replace(/\\(.)/g, "$1");

  async function copy(text, made) {
    const called = made.textContent === words.copied ? made.dataset.called : made.textContent;
    made.dataset.called = called;
    try {
      await navigator.clipboard.writeText(text.value || text.textContent);
    } catch {
      const was = text.hidden;
      text.hidden = false;
      if (text.select) text.select();
      else getSelection().selectAllChildren(text);
      document.execCommand("copy");
      text.hidden = was;
      made.focus();
    }
    made.textContent = words.copied;
    say(words.copied);
    setTimeout(() => { made.textContent = called; }, 2000);
  }

  function ticked() {
    const chosen = new Map();
    for (const each of document.querySelectorAll(".facets :checked")) {
      chosen.set(each.name, (chosen.get(each.name) || new Set()).add(each.value));
    }
    return chosen;
  }

  function apply() {
    const chosen = ticked();
    const hits = [...document.querySelectorAll(".hit")];
    for (const hit of hits) hit.hidden = [...chosen].some(([name, values]) => !values.has(hit.dataset[name]));
    const shown = hits.filter((hit) => !hit.hidden).length;
    const narrowed = document.getElementById("narrowed");
    if (!narrowed || !hits.length) return;
    narrowed.textContent = chosen.size ? words.narrowed.replace("{shown}", shown).replace("{all}", hits.length) : "";
    document.getElementById("none-left").hidden = shown > 0;
  }

  function clear() {
    for (const each of document.querySelectorAll(".facets :checked")) each.checked = false;
    apply();
    keepInAddress();
  }

  function keepInAddress() {
    const parameters = new URLSearchParams(location.search);
    for (const name of ["source", "kind", "person", "time"]) parameters.delete(name);
    for (const [name, values] of ticked()) for (const value of values) parameters.append(name, value);
    history.replaceState(null, "", "/?" + parameters);
    shownFor = location.search;
  }

  async function judge(event) {
    event.preventDefault();
    const place = event.submitter.closest(".judge");
    const fields = new URLSearchParams(new FormData(event.target));
    fields.set("judgment", event.submitter.value);
    let kept = false;
    try {
      kept = (await fetch(event.target.action, { method: "POST", body: fields, headers: { accept: "application/json" } })).ok;
    } catch { /* said below */ }
    const text = kept ? words.thanks : words.notKept;
    if (kept) {
      place.replaceChildren(text);
      land(true, place.closest("details").querySelector("summary"));
    }
    say(text);
  }

  // What is opened and copied is noted, so that the order of results can follow what people look for; the server may keep nothing of it.
  const noted = new Set();
  function note(did, hit) {
    const form = document.getElementById("judge");
    const number = hit && hit.id.slice(1);
    if (!form || !form.elements["r" + number] || noted.has(form.elements.question.value + did + named(hit))) return;
    noted.add(form.elements.question.value + did + named(hit));
    const fields = new URLSearchParams(new FormData(form));
    fields.set("judgment", did + " " + number);
    fetch(form.action, { method: "POST", body: fields, keepalive: true, headers: { accept: "application/json" } }).catch(() => {});
  }
  const opened = (event) => {
    const link = event.button < 2 && event.target.closest && event.target.closest(".hit h3 a, .hit .also a[rel]");
    if (link) note("opened", link.closest(".hit"));
  };
  document.addEventListener("click", opened);
  document.addEventListener("auxclick", opened);
  document.addEventListener("copy", () => {
    const at = getSelection().anchorNode;
    const line = at && (at.nodeType === Node.ELEMENT_NODE ? at : at.parentElement).closest(".hit, .claims li");
    const cite = line && line.matches("li:not(.hit)") && line.querySelector(".cite");
    note("copied", cite ? document.getElementById(cite.hash.slice(1)) : line);
  });

  // ---- hands on keys and mouse

  document.addEventListener("submit", (event) => {
    if (event.target === form) {
      event.preventDefault();
      if (box.value.trim()) ask(addressOf(box.value.trim()), true);
    } else if (event.target.classList.contains("follow")) {
      event.preventDefault();
      const { question, conversation } = event.target.elements;
      if (question.value.trim()) ask(addressOf(question.value.trim(), { conversation: conversation.value }), true);
    } else if (event.target.id === "judge") {
      judge(event);
    } else if (event.submitter && event.submitter.name === "question") {
      event.preventDefault();
      ask(addressOf(event.submitter.value), true);
    }
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if ("ask" in link.dataset) {
      event.preventDefault();
      ask(link.href, true);
    } else if ("clear" in link.dataset) {
      event.preventDefault();
      clear();
      if (link.closest("[hidden]")) document.querySelector(".hit").focus({ preventScroll: true });
      document.getElementById("ask").scrollIntoView({ block: "nearest" });
    } else if (link.classList.contains("cite")) {
      const hit = document.getElementById(link.hash.slice(1));
      if (!hit) return;
      event.preventDefault();
      show(hit);
    }
  });

  function show(hit) {
    if (hit.hidden) clear();
    for (const each of document.querySelectorAll(".hit.shown")) each.classList.remove("shown");
    hit.classList.add("shown");
    hit.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    hit.focus({ preventScroll: true });
  }

  document.addEventListener("change", (event) => {
    if (!event.target.closest(".facets")) return;
    apply();
    keepInAddress();
  });

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      box.focus();
      box.select();
      return;
    }
    if (event.key === "Escape" && stream) { close(); say(words.stopped); return; }
    // j and k only where a result has the focus, so that they are letters everywhere else.
    const hit = document.activeElement && document.activeElement.closest(".hit");
    if (!hit || event.ctrlKey || event.metaKey || event.altKey || !"jk".includes(event.key)) return;
    const hits = [...document.querySelectorAll(".hit:not([hidden])")];
    const next = hits[hits.indexOf(hit) + (event.key === "j" ? 1 : -1)];
    if (next) (next.querySelector("h3 a") || next).focus();
  });

  window.addEventListener("popstate", () => {
    if (location.search === shownFor) return; // only the place within the page has changed
    if (new URLSearchParams(location.search).get("question")) ask(location.href, false);
    else location.reload();
  });

  for (const each of document.querySelectorAll("code[data-insert]")) {
    const insert = each.dataset.insert;
    const made = button("", "", () => {
      const before = box.value && !box.value.endsWith(" ") ? " " : "";
      box.value += before + insert;
      box.focus();
      const end = box.value.length - (insert.endsWith('""') ? 1 : 0);
      box.setSelectionRange(end, end);
    });
    each.replaceWith(made);
    made.append(each);
  }
  const found = document.getElementById("found");
  if (found) dress(found);
})();
