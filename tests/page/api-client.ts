// A client of the API by the types of openapi.json, which the compiler holds it to. Prints a line of
// JSON for each response: its operation, status, headers and body.
import createClient from "openapi-fetch";
import type { paths } from "./api";

declare const process: { argv: string[]; exitCode: number };
const [, , baseUrl, key] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
client.use({
	async onResponse({ request, response, schemaPath }) {
		const body = await response.clone().json();
		const headers = [...response.headers.keys()];
		const method = request.method.toLowerCase();
		console.log(JSON.stringify({ method, pattern: schemaPath, status: response.status, headers, body }));
	},
});

function must<Data>(answer: { data?: Data; error?: unknown }): Data {
	if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
	return answer.data;
}

async function run(): Promise<void> {
	const slug = `client-${Date.now()}`;
	const monitor = must(await client.POST("/api/v1/monitors", { body: { name: slug } })).data;
	const page = must(await client.POST("/api/v1/status-pages", { body: { name: slug, slug, monitor_ids: [monitor.id] } })).data;
	const header = { "Idempotency-Key": slug };
	const body = { title: "Payments fail", monitor_ids: [monitor.id], impact: "partial_outage" as const, body: "We look." };
	const reported = must(await client.POST("/api/v1/incidents", { params: { header }, body })).data;
	must(await client.POST("/api/v1/incidents", { params: { header }, body }));
	const path = { id: reported.id };
	must(await client.POST("/api/v1/incidents/{id}/updates", { params: { path }, body: { body: "Found.", phase: "identified" } }));
	const changed = must(await client.PUT("/api/v1/incidents/{id}", { params: { path }, body: { comment: "Nearly done." } })).data;
	// The response to a change has the updates of the incident, unless the text waits for a second person.
	if (!("updates" in changed)) throw new Error("the text waits");
	const texts: string[] = changed.updates.map((update) => update.body);
	if (texts.join() !== "Nearly done.,Found.,We look.") throw new Error(texts.join());
	must(await client.GET("/api/v1/incidents/{id}", { params: { path } }));
	must(await client.GET("/api/v1/incidents", { params: { query: { monitor_id: monitor.id } } }));
	must(await client.GET("/api/v1/status-pages", { params: { query: { search: slug } } }));
	must(await client.GET("/api/v1/status-pages/{id}", { params: { path: { id: page.id } } }));
	must(await client.GET("/api/v1/monitors", { params: { query: { search: slug } } }));
	must(await client.POST("/hooks/generic", { body: { monitor: monitor.id, state: "down" } }));
	const soon = new Date(Date.now() + 3600_000).toISOString().replace(/\.\d+/, "");
	const later = new Date(Date.now() + 7200_000).toISOString().replace(/\.\d+/, "");
	const window = must(await client.POST("/api/v1/maintenances", {
		body: { title: "Upgrade", monitor_ids: [monitor.id], starts_at: soon, ends_at: later },
	})).data;
	must(await client.GET("/api/v1/maintenances/{id}", { params: { path: { id: window.id } } }));
	must(await client.GET("/api/v1/events", { params: { query: { object: "incident", object_id: reported.id } } }));
	const account = must(await client.GET("/api/v1/account")).data;
	if (account.quotas.every((quota) => quota.name !== "monitors")) throw new Error("no quota of monitors");
	const made = must(await client.POST("/api/v1/keys", { body: {} })).data;
	must(await client.DELETE("/api/v1/keys/{id}", { params: { path: { id: made.id } } }));
	// Errors are described as well.
	await client.GET("/api/v1/incidents/{id}", { params: { path: { id: 999999999 } } });
	await client.POST("/api/v1/maintenances", { body: { title: "", starts_at: "x" } });
	must(await client.DELETE("/api/v1/status-pages/{id}", { params: { path: { id: page.id } } }));
	must(await client.DELETE("/api/v1/monitors/{id}", { params: { path: { id: monitor.id } } }));
}

run().catch((error) => {
	console.error(error);
	process.exitCode = 1;
});
