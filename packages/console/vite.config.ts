import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/console/",
  plugins: [react(), tailwind()],
  build: {
    target: "es2023",
    modulePreload: { polyfill: false }, // an inline script, which the content security policy forbids
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    license: { fileName: "licences.txt" }, // of what is bundled: most ask for their text
  },
  server: { proxy: { "/api": "http://localhost:8080" } },
});
