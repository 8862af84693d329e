import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "release/",
      ".tsbuild/",
      "node_modules/",
      "artefacts/",
      "test-results/",
      "scripts/**",
      "*.js",
      "*.cjs",
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "no-warning-comments": ["error", { terms: ["todo", "fixme", "xxx"] }],
      "no-restricted-syntax": ["error", { selector: "ExportDefaultDeclaration", message: "Name what you export." }],
    },
  },
  {
    files: ["electron/**/*.ts"],
    ignores: ["electron/ipc/electron.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [
            { name: "electron", importNames: ["ipcMain"], message: "Only electron/ipc/electron.ts touches ipcMain." },
          ],
        },
      ],
    },
  },
  {
    files: ["renderer/**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks },
    rules: { "react-hooks/rules-of-hooks": "error", "react-hooks/exhaustive-deps": "error" },
  },
  { files: ["*.config.ts", "renderer/vite-env.d.ts"], rules: { "no-restricted-syntax": "off" } },
);
