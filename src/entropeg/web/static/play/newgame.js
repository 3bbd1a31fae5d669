// Begins a game: rules, who hides the code, a number to play the same secret as others, or a secret of one's own.

import { html, useState } from "../vendor/ui.js";
import { isAlone, post } from "../api.js";
import { newGame, linked } from "../games.js";
import { toLink } from "../link.js";
import { useAsk } from "../parts/ask.js";
import { Button } from "../parts/button.js";
import { Check, Field, Refusal } from "../parts/field.js";
import { Player } from "../parts/player.js";
import { RulesForm } from "../parts/rulesform.js";
import { ShareBox } from "../parts/sharebox.js";
import { addressOf, fragmentText } from "../sharing.js";
import { t } from "../texts.js";

const FIELDS = new Set(["rules", "number", "secret", "codemaker"]);

const fragmentOf = (game) => `#/play/g/${toLink(game)}`;

/** The address of a game that a link holds. */
export const addressOfLink = (game) => addressOf(fragmentOf(game));

/** `onStart(game)` begins a game; `about` lists what there is. */
export function NewGame({ about, settings, change, onStart }) {
  const [rules, setRules] = useState(settings.rules);
  const [maker, setMaker] = useState("honest");
  const [number, setNumber] = useState("");
  const [secret, setSecret] = useState("");
  const [word, setWord] = useState("");
  const [sealedLink, setSealedLink] = useState(null);
  const [state, ask] = useAsk();
  const isPerson = maker === "person";
  const wrong = (field) => (state.error?.field === field ? state.error.message : null);
  const notNumber = /^\s*\d{0,15}\s*$/.test(number) ? null : t("A number is a whole number from 1, such as 123.");
  const start = async (event) => {
    event.preventDefault();
    if (state.busy || (!isPerson && notNumber)) return;
    setSealedLink(null);
    const wanted = isPerson ? { rules, secret, ...(isAlone && { word }) } : { rules, codemaker: maker,
      ...(number.trim() !== "" && { number: Number(number) }) };
    const made = await ask((options) => post("games", wanted, options), { fresh: true });
    if (!made) return;
    const game = newGame({ ...made, strict: settings.strict });
    change({ rules });
    if (!isPerson) return onStart(game);
    setSecret("");
    setWord("");
    return setSealedLink(game);
  };
  return html`<form class="stack new-game" onSubmit=${start} novalidate>
    <${RulesForm} value=${rules} wrong=${wrong("rules")} about=${about} onRules=${(found) => setRules(found.text)}
      onText=${setRules} />
    <${Player} label=${t("Who hides the code")} value=${maker} players=${about?.codemakers ?? []}
      wrong=${wrong("codemaker")}
      other=${["person", t("A person: type a secret for someone else")]} onChange=${setMaker} />
    ${isPerson
    ? html`<${SecretField} secret=${secret} onSecret=${setSecret} wrong=${wrong("secret")} />
      ${isAlone && html`<${Field} label=${t("A word that you both know")}
        hint=${t("Tell it in another way than by the link. Empty: the secret is only scrambled.")}>
        <input value=${word} autocomplete="off" autocapitalize="off" spellcheck="false"
          onInput=${(event) => setWord(event.currentTarget.value)} /></${Field}>`}`
    : html`<${Field} label=${t("Number of the secret")}
      hint=${t("Empty: one is drawn. The same number and rules hide the same code everywhere.")}
      wrong=${notNumber ?? wrong("number")}>
      <input inputmode="numeric" value=${number} autocomplete="off"
        onInput=${(event) => setNumber(event.currentTarget.value)} /></${Field}>`}
    <${Check} label=${t("Strict: only codes that may still be the secret")} checked=${settings.strict}
      onChange=${(strict) => change({ strict })} />
    ${state.error && !FIELDS.has(state.error.field) && html`<${Refusal} error=${state.error} />`}
    <div class="row"><${Button} type="submit" class="main" isOff=${state.busy}>
      ${isPerson ? t("Seal it and make a link") : t("Start")}</${Button}></div>
    ${sealedLink && html`<${Sealed} game=${sealedLink} onStart=${onStart} />`}
  </form>`;
}

/** The link of a game whose secret was typed, and how well that is hidden in it. */
function Sealed({ game, onStart }) {
  const own = linked(game, []);
  return html`<div class="note good stack">
    <p>${game.token.startsWith("w.") ? t("The secret is sealed by the word: whoever has the link needs it too.")
      : isAlone ? t("The secret is scrambled in the link, not sealed: nobody reads it by chance, and who wants to can.")
    : t("The secret is sealed: not even you can read it from the link. It opens on this installation.")}</p>
    <${ShareBox} label=${t("Link to the game")} text=${addressOfLink(own)}
      instead=${fragmentText(game.rules, fragmentOf(own), isAlone)} />
    <div class="row"><button type="button" onClick=${() => onStart(game)}>${t("Play it here")}</button></div></div>`;
}

function SecretField({ secret, onSecret, wrong }) {
  const [isSeen, setSeen] = useState(false);
  return html`<div class="stack">
    <${Field} label=${t("The secret")} hint=${t("As in a guess, such as AABB; hidden while it is typed.")}
      wrong=${wrong}>
      <input type=${isSeen ? "text" : "password"} class="mono" value=${secret} autocomplete="off" autocapitalize="off"
        spellcheck="false" onInput=${(event) => onSecret(event.currentTarget.value)} /></${Field}>
    <${Check} label=${t("Show what I type")} checked=${isSeen} onChange=${setSeen} /></div>`;
}
