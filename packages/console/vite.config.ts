import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * Most of a file runs as soon as it is there. Browsers that know this comment, which must come first,
 * compile all of it at once and beside the page's own thread, not function by function in between.
 */
function compileHint(): Plugin {
  return {
    name: "compile-hint",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, files) {
        for (const file of Object.values(files))
          if (file.type === "chunk") file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
}

export default defineConfig({
  base: "/console/",
  plugins: [react(), tailwind(), compileHint()],
  build: {
    target: "es2023",
    modulePreload: { polyfill: false }, // an inline script, which the content security policy forbids
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // One file for what every page needs: each file is asked for and compiled by itself.
        codeSplitting: { groups: [{ name: "main", tags: ["$initial"] }] },
      },
    },
    license: { fileName: "licences.txt" }, // of what is bundled: most ask for their text
  },
  server: { proxy: { "/api": "http://localhost:8080" } },
});
