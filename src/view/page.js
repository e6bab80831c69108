// Shows times in the visitor's own zone; the page is complete without it.
"use strict";
for (const time of document.querySelectorAll("time[datetime]")) {
	const at = new Date(time.dateTime);
	if (!Number.isNaN(at.getTime())) {
		time.title = time.textContent;
		time.textContent = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
	}
}
