// A tenant's script that tries to reach what is not its own, and notes how far it came.
"use strict";
(async () => {
	const found = {};
	const attempt = async (name, what) => {
		try {
			found[name] = String(await what());
		} catch (error) {
			found[name] = "refused: " + error.name;
		}
	};
	const other = new URLSearchParams(location.search).get("other");
	await attempt("origin", () => self.origin);
	await attempt("cookie", () => document.cookie);
	await attempt("storage", () => localStorage.length);
	await attempt("own", async () => (await (await fetch("summary.json")).json()).page.name);
	await attempt("api", async () => (await fetch("/api/v1/openapi.json")).status);
	await attempt("worker", async () => {
		const own = document.querySelector("script[src*='custom-']").src;
		return (await navigator.serviceWorker.register(own)).scope;
	});
	if (other) {
		await attempt("neighbour", async () => (await fetch(other, { credentials: "include" })).text());
		await attempt("frame", () => new Promise((resolve, reject) => {
			const frame = document.createElement("iframe");
			frame.onload = () => {
				try {
					resolve(frame.contentDocument.body.textContent || "empty");
				} catch (error) {
					reject(error);
				}
			};
			setTimeout(() => reject(new DOMException("", "TimeoutError")), 2000);
			frame.src = other;
			document.body.append(frame);
		}));
	}
	document.documentElement.dataset.found = JSON.stringify(found);
})();
