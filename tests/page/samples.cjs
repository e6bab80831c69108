// The sample pages of tests/unit/view/samples.c: node samples.cjs FOLDER, which write_samples has written. TAP on standard output.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const zlib = require("node:zlib");
const { chromium } = require("playwright-core");
const { HtmlValidate } = require("html-validate");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const folder = process.argv[2];
const pictures = process.env.DAYMARK_SCREENSHOTS;
const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript" };
const policy = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; sandbox allow-scripts";
const server = http.createServer((request, response) => {
	let file = path.join(folder, request.url);
	if (file.endsWith("/")) file += "index.html";
	if (!path.extname(file)) file += ".html";
	if (!fs.existsSync(file)) return response.writeHead(404).end();
	response.writeHead(200, { "Content-Type": types[path.extname(file)], "Content-Security-Policy": policy });
	response.end(fs.readFileSync(file));
});

let browser;
let base;
let number = 0;
let failed = 0;

async function test(what, run) {
	number++;
	try {
		await run();
		console.log(`ok ${number} - samples: ${what}`);
	} catch (error) {
		failed++;
		console.log(`not ok ${number} - samples: ${what}`);
		console.log(String(error.stack).replace(/^/gm, "# "));
	}
}

// Gives `use` the page at noon of the day that the samples are of.
async function visit(address, options, use) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin", ...options });
	try {
		const page = await context.newPage();
		const complaints = [];
		page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
		page.on("pageerror", (error) => complaints.push(error.message));
		await page.clock.setFixedTime(new Date("2026-11-20T12:00:20Z"));
		await page.goto(base + address);
		assert.deepEqual(complaints, []);
		await use(page);
	} finally {
		await context.close();
	}
}

// The rules whose result depends on how the page is drawn, and not on its HTML alone.
const drawn = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];

// axe runs beside the page, whose policy would not let it in.
async function accessible(page, rules) {
	const session = await page.context().newCDPSession(page);
	const { frameTree } = await session.send("Page.getFrameTree");
	const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
	await session.send("Runtime.evaluate", { expression: axe, contextId });
	const options = rules ? { runOnly: { type: "rule", values: rules } } : {};
	const expression = `axe.run(${JSON.stringify(options)}).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)])))`;
	const { result } = await session.send("Runtime.evaluate", { expression, contextId, awaitPromise: true });
	assert.equal(result.value, "[]");
}

