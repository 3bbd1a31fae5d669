// Starts the page: the rail, the screen that the fragment of the address names, language and tones.

import { Component, html, render, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/ui.js";
import { awaited, get, isAlone } from "./api.js";
import { onNotice, say } from "./announce.js";
import { useFollowed } from "./parts/ask.js";
import { useWishes, wishesOf } from "./parts/wishes.js";
import { Shell } from "./shell.js";
import { forget, subscribe, unkept } from "./store.js";
import { language, onLanguage, ready, t } from "./texts.js";
import { useWhen } from "./parts/when.js";

const LOADED = new Map();

const nameOf = (screen) => ({
  play: t("Play"), assist: t("Assist"), explore: t("Explore"), watch: t("Watch"), review: t("Review"),
    train: t("Train"), compare: t("Compare"), settings: t("Settings"),
})[screen];

const SIGNS = {
  play: "M5 12h.01M10 12h.01M15 12h.01M20 12h.01M4 7h16M4 17h16",
  assist: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.3 1 2.5h6c0-1.2.3-1.8 1-2.5A6 6 0 0 0 12 3z",
  explore: "M12 4v5M12 9L5 15M12 9l7 6M5 15v5M19 15v5M12 9v11",
  watch: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  review: "M4 19V5M4 19h16M7 15l4-5 3 3 5-7",
  train: "M12 3l9 5-9 5-9-5zM6 11v5c0 1 3 3 6 3s6-2 6-3v-5",
  compare: "M6 20V10M12 20V4M18 20v-7",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
};

const SCREENS = Object.keys(SIGNS);
const DEFAULTS = { theme: "system", codesLeft: true, unusedClue: false, notes: "off", strict: false, motion: "system",
  sound: "off", keys: "everywhere", rules: "4x6/limit=10" };

/** The fragment as {screen, rest, query}: `#/play/g/2.abc?x=1`. */
function addressOf(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  const [screen, ...rest] = path.split("/");
  return { screen: SCREENS.includes(screen) ? screen : "play", rest: rest.map(decoded),
    query: new URLSearchParams(query ?? ""), hash };
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

function useAddress() {
  const [hash, setHash] = useState(location.hash);
  // At once: a screen that is drawn may go on to another address before that is seen.
  useLayoutEffect(() => {
    const changed = () => setHash(location.hash);
    changed();
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return useMemo(() => addressOf(hash), [hash]);
}

function useSettings() {
  const [settings, change, set] = useWishes("settings", DEFAULTS);
  useEffect(() => subscribe((key) => {
    if (key === "settings" || key === "") set(wishesOf("settings", DEFAULTS));
  }), [set]);
  useEffect(() => {
    if (settings.theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = settings.theme;
    document.documentElement.dataset.motion = settings.motion;
  }, [settings.theme, settings.motion]);
  return [settings, change];
}

/** What says which game or board a screen opens first: all that is forgotten where one of them stops the screen. */
const OPENED = { play: ["play/current"], assist: ["assist-now"] };

/** Catches what a screen throws, so that the rail and the games kept stay in reach. */
class Guard extends Component {
  constructor(props) {
    super(props);
    this.state = { error: null };
  }

  static getDerivedStateFromError(error) { return { error }; }

  componentDidCatch(error) { console.error(error); }

  render({ children, screen }, { error }) {
    if (error === null) return children;
    const afresh = () => {
      OPENED[screen]?.forEach(forget);
      location.hash = `#/${screen === "play" ? "play/new" : screen}`;
      this.setState({ error: null });
    };
    return html`<div class="screen single"><div class="note bad">
      <p>${t("This screen came to a stop: {error}. What was kept in this browser is still there.",
        { error: String(error.message ?? error) })}</p>
      <p class="row"><button onClick=${() => this.setState({ error: null })}>${t("Try again")}</button>
        <button onClick=${afresh}>${t("Begin afresh")}</button></p>
    </div></div>`;
  }
}

/** `lacks` names the screens that this page does not have. */
function Rail({ screen, lacks }) {
  return html`<nav class="rail" aria-label=${t("Screens")}>
    <a class="rail-name" href="#/play" tabindex="-1" aria-hidden="true">
      <img src="icon.svg" width="32" height="32" alt="" />entropeg</a>
    <ul>${SCREENS.filter((name) => !lacks.includes(name))
      .map((name) => html`<li key=${name} class=${name === "settings" ? "rest" : ""}>
      <a class="to" href=${`#/${name}`} aria-current=${name === screen ? "page" : undefined}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${SIGNS[name]} /></svg>${nameOf(name)}</a></li>`)}</ul>
  </nav>`;
}

function Screen({ address }) {
  const [, redraw] = useState(0);
  const { screen } = address;
  const found = LOADED.get(screen);
  const [error, setError] = useState(null);
  useWhen(() => {
    setError(null);
    // Asked of what was drawn: meanwhile the screen may have been loaded ahead, which draws nothing.
    if (!found) load(screen).then(() => redraw((count) => count + 1), setError);
    document.title = `${nameOf(screen)} · entropeg`;
  }, [screen, language()]);
  if (error !== null) {
    return html`<div class="screen single">
      <p class="note bad">${t("This screen cannot be loaded: the laboratory does not answer.")}</p></div>`;
  }
  return found ? html`<${found} key=${screen} address=${address} />`
    : html`<div class="screen single" aria-busy="true"></div>`;
}

async function load(screen) {
  LOADED.set(screen, (await import(`./screens/${screen}.js`)).default);
}

/** Tells once that something lives in this tab alone, and why. */
function useUnkept(notify) {
  const told = useRef(null);
  useWhen(() => {
    const look = () => {
      const reason = unkept();
      if (reason === told.current) return;
      told.current = reason;
      if (reason === "full")
        notify(t("The browser's storage is full: what you do now lives as long as this tab. Settings show what is kept."), "warn");
      if (reason === "later")
        notify(t("A later version of the page has been used in this browser: what you do now lives as long as this tab. Reload the page."), "warn");
    };
    look();
    return subscribe(look);
  }, []);
}

/**
 * What the laboratory is busy with before it answers fast, and what dismisses it.
 * @returns {[any[], () => void]}
 */
function useKernels(about) {
  const [isRead, setRead] = useState(false);
  const text = ["loading", "compiling", "failed"].includes(about?.kernels.state) ? about.kernels.says : null;
  return [isRead || !text ? [] : [{ id: "kernels", tone: "info", text }], () => setRead(true)];
}

function Notices({ notices, dismiss }) {
  if (notices.length === 0) return null;
  return html`<aside class="notices" aria-label=${t("Notices")}>
    ${notices.map((notice) => html`<div key=${notice.id} class=${`note ${notice.tone}`}>
    <span>${notice.text}</span>
      <button class="tiny" aria-label=${t("Dismiss")} onClick=${() => dismiss(notice.id)}>×</button></div>`)}</aside>`;
}

function App() {
  const address = useAddress();
  const [settings, change] = useSettings();
  const isWarming = (told) => ["loading", "compiling"].includes(told.kernels.state);
  const { data: about } = useFollowed((options) => get("about", {}, options),
    (error, told) => (error ? 5000 : isWarming(told) && 3000), [language()]);
  const [notices, setNotices] = useState([]);
  const shown = useRef(null);
  const [, setLanguageNow] = useState(language());
  useEffect(() => onLanguage((now) => setLanguageNow(now)), []);
  const dismiss = (id) => setNotices((now) => now.filter((notice) => notice.id !== id));
  const notify = (text, tone = "info") => {
    const id = `${Date.now()} ${Math.random()}`;
    setNotices((now) => [...now.filter((notice) => notice.text !== text), { id, text, tone }].slice(-3));
    say(text);
    if (tone !== "bad") setTimeout(() => dismiss(id), 8000);
  };
  useUnkept(notify);
  useWhen(() => onNotice((sentence) => notify(sentence, "warn")), []);
  const [busy, readBusy] = useKernels(about); // of no concern to whoever plays
  const go = (hash) => { location.hash = hash; };
  useEffect(() => {
    // Another screen begins at its top, for eyes and for ears.
    if (shown.current !== null && shown.current !== address.screen) {
      document.getElementById("main").focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    shown.current = address.screen;
  }, [address.screen]);
  const shell = { about, settings, change, notify, address, go };
  return html`<${Shell.Provider} value=${shell}>
    <${Rail} screen=${address.screen} lacks=${about?.lacks ?? []} />
    <main id="main" tabindex="-1"><${Guard} key=${address.screen} screen=${address.screen}>
      <${Screen} address=${address} /></${Guard}></main>
    <${Notices} notices=${[...(address.screen === "play" ? [] : busy), ...notices]}
      dismiss=${(id) => (id === "kernels" ? readBusy() : dismiss(id))} />
  </${Shell.Provider}>`;
}

async function start() {
  await Promise.all([ready, load(addressOf(location.hash).screen).catch(() => {})]);
  const skip = document.getElementById("skip");
  const worded = () => { skip.textContent = t("Skip to the board"); };
  worded();
  onLanguage(worded);
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  render(html`<${App} />`, document.getElementById("app"));
  // The other screens come a second after the first, so that they work when the server is gone, and do not hold it up.
  await new Promise((done) => setTimeout(done, 1000));
  await Promise.all(SCREENS.filter((name) => !LOADED.has(name)).map((name) => load(name).catch(() => {})));
}

awaited(start());
// Once it was loaded, the page without a server needs no network either, and goes onto a phone's home screen: not from
// a disk.
if (isAlone && location.protocol !== "file:") {
  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: "site.webmanifest" }));
  navigator.serviceWorker?.register("service-worker.js").catch(() => {});
}
