// node picture.cjs URL FILE [FOLDER]: a picture of a page, and pictures in other sizes and modes in the folder.
"use strict";
const path = require("node:path");
const { launch } = require("./lib.cjs");
const [url, file, folder] = process.argv.slice(2);
const others = [
	{ name: "desktop", viewport: { width: 1280, height: 900 } },
	{ name: "dark", viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
	{ name: "phone", viewport: { width: 360, height: 780 }, fullPage: true },
	{ name: "whole", viewport: { width: 1280, height: 900 }, fullPage: true },
];

(async () => {
	const browser = await launch();
	const take = async (to, { viewport, colorScheme = "light", fullPage = false }) => {
		const page = await browser.newPage({ viewport, colorScheme });
		await page.goto(url);
		await page.screenshot({ path: to, fullPage });
		await page.close();
	};
	await take(file, { viewport: { width: 960, height: 1500 } });
	for (const other of folder ? others : []) await take(path.join(folder, `${other.name}.png`), other);
	await browser.close();
})();
