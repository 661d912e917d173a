"""Settings: at once, in mid-hand, and still there later; sounds, voice, screen kept on."""

from playwright.sync_api import Locator, expect

from .conftest import Visits
from .page import FITTING, Player
from .test_at_the_table import play_until
from .test_whole_match import play_a_turn

SWITCHES = ("dim", "confirm", "forced", "letters", "sounds", "voice", "motion", "colours")
NUMBERS = ("branco", "pio", "duque", "terno", "quadra", "quina", "sena")
CHOICES = {"set-tiles": "large", "set-theme": "dark", "set-lang": "es"}


def root(player: Player) -> Locator:
    """The element that carries the look."""
    return player.page.locator("html")


def open_settings(player: Player) -> None:
    """In mid-hand the settings are in the menu."""
    player.by("menu").click()


def width_of_tiles(player: Player) -> float:
    """In pixels."""
    box = player.page.locator(".hand-tile").first.bounding_box()
    assert box is not None
    return box["width"]


def test_all_settings_work_in_mid_hand_and_stay(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.play_bots()
    play_until(player, "play")
    before = width_of_tiles(player)
    open_settings(player)
    was = {name: player.by(f"set-{name}").is_checked() for name in SWITCHES}
    assert was == {name: name in {"dim", "letters", "sounds", "motion"} for name in SWITCHES}
    for name in SWITCHES:
        player.by(f"set-{name}").click()
    for group, value in CHOICES.items():
        player.by(f"{group}-{value}").click()
    player.by("sheet-close").click()
    for _ in range(2):
        for name, value in {"theme": "dark", "motion": "off", "pips": "coloured"}.items():
            expect(root(player)).to_have_attribute(f"data-{name}", value)
        expect(root(player)).to_have_attribute("lang", "es")
        assert width_of_tiles(player) > before
        open_settings(player)
        assert {name: player.by(f"set-{name}").is_checked() for name in SWITCHES} == {
            name: not on for name, on in was.items()
        }
        player.by("sheet-close").click()
        player.page.reload()
        expect(player.by("board")).to_be_visible()


def test_the_theme_follows_the_device_unless_it_is_chosen(visits: Visits) -> None:
    player = visits.new()
    player.open()
    for scheme in ("dark", "light"):
        player.page.emulate_media(color_scheme=scheme)
        expect(root(player)).to_have_attribute("data-theme", scheme)
    player.by("settings").click()
    player.by("set-theme-dark").check()
    expect(root(player)).to_have_attribute("data-theme", "dark")
    colour = player.page.locator('meta[name="theme-color"]').get_attribute("content")
    player.by("set-theme-light").check()
    expect(player.page.locator('meta[name="theme-color"]')).not_to_have_attribute(
        "content", colour or ""
    )


def play_unless_forced(player: Player, what: str) -> None:
    """Play if there is a choice; else wait for the page to do it."""
    turn = player.turn()
    if what == "play" and player.page.locator(FITTING).count() == 1:
        ends = player.by("prompt").locator("span").inner_text()
        numbers = player.page.locator(FITTING).get_attribute("data-testid") or ""
        if not fits_both(numbers, ends):
            player.await_next_turn(turn)
            return
    play_a_turn(player, what)


def fits_both(testid: str, ends: str) -> bool:
    """Whether a tile, as `tile-3|5`, fits both of two different ends, as the prompt names them."""
    halves = {NUMBERS[int(half)] for half in testid.removeprefix("tile-").split("|")}
    told = ends.partition(":")[2].strip()
    return len(halves) == 2 and halves == set(told.split(" e "))


def test_what_is_forced_is_done_by_itself_if_wanted(visits: Visits) -> None:
    player = visits.new()
    player.open()
    player.by("settings").click()
    player.by("set-forced").check()
    player.by("sheet-close").click()
    player.by("play-bots").click()
    while (what := player.await_something_to_do()) != "pass":
        if what == "match-end":
            player.by("next-match").click()
            expect(player.by("match-end")).to_have_count(0)
        elif what == "hand-end":
            player.await_next_hand()
        else:
            play_unless_forced(player, what)
    expect(player.page.locator(".table-page")).not_to_have_attribute("data-mine", "pass")


LISTEN_TO_NOTES = """
window.notes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...given) {
    window.notes += 1;
    return start.apply(this, given);
};
"""


FEEL_BUZZES = """
window.buzzes = [];
navigator.vibrate = (pattern) => { window.buzzes.push(pattern); return true; };
"""


def test_tiles_sound_unless_sounds_are_off(visits: Visits) -> None:
    player = visits.new()
    player.page.add_init_script(LISTEN_TO_NOTES + FEEL_BUZZES)
    player.play_bots()
    play_until(player, "play")
    play_a_turn(player, "play")
    player.page.wait_for_function("() => window.notes > 0")
    open_settings(player)
    player.by("set-sounds").uncheck()
    player.by("sheet-close").click()
    play_until(player, "play")
    player.page.wait_for_function("() => window.buzzes.includes(20)")
    before = player.page.evaluate("window.notes")
    play_a_turn(player, "play")
    assert player.page.evaluate("window.notes") == before


VOICES = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const synth = new EventTarget();
synth.voices = [];
synth.getVoices = () => synth.voices;
synth.cancel = () => {};
synth.speak = (words) => {
    if (words.text !== "") window.spoken.push([words.text, words.voice?.name]);
    setTimeout(() => words.onend?.());
};
window.tellVoices = (...voices) => {
    synth.voices = voices.map(([name, lang]) => ({ name, lang, localService: true }));
    synth.dispatchEvent(new Event("voiceschanged"));
};
Object.defineProperty(window, "speechSynthesis", { value: synth });
"""
"""A browser that can speak, but tells of its voices late."""


def test_calls_are_spoken_once_there_is_a_voice(visits: Visits) -> None:
    player = visits.new()
    player.page.add_init_script(VOICES)
    player.play_bots()
    play_until(player, "play")
    play_a_turn(player, "play")
    # At one's own turn nobody else has anything to say.
    play_until(player, "play")
    open_settings(player)
    expect(player.by("set-voice")).not_to_be_checked()
    player.by("set-voice").check()
    expect(player.by("no-voice")).to_be_visible()
    assert player.page.evaluate("window.spoken") == []
    player.page.evaluate("tellVoices(['Sam', 'en-US'], ['Joana', 'pt-PT'], ['Luciana', 'pt-BR'])")
    expect(player.by("no-voice")).to_be_hidden()
    names = player.by("set-voice-name").locator("option").all_inner_texts()
    assert names[1:] == ["Luciana", "Joana"]
    player.by("set-voice-name").select_option("Joana")
    assert player.page.evaluate("window.spoken.at(-1)") == ["Carroça de sena", "Joana"]
    player.by("sheet-close").click()
    player.page.evaluate("window.spoken = []")
    play_a_turn(player, "play")
    player.page.wait_for_function("() => window.spoken.length > 0")
    spoken = player.page.evaluate("window.spoken")
    said = player.by("talk").locator("li span").all_inner_texts()
    assert all(voice == "Joana" for _, voice in spoken)
    assert {words for words, _ in spoken} <= {words.strip() for words in said}


def test_a_browser_without_voices_keeps_its_bubbles(visits: Visits) -> None:
    player = visits.new()
    player.page.add_init_script(
        "delete window.speechSynthesis; delete Window.prototype.speechSynthesis"
    )
    player.play_bots()
    open_settings(player)
    player.by("set-voice").check()
    expect(player.by("no-voice")).to_be_visible()
    player.by("sheet-close").click()
    play_until(player, "play")
    play_a_turn(player, "play")
    expect(player.page.locator(".bubble").first).to_be_attached()


WAKE = """
window.locks = [];
window.seen = "visible";
Object.defineProperty(document, "visibilityState", { get: () => window.seen });
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
    const lock = { released: false, release: async () => { lock.released = true; } };
    window.locks.push(lock);
    return lock;
} } });
window.look = (seen) => {
    window.seen = seen;
    if (seen === "hidden") for (const lock of window.locks) lock.released = true;
    document.dispatchEvent(new Event("visibilitychange"));
};
"""
HELD = "() => window.locks.filter(({ released }) => !released).length"


def test_the_screen_stays_on_while_a_match_is_played(visits: Visits) -> None:
    player = visits.new()
    player.page.add_init_script(WAKE)
    player.open()
    assert player.page.evaluate(HELD) == 0
    player.by("play-bots").click()
    play_until(player, "play")
    player.page.wait_for_function(f"() => ({HELD})() === 1")
    player.page.evaluate("look('hidden')")
    assert player.page.evaluate(HELD) == 0
    player.page.evaluate("look('visible')")
    player.page.wait_for_function(f"() => ({HELD})() === 1")
    player.page.evaluate("history.back()")
    player.page.wait_for_function(f"() => ({HELD})() === 0")


SETTINGS = "**/api/account/settings"


def sign_in(player: Player, subject: str) -> None:
    """As somebody whom the development provider believes."""
    player.open("/conta")
    player.by("sign-in").click()
    player.page.locator('[name="subject"]').fill(subject)
    player.page.get_by_role("button", name="Sign in").click()
    expect(player.by("account-name")).to_be_visible()


def test_settings_go_with_the_account_from_device_to_device(visits: Visits) -> None:
    phone, desktop = visits.new((390, 844)), visits.new()
    phone.open()
    phone.by("settings").click()
    phone.by("set-theme-dark").check()
    phone.by("set-lang-en").click()
    with phone.page.expect_response(SETTINGS):
        sign_in(phone, "ana of the settings")
    sign_in(desktop, "ana of the settings")
    expect(root(desktop)).to_have_attribute("data-theme", "dark")
    expect(root(desktop)).to_have_attribute("lang", "en")
    desktop.open()
    expect(desktop.by("quick")).to_be_visible()
    desktop.context.set_offline(True)
    desktop.by("settings").click()
    desktop.by("set-tiles-large").check()
    expect(root(desktop)).to_have_attribute("data-tiles", "large")
    with desktop.page.expect_response(SETTINGS):
        desktop.context.set_offline(False)
    phone.page.reload()
    expect(root(phone)).to_have_attribute("data-tiles", "large")
