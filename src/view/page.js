// What a file cannot do: tells the visitor's own time, and for how long an open incident lasts; lets the pointer, a finger and
// the arrow keys choose a day of a strip of bars; searches many systems; loads a page again that is out of date. The page is
// complete without it.
"use strict";
const forms = document.currentScript.dataset;
const root = new URL(".", document.currentScript.src).href;
const language = document.documentElement.lang;
const months = forms.months.split(" ");
const now = new Date();
const fill = (form, values) => form.replace(/\$(\w)/g, (_place, name) => values[name]);

// What is remembered: in the browser's storage, or in the address if the page is sandboxed, and has no storage.
let storage;
try {
	storage = localStorage;
} catch {
	// The address has it.
}
const OWN = "own-time";
const ONLY = "problems";
const kept = location.hash.startsWith("#~") ? location.hash.slice(2).split(".") : [];
const keyOf = (text) => [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt()) % 46656, 7).toString(36);
const foldName = (fold) => (fold.querySelector("summary > h3") ?? fold.firstElementChild).textContent;
// What is folded otherwise than in the file.
const folds = [...document.querySelectorAll("main details")].map((fold) => ({ fold, key: keyOf(foldName(fold)), wasOpen: fold.open }));
for (const { fold, key } of folds) if (kept.includes(key)) fold.open = !fold.open;
// Which folds were open before a search opened them.
const unfiltered = new Map();
let isOnly = kept.includes(ONLY);
let isOwn = storage ? storage.getItem(OWN) !== null : kept.includes(OWN);
// What has the focus: by its name, and its number among those of the same name.
const FOCUS = "@";
const focusable = () => [...document.querySelectorAll("a, button, summary, input, textarea, select, [role=slider]")];
const nameOf = (element) => keyOf(element.ariaLabel ?? (element.name || element.textContent));
function remember(active) {
	const keys = folds.filter(({ fold, wasOpen }) => (unfiltered.get(fold) ?? fold.open) !== wasOpen).map(({ key }) => key);
	if (isOwn && !storage) keys.push(OWN);
	if (isOnly) keys.push(ONLY);
	const name = focusable().includes(active) && nameOf(active);
	if (name) keys.push(`${FOCUS}${name}-${focusable().filter((one) => nameOf(one) === name).indexOf(active)}`);
	if (keys.length > 0 || location.hash.startsWith("#~")) location.replace(`#~${keys.join(".")}`);
}