async function picture(page, name) {
	if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

const width = (page) => page.evaluate("document.documentElement.scrollWidth");
const height = (page) => page.evaluate("document.documentElement.scrollHeight");
const views = {
	desktop: {}, dark: { colorScheme: "dark" }, phone: { viewport: { width: 320, height: 700 } },
	forced: { forcedColors: "active" }, zoom: { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
};

async function all() {
	for (const sample of fs.readdirSync(folder).sort())
		await test(`${sample}: no violation that axe-core knows, and nothing beyond the width, in any view`, async () => {
			for (const [view, options] of Object.entries(views))
				await visit(`/${sample}/`, options, async (page) => {
					assert.ok(await width(page) <= page.viewportSize().width, `${view}: ${await width(page)}`);
					await accessible(page, view === "desktop" ? undefined : drawn);
					await picture(page, `${sample}-${view}`);
				});
		});
	await test("each file is valid HTML", async () => {
		for (const file of fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"))) {
			const report = await new HtmlValidate({ extends: ["html-validate:standard"] }).validateString(fs.readFileSync(path.join(folder, file), "utf8"));
			const found = report.results.flatMap((result) => result.messages).map(({ ruleId, line, message }) => `${file}:${line} ${ruleId} ${message}`);
			assert.deepEqual(found, []);
		}
	});
	await test("200 systems that are well take at most 4,000 pixels", () =>
		visit("/two-hundred-well/", {}, async (page) => assert.ok(await height(page) <= 4000, `${await height(page)}`)));
	await test("20 systems with 10 incidents take less than 15 kB, with style and script", () => {
		const files = fs.readdirSync(path.join(folder, "twenty-ten")).filter((name) => /^(index|page)/.test(name));
		assert.equal(files.length, 3);
		const bytes = files.map((name) => zlib.gzipSync(fs.readFileSync(path.join(folder, "twenty-ten", name)), { level: 3 }).length);
		assert.ok(bytes.reduce((sum, one) => sum + one) < 15000, `${bytes}`);
	});
	await test("an incident's page has its post-mortem, and no script, frame or picture of anyone", () =>
		visit("/five-degraded/", {}, async (page) => {
			await page.getByRole("link", { name: "Post-mortem" }).click();
			assert.ok(await page.getByRole("heading", { name: "What we change" }).isVisible());
			await accessible(page);
			await picture(page, "post-mortem");
		}));
	await test("times are as short as they can be, and name the day where it is not clear", async () => {
		await visit("/outage/", {}, async (page) => {
			assert.match(await page.locator("footer .asof").textContent(), /As of 20 Nov 2026, 13:00 CET/);
			assert.match(await page.locator(".open .meta").first().textContent(), /since 20 Nov, 11:19 CET \(1 hour ago\)/);
			const updates = await page.locator(".open .updates li>.meta").allTextContents();
			assert.deepEqual(updates.slice(0, 2), ["Monitoring 12:51 CET", "Identified 12:25 CET edited 20 Nov, 12:30 CET"]);
		});
		await visit("/outage/feed.html", { timezoneId: "America/Bogota" }, async (page) => {
			const texts = await page.locator(".log>li>.meta").allTextContents();
			assert.ok(texts.some((text) => text.startsWith("Resolved after 4 min: 11 Nov, 07:00 to 07:04 ")), texts.join());
		});
		await visit("/outage/feed.html", {}, async (page) => {
			const texts = await page.locator(".log>li>.meta").allTextContents();
			assert.ok(texts.includes("Resolved after 1 h 35 min: 15 Nov, 13:00 to 14:35 CET"), texts.join());
			assert.ok(texts.includes("Resolved after 4 min: 11 Nov, 13:00 to 13:04 CET"), texts.join());
		});
	});
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
	await test("a system in a group has its state beside its name wherever the others have it", () =>
		visit("/five-degraded/", {}, async (page) => {
			const heights = () => page.evaluate(() => [".systems", ".group .systems"].map((list) =>
				Math.max(...[...document.querySelectorAll(`.card>${list} .row`)].map((row) => row.offsetHeight))));
			await page.evaluate(() => document.querySelectorAll(".rate").forEach((rate) => {
				rate.textContent = "100.00 % uptime since 22 Aug 2026";
			}));
			for (let across = 600; across <= 1100; across += 10) {
				await page.setViewportSize({ width: across, height: 900 });
				const [outside, inside] = await heights();
				assert.equal(inside, outside, `${across} pixels`);
				assert.ok(across < 1100 || outside < 40, `${across} pixels: ${outside}`);
			}
		}));
	await test("from right to left the oldest day is at the right", () =>
		visit("/twenty-ten/", {}, async (page) => {
			const before = await page.locator(".bars a").first().boundingBox();
			await page.evaluate("document.documentElement.dir = 'rtl'");
			const after = await page.locator(".bars a").first().boundingBox();
			assert.ok(before.x < 640 && after.x > 640, `${before.x} ${after.x}`);
			assert.ok(await width(page) <= 1280);
			await picture(page, "right-to-left");
		}));
}

(async () => {
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	base = `http://127.0.0.1:${server.address().port}`;
	browser = await chromium.launch({
		executablePath: process.env.DAYMARK_CHROMIUM || "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
	});
	try {
		await all();
	} finally {
		await browser.close();
		server.close();
	}
	console.log(`1..${number}`);
	process.exit(failed > 0 ? 1 : 0);
})();
