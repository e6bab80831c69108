// Passkeys with Chromium's virtual authenticator: node passkeys.cjs LINK, where LINK signs in. TAP on standard output.
"use strict";
const assert = require("node:assert/strict");
const { accessible, launch, suite } = require("./lib.cjs");

// Browsers refuse passkeys at an address such as 127.0.0.1.
const link = new URL(process.argv[2]);
link.hostname = "localhost";
const root = link.href.replace(/\/enter\/.*/, "");
const { test, end } = suite("passkeys");

// What the script of the console sends, taken from the request.
const passkeyOf = (request) => new URLSearchParams(request.postData()).get("passkey");

async function main() {
	const browser = await launch();
	const context = await browser.newContext();
	context.setDefaultTimeout(10000);
	const page = await context.newPage();
	const complaints = [];
	page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
	const session = await context.newCDPSession(page);
	await session.send("WebAuthn.enable");
	const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options: {
		protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true,
		isUserVerified: true, automaticPresenceSimulation: true } });
	let assertion;

	await test("a person adds a passkey", async () => {
		await page.goto(link.href);
		await page.getByRole("button", { name: "Open the console" }).click();
		await page.goto(root + "/me");
		await page.getByRole("link", { name: "Add or remove passkeys" }).click();
		await page.getByLabel("Name of the new passkey").fill("Laptop");
		await accessible(page, { preload: false });
		await page.getByRole("button", { name: "Add a passkey" }).click();
		await page.getByRole("heading", { name: "Laptop" }).waitFor();
		await page.getByText("not used yet").waitFor();
		const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
		assert.equal(credentials.length, 1);
		assert.equal(credentials[0].rpId, "localhost");
	});

	await test("the authenticator refuses a second passkey of the same person", async () => {
		await page.getByLabel("Name of the new passkey").fill("Again");
		await page.getByRole("button", { name: "Add a passkey" }).click();
		await page.getByRole("alert").filter({ hasText: "The browser has given no passkey." }).waitFor();
		assert.equal((await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length, 1);
	});

	await test("the passkey signs in, without name and password", async () => {
		await page.getByRole("button", { name: "Sign out" }).click();
		await accessible(page, { preload: false });
		const posted = page.waitForRequest((request) => request.method() === "POST");
		await page.getByRole("button", { name: "Use a passkey" }).click();
		assertion = passkeyOf(await posted);
		await page.getByRole("heading", { name: "Now" }).waitFor();
		await page.goto(root + "/me/passkeys");
		await page.getByText("last used").waitFor();
	});

	await test("an assertion that was used signs nobody in again, in the same browser and in another", async () => {
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		const replay = async (here) => {
			const answer = here.waitForResponse((response) => response.request().method() === "POST");
			await here.evaluate((text) => {
				const form = document.querySelector("form[action$=login]");
				form.elements.passkey.value = text;
				form.submit();
			}, assertion);
			assert.equal((await answer).status(), 403);
			await here.getByRole("alert").filter({ hasText: "The passkey does not work here" }).waitFor();
		};
		await replay(page);
		const other = await (await browser.newContext()).newPage();
		await other.goto(root + "/login");
		await replay(other);
	});

	await test("a passkey of an unverified person is refused", async () => {
		await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
		await page.goto(root + "/login");
		await page.getByRole("button", { name: "Use a passkey" }).click();
		await page.getByRole("alert").filter({ hasText: "The browser has given no passkey." }).waitFor();
		await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
	});

	await test("a passkey is the second factor that an account demands", async () => {
		const demand = async (isDemanded) => {
			await page.goto(root + "/people");
			await page.getByLabel("People need a second factor").setChecked(isDemanded);
			await page.locator("form[action$='/people/factor'] button").click();
			await page.getByText("Saved").waitFor();
		};
		const signIn = async () => {
			await page.goto(root + "/login");
			await page.getByRole("button", { name: "Use a passkey" }).click();
			await page.getByRole("heading", { name: "Now" }).waitFor();
		};
		await signIn();
		await demand(true);
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await signIn();
		await demand(false);
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
	});

	await test("a passkey that is removed signs in no more", async () => {
		await page.getByRole("button", { name: "Use a passkey" }).click();
		await page.getByRole("heading", { name: "Now" }).waitFor();
		await page.goto(root + "/me/passkeys");
		await page.getByRole("button", { name: "Remove the passkey" }).click();
		await page.getByRole("heading", { name: "Laptop" }).waitFor({ state: "detached" });
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("button", { name: "Use a passkey" }).click();
		await page.getByRole("alert").filter({ hasText: "The passkey does not work here" }).waitFor();
	});

	await test("without script, and at an address without a name, no button is shown", async () => {
		const still = await browser.newContext({ javaScriptEnabled: false });
		for (const [where, here] of [[root, await still.newPage()], [root.replace("localhost", "127.0.0.1"), await context.newPage()]]) {
			await here.goto(where + "/login");
			assert.equal(await here.getByRole("button").count(), 1);
		}
	});
	assert.deepEqual(complaints.filter((text) => !/40[34]/.test(text)), []);
	await browser.close();
	end();
}

main().catch((error) => {
	console.log(`Bail out! ${error.stack}`);
	process.exit(1);
});
