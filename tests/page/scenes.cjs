// Whole tasks of people in the console, by its labels and links: node scenes.cjs QUICKSTART.json LINK [FOLDER]. LINK lets an
// owner set a password. Each task runs on a phone by keyboard without script, and on a desktop by mouse with script; with
// FOLDER only on a phone, and the pictures of docs/CONSOLE.md are written there. TAP on standard output.
"use strict";
const assert = require("node:assert/strict");
const { createHmac } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { accessible, launch, suite } = require("./lib.cjs");

const { base_url: base, api_key: key } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const link = process.argv[3];
const folder = process.argv[4];
const { test, end } = suite("scenes");
const password = "seven grey herons";
const modes = [
	{ what: "on a phone, by keyboard, without script", suffix: folder ? "" : ` ${Date.now()}`, byKeys: true,
		options: { viewport: { width: folder ? 360 : 320, height: 640 }, javaScriptEnabled: false, deviceScaleFactor: folder ? 1.5 : 1 } },
	{ what: "on a desktop, by mouse, with script", suffix: ` ${Date.now() + 1}`, byKeys: false,
		options: { viewport: { width: 1280, height: 900 } } },
].slice(0, folder ? 1 : 2);

async function send(method, where, fields) {
	const response = await fetch(base + where, { method, body: new URLSearchParams(fields), headers: { Authorization: `Bearer ${key}` } });
	const answer = await response.json();
	assert.ok(response.ok, JSON.stringify(answer));
	return answer.data;
}

// The code that an authenticator app shows for a key in base 32 (RFC 6238).
function codeOf(secret, at) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	const bits = [...secret].map((digit) => alphabet.indexOf(digit).toString(2).padStart(5, "0")).join("");
	const count = Buffer.alloc(8);
	count.writeBigUInt64BE(BigInt(Math.floor(at / 30000)));
	const hash = createHmac("sha1", Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))).update(count).digest();
	const number = hash.readUInt32BE(hash[19] & 15) & 0x7fffffff;
	return String(number % 1000000).padStart(6, "0");
}

// A person at a browser: what hands do, and what eyes find.
class Person {
	static async at(browser, mode) {
		const person = new Person();
		person.mode = mode;
		person.context = await browser.newContext({ locale: "en-GB", ...mode.options });
		person.context.setDefaultTimeout(5000);
		person.page = await person.context.newPage();
		return person;
	}

	async reach(target) {
		await target.waitFor();
		for (let i = 0; i < 90; i++) {
			if (await target.evaluate((element) => element === document.activeElement)) return;
			await this.page.keyboard.press("Tab");
		}
		throw new Error(`Tab does not reach ${target}`);
	}

	async press(role, name, within = this.page) {
		const target = within.getByRole(role, { name, exact: true });
		if (!this.mode.byKeys) return target.click();
		await this.reach(target);
		await Promise.all([this.page.waitForEvent("load"), this.page.keyboard.press("Enter")]);
	}

	follow(name) {
		return this.press("link", name);
	}

	async type(label, text, within = this.page) {
		const target = within.getByLabel(label, { exact: true });
		if (!this.mode.byKeys) return target.fill(text);
		await this.reach(target);
		await this.page.keyboard.press("Control+A");
		await this.page.keyboard.insertText(text);
	}

