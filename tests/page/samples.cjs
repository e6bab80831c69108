// The sample pages of tests/unit/view/samples.c: node samples.cjs FOLDER, which write_samples has written. TAP on standard output.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const zlib = require("node:zlib");
const { HtmlValidate } = require("html-validate");
const { accessible: check, launch, suite } = require("./lib.cjs");

const folder = process.argv[2];
const pictures = process.env.DAYMARK_SCREENSHOTS;
const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript" };
const policy = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; sandbox allow-scripts";
const server = http.createServer((request, response) => {
	// Below /rtl/ each page is one of a language that is written from right to left.
	const isRtl = request.url.startsWith("/rtl/");
	let file = path.join(folder, request.url.slice(isRtl ? 4 : 0));
	if (file.endsWith("/")) file += "index.html";
	if (!path.extname(file)) file += ".html";
	if (!fs.existsSync(file)) return response.writeHead(404, { "Content-Type": "text/plain" }).end("Not found");
	response.writeHead(200, { "Content-Type": types[path.extname(file)], "Content-Security-Policy": policy });
	const text = fs.readFileSync(file, "utf8");
	response.end(isRtl ? text.replace('dir="ltr"', 'dir="rtl"') : text);
});

let browser;
let base;
const { test, end } = suite("samples");

// A tab at noon of the day that the samples are of. Its open() requires that no page until then had a complaint.
async function newTab(options) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin", ...options });
	const page = await context.newPage();
	const complaints = [];
	page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
	page.on("pageerror", (error) => complaints.push(error.message));
	await page.clock.setFixedTime(new Date("2026-11-20T12:00:20Z"));
	const open = async (address) => {
		await page.goto(base + address);
		assert.deepEqual(complaints.splice(0), []);
	};
	return { page, open, close: () => context.close() };
}

async function visit(address, options, use) {
	const { page, open, close } = await newTab(options);
	try {
		await open(address);
		await use(page);
	} finally {
		await close();
	}
}

// The rules whose result depends on how the page is drawn, and not on its HTML alone: on its colours, or on its layout.
const colours = ["color-contrast", "link-in-text-block"];
const layout = ["scrollable-region-focusable", "target-size"];

// Without preload: the page's policy refuses axe's requests for the styles, and the browser reports these.
const accessible = (page, rules) => check(page, { preload: false, ...(rules ? { runOnly: { type: "rule", values: rules } } : {}) });

