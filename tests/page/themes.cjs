// The themes of docs/THEMING.md: node themes.cjs SAMPLES, which write_samples has written. Looks for violations in both modes,
// and writes the pictures into docs/themes if DAYMARK_THEMES=write. TAP on standard output.
"use strict";
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { launch, violations } = require("./lib.cjs");

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
	const found = await violations(page);
	if (process.env.DAYMARK_THEMES === "write" && isFirst) await page.screenshot({ path: path.join(themes, `${theme}.png`) });
	await page.close();
	return found;
}

server.listen(0, "127.0.0.1", async () => {
	const browser = await launch();
	let failed = 0;
	for (const file of fs.readdirSync(themes).filter((name) => name.endsWith(".css"))) {
		const theme = path.basename(file, ".css");
		// A theme of a single mode is for pages whose color_scheme is dark.
		const modes = fs.readFileSync(path.join(themes, file), "utf8").includes("prefers-color-scheme") ? ["light", "dark"] : ["dark"];
		for (const mode of modes) {
			const found = await check(browser, theme, mode, mode === modes[0]);
			console.log(`${found.length ? "not " : ""}ok - themes: ${theme}, ${mode}: no violation that axe-core knows`);
			found.forEach((text) => console.log(`# ${text}`));
			failed += found.length;
		}
	}
	await browser.close();
	server.close();
	process.exitCode = failed > 0 ? 1 : 0;
});
