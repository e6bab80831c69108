// A page's documents as the npm package statuspage.io reads them: node client.cjs DATA.json. TAP
// on standard output.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { Statuspage } = require("statuspage.io");
const { Endpoint } = require("statuspage.io/dist/Endpoints.js");
const enums = require("statuspage.io/dist/interfaces/Result.js");

const data = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const declared = readDeclared(fs.readFileSync(require.resolve("statuspage.io/dist/interfaces/Result.js").replace(/js$/, "d.ts"), "utf8"));
let failed = 0;

// The interfaces that the package declares: by name, the type of each member as text. A type
// that is written out in place is an interface of its own, by the name of its member.
function readDeclared(text) {
	const interfaces = {};
	for (const [, name, base, body] of text.matchAll(/export interface (\w+)(?: extends (\w+))? \{\n(.*?)\n\}/gs)) {
		const members = { ...interfaces[base] };
		for (const [, member, inner] of body.matchAll(/^ {4}(\w+): \{\n(.*?)\n {4}\};/gms)) {
			interfaces[`in ${member}`] = membersOf(inner, 8);
			members[member] = `in ${member}`;
		}
		interfaces[name] = { ...members, ...membersOf(body, 4) };
	}
	return interfaces;
}

function membersOf(body, depth) {
	const lines = body.matchAll(new RegExp(`^ {${depth}}(\\w+): ([^{\n]+);$`, "gm"));
	return Object.fromEntries([...lines].map(([, member, type]) => [member, type]));
}

function isOfType(value, type, where) {
	if (type.endsWith(" | null")) {
		if (value !== null) isOfType(value, type.slice(0, -7), where);
	} else if (type.endsWith("[]")) {
		assert.ok(Array.isArray(value), `${where} is a list`);
		value.forEach((item, i) => isOfType(item, type.slice(0, -2), `${where}[${i}]`));
	} else if (type in enums) {
		assert.ok(Object.values(enums[type]).includes(value), `${where} is ${value}, no ${type}`);
	} else if (type in declared) {
		for (const [member, of] of Object.entries(declared[type])) isOfType(value[member], of, `${where}.${member}`);
	} else {
		assert.equal(typeof value, type, `${where} is a ${type}`);
	}
}

async function test(what, run) {
	try {
		await run();
		console.log(`ok - client: ${what}`);
	} catch (error) {
		failed++;
		console.log(`not ok - client: ${what}`);
		console.log(String(error.stack).replace(/^/gm, "# "));
	}
}

// A client of the page there, and the addresses that it asks.
function clientOf(url) {
	const client = new Statuspage("page");
	const asked = [];
	client.setApiUrl(url);
	client.apiClient.defaults.lookup = (_host, _options, done) => done(null, "127.0.0.1", 4);
	client.apiClient.interceptors.request.use((config) => {
		asked.push(config.url);
		return config;
	});
	return { client, asked };
}

const timesOf = (incidents) => incidents.map((incident) => Date.parse(incident.created_at));

async function all() {
	await test("the package declares what is compared", () => {
		for (const [name, member, type] of [["Component", "position", "number"], ["Incidents", "incidents", "Incident[]"],
			["Status", "page", "in page"], ["in status", "indicator", "string"], ["Incident", "impact", "IncidentImpact"]])
			assert.equal(declared[name][member], type);
	});
	const { client, asked } = clientOf(data.twenty.replace(/\/$/, ""));
	await test("the summary has the page, its components and the open incident", async () => {
		const summary = await client.api.getSummary();
		for (const type of ["Status", "Components", "Incidents"]) isOfType(summary, type, type);
		assert.equal(summary.page.name, "Example Cloud");
		assert.equal(summary.status.description, "Service 3 is down");
		assert.ok(Object.values(enums.IncidentImpact).includes(summary.status.indicator));
		assert.equal(summary.components.length, 20);
		assert.deepEqual(summary.incidents.map((incident) => incident.name), ["Service 3: Deliveries are late"]);
		assert.deepEqual(summary.scheduled_maintenances, []);
	});
	await test("the status is that of the summary", async () => {
		const status = await client.api.getStatus();
		isOfType(status, "Status", "status");
		assert.deepEqual(status.status, (await client.api.getSummary()).status);
	});
	await test("the components are in order, the third one out", async () => {
		const answer = await client.api.getComponents();
		isOfType(answer, "Components", "components");
		assert.deepEqual(answer.components.map((one) => one.position), [...Array(20).keys()].map((i) => i + 1));
		assert.deepEqual(answer.components.filter((one) => one.status !== "operational").map((one) => [one.name, one.status]),
			[["Service 3", "major_outage"]]);
		assert.ok(answer.components.every((one) => Date.parse(one.start_date) < Date.parse(answer.page.updated_at)));
	});
	await test("all incidents come newest first, the resolved ones with their end", async () => {
		const { incidents, ...rest } = await client.api.incidents.getAll();
		isOfType({ incidents, ...rest }, "Incidents", "incidents");
		assert.equal(incidents.length, 17);
		assert.deepEqual(timesOf(incidents), timesOf(incidents).sort((a, b) => b - a));
		const resolved = incidents.filter((one) => one.status === "resolved");
		assert.equal(resolved.length, 16);
		for (const one of resolved) assert.ok(Date.parse(one.resolved_at) >= Date.parse(one.created_at));
	});
	await test("unresolved incidents are the open one alone", async () => {
		const answer = await client.api.incidents.getUnresolved();
		isOfType(answer, "Incidents", "unresolved");
		assert.deepEqual(answer.incidents.map((one) => [one.name, one.status, one.resolved_at]),
			[["Service 3: Deliveries are late", "investigating", null]]);
	});
	await test("scheduled maintenances are lists without any", async () => {
		const { scheduledMaintenances } = client.api;
		const answers = [await scheduledMaintenances.getAll(), await scheduledMaintenances.getUpcoming(), await scheduledMaintenances.getActive()];
		// The package asks for the upcoming ones by each of the three, so its client asks for the others here.
		for (const url of [Endpoint.ScheduledMaintenances.all(), Endpoint.ScheduledMaintenances.upcoming().replace("upcoming", "active")])
			answers.push((await client.apiClient.get(url)).data);
		for (const answer of answers) {
			isOfType(answer, "Page", "maintenances");
			assert.deepEqual(answer.scheduled_maintenances, []);
		}
	});
	await test("these were all documents that it knows", () => {
		const documents = ["summary", "status", "components", "incidents", "incidents/unresolved",
			"scheduled-maintenances", "scheduled-maintenances/upcoming", "scheduled-maintenances/active"];
		assert.deepEqual([...new Set(asked)].sort(), documents.map((name) => `/api/v2/${name}.json`).sort());
	});
	await test("a page's own domain has them at its root", async () => {
		const own = clientOf(`http://${data.host}:${new URL(data.base).port}`);
		const summary = await own.client.api.getSummary();
		isOfType(summary, "Components", "summary");
		assert.equal(summary.page.name, "Owner");
		assert.deepEqual((await own.client.api.incidents.getUnresolved()).incidents, summary.incidents);
		assert.equal(summary.incidents.length, 1);
		assert.deepEqual((await own.client.api.scheduledMaintenances.getUpcoming()).scheduled_maintenances, []);
	});
}

all().then(() => process.exit(failed > 0 ? 1 : 0));
