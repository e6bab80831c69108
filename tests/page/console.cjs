// The console in a browser: node console.cjs QUICKSTART.json LINK, where LINK signs in. TAP on standard output.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { accessible: check, launch, suite } = require("./lib.cjs");

const { base_url: base, api_key: key } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const link = process.argv[3];
const pictures = process.env.DAYMARK_SCREENSHOTS;
const phone = { width: 320, height: 640 };
const { test, end } = suite("console");

async function api(method, where, fields) {
	const body = fields && new URLSearchParams(fields);
	const response = await fetch(base + where, { method, body, headers: { Authorization: `Bearer ${key}` } });
	const answer = await response.json();
	assert.ok(response.ok, JSON.stringify(answer));
	return answer.data;
}

// Without preload: the policy refuses requests of axe for the styles.
const accessible = (page) => check(page, { preload: false });

async function fits(page) {
	const [inner, outer] = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
	assert.ok(inner <= outer, `${inner} > ${outer}`);
}

async function main() {
	const browser = await launch();

	const stamp = Date.now();
	const monitor = await api("POST", "/api/v1/monitors", { name: `Console ${stamp}` });
	const { id: shared } = await api("POST", "/api/v1/status-pages", { name: "Console", slug: `console-${stamp}`, "monitor_ids[]": monitor.id });
	await fetch(base + "/hooks/generic", { method: "POST", headers: { Authorization: `Bearer ${key}` },
		body: new URLSearchParams({ monitor: monitor.id, state: "down", cause: "an-unbreakable-name-".repeat(20) }) });
	const [{ id: incident }] = await api("GET", `/api/v1/incidents?status=open&monitor_id=${monitor.id}`);
	let cookies;

	await test("on a phone of 320 px, by keyboard, without script, on a line of 50 kB/s: from the link to the published update", async () => {
		const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
		const page = await context.newPage();
		await page.goto(link);
		await page.getByRole("button", { name: "Open the console" }).press("Enter");
		await page.getByRole("heading", { name: `Console ${stamp} is down` }).waitFor();
		const requests = [];
		page.on("request", (request) => requests.push(request.url()));
		// A bad line: 50 kB a second, and each request takes 300 ms longer.
		const line = await context.newCDPSession(page);
		await line.send("Network.enable");
		await line.send("Network.emulateNetworkConditions", { offline: false, latency: 300, downloadThroughput: 50000, uploadThroughput: 50000 });
		const began = Date.now();
		await page.reload();
		const row = page.getByRole("article", { name: `Console ${stamp} is down` });
		await row.getByLabel("Update for the visitors").focus();
		await page.keyboard.type("We are on it.");
		await page.keyboard.press("Tab");
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Tab");
		await page.keyboard.press("Tab");
		await page.keyboard.press("Enter");
		await page.getByRole("status").filter({ hasText: "The update is posted." }).waitFor();
		assert.ok(requests.length <= 5, requests.join("\n"));
		assert.ok(Date.now() - began < 30000, `${Date.now() - began} ms`);
		const html = await (await fetch(`${base}/s/console-${stamp}/`)).text();
		assert.match(html, /We are on it\./);
		assert.match(html, /Identified/);
		if (pictures) await page.screenshot({ path: path.join(pictures, "console-phone.png"), fullPage: true });
		cookies = await context.cookies();
		await context.close();
	});

	// Follows the links of the console from its first screen, to one screen of each kind.
	async function visitEach(page, visit) {
		const kind = (url) => url.pathname.replace(/\d+/g, "{id}");
		const kinds = new Map([["/console/", new URL(base + "/console/")]]);
		for (const url of kinds.values()) {
			const response = await page.goto(url.href);
			assert.equal(response.status(), 200, url.href);
			await visit(url);
			for (const href of await page.locator("a").evaluateAll((links) => links.map((link) => link.href))) {
				const next = new URL(href);
				next.hash = "";
				if (next.origin === base && next.pathname.startsWith("/console/") && !/\/export$|\.csv$/.test(next.pathname) && !kinds.has(kind(next)))
					kinds.set(kind(next), next);
			}
		}
		return [...kinds.keys()];
	}

	// The present screen in the other languages, as the service renders it for a browser of each: what is too wide.
	const tooWide = (page) => page.evaluate(async (locales) => {
		const found = [];
		for (const locale of locales) {
			const html = await (await fetch(location.href, { headers: { "Accept-Language": locale } })).text();
			const screen = new DOMParser().parseFromString(html, "text/html");
			document.body.replaceWith(screen.body);
			if (screen.documentElement.lang !== locale || document.documentElement.scrollWidth > innerWidth)
				found.push(`${location.pathname}: ${screen.documentElement.lang} ${document.documentElement.scrollWidth}`);
		}
		return found;
	}, ["de", "es", "fr", "it", "ja", "nl", "pl", "pt-BR"]);

	// An object of each resource, so that links lead to each kind of screen.
	const systems = { "monitor_ids[]": monitor.id };
	await api("POST", "/api/v1/incident-templates", { name: `Outage ${stamp}`, title: "Outage", ...systems });
	await api("POST", "/api/v1/alert-channels", { name: `Chat ${stamp}`, type: "webhook", "value[url]": "https://hooks.example.org/" });
	await api("POST", "/api/v1/maintenances", { title: `Upgrade ${stamp}`, starts_at: "2031-01-01T00:00:00Z", ends_at: "2031-01-01T01:00:00Z", ...systems });
	await api("POST", "/api/v1/users", { name: `person-${stamp}`, role: "editor" });

	await test("axe finds nothing on any screen, in both schemes; nothing is wider than a phone in any language, a desktop or paper", async () => {
		const context = await browser.newContext({ viewport: phone });
		const page = await context.newPage();
		const complaints = [];
		page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
		const approve = async () => {
			await accessible(page);
			await fits(page);
			await page.emulateMedia({ colorScheme: "dark", media: "screen" });
			await check(page, { preload: false, runOnly: ["color-contrast"] });
			await page.emulateMedia({ colorScheme: "light", media: "print" });
			await fits(page);
			assert.equal(await page.locator("form:visible").count(), 0, page.url());
			await page.emulateMedia({ media: "screen" });
			await page.setViewportSize({ width: 1280, height: 900 });
			await fits(page);
			if (pictures) await page.screenshot({ path: path.join(pictures, `${page.url().slice(base.length).replace(/\d+/g, "N").replace(/\W/g, "-")}.png`), fullPage: true });
			await page.setViewportSize(phone);
			if (page.url() !== refused) assert.deepEqual(await tooWide(page), []);
		};
		const refused = base + "/console/monitors";
		for (const where of ["/console/login", "/console/invite/none"]) {
			await page.goto(base + where);
			await accessible(page);
			await fits(page);
		}
		await context.addCookies(cookies);
		const kinds = await visitEach(page, approve);
		for (const kind of ["/console/incidents/{id}", "/console/maintenances/{id}", "/console/monitors/{id}", "/console/pages/{id}/design",
			"/console/pages/{id}/systems", "/console/channels/{id}", "/console/templates/{id}", "/console/keys/new", "/console/people/{id}",
			"/console/pages/{id}/reports", "/console/monitors/{id}/response-times", "/console/audit", "/console/health", "/console/me/app", "/console/me/passkeys"])
			assert.ok(kinds.includes(kind), `${kind} of ${kinds}`);
		// Refused forms, too.
		await page.goto(base + "/console/monitors/new");
		await page.locator("main form").first().evaluate((form) => { form.noValidate = true; });
		await page.locator("main form button").first().click();
		await page.locator("[aria-invalid=true]").first().waitFor();
		await approve();
		assert.deepEqual(complaints.filter((text) => !/404|422/.test(text)), []);
		await context.close();
	});

	await test("a text outlasts the session, and is sent by the person", async () => {
		const context = await browser.newContext({ viewport: phone });
		await context.addCookies(cookies);
		const page = await context.newPage();
		await page.goto(base + "/console/me");
		const name = (await page.getByRole("heading", { level: 1 }).textContent()).trim();
		await page.getByLabel("New password").fill("correct horse");
		await page.getByLabel("The same password again").fill("correct horse");
		await page.getByRole("button", { name: "Change the password" }).click();
		await page.getByRole("status").waitFor();
		const first = await context.newPage();
		await first.goto(`${base}/console/incidents/${incident}`);
		await first.getByLabel("Update for the visitors").fill("Typed before the end");
		const other = (await context.cookies()).find(({ name: cookie }) => cookie === "daymark_session");
		await page.getByRole("button", { name: "Sign out" }).click();
		await context.addCookies([other]);
		await first.getByRole("button", { name: "Publish the update" }).click();
		await first.getByText("Your session has ended.").waitFor();
		await accessible(first);
		await fits(first);
		if (pictures) await first.screenshot({ path: path.join(pictures, "console-kept-sign-in.png"), fullPage: true });
		await first.getByLabel("Name").fill(name);
		await first.getByLabel("Password").fill("correct horse");
		await first.getByRole("button", { name: "Sign in" }).click();
		await first.getByRole("heading", { name: "Your text is still here" }).waitFor();
		assert.equal((await first.getByLabel("Update for the visitors").inputValue()).trim(), "Typed before the end");
		await accessible(first);
		await fits(first);
		if (pictures) await first.screenshot({ path: path.join(pictures, "console-kept.png"), fullPage: true });
		await first.getByRole("button", { name: "Send the form" }).click();
		await first.getByText("The update is posted.").waitFor();
		cookies = await context.cookies();
		await context.close();
	});

	await test("a tenant's script on the same host reaches neither the console nor its cookie", async () => {
		const slug = `tenant-${stamp}`;
		const script = `(async () => {
			const found = {};
			const attempt = async (name, what) => { try { found[name] = String(await what()); } catch (error) { found[name] = "refused: " + error.name; } };
			if (location.hash === "#post") {
				const form = document.createElement("form");
				form.method = "post";
				form.action = "/console/logout";
				document.body.append(form);
				form.submit();
				return;
			}
			await attempt("cookie", () => document.cookie);
			await attempt("read", async () => (await fetch("/console/", { credentials: "include" })).text());
			await attempt("open", () => { const w = window.open("/console/"); return w.document.body.textContent; });
			await attempt("frame", () => new Promise((resolve, reject) => {
				const frame = document.createElement("iframe");
				frame.onload = () => { try { resolve(frame.contentDocument.body.textContent); } catch (error) { reject(error); } };
				frame.src = "/console/";
				document.body.append(frame);
				setTimeout(() => reject(new Error("none")), 2000);
			}));
			document.documentElement.dataset.found = JSON.stringify(found);
		})();`;
		await api("POST", "/api/v1/status-pages", { name: "Tenant", slug, custom_js: script });
		const context = await browser.newContext();
		await context.addCookies(cookies);
		const page = await context.newPage();
		await page.goto(`${base}/s/${slug}/`);
		await page.waitForSelector("html[data-found]", { state: "attached" });
		const found = JSON.parse(await page.getAttribute("html", "data-found"));
		for (const name of ["cookie", "read", "open", "frame"])
			assert.match(found[name], /^refused: /, `${name}: ${found[name]}`);
		const posted = page.waitForResponse((response) => response.request().method() === "POST");
		await page.goto("about:blank");
		await page.goto(`${base}/s/${slug}/#post`);
		assert.equal((await posted).status(), 403);
		await page.goto(base + "/console/");
		await page.getByRole("heading", { name: "Now" }).waitFor();
		await context.close();
	});

	await test("the colours that a person has chosen are those of the screen, whatever the browser says", async () => {
		const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
		await context.addCookies(cookies);
		const page = await context.newPage();
		const light = ["rgb(255, 255, 255)", "rgb(28, 36, 48)"];
		const dark = ["rgb(15, 20, 26)", "rgb(230, 237, 243)"];
		for (const [scheme, inLight, inDark] of [["auto", light, dark], ["dark", dark, dark], ["light", light, light], ["auto", light, dark]]) {
			await page.goto(base + "/console/me");
			await page.getByLabel("Colours").selectOption(scheme);
			await page.getByRole("button", { name: "Save", exact: true }).click();
			await page.getByRole("status").filter({ hasText: "The change is saved." }).waitFor();
			for (const [colorScheme, wanted] of [["light", inLight], ["dark", inDark]]) {
				await page.emulateMedia({ colorScheme });
				const found = await page.locator("body").evaluate((body) => [getComputedStyle(body).backgroundColor, getComputedStyle(body).color]);
				assert.deepEqual(found, wanted, `${scheme} in ${colorScheme}`);
			}
			await fits(page);
		}
		await context.close();
	});

	await test("without script a preview shows the page with what was typed, beside the form", async () => {
		const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
		await context.addCookies(cookies);
		const page = await context.newPage();
		const requests = [];
		await page.goto(`${base}/console/pages/${shared}`);
		page.on("request", (request) => requests.push(request.url()));
		await page.getByLabel("Name").fill("Typed, not saved");
		const frame = page.frameLocator('iframe[title="Preview"]');
		await frame.getByText("The preview appears here.").waitFor();
		await page.getByRole("button", { name: "Preview" }).click();
		await frame.getByRole("heading", { name: "Typed, not saved" }).waitFor();
		assert.deepEqual(requests.filter((url) => !url.startsWith("data:")), [`${base}/console/pages/${shared}/preview`]);
		assert.equal(await frame.locator(".overall").evaluate((node) => getComputedStyle(node).display), "flex");
		assert.equal(await page.getByLabel("Name").inputValue(), "Typed, not saved");
		await fits(page);
		if (pictures) await page.screenshot({ path: path.join(pictures, "console-preview.png"), fullPage: true });
		await page.getByLabel("Name").fill("");
		await page.getByRole("button", { name: "Preview" }).click();
		await frame.getByText("The name field is required.").waitFor();
		await page.goto(`${base}/console/incidents/${incident}`);
		await page.getByLabel("Update for the visitors").fill("Not yet *posted*.");
		await page.locator('button[formtarget="preview"]').click();
		await page.frameLocator('iframe[name="preview"]').getByText("Not yet posted.").first().waitFor();
		assert.equal((await api("GET", `/api/v1/status-pages/${shared}`)).name, "Console");
		await context.close();
	});

	await test("with script a preview follows the typing, and leaves typing, focus and history alone", async () => {
		const context = await browser.newContext({ viewport: phone });
		await context.addCookies(cookies);
		const page = await context.newPage();
		const requests = [];
		page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
		await page.goto(`${base}/console/pages/${shared}`);
		const entries = await page.evaluate("history.length");
		const name = page.getByLabel("Name", { exact: true });
		const frame = page.frameLocator('iframe[title="Preview"]:visible');
		// On a phone, only a preview that was opened follows.
		await name.fill("Before");
		await page.waitForTimeout(1500);
		assert.deepEqual(requests, []);
		await page.getByRole("button", { name: "Preview" }).click();
		await frame.getByRole("heading", { name: "Before" }).waitFor();
		await name.fill("");
		const begin = Date.now();
		for (let i = 0; i < 12; i++) await name.pressSequentially("word ", { delay: 50 });
		await frame.getByRole("heading", { name: "word ".repeat(12).trim() }).waitFor();
		assert.equal(await name.inputValue(), "word ".repeat(12));
		assert.ok(await name.evaluate((input) => input === document.activeElement));
		assert.ok(requests.length <= 2 + (Date.now() - begin) / 3000, `${requests.length} requests`);
		assert.equal(await page.locator("iframe").count(), 1);
		assert.equal(await page.evaluate("history.length"), entries);
		await accessible(page);
		await page.setViewportSize({ width: 1280, height: 900 });
		await page.goto(`${base}/console/incidents/${incident}`);
		await page.getByLabel("Update for the visitors").fill("Typed on a *desk*.");
		await page.frameLocator('iframe[name="preview-"]').getByText("Typed on a desk.").first().waitFor();
		assert.equal((await api("GET", `/api/v1/status-pages/${shared}`)).name, "Console");
		await context.close();
	});

	for (const viewport of [phone, { width: 1280, height: 900 }])
		await test(`systems are dragged into an order, and the keyboard has numbers, ${viewport.width} px`, async () => {
			const names = ["First", "Second", "Third", "Fourth"].map((name) => `${name} ${stamp} ${viewport.width}`);
			const ids = [];
			for (const name of names) ids.push((await api("POST", "/api/v1/monitors", { name })).id);
			const fields = [["name", "Order"], ["slug", `order-${stamp}-${viewport.width}`], ...ids.slice(0, 3).map((id) => ["monitor_ids[]", id])];
			const { id: ordered } = await api("POST", "/api/v1/status-pages", fields);
			const context = await browser.newContext({ viewport });
			await context.addCookies(cookies);
			const page = await context.newPage();
			await page.goto(`${base}/console/pages/${ordered}/systems?search=${stamp}+${viewport.width}`);
			const row = (name) => page.locator("ol.places > li").filter({ hasText: name });
			const drag = async (name, onto, at) => {
				await row(name).locator(".grip").scrollIntoViewIfNeeded();
				await row(name).locator(".grip").hover();
				await page.mouse.down();
				const box = await row(onto).boundingBox();
				await page.mouse.move(box.x + 5, box.y + box.height * at, { steps: 8 });
				await page.mouse.up();
			};
			const places = () => Promise.all(names.map(async (name) => Number(await row(name).locator("[type=number]").inputValue())));
			await accessible(page);
			await fits(page);
			await drag(names[2], names[0], 0.1);
			assert.deepEqual(await places(), [2, 3, 1, 0]);
			await page.locator("[aria-live]").filter({ hasText: `${names[2]}: Place 1` }).waitFor();
			// A system that the page did not show is shown where it is dropped.
			await drag(names[3], names[0], 0.1);
			assert.deepEqual(await places(), [3, 4, 1, 2]);
			assert.ok(await row(names[3]).getByRole("checkbox").isChecked());
			await page.getByRole("button", { name: "Save and publish" }).click();
			await page.getByRole("status").waitFor();
			assert.deepEqual((await api("GET", `/api/v1/status-pages/${ordered}`)).monitor_ids, [ids[2], ids[3], ids[0], ids[1]]);
			await row(names[1]).locator("[type=number]").fill("1");
			await page.keyboard.press("Enter");
			await page.getByRole("status").waitFor();
			assert.deepEqual((await api("GET", `/api/v1/status-pages/${ordered}`)).monitor_ids, [ids[1], ids[2], ids[3], ids[0]]);
			if (pictures) await page.screenshot({ path: path.join(pictures, `console-order-${viewport.width}.png`), fullPage: true });
			await context.close();
		});

	await test("a tenant's script in a preview reaches neither the console nor its cookie", async () => {
		const context = await browser.newContext();
		await context.addCookies(cookies);
		const page = await context.newPage();
		await page.goto(`${base}/console/pages/${shared}/design`);
		await page.locator("[name=custom_js]").fill(`(async () => {
			const found = {};
			const attempt = async (name, what) => { try { found[name] = String(await what()); } catch (error) { found[name] = "refused: " + error.name; } };
			await attempt("cookie", () => document.cookie);
			await attempt("parent", () => parent.document.cookie);
			await attempt("form", () => parent.document.forms[0].csrf.value);
			await attempt("read", async () => (await fetch("/console/", { credentials: "include" })).text());
			document.documentElement.dataset.found = JSON.stringify(found);
		})();`);
		await page.getByRole("button", { name: "Preview" }).click();
		const frame = page.frameLocator("iframe");
		await frame.locator("html[data-found]").waitFor({ state: "attached" });
		const found = JSON.parse(await frame.locator("html").getAttribute("data-found"));
		for (const name of ["cookie", "parent", "form", "read"])
			assert.match(found[name], /^refused: /, `${name}: ${found[name]}`);
		await accessible(page);
		await context.close();
	});

	await test("signing out ends the session, and Back shows nothing that was stored", async () => {
		const context = await browser.newContext();
		await context.addCookies(cookies);
		const page = await context.newPage();
		await page.goto(base + "/console/");
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await page.goBack();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await context.close();
	});
	await browser.close();
	end();
}

main().catch((error) => {
	console.log(`Bail out! ${error.stack}`);
	process.exit(1);
});
