// Shows times in the visitor's own zone, and for how long what is open has lasted: a file
// cannot say that. The page is complete without it.
"use strict";
for (const time of document.querySelectorAll("time[datetime]")) {
	const at = new Date(time.dateTime);
	if (Number.isNaN(at.getTime())) continue;
	time.title = time.textContent;
	time.textContent = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
	const minutes = Math.floor((Date.now() - at.getTime()) / 60000);
	if (!time.closest(".open") || minutes < 1) continue;
	const hours = Math.floor(minutes / 60);
	const days = Math.floor(hours / 24);
	time.after(days ? ` (for ${days} d ${hours % 24} h)` : hours ? ` (for ${hours} h ${minutes % 60} min)` : ` (for ${minutes} min)`);
}
