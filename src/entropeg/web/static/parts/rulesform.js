// Chooses rules: presets first, then every option with what it does, then the text that says them all.

import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { isAlone, rulesOf } from "../api.js";
import { hasNames } from "../codes.js";
import { t } from "../texts.js";
import { useAsk, useRested } from "./ask.js";
import { Check, Field } from "./field.js";
import { isByPeg } from "./marks.js";
import { OwnTable } from "./owntable.js";
import { useWhen } from "./when.js";

const FREE = { pegs: 4, colors: 6, repeats: true, guessRepeats: true, blanks: "none", feedback: "standard", hard: false,
  shapes: 5, limit: "10", alphabet: "" };

/** A kind of answers as the laboratory tells of it. */
const kindOf = (name, about) => about?.feedback.find((kind) => kind.name === name)
  ?? { name, option: name === FREE.feedback ? "" : name, board: {} };

/** The options that go with a kind of answers. */
const answeredBy = (kind, before) => ({ feedback: kind.name, ...(before.board.colors ? { colors: FREE.colors } : {}),
  ...kind.board });

/** The text of rules from the options of the form. */
function textOf(free, about) {
  const kind = kindOf(free.feedback, about);
  const options = [];
  if (!free.repeats) options.push("no-repeats");
  if (!free.repeats && free.guessRepeats) options.push("guess-repeats");
  if (free.blanks === "guesses") options.push("blanks");
  if (free.blanks === "both") options.push("blanks-in-secrets");
  if (kind.option) options.push(kind.option.replace("{shapes}", free.shapes));
  if (free.hard && isByPeg(kind)) options.push("hard");
  if (free.alphabet && !kind.board.shapes) options.push(free.alphabet);
  if (free.limit) options.push(`limit=${free.limit}`);
  return [`${free.pegs}x${free.colors}`, ...options].join("/");
}

/** The options of the form from the facts of rules. */
function freeOf(rules) {
  const alphabet = ["digits", "numbers", "names", "course", "letters"].find((name) => rules.text.split("/")
    .includes(name)) ?? "";
  return {
    ...FREE, pegs: rules.pegs, colors: rules.colors, repeats: rules.repeats, guessRepeats: rules.guess_repeats,
      blanks: rules.blanks,
    feedback: rules.feedback, hard: rules.hard, shapes: rules.shapes || 5, limit: rules.limit ? String(rules.limit)
    : "", alphabet,
  };
}

const isHard = (text) => text.split("/").includes("hard");

/** The same rules as text, hard or not. */
const hardened = (text, hard) => [...text.split("/").filter((option) => option !== "hard"),
  ...(hard ? ["hard"] : [])].join("/");

/** What is wrong with a number of the options, or null. */
const numberWrong = (value) => (/^[1-9]\d{0,3}$/.test(String(value).trim()) ? null
  : t("A whole number from 1 is needed here."));

/**
 * The rules that a form is at: {text, free, facts, lacking, refused, write(text), set(options)}. See `RulesForm`;
 * `facts` are those of the text as {data, error}, `lacking` what is wrong with the numbers of the options, `refused`
 * why the text is no rules.
 */
