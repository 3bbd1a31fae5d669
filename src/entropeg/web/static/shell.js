// What all screens share: {about, settings, change, notify, address, go}.

import { createContext, useContext } from "./vendor/ui.js";

export const Shell = createContext(null);
export const useShell = () => useContext(Shell);
