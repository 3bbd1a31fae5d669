// What ESLint asks of the page's modules. Which names there are is TypeScript's to say: scripts/page-types.

import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";

/** A sentence stays in one line, so that it is found where it is looked for; so does a path of a picture. */
const WHOLE = /["`][^"`]{80,}["`]/.source;

export default [
  { ignores: ["**/vendor/**"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    plugins: { "react-hooks": hooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "no-undef": "off",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "max-len": ["error", { code: 120, ignorePattern: WHOLE }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      eqeqeq: "error",
      "no-else-return": "error",
      "no-param-reassign": "error",
      "no-throw-literal": "error",
      "no-unneeded-ternary": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    // A script and no module: its one name is everyone's.
    files: ["**/local/joining.js"],
    languageOptions: { sourceType: "script" },
    rules: { "no-var": "off", "no-unused-vars": "off" },
  },
];
