// Shows times in the visitor's own zone, with its name, and how long an open incident has
// lasted: a file cannot tell either. The page is complete without it.
"use strict";
for (const time of document.querySelectorAll("time[datetime]")) {
	const at = new Date(time.dateTime);
	if (Number.isNaN(at.getTime())) continue;
	const local = at.toLocaleString(undefined, {
		day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
	});
	// Times below a heading that is a day of UTC stay in UTC: "13 Nov, 04:54" under "12 Nov" would contradict it.
	if (time.closest(".day")) {
		time.title = local;
		continue;
	}
	time.title = time.textContent;
	time.textContent = local;
	const minutes = Math.floor((Date.now() - at.getTime()) / 60000);
	// The first time of an open incident is its start.
	if (time.closest(".open")?.querySelector("time") !== time || minutes < 1) continue;
	const hours = Math.floor(minutes / 60);
	const days = Math.floor(hours / 24);
	time.after(days ? ` (for ${days} d ${hours % 24} h)` : hours ? ` (for ${hours} h ${minutes % 60} min)` : ` (for ${minutes} min)`);
}
