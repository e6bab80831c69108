// The list of incidents in Node, with the same bytes as Daymark's response: fastify, mysql2, two
// processes. Usage: node list.cjs MODULES LISTEN-SOCKET MYSQL-SOCKET
'use strict';
const cluster = require('node:cluster');
const { createHash } = require('node:crypto');
const { createRequire } = require('node:module');
const [modules, listen, socketPath] = process.argv.slice(2);

const instant = (time) => (time === null ? null : time.replace(' ', 'T') + 'Z');
const seconds = (time) => Date.parse(instant(time)) / 1000;

const phases = ['investigating', 'identified', 'monitoring', 'resolved'];
const impacts = ['none', 'degraded_performance', 'partial_outage', 'major_outage'];

function incident(row, host) {
	return {
		id: row.id,
		monitor_id: row.monitor_id,
		monitor: { id: row.monitor_id, name: row.name, url: row.url },
		cause: row.cause,
		comment: row.comment,
		status: row.ended_at ? 'resolved' : row.acknowledged_at ? 'acknowledged' : 'open',
		started_at: instant(row.started_at),
		acknowledged_at: instant(row.acknowledged_at),
		ended_at: instant(row.ended_at),
		duration: row.ended_at ? seconds(row.ended_at) - seconds(row.started_at) : 0,
		created_at: instant(row.created_at),
		updated_at: instant(row.updated_at),
		kind: 'detected',
		title: row.title,
		phase: row.ended_at ? 'resolved' : phases[row.phase],
		impact: impacts[row.impact],
		monitor_ids: [row.monitor_id],
		monitors: [{ id: row.monitor_id, name: row.name, impact: impacts[row.impact] }],
		status_page_ids: [],
		next_update_at: instant(row.next_update_at),
		exclude_from_uptime: row.exclude_from_uptime === 1,
		postmortem: row.postmortem,
		url: row.slug === null ? null : `http://${host}/s/${row.slug}/incidents/${row.id}`,
	};
}

async function list(pool, request, reply) {
	const hash = createHash('sha256').update((request.headers.authorization ?? '').slice(7)).digest();
	const [[account]] = await pool.execute('SELECT id, incidents FROM accounts WHERE key_hash = ?', [hash]);
	if (!account) return reply.code(401).send({});
	const page = Math.max(1, Number(request.query.page ?? 1));
	const total = account.incidents;
	const [rows] = await pool.execute(
		`SELECT i.id, i.monitor_id, m.name, m.url, i.cause, i.comment, i.started_at, i.acknowledged_at,
		 i.ended_at, i.created_at, i.updated_at, i.title, i.phase, i.impact, i.next_update_at, i.exclude_from_uptime, i.postmortem, p.slug
		 FROM (SELECT id, ends_at FROM incidents WHERE account_id = ? ORDER BY ends_at DESC, id DESC LIMIT 10 OFFSET ?) x
		 JOIN incidents i ON i.id = x.id JOIN monitors m ON m.id = i.monitor_id LEFT JOIN pages p ON p.id = m.page_id
		 ORDER BY x.ends_at DESC, x.id DESC`,
		[account.id, String((page - 1) * 10)],
	);
	const path = `http://${request.headers.host}${request.url.split('?')[0]}`;
	const last = Math.max(1, Math.ceil(total / 10));
	return {
		data: rows.map((row) => incident(row, request.headers.host)),
		links: {
			first: `${path}?page=1`,
			last: `${path}?page=${last}`,
			prev: page > 1 ? `${path}?page=${page - 1}` : null,
			next: page < last ? `${path}?page=${page + 1}` : null,
		},
		meta: {
			current_page: page,
			from: (page - 1) * 10 + 1,
			last_page: last,
			path,
			per_page: 10,
			to: (page - 1) * 10 + rows.length,
			total,
		},
		status: 200,
	};
}

function serve() {
	const load = createRequire(`${modules}/`);
	const app = load('fastify')();
	const pool = load('mysql2/promise').createPool({
		socketPath,
		user: 'root',
		database: 'reference',
		dateStrings: true,
		connectionLimit: 8,
	});
	app.get('/api/v1/incidents', (request, reply) => list(pool, request, reply));
	app.listen({ path: listen }).catch((error) => {
		console.error(error);
		process.exit(1);
	});
}

if (cluster.isPrimary) {
	for (let i = 0; i < 2; i++) cluster.fork();
	process.on('SIGTERM', () => {
		for (const worker of Object.values(cluster.workers)) worker.kill('SIGKILL');
		process.exit(0);
	});
} else {
	serve();
}
