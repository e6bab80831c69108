// What the tests in a browser share: TAP, the browser, and axe-core.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// The tests of one program, whose names begin with `name`. end() prints the plan and ends the process.
function suite(name) {
	let number = 0;
	let failed = 0;
	const test = async (what, run) => {
		number++;
		try {
			await run();
			console.log(`ok ${number} - ${name}: ${what}`);
		} catch (error) {
			failed++;
			console.log(`not ok ${number} - ${name}: ${what}`);
			console.log(String(error.stack).replace(/^/gm, "# "));
		}
	};
	const end = () => {
		console.log(`1..${number}`);
		process.exit(failed > 0 ? 1 : 0);
	};
	return { test, end };
}

const launch = (...args) => chromium.launch({
	executablePath: process.env.DAYMARK_CHROMIUM || "/usr/bin/chromium-headless-shell",
	args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", ...args],
});

// What axe-core finds, as texts. axe runs beside the page, whose policy would not let it in.
async function violations(page, options = {}) {
	const session = await page.context().newCDPSession(page);
	const { frameTree } = await session.send("Page.getFrameTree");
	const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
	const evaluate = async (expression) => {
		const { result, exceptionDetails } = await session.send("Runtime.evaluate",
			{ expression, contextId, awaitPromise: true, returnByValue: true });
		if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
		return result.value;
	};
	await evaluate(axe + ";0");
	const asked = JSON.stringify({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } }, ...options });
	return evaluate(`axe.run(document, ${asked}).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html + " " + n.failureSummary).join("; ")))`);
}

const accessible = async (page, options) => assert.deepEqual(await violations(page, options), []);

module.exports = { accessible, launch, suite, violations };
