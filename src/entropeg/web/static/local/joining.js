// Runs modules that `entropeg site` has joined into scripts, and brings further scripts: browsers load those from a
// disk too.

globalThis.entropeg = (() => {
  const [makers, made, given, coming] = [new Map(), new Map(), new Map(), new Map()];

  /** What a module exports: it is made when it is first asked for. */
  function need(name) {
    if (!made.has(name)) made.set(name, makers.get(name)(need));
    return made.get(name);
  }

  /** Resolves once an element has loaded what it names; what did not come is asked for again the next time. */
  function brought(name, element) {
    if (!coming.has(name)) {
      coming.set(name, new Promise((yes, no) => {
        element.onload = () => yes(null);
        element.onerror = () => {
          coming.delete(name);
          element.remove();
          no(new Error(name));
        };
        document.head.append(element);
      }));
    }
    return coming.get(name);
  }

  const script = (name) => brought(name, Object.assign(document.createElement("script"), { src: name }));
  const style = (name) => brought(name, Object.assign(document.createElement("link"),
    { rel: "stylesheet", href: name }));
  return {
    need,
    define: (name, make) => makers.set(name, make),
    give: (name, value) => given.set(name, value),
    /** What a module exports, where its script has come or comes now. */
    async load(name) {
      if (!makers.has(name)) await Promise.all([script("later.js"), style("later.css")]);
      return need(name);
    },
    /** What a script of `local/` gives. */
    async data(name) {
      if (!given.has(name)) await script(`local/${name}.js`);
      return given.get(name);
    },
  };
})();
