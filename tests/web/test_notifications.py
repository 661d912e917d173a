"""The call to a match for who looks elsewhere: told by the system, and touching it leads there."""

import re

from playwright.sync_api import Worker, expect

from .conftest import Visits
from .page import Player
from .stage import ANNA, TABLE, Stage, called, queue
from .test_offline import await_worker

ELSEWHERE = """
Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
"""
"""Somebody looks at another tab."""

SHOWN = """async () => {
    const worker = await navigator.serviceWorker.ready;
    const found = await worker.getNotifications();
    return found.map(({ title, tag, data }) => [title, tag, data]);
}"""
NUMBER = f"async (number) => (await ({SHOWN})()).length === number"
TOUCH = """async () => {
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent("notificationclick", { notification });
    await new Promise((done, failed) => {
        // Only the browser itself may make an event wait.
        event.waitUntil = (work) => work.then(done, failed);
        self.dispatchEvent(event);
    });
}"""
NO_FOCUS = """() => {
    self.focused = [];
    WindowClient.prototype.focus = async function () { self.focused.push(this.url); return this; };
}"""
NO_TAB = """() => {
    self.opened = [];
    clients.matchAll = async () => [];
    clients.openWindow = async (path) => { self.opened.push(path); return null; };
}"""


def waiting_elsewhere(alone: Visits) -> tuple[Player, Stage]:
    """Somebody in the queue who has allowed notifications and looks at something else."""
    player = alone.new()
    player.context.grant_permissions(["notifications"])
    player.context.add_init_script(ELSEWHERE)
    stage = Stage(player.context, ANNA, {})
    stage.on["queue.watch"] = [queue(7, ahead=6)]
    player.open()
    expect(player.by("cup-waiting")).to_be_visible()
    return player, stage


def worker_of(player: Player) -> Worker:
    """The page's service worker, once it is at work."""
    await_worker(player)
    known = player.context.service_workers
    return known[0] if known else player.context.wait_for_event("serviceworker")


def test_touching_it_leads_to_the_table(alone: Visits) -> None:
    player, stage = waiting_elsewhere(alone)
    worker = worker_of(player)
    stage.tell(called())
    player.await_promise(NUMBER, 1)
    [[title, tag, path]] = player.page.evaluate(SHOWN)
    assert title == "Sua partida vai começar!"
    assert tag.endswith("/W1-1")
    assert path == f"/t/{TABLE}"
    worker.evaluate(NO_FOCUS)
    worker.evaluate(TOUCH)
    expect(player.page).to_have_url(re.compile(f"/t/{TABLE}$"))
    expect(player.by("call")).to_have_count(0)
    assert len(worker.evaluate("self.focused")) == 1
    player.await_promise(NUMBER, 0)


def test_two_tabs_ask_for_one_and_the_answer_takes_it_away(alone: Visits) -> None:
    player, stage = waiting_elsewhere(alone)
    worker = worker_of(player)
    other = player.beside(player.page.url)
    expect(other.by("cup-waiting")).to_be_visible()
    stage.tell(called())
    for tab in (player, other):
        expect(tab.by("call")).to_be_visible()
    player.await_promise(NUMBER, 1)
    other.by("call-quiet").press("Enter")
    player.await_promise(NUMBER, 0)
    expect(player.by("call-strip")).to_be_visible()
    worker.evaluate(NO_TAB)
    worker.evaluate(f"registration.showNotification('late', {{ data: '/t/{TABLE}' }})")
    worker.evaluate(TOUCH)
    assert worker.evaluate("self.opened") == [f"/t/{TABLE}"]


NO_WORKER = """
delete Navigator.prototype.serviceWorker;
window.notes = [];
window.Notification = class {
    static permission = "granted";
    constructor(title, options) { window.notes.push(Object.assign(this, options, { title })); }
    close() { this.closed = true; }
};
"""


def test_without_a_worker_the_page_tells_it_itself(alone: Visits) -> None:
    player = alone.new()
    player.context.add_init_script(ELSEWHERE + NO_WORKER)
    stage = Stage(player.context, ANNA, {})
    stage.on["queue.watch"] = [queue(7, ahead=6)]
    player.open()
    expect(player.by("cup-waiting")).to_be_visible()
    stage.tell(called())
    expect(player.by("call")).to_be_visible()
    player.page.wait_for_function("() => window.notes.length === 1")
    player.page.evaluate("window.notes[0].onclick()")
    expect(player.page).to_have_url(re.compile(f"/t/{TABLE}$"))
    player.page.wait_for_function("() => window.notes[0].closed")
