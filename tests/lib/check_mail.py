"""Checks messages of e-mail against RFC 5322, 2045, 2046 and 2047, and writes their HTML parts to files.

usage: check_mail.py FOLDER MESSAGE...

FOLDER gets NUMBER.html for each message. Prints the subjects. Debian has no linter of MIME: Python's parser, which
raises every defect that it knows, and the rules of lines below stand for one.
"""
import email
import email.header
import email.policy
import email.utils
import os
import re
import sys

ONCE = ["From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "Auto-Submitted"]
WORD = re.compile(rb"=\?[^? ]*\?[^? ]*\?[^? ]*\?=")


def check_lines(raw):
    assert raw.endswith(b"\r\n") and not re.search(rb"(?<!\r)\n|\r(?!\n)", raw), "a line without CRLF"
    assert not re.search(rb"[^\t\r\n -~]", raw), "a byte that is not printable ASCII"
    head, _, body = raw.partition(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        assert len(line) <= 78 and line.strip(), line
        # RFC 2047 section 2; a header that is folded has one on each line.
        assert all(len(word) <= 75 for word in WORD.findall(line)) and (b"=?" not in line or len(line) <= 76), line
    for line in body.split(b"\r\n"):
        assert len(line) <= 76 and not line.startswith(b".") and not line.endswith((b" ", b"\t")), line


def check_part(part, kind):
    assert part.get_content_type() == kind and part.get_content_charset() == "utf-8", part["Content-Type"]
    assert part["Content-Transfer-Encoding"] == "quoted-printable" and not part.defects
    coded = part.get_payload()
    assert not re.search(r"=(?![0-9A-F]{2}|\r?\n)", coded), "an = that begins no code"
    content = part.get_content()
    assert "\ufffd" not in content and content.encode(), kind
    return content.replace("\r\n", "\n")


def check(raw):
    check_lines(raw)
    message = email.message_from_bytes(raw, policy=email.policy.strict)
    for name, value in message.items():
        assert not value.defects, (name, value, value.defects)
    for name in ONCE:
        assert len(message.get_all(name, [])) == 1, name
    assert message["MIME-Version"] == "1.0" and message.get_content_type() == "multipart/alternative"
    assert re.fullmatch(r"<[\w.+-]+@[\w.-]+>", message["Message-ID"]), message["Message-ID"]
    assert message["Date"].datetime.tzinfo and email.utils.parsedate_to_datetime(str(message["Date"]))
    assert all(address.domain and address.username for name in ("From", "To") for address in message[name].addresses)
    text, html = (check_part(part, kind) for part, kind in zip(message.iter_parts(), ("text/plain", "text/html")))
    # Another reader of the same package, which decodes words by the older rules.
    old = email.message_from_bytes(raw, policy=email.policy.compat32)
    decoded = str(email.header.make_header(email.header.decode_header(re.sub(r"\r\n ", " ", old["Subject"]))))
    assert decoded == message["Subject"], (decoded, message["Subject"])
    assert not re.search(r"[\x00-\x1f\x7f]", message["Subject"]), message["Subject"]
    # The text begins with the subject.
    assert " ".join(text.split()).startswith(" ".join(message["Subject"].split())), (text, message["Subject"])
    return message["Subject"], html


for number, name in enumerate(sys.argv[2:]):
    with open(name, "rb") as file:
        raw = file.read()
    # The sink's own line.
    raw = re.sub(rb"\AX-Envelope: [^\n]*\n", b"", raw)
    try:
        subject, html = check(raw)
    except Exception:
        print(raw.decode("utf-8", "replace"), file=sys.stderr)
        raise
    with open(os.path.join(sys.argv[1], f"{number}.html"), "w", encoding="utf-8") as file:
        file.write(html)
    print(subject)
