// openapi.json by other people's programs: a validator of OpenAPI, one of JSON Schema, and the
// TypeScript client that openapi-typescript makes, compiled and used.
// node api.cjs SERVICE.json FOLDER. TAP on standard output.
"use strict";
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const Ajv = require("ajv/dist/2020").default;
const addFormats = require("ajv-formats").default;

const service = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const folder = process.argv[3];
const modules = process.env.NODE_PATH;
const file = path.join(folder, "openapi.json");
let failed = 0;

async function test(what, run) {
	try {
		await run();
		console.log(`ok - api: ${what}`);
	} catch (error) {
		failed++;
		console.log(`not ok - api: ${what}`);
		console.log(String(error.stdout ?? "").concat(error.stack).replace(/^/gm, "# "));
	}
}

function schemas(api) {
	const ajv = new Ajv({ strict: false, allErrors: true });
	addFormats(ajv);
	ajv.addFormat("binary", true);
	ajv.addSchema({ $id: "api", components: api.components });
	return (name, value) => {
		const fits = ajv.getSchema(`api#/components/schemas/${name}`);
		assert.ok(fits(value), `${name}: ${ajv.errorsText(fits.errors)} in ${JSON.stringify(value)}`);
	};
}

(async () => {
	const api = await (await fetch(`${service.base_url}/api/v1/openapi.json`)).json();
	fs.writeFileSync(file, JSON.stringify(api));
	const fits = schemas(api);

	await test("the document is valid OpenAPI 3.1", async () => {
		const { Validator } = await import(path.join(modules, "@seriousme/openapi-schema-validator/index.js"));
		const found = await new Validator().validate(file);
		assert.ok(found.valid, JSON.stringify(found.errors));
		for (const name of Object.keys(api.components.schemas)) assert.match(name, /^[A-Z][A-Za-z]*$/);
	});

	await test("each example fits its schema", () => {
		let count = 0;
		for (const [name, schema] of Object.entries(api.components.schemas))
			for (const example of schema.examples ?? []) {
				fits(name, example);
				count++;
			}
		assert.ok(count > 40, `${count} examples`);
	});

	await test("a generated client compiles, and what it gets fits the document", () => {
		const bin = (name) => path.join(modules, ".bin", name);
		execFileSync(bin("openapi-typescript"), [file, "--default-non-nullable=false", "-o", path.join(folder, "api.d.ts")]);
		fs.copyFileSync(path.join(__dirname, "api-client.ts"), path.join(folder, "client.ts"));
		fs.symlinkSync(modules, path.join(folder, "node_modules"));
		execFileSync(bin("tsc"), ["--strict", "--target", "es2022", "--module", "commonjs", "--moduleResolution", "node10",
			"--lib", "es2022,dom,dom.iterable", "--skipLibCheck", "client.ts"], { cwd: folder, encoding: "utf8" });
		const lines = execFileSync(process.execPath, [path.join(folder, "client.js"), service.base_url, service.api_key],
			{ encoding: "utf8" }).trim().split("\n");
		// A line for each response: the operation, the status, the body.
		for (const line of lines) {
			const { method, pattern, status, headers, body } = JSON.parse(line);
			const operation = api.paths[pattern][method];
			let response = operation.responses[status];
			assert.ok(response, `${method} ${pattern}: ${status} is not documented`);
			if (response.$ref) response = api.components.responses[response.$ref.split("/").pop()];
			const { $ref } = response.content["application/json"].schema;
			fits($ref.split("/").pop(), body);
			for (const name of headers.filter((name) => /^(x-|etag|location|idempotent|retry|allow)/.test(name)))
				assert.ok(name === "x-content-type-options" || Object.keys(response.headers).some((known) => known.toLowerCase() === name),
					`${method} ${pattern}: the header ${name} is not documented`);
		}
		assert.ok(lines.length > 15, `${lines.length} responses`);
	});

	process.exit(failed > 0 ? 1 : 0);
})();
