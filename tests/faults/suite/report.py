"""The report of a run: a table, TAP, or JSON."""
import json
import resource

from suite.tally import DOUBLED, LOST, MANUAL, WRONG

KINDS = (LOST, DOUBLED, WRONG, MANUAL)
SHOWN = 8
PROMISES = {
    LOST: "what was acknowledged is there",
    DOUBLED: "what was repeated was done once",
    WRONG: "nobody has met anything wrong",
    MANUAL: "nothing needed a person",
}


def rows_of(engine):
    out = []
    for row in engine.rows.values():
        numbers = {kind: sum(row.name in of.split(" + ") for of, _ in engine.tally.problems[kind]) for kind in KINDS}
        out.append({"fault": row.name, "injections": row.injections, "acknowledged": row.acknowledged, **numbers,
                    "recovery_s": round(row.recovery_s, 1), "skipped": row.reason})
    return sorted(out, key=lambda row: row["fault"])


def total_of(engine, seconds):
    tally = engine.tally
    return {"seconds": round(seconds), "seed": engine.options.seed, "acknowledged": tally.get("acknowledged"),
            "repeated": tally.get("repeated"), "injections": sum(row.injections for row in engine.rows.values()),
            **{kind: tally.number(kind) for kind in KINDS},
            "recovery_s": round(max((row.recovery_s for row in engine.rows.values()), default=0.0), 1),
            "counts": dict(sorted(tally.counts.items()))}


def table(rows, total):
    line = "| {:<44} | {:>10} | {:>12} | {:>4} | {:>7} | {:>5} | {:>9} | {:>6} |".format
    print(line("fault", "injections", "acknowledged", "lost", "doubled", "wrong", "seconds", "manual"))
    print("|" + "---|" * 8)
    for row in rows:
        if row["skipped"]:
            print(f"| {row['fault']:<44} | skipped: {row['skipped']} |")
        else:
            print(line(row["fault"], row["injections"], row["acknowledged"], row[LOST], row[DOUBLED], row[WRONG],
                       row["recovery_s"], row[MANUAL]))
    print(line("**all**", total["injections"], total["acknowledged"], total[LOST], total[DOUBLED], total[WRONG],
               total["recovery_s"], total[MANUAL]))


def problems(engine):
    for kind in KINDS:
        found = engine.tally.problems[kind]
        for of, detail in found[:SHOWN]:
            print(f"# {kind} ({of}): {detail}")
        if len(found) > SHOWN:
            print(f"# {kind}: and {len(found) - SHOWN} more")


def tap(engine, rows, total):
    for row in rows:
        if row["skipped"]:
            print(f"ok - faults: {row['fault']} # skip {row['skipped']}")
        else:
            print(f"{'not ok' if row[MANUAL] else 'ok'} - faults: {row['fault']}: all works again by itself")
    for kind in (LOST, DOUBLED, WRONG):
        print(f"{'not ok' if total[kind] else 'ok'} - faults: {PROMISES[kind]}")


def show(engine, options, seconds):
    rows, total = rows_of(engine), total_of(engine, seconds)
    is_good = not any(total[kind] for kind in KINDS) and total["acknowledged"] > 0
    if options.json:
        print(json.dumps({"rows": rows, "total": total,
                          "problems": {kind: engine.tally.problems[kind] for kind in KINDS}}, indent=1))
        return 0 if is_good else 1
    if options.tap:
        tap(engine, rows, total)
    else:
        table(rows, total)
    problems(engine)
    print("# " + ", ".join(f"{number} {what}" for what, number in total["counts"].items()))
    # Of this program and of all that it has waited for: nginx is missing.
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"# {total['seconds']} s, seed {total['seed']}; processor time: {own.ru_utime + own.ru_stime:.0f} s of the suite, "
          f"{children.ru_utime + children.ru_stime:.0f} s of others")
    return 0 if is_good else 1
