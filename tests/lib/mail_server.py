"""A mail server for tests, with what real ones do: STARTTLS, login, refusals, waits, and lost connections.

usage: mail_server.py PORT FOLDER [CERTIFICATE KEY]

A message that is accepted becomes a file of FOLDER: its number. The local part of the recipient selects what the
server does: nobody (550), later (451), later-once, full (452), cut (the connection ends in DATA), cut-once,
slow (no reply to DATA). With CERTIFICATE the server offers STARTTLS, and takes mail only after it and a login as
status with the password right.
"""
import asyncio
import os
import signal
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

port, folder = int(sys.argv[1]), sys.argv[2]
seen = set()
connections = 0


def once(address):
    if address in seen:
        return False
    seen.add(address)
    return True


class Handler:
    count = 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        local = address.partition("@")[0]
        if local == "nobody":
            return "550 5.1.1 There is no such user"
        if local == "later" or (local == "later-once" and once(address)):
            return "451 4.7.1 Greylisted, try again later"
        if local == "full":
            return "452 4.2.2 The mailbox is full"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        local = envelope.rcpt_tos[0].partition("@")[0]
        if local == "slow":
            await asyncio.sleep(3600)
        if local == "cut" or (local == "cut-once" and once(envelope.rcpt_tos[0])):
            server.transport.abort()
            return "250 nobody reads this"
        Handler.count += 1
        name = os.path.join(folder, str(Handler.count))
        with open(name + ".part", "wb") as file:
            file.write(f"X-Envelope: {envelope.mail_from} {' '.join(envelope.rcpt_tos)} {connections}\r\n".encode())
            file.write(envelope.original_content)
        os.rename(name + ".part", name)
        return "250 2.0.0 Queued"


def login(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login, data.password) == (b"status", b"right"), handled=False)


def make():
    global connections
    connections += 1
    if len(sys.argv) <= 3:
        return SMTP(Handler(), hostname="mail.test")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    return SMTP(Handler(), hostname="mail.test", tls_context=context, require_starttls=True, auth_required=True,
                authenticator=login)


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(make, "127.0.0.1", port)
    stop = loop.create_future()
    loop.add_signal_handler(signal.SIGTERM, stop.set_result, None)
    async with server:
        await stop


asyncio.run(main())
