"""``scrapy pise [FOLDER]``: one local page over all crawls in a folder."""

from __future__ import annotations

import argparse
import os
import secrets
import socket
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.addon import agent_of
from fcacrawler.app.beginning import Desk
from fcacrawler.app.bulk import AUTHORIZATION, Engine
from fcacrawler.app.config import read_config
from fcacrawler.app.process import set_up
from fcacrawler.commands import OurCommand, plainly

TURN = 0.0002  # seconds until another thread may go on: a click does not wait for searches
WARM = 3.0  # seconds in which crawls are opened before anyone asks
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Command(OurCommand, ScrapyCommand):
    requires_crawler_process = False
    takes = "[options] [FOLDER]"
    does = "A local page: begin crawls, watch them, search, mark and open what they have fetched"
    more = (
        ". FOLDER holds a folder for each crawl (default jobs). Only this machine may ask, "
        "unless --host names another address of it; then a token is needed, which is printed."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--port", type=int, default=8087, metavar="N", help="default %(default)s")
        parser.add_argument("--host", default=LOOPBACK[0], help="address to listen at (default %(default)s)")
        parser.add_argument(
            "--token", default="", help="whoever looks must know it (default: made where --host is given)"
        )
        parser.add_argument("--name", action="append", default=[], help="another name of this machine (with --host)")
        parser.add_argument(
            "--opensearch", default="", metavar="URL", help="pages are found by the index that scrapy export --to wrote"
        )
        parser.add_argument("--no-clicks", action="store_true", help="what is opened is not written down")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) > 1:
            raise UsageError("name one folder: scrapy pise [FOLDER]")
        if not 0 < opts.port < 65_536:
            raise UsageError(f"--port {opts.port}: must lie between 1 and 65535")
        folder = Path(args[0] if args else "jobs")
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is no folder")
        assert self.settings is not None
        desk = Desk(read_config(self.settings), agent_of(self.settings))
        found = desk.engines
        there = Engine.at(opts.opensearch, os.environ.get(AUTHORIZATION, "")).urls if opts.opensearch else None
        folder.mkdir(parents=True, exist_ok=True)
        import uvicorn  # only this command needs it

        from fcacrawler.pise.application import application
        from fcacrawler.pise.guard import Doors

        token = opts.token or ("" if opts.host in LOOPBACK else secrets.token_urlsafe(16))
        names = {*LOOPBACK[:2], "[::1]", opts.host, *opts.name}
        doors = Doors(frozenset(f"{name}:{opts.port}" for name in names), token)
        try:
            family = socket.AF_INET6 if ":" in opts.host else socket.AF_INET
            listening = socket.create_server((opts.host, opts.port), family=family)
        except OSError as error:
            print(f"{opts.host}:{opts.port}: {error.strerror}: take another --port or --host", file=sys.stderr)
            self.exitcode = 1
            return
        set_up()
        sys.setswitchinterval(TURN)
        app = application(folder.resolve(), doors, not opts.no_clicks, desk, there)
        app.state.harvest.warm(monotonic() + WARM)
        shown = "127.0.0.1" if opts.host in LOOPBACK else opts.host
        if found:
            print(f"engines: {', '.join(engine.name for engine in found)}", file=sys.stderr)
        print(f"http://{shown}:{opts.port}/{f'?token={token}' if token else ''}   (Ctrl-C ends it, crawls go on)")
        sys.stdout.flush()
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", server_header=False, access_log=False))
        with suppress(KeyboardInterrupt):  # uvicorn has ended, and says so again
            server.run(sockets=[listening])
