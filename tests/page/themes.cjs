// The themes of docs/THEMING.md: node themes.cjs SAMPLES, which write_samples has written. Looks for violations in both modes,
// and writes the pictures into docs/themes if DAYMARK_THEMES=write. TAP on standard output.
"use strict";
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const sample = path.join(process.argv[2], "five-degraded");
const themes = path.join(__dirname, "../../docs/themes");
const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript" };
const server = http.createServer((request, response) => {
	const [, theme, name] = request.url.split("/");
	const file = name === "theme.css" ? path.join(themes, `${theme}.css`) : path.join(sample, name || "index.html");
	if (!fs.existsSync(file)) return response.writeHead(404).end();
	response.writeHead(200, { "Content-Type": types[path.extname(file)] });
	response.end(fs.readFileSync(file, "utf8").replace("</head>", '<link rel="stylesheet" href="theme.css"></head>'));
});

async function check(browser, theme, colorScheme, isFirst) {
	const page = await browser.newPage({ viewport: { width: 700, height: 440 }, colorScheme });
	await page.goto(`http://127.0.0.1:${server.address().port}/${theme}/`);
	await page.evaluate(axe);
	const violations = await page.evaluate("axe.run().then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html).slice(0, 3)))");
	if (process.env.DAYMARK_THEMES === "write" && isFirst) await page.screenshot({ path: path.join(themes, `${theme}.png`) });
	await page.close();
	return violations;
}

server.listen(0, "127.0.0.1", async () => {
	const browser = await chromium.launch({ executablePath: process.env.DAYMARK_CHROMIUM || "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", "--disable-gpu"] });
	let failed = 0;
	for (const file of fs.readdirSync(themes).filter((name) => name.endsWith(".css"))) {
		const theme = path.basename(file, ".css");
		// A theme of a single mode is for pages whose color_scheme is dark.
		const modes = fs.readFileSync(path.join(themes, file), "utf8").includes("prefers-color-scheme") ? ["light", "dark"] : ["dark"];
		for (const mode of modes) {
			const violations = await check(browser, theme, mode, mode === modes[0]);
			console.log(`${violations.length ? "not " : ""}ok - themes: ${theme}, ${mode}: no violation that axe-core knows`);
			violations.forEach((text) => console.log(`# ${text}`));
			failed += violations.length;
		}
	}
	await browser.close();
	server.close();
	process.exitCode = failed > 0 ? 1 : 0;
});