function useRulesText({ value, onRules, onText, about, wrong }) {
  const [text, setText] = useState(value);
  const [free, setFree] = useState(FREE);
  const [facts, ask] = useAsk();
  const rested = useRested(text, 200);
  const told = useRef(value);
  const latest = useRef(text);
  latest.current = text;
  useEffect(() => {
    // What was told just now comes back as the value: the text stays as it was written.
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  const lacking = {
    pegs: numberWrong(free.pegs), colors: numberWrong(free.colors), limit: free.limit === "" ? null
      : numberWrong(free.limit),
  };
  const isLacking = text === textOf(free, about) && Object.values(lacking).some((one) => one !== null);
  useWhen(() => {
    // it is said at the option; what was typed since is asked of when it rests
    if (isLacking || rested !== latest.current) return;
    ask(() => rulesOf(rested)).then((rules) => {
      if (!rules || rested !== latest.current) return;
      if (!rules.words && !hasNames(rules)) setFree(freeOf(rules));
      if (rules.text !== told.current) {
        told.current = rules.text;
        onRules(rules);
      }
    });
  }, [rested]);
  const write = (now) => {
    told.current = onText ? now : told.current;
    latest.current = now;
    setText(now);
    onText?.(now);
  };
  const set = (part) => {
    const now = { ...free, ...part };
    setFree(now);
    write(textOf(now, about));
  };
  const refused = isLacking ? null : facts.error?.message ?? wrong;
  return { text, free, facts, isLacking, lacking: isLacking ? lacking : {}, refused, write, set };
}

/**
 * `value` is the text of the rules now; `onRules(rules)` is called with the facts of others once they are good. What is
 * wrong stands at the field while it is typed, in the words of the command line. `onText(text)` hears every change at
 * once, so that a form that is sent early asks for what stands there. `wrong` is what was said against the rules when
 * the form was sent.
 */
export function RulesForm({ value, onRules, onText = null, about, wrong = null }) {
  const form = useRulesText({ value, onRules, onText, about, wrong });
  const { text, facts, refused } = form;
  const [isFreely, setFreely] = useState(false);
  const options = useRef(null);
  const write = (now) => {
    setFreely(false);
    form.write(now);
  };
  const choose = (chosen) => {
    if (chosen !== "free") return write(chosen);
    // Other rules are those of the options.
    setFreely(true);
    options.current.open = true;
    return options.current.querySelector("input")?.focus();
  };
  const lists = (about?.word_lists ?? [])
    .map((list) => ({ name: list.name, text: list.rules, says: t("Words: {list}", { list: list.says ?? list.name }) }));
  const presets = [...(about?.presets ?? []), ...lists];
  const isPreset = !isFreely && (text === "4x6/limit=10" || text === "4x6"
    || presets.some((preset) => preset.text === text));
  useEffect(() => { if (refused) options.current.open = true; }, [refused]); // it stands at the text of the rules
  return html`<div class="stack">
    <${Field} label=${t("Board")}>
      <select value=${isPreset ? text : "free"} onChange=${(event) => choose(event.currentTarget.value)}>
      <option value="4x6/limit=10">${t("4 pegs, 6 colors, 10 guesses")}</option>
      <option value="4x6">${t("4 pegs, 6 colors, any number of guesses")}</option>
      ${presets.map((preset) => html`<option key=${preset.text} value=${preset.text}>
        ${preset.says ?? preset.name}</option>`)}
      <option value="free">${t("Other rules")}</option></select></${Field}>
    <details ref=${options}><summary>${t("Every option")}</summary>
      <div class="stack">
        <${Options} ...${form} about=${about} onSet=${(part) => { setFreely(false); form.set(part); }} />
      <${Field} label=${t("Rules as text")}
        hint=${t("As at the command line: 4x6/limit=10, bulls-and-cows, words:english")} wrong=${refused}>
        <input class="mono" value=${text} spellcheck="false" autocapitalize="off" autocomplete="off"
          onInput=${(event) => write(event.currentTarget.value)} /></${Field}>
      </div></details>
    ${!isAlone && html`<${OwnTable} onRules=${write} />`}
    ${facts.data && isByPeg(facts.data)
      && html`<${Check} label=${t("Hard: each guess uses every clue")} checked=${isHard(text)}
        onChange=${(hard) => write(hardened(text, hard))} />`}
    ${facts.data && !facts.error && !form.isLacking && html`<p class="small muted">${facts.data.says}</p>`}</div>`;
}

/** Every option of rules, one by one. */
function Options({ free, lacking, about, onSet }) {
  const limits = about?.limits;
  return html`<div class="row">
      <${Field} label=${t("Pegs")} wrong=${lacking.pegs ?? null}>
        <input type="number" min="1" max=${limits?.pegs} value=${free.pegs}
          onInput=${(event) => onSet({ pegs: event.currentTarget.value })} /></${Field}>
      <${Field} label=${t("Colors")} wrong=${lacking.colors ?? null}>
        <input type="number" min="1" max=${limits?.colors} value=${free.colors}
          onInput=${(event) => onSet({ colors: event.currentTarget.value })} /></${Field}>
      <${Field} label=${t("Guesses allowed")} wrong=${lacking.limit ?? null} hint=${t("Empty: no limit")}>
        <input type="number" min="1" value=${free.limit}
          onInput=${(event) => onSet({ limit: event.currentTarget.value })} /></${Field}>
    </div>
    <${Check} label=${t("A color may come twice in the secret")} checked=${free.repeats}
      onChange=${(repeats) => onSet({ repeats })} />
    ${!free.repeats && html`<${Check} label=${t("Guesses may repeat colors all the same")} checked=${free.guessRepeats}
      onChange=${(guessRepeats) => onSet({ guessRepeats })} />`}
    <${Field} label=${t("Holes left empty")}>
      <select value=${free.blanks} onChange=${(event) => onSet({ blanks: event.currentTarget.value })}>
      <option value="none">${t("not allowed")}</option><option value="guesses">${t("in guesses")}</option>
        <option value="both">${t("in guesses and secrets")}</option></select></${Field}>
    <${Field} label=${t("Answers")}>
      <select value=${free.feedback}
        onChange=${(event) => onSet(answeredBy(kindOf(event.currentTarget.value, about),
          kindOf(free.feedback, about)))}>
      ${(about?.feedback ?? []).map(({ name, says }) => html`<option key=${name} value=${name}>${says}</option>`)}
        </select></${Field}>
    <${Field} label=${t("Written as")}>
      <select value=${free.alphabet} onChange=${(event) => onSet({ alphabet: event.currentTarget.value })}>
      <option value="">${t("letters, or numbers past 26 colors")}</option>
        <option value="letters">${t("letters")}</option><option value="digits">${t("digits")}</option>
          <option value="numbers">${t("numbers")}</option>
      <option value="names">${t("names of colors")}</option>
        <option value="course">${t("letters of the French course")}</option></select></${Field}>`;
}