// Times are in the page's zone. The visitor's own are in the same words: as tips, or by the switch in place of the page's.
const zones = new Intl.DateTimeFormat(navigator.languages.find((one) => one.split("-")[0] === language) ?? language, { timeZoneName: "short" });
const zoneOf = (at) => zones.formatToParts(at).find(({ type }) => type === "timeZoneName").value;
const twoDigits = (number) => String(number).padStart(2, "0");
const [WHOLE, WITHOUT_ZONE, OF_DAY, OF_DAY_WITHOUT_ZONE] = forms.times.split("|");
const ownTime = (form, at) => fill(form, {
	d: at.getDate(), m: months[at.getMonth()], y: at.getFullYear(), h: twoDigits(at.getHours()), i: twoDigits(at.getMinutes()), z: zoneOf(at),
});
const times = [...document.querySelectorAll("time[datetime]")].map((time) => {
	const at = new Date(time.dateTime);
	const paged = time.textContent;
	const isSame = paged.startsWith(ownTime(time.className === "hm" ? OF_DAY_WITHOUT_ZONE : WITHOUT_ZONE, at));
	// "from A to B": the day is said once if it is one day, and the zone once.
	const [first, second] = [time.previousElementSibling, time.nextElementSibling];
	const isSecond = time.className === "hm" && first?.matches("time") && new Date(first.dateTime).toDateString() === at.toDateString();
	const isFirst = second?.matches("time") && !paged.endsWith(second.textContent.split(" ").pop()) && zoneOf(new Date(second.dateTime)) === zoneOf(at);
	return { time, at, paged, isSame, own: ownTime(isSecond ? OF_DAY : isFirst ? WITHOUT_ZONE : WHOLE, at) };
});
// "for more than 1 h 5 min": what the file says remains true, and is exact here.
const [HOURS_MINUTES, HOURS, MINUTES] = forms.lengths.split("|");
for (const length of document.querySelectorAll(".len")) {
	const minutes = Math.floor((now.getTime() - new Date(length.previousElementSibling.dateTime).getTime()) / 60000);
	const form = minutes < 60 ? MINUTES : minutes % 60 === 0 ? HOURS : HOURS_MINUTES;
	if (minutes >= 1 && minutes < 1440) length.textContent = fill(form, { h: Math.floor(minutes / 60), i: minutes % 60 });
}
function showTimes() {
	for (const { time, at, paged, own } of times) {
		time.textContent = isOwn ? own : paged;
		time.title = isOwn ? paged : ownTime(WHOLE, at);
	}
	// A sandboxed page tells the other files of the page.
	for (const link of document.links)
		if (!storage && link.href.startsWith(root) && link.pathname !== location.pathname && (link.hash === "" || link.hash === `#~${OWN}`))
			link.hash = isOwn ? `#~${OWN}` : "";
}
const asOf = document.querySelector(".asof");
// In the page's own zone there is nothing to switch.
if (asOf && times.some(({ isSame }) => !isSame)) {
	const toggle = document.createElement("button");
	toggle.type = "button";
	toggle.textContent = fill(forms.own, { z: zoneOf(now) });
	const show = () => {
		toggle.setAttribute("aria-pressed", isOwn);
		showTimes();
	};
	toggle.addEventListener("click", () => {
		isOwn = !isOwn;
		if (isOwn) storage?.setItem(OWN, "");
		else storage?.removeItem(OWN);
		show();
		remember();
	});
	show();
	asOf.append(toggle);
}

