// The tests of tests/page/run: node browser.cjs DATA.json. TAP on standard output.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { HtmlValidate } = require("html-validate");
const { accessible, launch, suite } = require("./lib.cjs");

const data = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const pictures = process.env.DAYMARK_SCREENSHOTS;
const shownPages = { "20 monitors": data.twenty, "1 monitor": data.one, "long, right-to-left and emoji names": data.names };

let browser;
const { test, end } = suite("page");

// Opens a page in a context of its own; `use` gets it, what it asked for and what it complained of.
async function visit(url, options, use) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", ...options });
	try {
		const page = await context.newPage();
		const requests = [];
		const complaints = [];
		page.on("request", (request) => requests.push(request.url()));
		page.on("console", (message) => {
			if (message.type() === "error") complaints.push(message.text());
		});
		page.on("pageerror", (error) => complaints.push(error.message));
		const response = await page.goto(url, { waitUntil: "load" });
		await use(page, { response, requests, complaints, context });
	} finally {
		await context.close();
	}
}

// A moment as the page shows it to a visitor in that zone.
function textIn(timeZone, at) {
	return new Date(at).toLocaleString("en-GB", {
		timeZone, day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
	});
}

async function picture(page, name) {
	if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

async function valid(html) {
	const report = await new HtmlValidate({
		extends: ["html-validate:standard"],
		// Ours is HTML as the standard has it: void elements without a slash, and no rule of taste.
		rules: { "long-title": "off", "no-raw-characters": "off", "no-inline-style": "off" },
	}).validateString(html);
	const problems = report.results.flatMap((result) => result.messages.map((m) => `${m.line}:${m.column} ${m.ruleId} ${m.message}`));
	assert.deepEqual(problems, []);
}

async function all() {
	for (const [what, url] of Object.entries(shownPages)) {
		await test(`${what}: no violation that axe-core knows, in light and dark, on a desktop and a phone`, async () => {
			await visit(url, {}, async (page) => {
				for (const colorScheme of ["light", "dark"])
					for (const width of [1280, 360]) {
						await page.emulateMedia({ colorScheme });
						await page.setViewportSize({ width, height: 800 });
						await accessible(page);
						await picture(page, `${what.split(",")[0]}-${colorScheme}-${width}`.replaceAll(" ", "-"));
					}
			});
		});
		await test(`${what}: nothing reaches beyond a phone's width`, async () => {
			await visit(url, { viewport: { width: 320, height: 700 } }, async (page) => {
				for (const width of [320, 360]) {
					await page.setViewportSize({ width, height: 700 });
					assert.equal(await page.evaluate("document.documentElement.clientWidth"), width);
					assert.ok(await page.evaluate("document.documentElement.scrollWidth") <= width);
				}
			});
		});
		await test(`${what}: valid HTML`, async () => valid(await (await fetch(url)).text()));
	}
	await test("history, errors and the gate's pages are accessible and valid, too", async () => {
		for (const url of [data.twenty + data.month + ".html", `${data.twenty}no/such`, `${data.names}incidents/0`, `${data.twenty}history?q=late`, data.gated, data.private])
			await visit(url, { colorScheme: "dark" }, async (page, { response }) => {
				for (const width of [1280, 320]) {
					await page.setViewportSize({ width, height: 700 });
					assert.ok(await page.evaluate("document.documentElement.scrollWidth") <= width);
					await accessible(page);
				}
				await valid(await response.text());
				await picture(page, url.replace(/.*-/, "").replaceAll("/", "-"));
			});
	});
	await test("at most five requests, all of them to the page's own files, and no complaint", () =>
		visit(data.twenty, {}, async (_page, { requests, complaints }) => {
			assert.ok(requests.length <= 5, requests.join(" "));
			assert.deepEqual(requests.filter((url) => !url.startsWith(data.twenty)), []);
			assert.deepEqual(complaints, []);
		}));
	await test("without JavaScript everything is there", () =>
		visit(data.twenty, { javaScriptEnabled: false }, async (page) => {
			const text = await page.locator("body").innerText();
			for (const words of ["Service 3 is down", "1 of 20 systems is affected", "Deliveries are late", "Service 2: Timeouts at the edge", "Ongoing since", "UTC", "Month by month"])
				assert.ok(text.includes(words), words);
			// The cause of an incident that has a title.
			assert.ok(!text.includes("10.1.2.3"));
			assert.equal(await page.locator(".bars svg").count(), 20);
		}));
	await test("times are shown in the page's zone, with the visitor's as a tip; an open incident says for how long", () =>
		visit(data.twenty, { timezoneId: "Asia/Kathmandu", locale: "en-US" }, async (page) => {
			const time = page.locator(".open time").first();
			const at = await time.getAttribute("datetime");
			assert.equal(await time.textContent(), textIn("UTC", at));
			assert.equal(await time.getAttribute("title"), textIn("Asia/Kathmandu", at));
			assert.match(await page.locator(".asof time").textContent(), /UTC$/);
			assert.match(await page.locator(".open .meta").first().textContent(), /, for more than 5\d min\. Being worked on since [^(]+$/);
		}));
	for (const timezoneId of ["Asia/Kathmandu", "Pacific/Kiritimati", "America/Los_Angeles"])
		await test(`a switch shows all times to a visitor in ${timezoneId}, with their days where these differ`, () =>
			visit(data.twenty, { timezoneId, locale: "en-GB" }, async (page) => {
				await page.getByRole("button", { name: "Your time" }).click();
				const shown = await page.locator("time").evaluateAll((all) => all.map((time) => [time.dateTime, time.textContent]));
				assert.ok(shown.length >= 12, `${shown.length} times`);
				for (const [at, text] of shown) {
					const whole = textIn(timezoneId, at);
					const forms = [whole, whole.replace(/ \S+$/, ""), whole.split(", ")[1]];
					assert.ok(forms.includes(text), `${text} for ${whole}`);
				}
				// The file of the month shows them, too, and the switch is as it was left.
				await page.goto(`${data.twenty}${data.month}.html${new URL(page.url()).hash}`);
				assert.equal(await page.getByRole("button", { name: "Your time" }).getAttribute("aria-pressed"), "true");
			}));
	await test("on its own domain the page remembers the switch", () =>
		visit(`http://${data.host}:${new URL(data.base).port}/`, { timezoneId: "Asia/Kathmandu" }, async (page) => {
			const own = page.getByRole("button", { name: "Your time" });
			await own.click();
			await page.goto(new URL("/feed.html", page.url()).href);
			assert.equal(await own.getAttribute("aria-pressed"), "true");
			assert.match(await page.locator(".asof time").textContent(), /GMT\+5:45$/);
			await own.click();
			await page.reload();
			assert.equal(await own.getAttribute("aria-pressed"), "false");
		}));
	await test("the keyboard alone: skip link, links, the days behind the bars", () =>
		visit(data.twenty, {}, async (page) => {
			const focused = () => page.evaluate("document.activeElement.textContent");
			await page.keyboard.press("Tab");
			assert.equal(await focused(), "Skip to the content");
			assert.ok((await page.locator(".skip").boundingBox()).x >= 0);
			await page.keyboard.press("Tab");
			assert.equal(await focused(), "Website");
			assert.notEqual(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none");
			const strip = page.locator(".bars:focus");
			for (let i = 0; i < 60 && (await strip.count()) === 0; i++) await page.keyboard.press("Tab");
			await page.keyboard.press("Tab");
			for (let i = 0; i < 90 && !(await strip.getAttribute("aria-valuetext")).includes("down for"); i++) await page.keyboard.press("ArrowLeft");
			assert.match(await strip.locator("span").textContent(), /^\d+ \w{3} 20\d\d: down for .*, \d+ incidents?$/);
			assert.ok(await strip.locator("span").isVisible());
			for (let i = 0; i < 60 && (await focused()) !== "The bars as a table"; i++) await page.keyboard.press("Tab");
			assert.equal(await focused(), "The bars as a table");
			await page.keyboard.press("Enter");
			assert.ok(await page.locator("details[open] table").first().isVisible());
			assert.ok((await page.locator("details[open] table tbody tr").count()) >= 1);
		}));
	await test("a bar leads to its day in the log or its month, by a click and by a second tap", async () => {
		// The place of the first day with such a link on its strip.
		const placeOf = async (page, start) => {
			const link = page.locator(`tbody a[href^='${start}']`).first();
			const [id, day] = await link.evaluate((one) => {
				const rows = [...one.closest("tbody").rows].slice(1);
				const before = rows.slice(0, rows.indexOf(one.closest("tr")));
				return [one.closest("tbody").id.slice(5), before.reduce((sum, row) => sum + Number(row.dataset.days ?? 1), 0)];
			});
			const strip = page.locator(`.bars[data-of="${id}"]`);
			await strip.scrollIntoViewIfNeeded();
			const { x, y, width, height } = await strip.boundingBox();
			return [x + ((day + 0.5) * width) / 90, y + height / 2];
		};
		await visit(data.twenty, {}, async (page) => {
			for (const href of await page.locator("tbody a").evaluateAll((all) => all.map((link) => link.href)))
				assert.equal((await fetch(href)).status, 200, href);
			await page.mouse.click(...(await placeOf(page, "#day-")));
			await page.locator(":target").waitFor({ state: "attached" });
		});
		await visit(data.twenty, { hasTouch: true, isMobile: true, viewport: { width: 800, height: 900 } }, async (page) => {
			const place = await placeOf(page, "20");
			await page.touchscreen.tap(...place);
			assert.ok(page.url().endsWith("-twenty/"));
			assert.ok(await page.locator(".bars span").isVisible());
			await page.touchscreen.tap(...place);
			await page.waitForURL(/20\d\d-\d\d\.html#day-/);
		});
	});
	await test("a page with an open incident loads itself again, keeps what is unfolded, and stops when told to", () =>
		visit("about:blank", {}, async (page) => {
			await page.clock.install();
			await page.goto(data.twenty);
			const isLoadedAgain = async () => {
				await page.evaluate("document.body.dataset.seen = 'yes'");
				await page.clock.runFor(61000);
				for (let i = 0; i < 15; i++) {
					await new Promise((resolve) => setTimeout(resolve, 100));
					// While the page is loaded there is nothing to ask.
					const seen = await page.evaluate("document.body.dataset.seen").catch(() => "yes");
					if (seen === undefined) return page.waitForLoadState("load").then(() => true);
				}
				return false;
			};
			await page.locator(".table summary").click();
			// While somebody uses the keyboard there it stays.
			assert.ok(!(await isLoadedAgain()));
			await page.evaluate("document.activeElement.blur()");
			assert.ok(await isLoadedAgain());
			assert.ok(await page.locator(".table[open]").isVisible());
			await page.getByRole("button", { name: "Stop automatic refresh" }).click();
			await page.evaluate("document.activeElement.blur()");
			assert.ok(!(await isLoadedAgain()));
		}));
	await test("an error below a page has its logo and style, and leads back to the page", () =>
		visit(`${data.twenty}no/such/page`, {}, async (page, { response }) => {
			assert.equal(response.status(), 404);
			assert.ok((await page.evaluate("document.querySelector('header img').naturalWidth")) > 0);
			assert.notEqual(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgba(0, 0, 0, 0)");
			await page.getByRole("link", { name: "Current state" }).click();
			await page.waitForSelector(".overall");
			assert.equal(page.url(), data.twenty);
		}));
	// A tab behind others, and in front of them again.
	const turn = (page, isHidden) => page.evaluate((hidden) => {
		Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
		document.dispatchEvent(new Event("visibilitychange"));
	}, isHidden);
	const mark = (page) => page.evaluate("document.body.dataset.seen = 'yes'");
	const isMarked = async (page) => {
		for (let i = 0; i < 15; i++) {
			await new Promise((resolve) => setTimeout(resolve, 100));
			const seen = await page.evaluate("document.body.dataset.seen").catch(() => "yes");
			if (seen === undefined) return page.waitForLoadState("load").then(() => false);
		}
		return true;
	};
	const isRefreshedAfter = async (page, seconds) => {
		await mark(page);
		await turn(page, true);
		await page.clock.runFor(seconds * 1000);
		await turn(page, false);
		return !(await isMarked(page));
	};
	const open = async (page, url) => {
		await page.clock.install();
		await page.goto(url);
	};
	await test("a quiet page that was left open is loaded again when it returns to the front, with what was unfolded and focused", () =>
		visit("about:blank", {}, async (page) => {
			await open(page, data.one);
			await page.locator(".table summary").click();
			await page.getByRole("link", { name: "JSON" }).focus();
			assert.ok(!(await isRefreshedAfter(page, 30)));
			assert.ok(await isRefreshedAfter(page, 61));
			assert.ok(await page.locator(".table[open]").isVisible());
			assert.equal(await page.evaluate("document.activeElement.textContent"), "JSON");
			// In front it stays as it is, since nothing is open.
			await mark(page);
			await page.clock.runFor(600000);
			assert.ok(await isMarked(page));
			for (const address of [`${data.month}.html`, "feed.html"]) {
				await page.goto(data.twenty + address);
				assert.ok(await isRefreshedAfter(page, 61), address);
			}
		}));
	await test("a page that comes out of the browser's cache is loaded again if it is out of date", () =>
		visit("about:blank", {}, async (page) => {
			await open(page, data.one);
			const show = (persisted) => page.evaluate((isKept) => {
				dispatchEvent(new PageTransitionEvent("pageshow", { persisted: isKept }));
			}, persisted);
			await mark(page);
			await show(true);
			assert.ok(await isMarked(page));
			await page.clock.runFor(61000);
			await show(false);
			assert.ok(await isMarked(page));
			await show(true);
			assert.ok(!(await isMarked(page)));
		}));
	await test("while the server is away a page that returns to the front stays, asks now and then, and is loaded again later", () =>
		visit("about:blank", {}, async (page, { requests, context }) => {
			await open(page, data.one);
			await context.setOffline(true);
			requests.length = 0;
			assert.ok(!(await isRefreshedAfter(page, 61)));
			assert.ok(await page.locator(".overall").isVisible());
			for (let i = 0; i < 3; i++) {
				await page.clock.runFor(60000);
				assert.ok(await isMarked(page));
			}
			assert.ok(requests.length >= 2 && requests.length <= 8, `${requests.length}`);
			assert.ok(!requests.some((url) => url === data.one));
			await context.setOffline(false);
			await page.clock.runFor(61000);
			assert.ok(!(await isMarked(page)));
			assert.ok(await page.locator(".overall").isVisible());
		}));
	await test("typed text, marked text, an open panel and a refresh that was stopped keep a page as it is", () =>
		visit("about:blank", {}, async (page) => {
			await open(page, data.twenty);
			await page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<input id=typed aria-label=Typed>')");
			await page.locator("#typed").fill("half a sentence");
			await page.evaluate("document.activeElement.blur()");
			assert.ok(!(await isRefreshedAfter(page, 3600)));
			assert.equal(await page.locator("#typed").inputValue(), "half a sentence");
			await page.locator("#typed").fill("");
			assert.ok(await isRefreshedAfter(page, 61));
			await page.locator(".menu > summary").click();
			assert.ok(!(await isRefreshedAfter(page, 3600)));
			await page.keyboard.press("Escape");
			await page.evaluate("document.getSelection().selectAllChildren(document.querySelector('h1'))");
			assert.ok(!(await isRefreshedAfter(page, 3600)));
			await page.evaluate("document.getSelection().empty()");
			await page.getByRole("button", { name: "Stop automatic refresh" }).click();
			assert.ok(!(await isRefreshedAfter(page, 3600)));
		}));
	await test("a password page and a page on its own domain are loaded again, too", async () => {
		await visit(data.gated, {}, async (page) => {
			await page.getByLabel("Password").fill("opensesame");
			await page.getByRole("button").click();
			await page.waitForSelector(".overall");
			await page.clock.install();
			await page.reload();
			assert.ok(await isRefreshedAfter(page, 61));
			assert.ok(await page.locator(".overall").isVisible());
		});
		await visit("about:blank", {}, async (page) => {
			await open(page, `http://${data.host}:${new URL(data.base).port}/`);
			assert.ok(await isRefreshedAfter(page, 61));
		});
	});
	await test("printed, it says how things are and leaves out what cannot be used", () =>
		visit(data.twenty, {}, async (page) => {
			await page.emulateMedia({ media: "print" });
			assert.ok(await page.locator(".overall").isVisible());
			assert.ok(!(await page.locator("header nav").isVisible()));
			await picture(page, "print");
		}));

	const found = async (page) => {
		await page.waitForSelector("html[data-found]", { state: "attached", timeout: 10000 });
		return JSON.parse(await page.getAttribute("html", "data-found"));
	};
	await test("on the shared host a tenant's script has no cookie, no neighbour, no frame, no API", async () => {
		await visit(data.gated, {}, async (page, { context }) => {
			await page.getByLabel("Password").fill("opensesame");
			await page.getByRole("button").click();
			await page.waitForSelector(".overall");
			assert.equal((await context.cookies()).length, 1);
			await page.goto(data.tenant + "?other=" + encodeURIComponent(data.gated));
			const result = await found(page);
			assert.equal(result.origin, "null");
			for (const name of ["cookie", "storage", "api", "neighbour", "frame", "worker"])
				assert.match(result[name], /^refused: /, `${name}: ${result[name]}`);
		});
	});
	await test("a tenant's style and script are in force, and ?plain=1 leaves them out", async () => {
		const outline = "getComputedStyle(document.body).outlineWidth";
		await visit(data.tenant, {}, async (page) => {
			await found(page);
			assert.equal(await page.evaluate(outline), "7px");
		});
		await visit(data.tenant + "?plain=1", {}, async (page) => {
			assert.ok(await page.locator(".overall").isVisible());
			assert.notEqual(await page.evaluate(outline), "7px");
			assert.equal(await page.evaluate("document.documentElement.dataset.found"), undefined);
		});
	});
	await test("on its own domain a page's script has that origin to itself", () =>
		visit(`http://${data.host}:${new URL(data.base).port}/?other=${encodeURIComponent(data.gated)}`, {}, async (page) => {
			const result = await found(page);
			assert.equal(result.origin, `http://${data.host}:${new URL(data.base).port}`);
			assert.equal(result.own, "Owner");
			assert.equal(result.storage, "0");
			assert.equal(result.cookie, "");
			assert.equal(result.api, "404");
			for (const name of ["neighbour", "frame", "worker"]) assert.match(result[name], /^refused: /, `${name}: ${result[name]}`);
		}));
	// A page of another site.
	const visitSite = async (body, use) => {
		const site = http.createServer((request, response) => {
			const isScript = request.url === "/package.js";
			response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html; charset=utf-8");
			response.end(isScript ? fs.readFileSync(require.resolve("@statuspage/status-widget/dist/index.js")) : body);
		});
		await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
		await visit(`http://site.example.com:${site.address().port}/`, {}, use);
		site.close();
	};
	await test("another site shows the state by one script element, and its link leads to the page", () =>
		visitSite(`<p>Before</p><script src="${data.twenty}widget.js" async></script><p>After</p>`, async (page, { context }) => {
			const frame = page.frameLocator("script + iframe");
			await frame.locator(".overall strong").waitFor();
			assert.match(await page.locator("iframe").getAttribute("title"), /\S/);
			assert.ok(await frame.locator("body").evaluate((body) => body.scrollHeight <= innerHeight));
			const [opened] = await Promise.all([context.waitForEvent("page"), frame.locator("a").click()]);
			await opened.waitForSelector("main h2");
			assert.equal(opened.url(), data.twenty);
			await picture(page, "widget");
		}));
	await test("@statuspage/status-widget shows the state of a page on its own domain", () =>
		visitSite(`<script src="/package.js"></script><statuspage-widget src="http://${data.host}:${new URL(data.base).port}"></statuspage-widget>`, async (page) => {
			const said = await page.locator(".status-text").textContent({ timeout: 10000 });
			await page.goto(`http://${data.host}:${new URL(data.base).port}/`);
			assert.equal(said, await page.locator(".overall h2").textContent());
		}));
	await test("a password page: the form, its own style, script and logo, and its history", () =>
		visit(data.gated, {}, async (page, { complaints, response }) => {
			assert.equal(response.status(), 200);
			assert.ok(await page.getByText("Neighbour", { exact: true }).isVisible());
			assert.equal(await page.locator("img").count(), 0);
			await picture(page, "password");
			await page.locator("input:focus").waitFor();
			await page.keyboard.type("wrong");
			await page.keyboard.press("Enter");
			await page.waitForSelector("[role=alert]");
			complaints.length = 0;
			await page.getByLabel("Password").fill("opensesame");
			await page.keyboard.press("Enter");
			await page.waitForSelector(".overall");
			assert.equal(await page.evaluate("self.origin"), "null");
			assert.equal(await page.evaluate("getComputedStyle(document.body).outlineWidth"), "7px");
			assert.equal(await page.evaluate("document.documentElement.dataset.mine"), "yes");
			assert.ok((await page.evaluate("document.querySelector('header img').naturalWidth")) > 0);
			assert.match(page.url(), /\/$/);
			await page.getByRole("link", { name: /20\d\d$/ }).first().click();
			await page.waitForSelector("main h2");
			assert.equal(await page.evaluate("getComputedStyle(document.body).outlineWidth"), "7px");
			assert.deepEqual(complaints, []);
			await page.goBack();
			await subscribe(page, "gate@example.net");
			assert.deepEqual(complaints, []);
		}));
	for (const javaScriptEnabled of [true, false])
		await test(`a visitor subscribes on a sandboxed page${javaScriptEnabled ? "" : ", without script"}`, () =>
			visit(data.twenty, { javaScriptEnabled, viewport: { width: 320, height: 700 } }, async (page, { complaints }) => {
				await subscribe(page, "not an address", async () => {
					assert.match(await page.getByRole("alert").textContent(), /e-mail address/);
					await page.locator("input[name=address]").fill(`script-${javaScriptEnabled}@example.net`);
					await page.keyboard.press("Enter");
				});
				assert.deepEqual(complaints.filter((one) => !one.includes("422")), []);
				if (javaScriptEnabled) await accessible(page);
			}));
	await test("addresses of the panel can be copied, and its parts are accessible", () =>
		visit(data.twenty, {}, async (page) => {
			await page.locator(".menu > summary").click();
			await page.locator(".menu details summary").click();
			await picture(page, "panel");
			await accessible(page);
			await page.locator(".copy").first().click();
			await page.getByRole("button", { name: "Copied" }).waitFor();
		}));
}

// Subscribes by the panel of the page; `then` does what follows the first response.
async function subscribe(page, address, then) {
	await page.locator(".menu > summary").click();
	await page.locator("input[name=address]").fill(address);
	await page.locator("form.subscribe button").click();
	await then?.();
	await page.getByRole("heading", { name: "A message is on its way" }).waitFor();
}

(async () => {
	browser = await launch("--host-resolver-rules=MAP *.example.com 127.0.0.1",
		// Else there are no service workers by plain HTTP, which pages are not to have by TLS either.
		`--unsafely-treat-insecure-origin-as-secure=http://${data.host}:${new URL(data.base).port}`);
	try {
		await all();
	} finally {
		await browser.close();
	}
	end();
})();