async function picture(page, name) {
	if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

const width = (page) => page.evaluate("document.documentElement.scrollWidth");
const height = (page) => page.evaluate("document.documentElement.scrollHeight");
const views = {
	desktop: { options: {} },
	dark: { options: { colorScheme: "dark" }, rules: colours },
	// The style of narrow pages also hides and shows elements.
	phone: { options: { viewport: { width: 320, height: 700 } }, rules: [...colours, ...layout] },
	forced: { options: { forcedColors: "active" }, rules: colours },
	// The style of pages, but for that of reports, takes this width for a desktop's: the colours are the same.
	zoom: { options: { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }, rules: layout },
};

// Removes the systems whose elements have the same classes, states and styles as those of three systems before: what
// is drawn is of the same colours, and axe takes ten seconds for a page of 200 systems.
const thin = (page) => page.evaluate(() => {
	const seen = new Map();
	for (const system of document.querySelectorAll(".systems>li")) {
		const look = [system, ...system.querySelectorAll("*")].map((one) =>
			`${one.tagName} ${one.getAttribute("class")} ${one.getAttribute("style")} ${one.hidden} ${one.open}`);
		const key = `${system.parentElement.className} ${[...new Set(look)].join()}`;
		seen.set(key, (seen.get(key) ?? 0) + 1);
		if (seen.get(key) > 3) system.remove();
	}
});

// The desktop has all rules and all systems.
async function accessibleIn(view, page, rules = views[view].rules) {
	if (rules) await thin(page);
	await accessible(page, rules);
}

async function all() {
	// A tab takes more processor time than a page in it.
	const tabs = {};
	for (const [view, { options }] of Object.entries(views)) tabs[view] = await newTab(options);
	for (const sample of fs.readdirSync(folder).sort())
		await test(`${sample}: no violation that axe-core knows, and nothing beyond the width, in any view`, async () => {
			for (const [view, { page, open }] of Object.entries(tabs)) {
				await open(`/${sample}/`);
				assert.ok(await width(page) <= page.viewportSize().width, `${view}: ${await width(page)}`);
				await picture(page, `${sample}-${view}`);
				await accessibleIn(view, page);
			}
		});
	await test("a report has no violation in any view, and on paper nothing but the report", async () => {
		const report = "/five-degraded/report-2026-11.html";
		for (const [view, { page, open }] of Object.entries(tabs)) {
			await open(report);
			assert.ok(await width(page) <= page.viewportSize().width, `${view}: ${await width(page)}`);
			await picture(page, `report-${view}`);
			await accessibleIn(view, page, view === "desktop" ? undefined : [...colours, ...layout]);
		}
		const { page } = tabs.dark;
		await page.emulateMedia({ media: "print", colorScheme: "dark" });
		assert.equal(await page.locator("nav").first().isVisible(), false);
		assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
		assert.ok(await page.getByRole("columnheader", { name: "Outages" }).isVisible());
		await picture(page, "report-print");
		await page.emulateMedia({ media: null, colorScheme: "dark" });
	});
	for (const { close } of Object.values(tabs)) await close();
	await test("each file is valid HTML", async () => {
		const validator = new HtmlValidate({ extends: ["html-validate:standard"] });
		for (const file of fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"))) {
			const report = await validator.validateString(fs.readFileSync(path.join(folder, file), "utf8"));
			const found = report.results.flatMap((result) => result.messages).map(({ ruleId, line, message }) => `${file}:${line} ${ruleId} ${message}`);
			assert.deepEqual(found, []);
		}
	});
	await test("200 systems that are well take at most 4,300 pixels, with their calendars", () =>
		visit("/two-hundred-well/", {}, async (page) => assert.ok(await height(page) <= 4300, `${await height(page)}`)));
	await test("20 systems with 10 incidents take less than 15 kB, with style and script", () => {
		const files = fs.readdirSync(path.join(folder, "twenty-ten")).filter((name) => /^(index|page)/.test(name));
		assert.equal(files.length, 3);
		const bytes = files.map((name) => zlib.gzipSync(fs.readFileSync(path.join(folder, "twenty-ten", name)), { level: name.startsWith("index") ? 3 : 9 }).length);
		assert.ok(bytes.reduce((sum, one) => sum + one) < 15000, `${bytes}`);
	});
	await test("an incident's page has its post-mortem, and no script, frame or picture of anyone", () =>
		visit("/five-degraded/", {}, async (page) => {
			await page.getByRole("link", { name: "Post-mortem" }).click();
			assert.ok(await page.getByRole("heading", { name: "What we change" }).isVisible());
			await accessible(page);
			await picture(page, "post-mortem");
		}));
	const shownTimes = (page) => page.locator("time").evaluateAll((all) => all.map(({ textContent, title }) => ({ text: textContent, title })));
	await test("times are those of the page, whatever clock and zone the visitor has; a switch shows the visitor's, and is remembered", async () => {
		for (const [locale, timezoneId, name] of [["en-US", "America/Bogota", "GMT-5"], ["de-DE", "Asia/Kathmandu", "GMT+5:45"], ["ar-EG", "Pacific/Kiritimati", "GMT+14"]])
			await visit("/outage/", { locale, timezoneId }, async (page) => {
				const before = await shownTimes(page);
				const own = page.getByRole("button", { name: `Your time (${name})` });
				assert.equal(await own.getAttribute("aria-pressed"), "false");
				assert.ok(before.length > 12, `${before.length}`);
				for (const { text, title } of before) {
					assert.match(text, /^(\d+ \w{3} 2026, )?\d\d:\d\d( UTC)?$/);
					assert.ok(/^\d+ \w{3} 2026, \d\d:\d\d /.test(title) && title.endsWith(name), title);
				}
				assert.match(await page.locator(".open .meta").first().textContent(), /since 20 Nov 2026, 10:19 UTC, for more than 1 h 41 min$/);
				// By the keyboard.
				await own.focus();
				await page.keyboard.press("Space");
				assert.equal(await own.getAttribute("aria-pressed"), "true");
				const after = await shownTimes(page);
				assert.ok(!after.some(({ text }) => text.includes("UTC")));
				assert.ok(after.filter(({ text }) => text.endsWith(name)).length > after.length / 2);
				assert.deepEqual(after.map(({ title }) => title), before.map(({ text }) => text));
				await picture(page, `own-time-${locale}`);
				// A sandboxed page has no storage: its address says so, and its links to its other files.
				await page.reload();
				assert.deepEqual(await shownTimes(page), after);
				await page.locator("article.open h3 a").first().click();
				await page.waitForURL(/incidents/);
				assert.ok((await page.locator("dd time").first().textContent()).endsWith(name));
				await page.getByRole("button", { name: "Your time" }).press("Enter");
				assert.match(await page.locator("dd time").first().textContent(), /UTC$/);
				await page.reload();
				assert.match(await page.locator("dd time").first().textContent(), /UTC$/);
			});
		await visit("/outage/", { timezoneId: "America/Bogota" }, async (page) => {
			await page.getByRole("button", { name: "Your time" }).click();
			const resolved = (await page.locator(".day .meta").allTextContents()).filter((text) => text.startsWith("Resolved after"));
			// The day and the zone are said once, and a day that differs from its heading is said.
			assert.ok(resolved.includes("Resolved after 4 min: 11 Nov 2026, 07:00 to 07:04 GMT-5"), resolved.join());
			assert.ok(resolved.includes("Resolved after 1 day: 9 Nov 2026, 07:00 to 10 Nov 2026, 07:00 GMT-5"), resolved.join());
		});
		for (const timezoneId of ["UTC", "Africa/Abidjan"])
			await visit("/outage/", { timezoneId, locale: "en-US" }, async (page) => {
				assert.equal(await page.getByRole("button", { name: "Your time" }).count(), 0);
				assert.equal(await page.locator("time[title]").count(), 0);
			});
	});
	await test("a strip of bars is one target: the arrow keys and the pointer choose a day, and Escape closes its tip", () =>
		visit("/twenty-ten/", {}, async (page) => {
			const strips = page.getByRole("slider");
			assert.equal(await strips.count(), 20);
			assert.equal(await page.locator(".bars :is(a, [tabindex])").count(), 0);
			const last = page.locator("tbody a[href='2026-10.html#day-2026-10-11']").first();
			const strip = page.locator(`.bars[data-of="${(await last.evaluate((link) => link.closest("tbody").id)).slice(5)}"]`);
			const tip = strip.locator("span");
			assert.equal(await strip.getAttribute("aria-valuetext"), "20 Nov 2026: no downtime");
			await strip.focus();
			const at = async (key, text) => {
				await page.keyboard.press(key);
				assert.equal(await tip.textContent(), text);
				assert.equal(await strip.getAttribute("aria-valuetext"), text);
			};
			await at("ArrowLeft", "19 Nov 2026: no downtime");
			await at("Home", "23 Aug 2026: no downtime");
			await at("ArrowLeft", "23 Aug 2026: no downtime");
			await at("ArrowRight", "24 Aug 2026: no downtime");
			await at("End", "20 Nov 2026: no downtime");
			await at("ArrowUp", "20 Nov 2026: no downtime");
			await at("PageDown", "13 Nov 2026: no downtime");
			for (let day = 12; day > 11; day--) await page.keyboard.press("ArrowLeft");
			for (let day = 0; day < 32; day++) await page.keyboard.press("ArrowLeft");
			await at("ArrowRight", "12 Oct 2026: no downtime");
			await at("ArrowLeft", "11 Oct 2026: down for 3 h, 1 incident");
			await picture(page, "tip");
			await page.keyboard.press("Escape");
			assert.equal(await tip.count(), 0);
			// By the pointer, which may go on to the tip.
			const box = await strip.boundingBox();
			const x = (day) => box.x + ((day + 0.5) * box.width) / 90;
			await page.evaluate("document.activeElement.blur()");
			await page.mouse.move(x(0), box.y + 10);
			assert.equal(await tip.textContent(), "23 Aug 2026: no downtime");
			for (const day of [0, 49, 89]) {
				await page.mouse.move(x(day), box.y + 10);
				const shown = await tip.boundingBox();
				assert.ok(shown.x >= box.x - 1 && shown.x + shown.width <= box.x + box.width + 1, JSON.stringify(shown));
				await page.mouse.move(shown.x + shown.width / 2, shown.y + shown.height / 2, { steps: 20 });
				assert.equal(await tip.count(), 1);
			}
			await page.mouse.move(5, 5);
			assert.equal(await tip.count(), 0);
			await page.mouse.move(x(49), box.y + 10);
			await page.keyboard.press("Escape");
			assert.equal(await tip.count(), 0);
			await page.mouse.move(x(49) + 1, box.y + 12);
			assert.equal(await tip.textContent(), "11 Oct 2026: down for 3 h, 1 incident");
			// A click and Enter follow the day's link; a day without one has none.
			await page.mouse.click(x(3), box.y + 10);
			assert.match(page.url(), /twenty-ten\/$/);
			await page.evaluate("document.activeElement.blur()");
			await page.mouse.click(x(49), box.y + 10);
			await page.waitForURL(/2026-10\.html#day-2026-10-11$/);
			await page.goto(`${base}/twenty-ten/`);
			await strip.focus();
			await page.keyboard.press("Home");
			for (let day = 0; day < 49; day++) await page.keyboard.press("ArrowRight");
			await page.keyboard.press("Enter");
			await page.waitForURL(/2026-10\.html#day-2026-10-11$/);
		}));
	await test("a tap shows a day, and the next tap follows its link", () =>
		visit("/twenty-ten/", { hasTouch: true, viewport: { width: 390, height: 800 } }, async (page) => {
			const link = page.locator("tbody a[href='2026-10.html#day-2026-10-11']").first();
			const strip = page.locator(`.bars[data-of="${(await link.evaluate((one) => one.closest("tbody").id)).slice(5)}"]`);
			await strip.scrollIntoViewIfNeeded();
			const box = await strip.boundingBox();
			const tap = () => page.touchscreen.tap(box.x + (49.5 * box.width) / 90, box.y + box.height / 2);
			await tap();
			assert.match(await strip.locator("span").textContent(), /^11 Oct 2026: down for 3 h/);
			assert.ok(await width(page) <= 390);
			assert.match(page.url(), /twenty-ten\/$/);
			await tap();
			await page.waitForURL(/2026-10\.html#day-2026-10-11$/);
		}));
	await test("without script the bars have their table, with a link for each day", () =>
		visit("/twenty-ten/", { javaScriptEnabled: false }, async (page) => {
			assert.equal(await page.getByRole("img", { name: "uptime" }).count(), 20);
			assert.equal(await page.locator(".bars [tabindex], .bars a, .bars[tabindex]").count(), 0);
			await page.locator(".table summary").click();
			assert.ok(await page.getByRole("link", { name: "11 Oct 2026" }).first().isVisible());
			assert.equal(await page.getByRole("button", { name: "Your time" }).count(), 0);
		}));
	await test("Escape, or a click beside it, closes the panel of subscriptions", () =>
		visit("/twenty-ten/", {}, async (page) => {
			const panel = page.locator(".menu>div");
			await page.locator(".menu summary").press("Enter");
			assert.ok(await panel.isVisible());
			await page.keyboard.press("Escape");
			assert.ok(!(await panel.isVisible()));
			assert.equal(await page.evaluate("document.activeElement.parentElement.className"), "menu");
			await page.locator(".menu summary").click();
			await panel.click();
			assert.ok(await panel.isVisible());
			await page.locator("h1").click();
			assert.ok(!(await panel.isVisible()));
		}));
	await test("printed, all that is folded is there, and what cannot be used is not", () =>
		visit("/outage/", {}, async (page) => {
			const folded = page.locator(".group:not([open]) .name").first();
			assert.ok(!(await folded.isVisible()));
			await page.emulateMedia({ media: "print" });
			for (const shown of [".overall", ".card.open", ".earlier li", ".inside li", ".asof time"])
				assert.ok(await page.locator(shown).first().isVisible(), shown);
			assert.ok(await folded.isVisible());
			for (const hidden of ["nav", ".table table", "footer a", ".asof button"])
				assert.ok(!(await page.locator(hidden).first().isVisible()), hidden);
			await picture(page, "print");
			// Browsers without ::details-content: the script unfolds, and folds again.
			await page.evaluate("dispatchEvent(new Event('beforeprint'))");
			assert.equal(await page.locator("main details:not([open], .table)").count(), 0);
			await page.evaluate("dispatchEvent(new Event('afterprint'))");
			assert.ok(await page.locator(".group:not([open])").count() > 0);
		}));
	await test("a tip tells the incident, how many others, and the time of what goes on", () =>
		visit("/outage/", {}, async (page) => {
			const tip = page.locator(".bars span");
			const checkout = page.getByRole("slider", { name: "Checkout" });
			await checkout.focus();
			assert.equal(await tip.textContent(), "20 Nov 2026: down since 20 Nov 2026, 10:19 UTC, for more than 1 h 41 min (Errors at checkout, payments and log-in and 1 more)");
			assert.equal(await tip.locator("b").textContent(), "20 Nov 2026: ");
			await picture(page, "tip-open");
		}).then(() => visit("/twelve/", {}, async (page) => {
			const tip = page.locator(".bars span");
			await page.getByRole("slider", { name: "Push messages" }).focus();
			for (let day = 0; day < 5; day++) await page.keyboard.press("ArrowLeft");
			assert.equal(await tip.textContent(), "15 Nov 2026: partly down for 1 h 35 min (E-mails are delivered late)");
			// A day on which nothing happened has the same bubble.
			await page.keyboard.press("ArrowLeft");
			assert.equal(await tip.textContent(), "14 Nov 2026: no downtime");
			assert.ok(await tip.isVisible());
		})));
	await test("100 systems in 30 groups have 30 rows of 90 days, with figures, a search and a switch", () =>
		visit("/hundred-groups/", {}, async (page) => {
			const strips = page.locator(".folder>.bars:visible");
			assert.equal(await strips.count(), 29);
			const tops = await strips.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
			assert.ok(tops.every((top, at) => at === 0 || top - tops[at - 1] >= 30), tops.join());
			assert.equal(await page.locator(".folder>.scale .rate:visible").count(), 29);
			// The strip is a target like those of systems.
			await page.getByRole("slider", { name: "Region 01" }).focus();
			for (let day = 0; day < 9; day++) await page.keyboard.press("ArrowLeft");
			assert.equal(await page.locator(".bars span").textContent(), "11 Nov 2026: Checkout: down for 4 min, 2 incidents");
			await page.locator(".folder summary").first().click();
			assert.ok(!(await page.locator(".folder>.bars").first().isVisible()));
			assert.ok(await page.locator(".folder .systems .rate").first().isVisible());
			const names = () => page.locator(".systems .name:visible").allTextContents();
			const field = page.getByRole("searchbox", { name: "Find a system" });
			const only = page.getByRole("button", { name: "Only problems" });
			await only.click();
			assert.deepEqual(await names(), ["Images 3"]);
			assert.equal(await only.getAttribute("aria-pressed"), "true");
			await accessible(page);
			await picture(page, "only-problems");
			await page.reload();
			assert.deepEqual(await names(), ["Images 3"]);
			await only.click();
			assert.deepEqual(await names(), ["Website", "Checkout", "Payments", "Customer accounts", "Images 3", "Video 3", "Downloads 3"]);
			await field.fill(" cheCKout ");
			assert.deepEqual(await names(), ["Checkout", "Checkout 2", "Checkout 3", "Checkout 4", "Checkout 5"]);
			await field.fill("region 30");
			assert.equal((await names()).length, 3);
			await field.fill("nothing of the kind");
			assert.deepEqual(await names(), []);
			assert.equal(await page.getByRole("status").textContent(), "No such system");
			await field.fill("");
			assert.equal((await names()).length, 7);
		}));
	await test("figures and scales are there on a phone, too; without script all systems are there", async () => {
		await visit("/hundred-groups/", { viewport: { width: 320, height: 700 } }, async (page) => {
			assert.equal(await page.locator(".folder>.scale .rate:visible").count(), 29);
			assert.equal(await page.locator(".folder>.bars:visible").count(), 29);
			assert.equal(await page.locator(".systems .rate:visible").count(), 3);
		});
		await visit("/hundred-groups/", { javaScriptEnabled: false }, async (page) => {
			assert.equal(await page.locator(".find").count(), 0);
			assert.equal(await page.locator(".systems>li").count(), 100);
			assert.equal(await page.locator(".folder>.bars:visible").count(), 29);
		});
	});
	await test("of 12 systems with an incident and three windows the first bar is within 900 pixels", () =>
		visit("/twelve/", {}, async (page) => {
			const { y, height: its } = await page.locator(".bars").first().boundingBox();
			assert.ok(y + its <= 900, `${y}`);
			await page.getByRole("link", { name: "Database upgrade" }).first().click();
			assert.match(page.url(), /#maintenance-3$/);
		}));
	await test("a system in a group has its state beside its name wherever the others have it", () =>
		visit("/five-degraded/", {}, async (page) => {
			const heights = () => page.evaluate(() => [".systems", ".folder .systems"].map((list) =>
				Math.max(...[...document.querySelectorAll(`.card>${list} .row`)].map((row) => row.offsetHeight))));
			for (let across = 600; across <= 1100; across += 10) {
				await page.setViewportSize({ width: across, height: 900 });
				const [outside, inside] = await heights();
				assert.equal(inside, outside, `${across} pixels`);
				assert.ok(across < 1100 || outside < 40, `${across} pixels: ${outside}`);
			}
		}));
	await test("from right to left the oldest day is at the right, and the left arrow key leads to later ones", () =>
		visit("/rtl/twenty-ten/", {}, async (page) => {
			const strip = page.getByRole("slider").first();
			await strip.focus();
			await page.keyboard.press("Home");
			const first = await strip.locator("i").boundingBox();
			assert.ok(first.x > 900, `${first.x}`);
			const box = await strip.boundingBox();
			const tip = await strip.locator("span").boundingBox();
			assert.ok(tip.x + tip.width <= box.x + box.width + 1, JSON.stringify(tip));
			await page.keyboard.press("ArrowLeft");
			assert.equal(await strip.getAttribute("aria-valuenow"), "2");
			await page.mouse.move(box.x + 2, box.y + 10);
			assert.equal(await strip.getAttribute("aria-valuenow"), "90");
			assert.ok(await width(page) <= 1280);
			await picture(page, "right-to-left");
		}));
}

(async () => {
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	base = `http://127.0.0.1:${server.address().port}`;
	browser = await launch();
	try {
		await all();
	} finally {
		await browser.close();
		server.close();
	}
	end();
})();
