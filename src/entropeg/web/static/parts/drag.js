// Drags pegs by mouse, pen or finger: from the palette or any row onto a hole of the row that is made.

import { useEffect, useRef } from "../vendor/ui.js";

const FAR = 6; // pixels after which a press has become a drag

/** The hole under a pointer, or null. */
const holeAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-place]") ?? null;

/** The click that follows a drag means nothing. */
function swallowClick() {
  const swallow = (click) => { click.stopPropagation(); click.preventDefault(); };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
}

/** What a press on a peg may become: {source, color, from, ...}; null where nothing can be dragged. */
function pressed(event) {
  const source = event.target.closest("[data-peg]");
  if (event.button !== 0 || !source || source.dataset.peg === "" || source.disabled) return null;
  const from = source.dataset.place === undefined ? null : Number(source.dataset.place);
  if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  return {
    source, color: Number(source.dataset.peg), from, x: event.clientX, y: event.clientY, pointer: event.pointerId,
    ghost: null, over: null,
  };
}

/** Shows the peg under the pointer, once that has gone far enough; whether there is a picture of it to show. */
function shown(drag) {
  const picture = drag.source.querySelector("svg.peg");
  if (!picture) return false;
  drag.ghost = picture.cloneNode(true);
  drag.ghost.classList.add("ghost");
  document.body.append(drag.ghost);
  document.body.classList.add("dragging");
  return true;
}

/** Shows where the peg is, and the hole that it would fall into. */
function follow(drag, event) {
  drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -60%)`;
  const over = holeAt(event);
  if (over === drag.over) return;
  drag.over?.classList.remove("over");
  over?.classList.add("over");
  drag.over = over;
}

/**
 * Hears drags inside an element. What can be dragged has `data-peg` (its color, empty for none); holes have
 * `data-place`. `onDrop(color, place, from)` is called with the hole's place and the place that the peg comes from, or
 * null.
 */
export function useDrag(box, onDrop) {
  const dropped = useRef(onDrop);
  dropped.current = onDrop;
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    let drag = null;
    const end = () => {
      drag?.ghost?.remove();
      drag?.over?.classList.remove("over");
      drag = null;
      document.body.classList.remove("dragging");
    };
    const down = (event) => { drag = pressed(event) ?? drag; };
    const move = (event) => {
      if (drag === null || event.pointerId !== drag.pointer) return undefined;
      const isNear = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR;
      if (drag.ghost === null && isNear) return undefined;
      if (drag.ghost === null && !shown(drag)) return end();
      event.preventDefault();
      return follow(drag, event);
    };
    const up = (event) => {
      if (drag === null || event.pointerId !== drag.pointer) return;
      const { ghost, over, color, from } = drag;
      end();
      if (ghost === null) return;
      swallowClick();
      if (over) dropped.current(color, Number(over.dataset.place), from);
    };
    element.addEventListener("pointerdown", down);
    addEventListener("pointermove", move, { passive: false });
    addEventListener("pointerup", up);
    addEventListener("pointercancel", end);
    return () => {
      end();
      element.removeEventListener("pointerdown", down);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", end);
    };
  }, [box]);
}
