import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { startFirstPage } from "./app/router.tsx";
import { startLanguage } from "./i18n/language.ts";
import { applyTheme, readTheme } from "./lib/theme.ts";
import "./styles.css";

applyTheme(readTheme());
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root.");
startFirstPage();
await startLanguage();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
