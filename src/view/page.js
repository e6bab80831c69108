// Shows times in the visitor's own zone with its name, and how long ago an open incident began: a
// file cannot tell either. Shows the tip of a bar to a finger before its link is followed. Loads a
// page with an open incident again. The page is complete without it.
"use strict";
const language = document.documentElement.lang;
// Times are part of sentences: in the page's language, as the visitor's country writes it.
const locale = navigator.language.split("-")[0] === language ? undefined : language;
const zoned = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
const whole = { day: "numeric", month: "short", year: "numeric", ...zoned };
let before;
for (const time of document.querySelectorAll("time[datetime]")) {
	const at = new Date(time.dateTime);
	const isSameDay = time.className === "hm" && before?.toDateString() === at.toDateString();
	before = at;
	if (Number.isNaN(at.getTime())) continue;
	const local = at.toLocaleString(locale, isSameDay ? zoned : whole);
	// Times below a heading that is a day stay in the page's zone: "13 Nov, 04:54" under "12 Nov" would contradict it.
	if (time.closest(".day")) {
		time.title = at.toLocaleString(locale, whole);
		continue;
	}
	time.title = time.textContent;
	time.textContent = local;
	// The first time of what is open is its start, or the start of what is planned.
	const open = time.closest(".open:not(.work)");
	const minutes = Math.floor((Date.now() - at.getTime()) / 60000);
	if (!open || open.querySelector("time") !== time || minutes < 1) continue;
	const [count, unit] = minutes < 60 ? [minutes, "minute"] : minutes < 2880 ? [Math.floor(minutes / 60), "hour"] : [Math.floor(minutes / 1440), "day"];
	time.after(` (${new Intl.RelativeTimeFormat(language).format(-count, unit)})`);
}

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

// Loads the page again while nobody reads with the keyboard or has marked text. The browser keeps the place, this keeps what is unfolded.
const asOf = document.querySelector("[data-refresh]");
const folds = [...document.querySelectorAll("details")];
const names = folds.map((fold) => fold.textContent.slice(0, 80));
if (asOf) {
	const unfolded = history.state?.unfolded;
	if (unfolded) for (const [i, fold] of folds.entries()) fold.open = unfolded.includes(names[i]) || (fold.open && !history.state.folded.includes(names[i]));
	const pause = document.createElement("button");
	pause.type = "button";
	pause.textContent = asOf.dataset.pause;
	pause.addEventListener("click", () => {
		clearInterval(timer);
		pause.remove();
	});
	asOf.append(pause);
	const timer = setInterval(() => {
		const isRead = document.activeElement !== document.body || !document.getSelection().isCollapsed;
		if (document.hidden || isRead) return;
		const named = (isOpen) => names.filter((_name, i) => folds[i].open === isOpen);
		history.replaceState({ unfolded: named(true), folded: named(false) }, "");
		location.reload();
	}, asOf.dataset.refresh * 1000);
}