// A strip of bars is one target: the pointer, a finger and the arrow keys choose a day, whose tip is what the table says of it.
const DAYS = 90;
const mark = document.createElement("i");
const tip = document.createElement("span");
const shown = { strip: null, day: DAYS - 1, link: null };
function daysOf(strip) {
	const rows = [...document.getElementById(`days-${strip.dataset.of}`).rows].slice(1);
	return rows.flatMap((row) => Array(Number(row.dataset.days ?? 1)).fill(row));
}
function textOf(strip, day, row) {
	const [year, month, date] = strip.closest("[data-from]").dataset.from.split("-");
	const at = new Date(Date.UTC(year, month - 1, Number(date) + day));
	return fill(forms.day, { d: at.getUTCDate(), m: months[at.getUTCMonth()], y: at.getUTCFullYear(), w: row.cells[1].textContent });
}
function hideTip() {
	mark.remove();
	tip.remove();
	shown.strip = null;
}
function choose(strip, day) {
	const row = daysOf(strip)[day];
	const what = row.cells[1].textContent;
	const text = textOf(strip, day, row);
	const date = document.createElement("b");
	date.textContent = text.slice(0, -what.length);
	tip.replaceChildren(date, what);
	Object.assign(shown, { strip, day, link: row.querySelector("a") });
	strip.setAttribute("aria-valuenow", day + 1);
	strip.setAttribute("aria-valuetext", text);
	strip.style.setProperty("--day", day);
	strip.style.cursor = shown.link ? "pointer" : "";
	// An element that moves between the press and the release of a button gets no click.
	if (tip.parentElement !== strip) strip.append(mark, tip);
}
const isFromRight = document.documentElement.dir === "rtl";
function dayAt(strip, event) {
	const { left, right, width } = strip.getBoundingClientRect();
	const along = (isFromRight ? right - event.clientX : event.clientX - left) / width;
	return Math.min(DAYS - 1, Math.max(0, Math.floor(along * DAYS)));
}
const steps = { ArrowRight: isFromRight ? -1 : 1, ArrowLeft: isFromRight ? 1 : -1, ArrowUp: 1, ArrowDown: -1, PageUp: 7, PageDown: -7, Home: -DAYS, End: DAYS };
function listen(strip) {
	const dayOf = () => strip.getAttribute("aria-valuenow") - 1;
	let wasShown = true;
	strip.addEventListener("pointermove", (event) => event.target !== tip && choose(strip, dayAt(strip, event)));
	strip.addEventListener("pointerdown", (event) => {
		if (event.target === tip) return;
		// A tap opens the tip, and the next tap follows its link.
		wasShown = event.pointerType !== "touch" || (shown.strip === strip && shown.day === dayAt(strip, event));
		choose(strip, dayAt(strip, event));
	});
	strip.addEventListener("pointerleave", () => document.activeElement !== strip && hideTip());
	strip.addEventListener("click", (event) => event.target !== tip && wasShown && shown.link?.click());
	strip.addEventListener("focus", () => choose(strip, dayOf()));
	strip.addEventListener("blur", hideTip);
	strip.addEventListener("keydown", (event) => {
		if (event.key === "Enter") shown.link?.click();
		else if (event.key in steps) choose(strip, Math.min(DAYS - 1, Math.max(0, dayOf() + steps[event.key])));
		else return;
		event.preventDefault();
	});
}
for (const strip of document.querySelectorAll(".bars")) {
	const picture = strip.firstElementChild;
	const name = strip.closest("li, .folder").querySelector("bdi").textContent;
	const today = daysOf(strip)[DAYS - 1];
	const attributes = {
		role: "slider", tabindex: 0, "aria-label": `\u2068${name}\u2069, ${picture.getAttribute("aria-label")}`,
		"aria-valuemin": 1, "aria-valuemax": DAYS, "aria-valuenow": DAYS, "aria-valuetext": textOf(strip, DAYS - 1, today),
	};
	for (const [attribute, value] of Object.entries(attributes)) strip.setAttribute(attribute, value);
	picture.removeAttribute("role");
	picture.removeAttribute("aria-label");
	picture.setAttribute("aria-hidden", true);
	listen(strip);
}

// A page of many systems has a search, and a switch that leaves out what works.
const searched = document.querySelector("[data-find]");
if (searched) {
	const bar = document.createElement("div");
	bar.className = "find";
	bar.innerHTML = '<input type="search"><button type="button"></button><p role="status"></p>';
	const [field, only, none] = bar.children;
	field.placeholder = field.ariaLabel = searched.dataset.find;
	only.textContent = searched.dataset.problems;
	const named = [...searched.querySelectorAll(".systems>li")].map((item) => ({
		item, name: [item.closest(".folder")?.querySelector("h3"), item.querySelector(".name")].map((one) => one?.textContent).join("\n").toLowerCase(),
	}));
	const filter = () => {
		const wanted = field.value.trim().toLowerCase();
		for (const { item, name } of named) item.hidden = (isOnly && item.querySelector(".state.up") !== null) || !name.includes(wanted);
		for (const fold of searched.querySelectorAll(".group")) {
			fold.parentElement.hidden = fold.querySelector("li:not([hidden])") === null;
			if (!unfiltered.has(fold)) unfiltered.set(fold, fold.open);
			fold.open = isOnly || wanted !== "" || unfiltered.get(fold);
		}
		if (!isOnly && wanted === "") unfiltered.clear();
		none.textContent = named.some(({ item }) => !item.hidden) ? "" : searched.dataset.none;
		only.setAttribute("aria-pressed", isOnly);
	};
	only.addEventListener("click", () => {
		isOnly = !isOnly;
		filter();
		remember();
	});
	field.addEventListener("input", filter);
	filter();
	searched.querySelector("h2").after(bar);
}

