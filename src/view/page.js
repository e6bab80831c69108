// Shows times in the visitor's own zone with its name, and how long ago an open incident began: a
// file cannot tell either. Shows the tip of a bar to a finger before its link is followed. Loads a
// page with an open incident again. The page is complete without it.
"use strict";
const language = document.documentElement.lang;
// Times are part of sentences: in the page's language, as the visitor's country writes it.
const locale = navigator.language.split("-")[0] === language ? undefined : language;
// "5:28 AM", and "05:28".
const hour = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 ? "numeric" : "2-digit";
const zoned = { hour, minute: "2-digit", timeZoneName: "short" };
const whole = { day: "numeric", month: "short", year: "numeric", ...zoned };
const now = new Date();
const isSameDay = (a, b) => a?.toDateString() === b.toDateString();
const zoneOf = (at) => at.toLocaleString(locale, whole).split(" ").pop();
// As short as can be: the time of an update of today, and the year where it is another one. The time of the file itself stays
// whole, for a page that stays open over night. A zone is said once of two times that belong together.
function shortOf(time, at, before) {
	const form = { ...whole };
	const isOfToday = isSameDay(now, at) && time.matches(".updates>li>.meta>strong+time");
	if (isOfToday || (time.className === "hm" && isSameDay(before, at))) return at.toLocaleString(locale, zoned);
	if (at.getFullYear() === now.getFullYear() && !time.closest(".asof")) delete form.year;
	const other = time.nextElementSibling;
	if (other?.matches("time.hm") && zoneOf(at) === zoneOf(new Date(other.dateTime))) delete form.timeZoneName;
	return at.toLocaleString(locale, form);
}
let before;
for (const time of document.querySelectorAll("time[datetime]")) {
	const at = new Date(time.dateTime);
	const local = shortOf(time, at, before);
	before = at;
	if (Number.isNaN(at.getTime())) continue;
	// Times below a heading that is a day stay in the page's zone: "13 Nov, 04:54" under "12 Nov" would contradict it.
	if (time.closest(".day")) {
		time.title = at.toLocaleString(locale, whole);
		continue;
	}
	time.title = time.textContent;
	time.textContent = local;
	// The first time of what is open is its start, or the start of what is planned.
	const open = time.closest(".open:not(.work)");
	const minutes = Math.floor((now.getTime() - at.getTime()) / 60000);
	if (!open || open.querySelector("time") !== time || minutes < 1) continue;
	const [count, unit] = minutes < 60 ? [minutes, "minute"] : minutes < 2880 ? [Math.floor(minutes / 60), "hour"] : [Math.floor(minutes / 1440), "day"];
	time.after(` (${new Intl.RelativeTimeFormat(language).format(-count, unit)})`);
}

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

// A tap opens the tip, which it focuses; the next tap follows the link.
for (const bars of document.querySelectorAll(".bars"))
	bars.addEventListener("pointerdown", (event) => {
		const link = event.target.closest("a");
		if (link && event.pointerType === "touch" && document.activeElement !== link)
			link.addEventListener("click", (click) => {
				click.preventDefault();
				link.focus();
			}, { once: true });
	});

// Loads the page again, unless somebody uses the keyboard there or has marked text. The browser keeps the place. What is
// folded otherwise than in the file is kept in the address: a sandboxed page has no other memory.
const asOf = document.querySelector("[data-refresh]");
if (asOf) {
	const keyOf = (fold) => [...(fold.querySelector("summary > h3") ?? fold.firstElementChild).textContent]
		.reduce((sum, letter) => (sum * 31 + letter.codePointAt()) % 46656, 7).toString(36);
	const folds = [...document.querySelectorAll("main details")].map((fold) => ({ fold, key: keyOf(fold), wasOpen: fold.open }));
	const kept = location.hash.startsWith("#~") ? location.hash.slice(2).split(".") : [];
	for (const { fold, key } of folds) if (kept.includes(key)) fold.open = !fold.open;
	const pause = document.createElement("button");
	pause.type = "button";
	pause.textContent = asOf.dataset.pause;
	const timer = setInterval(() => {
		const isUsed = document.activeElement !== document.body || !document.getSelection().isCollapsed;
		if (document.hidden || isUsed) return;
		const keys = folds.filter(({ fold, wasOpen }) => fold.open !== wasOpen).map(({ key }) => key);
		if (keys.length > 0 || kept.length > 0) location.replace(`#~${keys.join(".")}`);
		location.reload();
	}, asOf.dataset.refresh * 1000);
	pause.addEventListener("click", () => {
		clearInterval(timer);
		pause.remove();
	});
	asOf.append(pause);
}
