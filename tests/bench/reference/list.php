<?php
// The list of incidents in plain PHP, with the same bytes as Daymark's response: php-fpm, opcache,
// and a persistent connection that keeps no prepared statement between requests.
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$db = new mysqli('p:localhost', 'root', '', 'reference', 0, $_SERVER['MYSQL_SOCKET']);
$db->set_charset('utf8mb4');

function rows(mysqli $db, string $sql, array $values): array
{
	$statement = $db->prepare($sql);
	$statement->execute($values);
	return $statement->get_result()->fetch_all(MYSQLI_ASSOC);
}

function instant(?string $time): ?string
{
	return $time === null ? null : str_replace(' ', 'T', $time) . 'Z';
}

const PHASES = ['investigating', 'identified', 'monitoring', 'resolved'];
const IMPACTS = ['none', 'degraded_performance', 'partial_outage', 'major_outage'];

function incident(array $row): array
{
	$host = $_SERVER['HTTP_HOST'];
	$impact = IMPACTS[$row['impact']];
	return [
		'id' => $row['id'],
		'monitor_id' => $row['monitor_id'],
		'monitor' => ['id' => $row['monitor_id'], 'name' => $row['name'], 'url' => $row['url']],
		'cause' => $row['cause'],
		'comment' => $row['comment'],
		'status' => $row['ended_at'] ? 'resolved' : ($row['acknowledged_at'] ? 'acknowledged' : 'open'),
		'started_at' => instant($row['started_at']),
		'acknowledged_at' => instant($row['acknowledged_at']),
		'ended_at' => instant($row['ended_at']),
		'duration' => strtotime($row['ended_at'] ?? 'now') - strtotime($row['started_at']),
		'created_at' => instant($row['created_at']),
		'updated_at' => instant($row['updated_at']),
		'kind' => 'detected',
		'title' => $row['title'],
		'phase' => $row['ended_at'] ? 'resolved' : PHASES[$row['phase']],
		'impact' => $impact,
		'monitor_ids' => [$row['monitor_id']],
		'monitors' => [['id' => $row['monitor_id'], 'name' => $row['name'], 'impact' => $impact]],
		'status_page_ids' => [],
		'next_update_at' => instant($row['next_update_at']),
		'exclude_from_uptime' => (bool) $row['exclude_from_uptime'],
		'postmortem' => $row['postmortem'],
		'url' => $row['slug'] === null ? null : "http://$host/s/{$row['slug']}/incidents/{$row['id']}",
	];
}

$key = substr($_SERVER['HTTP_AUTHORIZATION'] ?? '', 7);
$account = rows($db, 'SELECT id, incidents FROM accounts WHERE key_hash = ?', [hash('sha256', $key, true)])[0] ?? null;
header('Content-Type: application/json');
if (!$account) {
	http_response_code(401);
	exit('{}');
}
$page = max(1, (int) ($_GET['page'] ?? 1));
$total = $account['incidents'];
$incidents = rows($db, 'SELECT i.id, i.monitor_id, m.name, m.url, i.cause, i.comment, i.started_at, i.acknowledged_at,
	i.ended_at, i.created_at, i.updated_at, i.title, i.phase, i.impact, i.next_update_at, i.exclude_from_uptime, i.postmortem, p.slug
	FROM (SELECT id, ends_at FROM incidents WHERE account_id = ? ORDER BY ends_at DESC, id DESC LIMIT ? OFFSET ?) x
	JOIN incidents i ON i.id = x.id JOIN monitors m ON m.id = i.monitor_id LEFT JOIN pages p ON p.id = m.page_id
	ORDER BY x.ends_at DESC, x.id DESC', [$account['id'], 10, ($page - 1) * 10]);
$path = 'http://' . $_SERVER['HTTP_HOST'] . strtok($_SERVER['REQUEST_URI'], '?');
$last = max(1, (int) ceil($total / 10));
echo json_encode([
	'data' => array_map('incident', $incidents),
	'links' => [
		'first' => "$path?page=1",
		'last' => "$path?page=$last",
		'prev' => $page > 1 ? "$path?page=" . ($page - 1) : null,
		'next' => $page < $last ? "$path?page=" . ($page + 1) : null,
	],
	'meta' => [
		'current_page' => $page,
		'from' => ($page - 1) * 10 + 1,
		'last_page' => $last,
		'path' => $path,
		'per_page' => 10,
		'to' => ($page - 1) * 10 + count($incidents),
		'total' => $total,
	],
	'status' => 200,
], JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