const menu = document.querySelector(".menu");
// The addresses of the menu can be copied. Where the page is sandboxed, only the selection can.
for (const address of menu?.querySelectorAll("code.address") ?? []) {
	const copy = document.createElement("button");
	copy.type = "button";
	copy.className = "copy";
	copy.textContent = menu.dataset.copy;
	copy.addEventListener("click", async () => {
		getSelection().selectAllChildren(address);
		try {
			await navigator.clipboard.writeText(address.textContent);
		} catch {
			document.execCommand("copy");
		}
		copy.textContent = menu.dataset.copied;
	});
	(address.closest("a") ?? address).after(copy);
}
addEventListener("keydown", (event) => {
	if (event.key !== "Escape") return;
	hideTip();
	if (menu?.open) {
		menu.open = false;
		menu.firstElementChild.focus();
	}
});
addEventListener("click", (event) => {
	if (menu?.open && !menu.contains(event.target)) menu.open = false;
});

// On paper nothing can be unfolded. The style sheet shows it all in browsers that know ::details-content.
const unfolded = [];
addEventListener("beforeprint", () => {
	for (const fold of document.querySelectorAll("main details:not([open], .table)")) {
		unfolded.push(fold);
		fold.open = true;
	}
});
addEventListener("afterprint", () => {
	for (const fold of unfolded.splice(0)) fold.open = false;
});

// Loads the page again: with something open each minute, and any page that was left open when it returns to the front. A picture
// of the page tells whether the server responds, since a sandboxed page can ask for nothing else: if not, the page stays.
const loadedAt = now.getTime();
const period = (asOf?.dataset.refresh ?? 0) * 1000;
const isLive = asOf?.dataset.pause !== undefined;
let isStopped = false;
let isStale = false;
let isAsking = false;
const isTyped = (field) => field.value !== (field.defaultValue ?? field.value) || field.checked !== field.defaultChecked;
const isHeld = () => menu?.open || !document.getSelection().isCollapsed || document.activeElement?.isContentEditable
	|| [...document.querySelectorAll("input, textarea")].some(isTyped);
const isFocused = () => document.activeElement !== document.body;
function reload() {
	remember(document.activeElement);
	location.reload();
}
// The badge is a file of a public page. The service has the other picture for every page.
function refresh(pictures = ["badge.svg", "alive.svg"]) {
	const picture = new Image();
	picture.addEventListener("load", () => {
		isAsking = false;
		if (!document.hidden && !isHeld()) reload();
	});
	picture.addEventListener("error", () => {
		isAsking = pictures.length > 1;
		if (isAsking) refresh(pictures.slice(1));
	});
	picture.src = `${root}${pictures[0]}?${Date.now()}`;
}
function refreshOnce() {
	if (isStopped || isAsking || document.hidden || isHeld()) return;
	isAsking = true;
	refresh();
}
function comeBack() {
	isStale ||= Date.now() - loadedAt >= period;
	if (isStale) refreshOnce();
}
if (period > 0) {
	document.addEventListener("visibilitychange", comeBack);
	addEventListener("pageshow", (event) => event.persisted && comeBack());
	// Also tries again if the server did not respond.
	setInterval(() => (isStale || (isLive && !isFocused())) && refreshOnce(), period);
	asOf.querySelector("a")?.addEventListener("click", (event) => {
		event.preventDefault();
		reload();
	});
	if (isLive) {
		const pause = document.createElement("button");
		pause.type = "button";
		pause.textContent = asOf.dataset.pause;
		pause.addEventListener("click", () => {
			isStopped = true;
			pause.remove();
		});
		asOf.querySelector("a").after(pause);
	}
}
const focused = kept.find((key) => key.startsWith(FOCUS));
if (focused) focusable().filter((element) => FOCUS + nameOf(element) === focused.split("-")[0])[focused.split("-")[1]]?.focus({ preventScroll: true });
