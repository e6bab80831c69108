# Reports of delivery: what wire/bounce_report.h reads, beside what python3-flufl.bounce reads.
load lib

setup() {
	reader=${DAYMARK_BUILD:-$TOP/build}/tests/lib/read-bounce
	samples=$TOP/tests/fuzz/corpus/bounce_report
}

@test "reports name the recipients that another reader finds in them" {
	/usr/bin/python3 -c 'import flufl.bounce' 2>/dev/null || skip "python3-flufl.bounce is not installed"
	/usr/bin/python3 - "$reader" "$samples" <<'END'
import email, os, subprocess, sys
from flufl.bounce import all_failures
reader, folder = sys.argv[1:]
# Parts that are encoded or international, which flufl.bounce does not read; and a report that somebody passes on.
other = {"encoded-base64": True, "encoded-quoted": True, "international": True, "forwarded": False}
found = 0
for name in sorted(os.listdir(folder)):
    raw = open(os.path.join(folder, name), "rb").read()
    lines = subprocess.run([reader], input=raw, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("to\t")]
    ours = tuple({row[3].encode() for row in rows if row[0] == action} for action in ("delayed", "failed"))
    theirs = tuple(set(addresses) for addresses in all_failures(email.message_from_bytes(raw)))
    if name in other:
        assert ours != theirs and bool(ours[1]) == other[name], (name, ours, theirs)
    else:
        assert ours == theirs, (name, ours, theirs)
        found += len(ours[0]) + len(ours[1])
assert found >= 10, found
END
}
