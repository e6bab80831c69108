// A page's documents and feeds as two npm packages read them: statuspage.js, which bots that
// announce incidents use, and rss-parser. node readers.cjs DATA.json SERVICE.json. TAP on standard
// output.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { Statuspage, StatuspageUpdates } = require("statuspage.js");
const Parser = require("rss-parser");

const data = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const service = JSON.parse(fs.readFileSync(process.argv[3], "utf8"));
const page = data.twenty;
const states = ["operational", "degraded_performance", "partial_outage", "major_outage", "under_maintenance", ""];
let failed = 0;

async function test(what, run) {
	try {
		await run();
		console.log(`ok - readers: ${what}`);
	} catch (error) {
		failed++;
		console.log(`not ok - readers: ${what}`);
		console.log(String(error.stack).replace(/^/gm, "# "));
	}
}

// The package knows the name of the service alone; its requests go to the page here.
const request = Statuspage.prototype._makeRequest;
Statuspage.prototype._makeRequest = function (endpoint) {
	this.axios.defaults.baseURL = `${page}api/v2`;
	return request.call(this, endpoint);
};

// The package turns every text that looks like a time into a Date.
function hasTimes(row, ...names) {
	for (const name of names) assert.ok(row[name] instanceof Date && !Number.isNaN(row[name].getTime()), `${name} of ${row.id}`);
}

function isIncident(incident) {
	hasTimes(incident, "created_at", "updated_at", "started_at");
	assert.match(incident.shortlink, new RegExp(`^${page}incidents/[1-9][0-9]*$`));
	assert.ok(["none", "minor", "major", "critical"].includes(incident.impact));
	assert.equal(incident.resolved_at instanceof Date, ["resolved", "postmortem"].includes(incident.status));
	assert.equal(incident.status, incident.incident_updates[0].status);
	for (const update of incident.incident_updates) {
		hasTimes(update, "created_at", "updated_at", "display_at");
		assert.equal(update.incident_id, incident.id);
		assert.ok(update.body.length > 0);
		for (const affected of update.affected_components) {
			assert.ok(incident.components.some((one) => one.id === affected.code && one.name === affected.name));
			assert.ok(states.includes(affected.old_status) && states.includes(affected.new_status));
		}
	}
	const times = incident.incident_updates.map((update) => update.created_at.getTime());
	assert.deepEqual(times, times.slice().sort((a, b) => b - a));
	// The first update is what happened to the systems, the last one of a resolved incident its end.
	assert.ok(incident.incident_updates.at(-1).affected_components.every((one) => one.old_status === "operational"));
	if (incident.resolved_at) assert.ok(incident.incident_updates[0].affected_components.every((one) => one.new_status === "operational"));
}

function api(method, path, fields) {
	const headers = { Authorization: `Bearer ${service.api_key}` };
	return fetch(service.base_url + path, { method, headers, body: new URLSearchParams(fields) });
}

async function documents() {
	const client = new Statuspage("page");
	for (const one of (await client.components()).components.slice(4, 7))
		assert.equal((await api("PUT", `/api/v1/monitors/${one.id}`, { group: "Inner systems" })).status, 200);
	await test("the summary has its components, in their groups", async () => {
		const { page: about, status, components, incidents } = await client.summary();
		hasTimes(about, "updated_at");
		assert.ok(["none", "minor", "major", "critical", "maintenance"].includes(status.indicator));
		assert.ok(components.every((one) => states.includes(one.status)));
		const groups = components.filter((one) => one.group);
		assert.deepEqual(groups.map((one) => [one.name, one.components.length, one.position]), [["Inner systems", 3, 5]]);
		for (const one of components.filter((row) => !row.group)) {
			hasTimes(one, "created_at", "updated_at", "start_date");
			assert.equal(groups.some((group) => group.id === one.group_id && group.components.includes(one.id)), one.group_id !== null);
		}
		incidents.forEach(isIncident);
		assert.equal(incidents.length, 1);
	});
	await test("all incidents have their updates, and each update an id of its own", async () => {
		const { incidents } = await client.allIncidents();
		incidents.forEach(isIncident);
		assert.ok(incidents.length > 1);
		const ids = incidents.flatMap((incident) => incident.incident_updates.map((update) => update.id));
		assert.equal(new Set(ids).size, ids.length);
		assert.deepEqual((await client.unresolvedIncidents()).incidents, incidents.filter((one) => !one.resolved_at));
	});
	await test("the other documents are read, too", async () => {
		assert.deepEqual((await client.status()).status, (await client.summary()).status);
		assert.equal((await client.components()).components.length, (await client.summary()).components.length);
		for (const answer of [await client.allScheduledMaintenances(), await client.activeScheduledMaintenances(), await client.upcomingScheduledMaintenances()])
			assert.ok(Array.isArray(answer.scheduled_maintenances));
	});
}

async function feeds() {
	const parser = new Parser();
	const [feed, history, rss] = await Promise.all(["feed.atom", "history.atom", "history.rss"].map((name) => parser.parseURL(page + name)));
	const { incidents } = await (await fetch(`${page}incidents.json`)).json();
	await test("both feeds have the incidents of the JSON, with permanent ids", async () => {
		assert.deepEqual(history.items, feed.items);
		assert.equal(feed.title, "Example Cloud");
		assert.equal(rss.title, "Example Cloud");
		assert.deepEqual(feed.items.map((item) => item.link), incidents.map((one) => one.shortlink));
		assert.deepEqual(rss.items.map((item) => item.link), incidents.map((one) => one.shortlink));
		assert.deepEqual(rss.items.map((item) => item.guid), feed.items.map((item) => item.id));
		for (const item of feed.items) assert.match(item.id, /^urn:uuid:[0-9a-f-]{36}$/);
		assert.equal(new Set(feed.items.map((item) => item.id)).size, feed.items.length);
	});
	await test("their times and texts are those of the JSON", async () => {
		for (const [i, one] of incidents.entries()) {
			assert.equal(Date.parse(rss.items[i].isoDate), Date.parse(one.updated_at));
			assert.equal(Date.parse(feed.items[i].pubDate), Date.parse(one.started_at));
			assert.ok(feed.items[i].title.startsWith(one.name.replace(/ (is|was) down$/, "")));
			assert.equal(rss.items[i].content.trim(), feed.items[i].content.trim());
			for (const update of one.incident_updates) assert.ok(feed.items[i].contentSnippet.includes(update.body.split("\n")[0]));
		}
	});
	await test("each link leads to the incident", async () => {
		for (const [i, item] of feed.items.entries()) {
			const answer = await fetch(item.link);
			assert.equal(answer.status, 200);
			assert.ok((await answer.text()).includes(incidents[i].name), item.link);
		}
	});
}

async function updates() {
	await test("the end of an incident is an update that is announced once", async () => {
		const watcher = new StatuspageUpdates("page");
		const announced = [];
		watcher.on("incident_update", (incident) => announced.push(incident));
		await watcher.fetch();
		const [incident] = watcher.curr.incidents;
		const [monitor] = incident.components;
		const answer = await api("POST", "/hooks/generic", { monitor: monitor.id, state: "up" });
		assert.equal(answer.status, 200);
		await watcher.fetch();
		assert.equal(watcher.checkUpdate(), true);
		await watcher.fetch();
		assert.equal(watcher.checkUpdate(), false);
		assert.deepEqual(announced.map((one) => [one.id, one.status]), [[incident.id, "resolved"]]);
	});
}

documents().then(feeds).then(updates).then(() => process.exit(failed > 0 ? 1 : 0));