	// A moment in an input of date and time, whose parts a keyboard types in the order of English (US).
	async date(label, at) {
		const text = at.toISOString();
		const target = this.page.getByLabel(label, { exact: true });
		if (!this.mode.byKeys) return target.fill(text.slice(0, 16));
		await this.reach(target);
		const [, year, month, day, hour, minute] = /(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(text);
		await this.page.keyboard.type(month + day + year);
		await this.page.keyboard.press("ArrowRight");
		await this.page.keyboard.type(String(hour % 12 || 12).padStart(2, "0") + minute + (hour < 12 ? "AM" : "PM"));
		assert.equal(await target.inputValue(), text.slice(0, 16));
	}

	async check(name, within = this.page) {
		const target = within.getByRole("checkbox", { name, exact: true });
		if (!this.mode.byKeys) return target.check();
		await this.reach(target);
		await this.page.keyboard.press("Space");
		assert.ok(await target.isChecked());
	}

	async choose(label, option, within = this.page) {
		const target = within.getByLabel(label, { exact: true });
		if (!this.mode.byKeys) return void (await target.selectOption({ label: option }));
		await this.reach(target);
		await this.page.keyboard.type(option);
		assert.equal(await target.evaluate((select) => select.selectedOptions[0].textContent.trim()), option);
	}

	heading(name) {
		return this.page.getByRole("heading", { name, exact: true }).waitFor();
	}

	sees(text) {
		return this.page.getByText(text).first().waitFor();
	}

	async reads(...texts) {
		const all = await this.page.locator("body").innerText();
		for (const text of texts) assert.ok(all.includes(text), `${text} is not in ${all}`);
	}

	told(text) {
		return this.page.getByRole("status").filter({ hasText: text }).waitFor();
	}

	async signOut() {
		await this.press("button", "Sign out");
		await this.heading("Sign in");
	}

	// A screen is not wider than the window, also in print, which has no forms; on a desktop axe finds nothing, light and dark.
	async approve() {
		await this.page.emulateMedia({ media: "print" });
		await this.fits();
		assert.equal(await this.page.locator("form:visible").count(), 0);
		await this.page.emulateMedia({ media: "screen" });
		await this.fits();
		if (this.mode.byKeys) return;
		await accessible(this.page, { preload: false });
		await this.page.emulateMedia({ colorScheme: "dark" });
		await accessible(this.page, { preload: false, runOnly: ["color-contrast"] });
		await this.page.emulateMedia({ colorScheme: "light" });
	}

	async fits() {
		const [inner, outer] = await this.page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
		assert.ok(inner <= outer, `${this.page.url()}: ${inner} > ${outer}`);
	}

	async picture(name, clip = {}) {
		if (!folder) return;
		const { width = 360, height } = clip;
		await this.page.setViewportSize({ width, height: height ?? 640 });
		await this.page.evaluate("document.activeElement.blur()");
		await this.page.screenshot({ path: path.join(folder, `${name}.jpg`), type: "jpeg", quality: 75, fullPage: !height });
		await this.page.setViewportSize(this.mode.options.viewport);
	}
}

// From the alarm to the post-mortem.
async function outage(owner, { suffix }) {
	const system = `Checkout${suffix}`;
	const monitor = await send("POST", "/api/v1/monitors", { name: system });
	await send("POST", "/api/v1/status-pages", { name: `Shop${suffix}`, slug: `shop-${monitor.id}`, "monitor_ids[]": monitor.id });
	const report = (fields) => fetch(base + "/hooks/generic", { method: "POST", headers: { Authorization: `Bearer ${key}` },
		body: new URLSearchParams({ monitor: monitor.id, ...fields }) });
	await report({ state: "down", cause: "HTTP 502 from the payment gateway" });

	await owner.follow("Daymark");
	const row = owner.page.getByRole("article", { name: `${system} is down` });
	await row.getByText("Nobody has it yet.").waitFor();
	await row.getByText("HTTP 502 from the payment gateway").waitFor();
	await owner.picture("outage");
	await owner.press("button", "I have it", row);
	await owner.told("You have it.");
	await row.getByText(/ has it, since/).waitFor();
	await owner.type("Update for the visitors", "Payments fail. **We know the cause**, and work on it.", row);
	await owner.choose("Phase", "Identified", row);
	await owner.press("button", "Publish the update", row);
	await owner.told("The update is posted.");
	await owner.follow("As visitors see it");
	await owner.sees("We know the cause");
	await owner.reads("Identified", system);
	await owner.page.goBack();
	await owner.heading("Post an update");
	await owner.approve();
	await report({ state: "up" });
	await owner.type("Update for the visitors", "Payments work again.");
	await owner.choose("Phase", "Resolved");
	await owner.press("button", "Publish the update");
	await owner.told("The update is posted.");
	await owner.follow("Daymark");
	assert.equal(await row.count(), 0);
	await owner.follow("Incidents");
	await owner.follow(system);
	await owner.type("Post-mortem", "A certificate had expired. We now watch its date.");
	await owner.press("button", "Save and publish");
	await owner.told("The change is saved.");
	await owner.picture("incident", { height: 700 });
	await owner.follow("As visitors see it");
	await owner.sees("A certificate had expired. We now watch its date.");
	await owner.reads("Payments work again.");
	await owner.page.goBack();
}

// A choice in words, whose text appears only if none fits.
async function rule(owner, starts) {
	const other = owner.page.getByLabel("The other rule, as RFC 5545 has it, such as FREQ=YEARLY", { exact: true });
	await other.waitFor({ state: "hidden" });
	await owner.choose("Repeats", "Another rule");
	await other.waitFor();
	await owner.approve();
	await owner.choose("Repeats", "Every month, on the same weekday (such as the second Sunday)");
	await other.waitFor({ state: "hidden" });
	const button = owner.page.getByRole("button", { name: "Preview", exact: true });
	if (owner.mode.byKeys) await owner.reach(button);
	await (owner.mode.byKeys ? owner.page.keyboard.press("Enter") : button.click());
	const frame = owner.page.frameLocator('iframe[title="Preview"]:visible');
	await frame.getByRole("heading", { name: "Next times (UTC)" }).waitFor();
	await frame.locator(`h2:has-text("Next times") + ul > li:first-child time[datetime^="${starts.toISOString().slice(0, 16)}"]`).first().waitFor();
	await owner.choose("Repeats", "Does not repeat");
}

// Planned, announced, begun and completed.
async function maintenance(owner, { suffix }) {
	const names = [`Search${suffix}`, `Reports${suffix}`];
	const ids = [];
	for (const name of names) ids.push((await send("POST", "/api/v1/monitors", { name })).id);
	const page = await send("POST", "/api/v1/status-pages", { name: `Office${suffix}`, slug: `office-${ids[0]}`, "monitor_ids[]": ids[0] });
	const title = `Move of the search index${suffix}`;
	const starts = new Date(Math.ceil(Date.now() / 86400000 + 2) * 86400000 - 2 * 3600000);

	await owner.follow("Maintenance");
	await owner.follow("Plan maintenance");
	await owner.approve();
	await owner.type("Title", title);
	await owner.type("Text", "Search may lack the newest entries for a few minutes.");
	await owner.check(names[0]);
	await owner.date("Starts at (in the time zone below)", starts);
	await owner.date("Ends at (in the time zone below)", new Date(starts.getTime() + 5400000));
	await rule(owner, starts);
	await owner.picture("plan");
	await owner.press("button", "Plan maintenance");
	await owner.heading(title);
	const visitor = await owner.context.newPage();
	const shown = async (...texts) => {
		await visitor.goto(page.url);
		const text = await visitor.locator("body").innerText();
		for (const one of texts) assert.ok(text.includes(one), `${one} is not in ${text}`);
	};
	await shown("Upcoming maintenance", title, "22:00 to 23:30 UTC");
	await owner.type("Update for the visitors", "We have begun.");
	await owner.choose("Phase", "in progress");
	await owner.press("button", "Publish the update");
	await owner.sees("We have begun.");
	await shown(title, "We have begun.", "in progress");
	await owner.approve();
	await owner.type("Update for the visitors", "The new index is in use.");
	await owner.choose("Phase", "completed");
	await owner.press("button", "Publish the update");
	await owner.sees("The new index is in use.");
	await owner.picture("maintenance", { height: 760 });
	await visitor.goto(page.url);
	assert.ok(!(await visitor.locator("body").innerText()).includes("In progress"));
	await visitor.close();
}

// A page with its name, logo, colour, systems in an order, and a password.
async function newPage(owner, { suffix }) {
	const names = ["Website", "Public API", "E-mail"].map((name) => name + suffix);
	await owner.follow("Systems");
	for (const name of names) {
		await owner.follow("Add a system");
		await owner.type("Name", name);
		await owner.press("button", "Add a system");
		await owner.heading(name);
		await owner.follow("Systems");
	}
	await owner.picture("systems", { height: 760 });
	await owner.approve();
	await owner.follow("Pages");
	await owner.follow("Add a page");
	await owner.type("Name", `Northwind${suffix}`);
	await owner.type("Address below /s/", `northwind${suffix.replace(" ", "-")}`);
	await owner.press("button", "Add a page");
	await owner.heading(`Northwind${suffix}`);
	await owner.follow("Design");
	await owner.page.getByLabel("Logo", { exact: true }).setInputFiles(path.join(__dirname, "../../docs/logo.png"));
	await owner.type("Accent color", "#0a7d5a");
	await owner.picture("design", { width: 960, height: 1000 });
	await owner.approve();
	await owner.press("button", "Save and publish");
	await owner.told("saved");
	await owner.follow("Systems and order");
	if (suffix) {
		await owner.type("Find systems first, before you write", suffix.trim());
		await owner.press("button", "Search");
	}
	const place = (name) => owner.page.getByRole("listitem").filter({ has: owner.page.getByLabel(name, { exact: true }) });
	for (const [at, name] of [[1, names[2]], [2, names[0]], [3, names[1]]]) {
		await owner.check(name, place(name));
		await owner.type("Place", String(at), place(name));
	}
	await owner.approve();
	await owner.press("button", "Save and publish");
	await owner.told("saved");
	await owner.picture("order", { height: 760 });
	const visitor = await owner.context.newPage();
	await owner.follow("General");
	const address = await owner.page.locator("main a[href*='/s/']").getAttribute("href");
	await visitor.goto(address);
	const text = await visitor.locator("main").innerText();
	const places = [names[2], names[0], names[1]].map((name) => text.indexOf(name));
	assert.ok(places[0] >= 0 && places[0] < places[1] && places[1] < places[2], text);
	assert.ok(await visitor.locator("header img").first().evaluate((image) => image.naturalWidth) > 0);
	assert.ok(await visitor.locator("body, body *").evaluateAll((all) => all.map((element) => getComputedStyle(element))
		.some((style) => [style.color, style.borderTopColor, style.backgroundColor].includes("rgb(10, 125, 90)"))));
	await owner.follow("Access");
	await owner.choose("Privacy", "With a password");
	await owner.type("Password", "open sesame");
	await owner.approve();
	await owner.press("button", "Save and publish");
	await owner.told("saved");
	await visitor.reload();
	assert.ok(!(await visitor.locator("body").innerText()).includes(names[0]));
	await visitor.getByLabel("Password").fill("open sesame");
	await visitor.getByRole("button").first().click();
	await visitor.getByText(names[0]).and(visitor.locator(":visible")).first().waitFor();
	await visitor.close();
}

// Invited, with a password and an app, and with what a responder may do.
async function colleague(owner, mode, browser) {
	const name = `grace${mode.suffix.trim()}`;
	await owner.follow("More");
	await owner.follow("People");
	await owner.type("Name", name);
	await owner.choose("Role", "responder");
	await owner.press("button", "Invite a person");
	await owner.heading("A link for this person");
	const invitation = (await owner.page.locator("main").innerText()).match(/http\S+/)[0];
	await owner.follow("More");
	await owner.follow("People");
	await owner.heading(name);
	await owner.picture("people");

	const person = await Person.at(browser, mode);
	await person.page.goto(invitation);
	await person.type("New password, at least 10 characters", password);
	await person.type("The same password again", password);
	await person.press("button", "Set the password and sign in");
	await person.heading("Now");
	await person.follow("More");
	await person.follow("My access");
	await person.follow("Set up an authenticator app");
	await person.picture("app", { height: 640 });
	const secret = (await person.page.locator("main code").first().innerText()).replaceAll(" ", "");
	await person.type("The code that the app shows now", codeOf(secret, Date.now()));
	await person.press("button", "Set up an authenticator app");
	await person.heading("Your recovery codes");
	await person.approve();
	await person.follow("I have kept them");
	await person.signOut();
	await person.type("Name", name);
	await person.type("Password", password);
	await person.press("button", "Sign in");
	// The code of the next half minute, since each works once.
	await person.type("Code of your app, or a recovery code", codeOf(secret, Date.now() + 30000));
	await person.approve();
	await person.press("button", "Sign in");
	await person.heading("Now");
	await person.reads(`${name}, responder of`, "Report an incident");
	await person.follow("Pages");
	await person.heading("Pages");
	assert.equal(await person.page.getByRole("link", { name: "Add a page" }).count(), 0);
	await person.follow("More");
	for (const [link, count] of [["Messages", 1], ["People", 0]])
		assert.equal(await person.page.getByRole("link", { name: link, exact: true }).count(), count);
	await person.page.goto(base + "/console/people");
	await person.sees("Your role does not allow this.");
	await person.context.close();
}

async function main() {
	const browser = await launch("--lang=en-US");
	let name;
	for (const mode of modes) {
		const owner = await Person.at(browser, mode);
		await owner.page.goto(name ? base + "/console/" : link);
		if (name) {
			await owner.type("Name", name);
			await owner.type("Password", password);
			await owner.press("button", "Sign in");
		} else {
			await owner.type("New password, at least 10 characters", password);
			await owner.type("The same password again", password);
			await owner.press("button", "Set the password and sign in");
		}
		await owner.heading("Now");
		[, name] = /(\S+), owner of/.exec(await owner.page.locator("header").innerText());
		for (const [what, scene] of Object.entries({
			"an outage, from the alarm to the post-mortem": outage,
			"maintenance, from the plan to its end": maintenance,
			"a new page with logo, colour, systems in order, and a password": newPage,
			"a new colleague with an authenticator app": colleague,
		})) await test(`${what}, ${mode.what}`, () => scene(owner, mode, browser));
		await owner.context.close();
	}
	await browser.close();
	end();
}

main().catch((error) => {
	console.log(`Bail out! ${error.stack}`);
	process.exit(1);
});
