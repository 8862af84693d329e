/** Who may import whom. The same rules in words: ARCHITECTURE.md. */
const node = "^(node:|fs$|path$|os$|crypto$|child_process$|net$|stream$|util$|events$|url$|worker_threads$)";
const sharedLayers = [
  ["base", []],
  ["errors", ["base"]],
  ["fabric", ["base"]],
  ["parse", ["fabric", "base"]],
  ["build", ["parse", "fabric", "base", "errors"]],
  ["analyse", ["build", "fabric", "base", "parse/diagnostic"]],
  ["measure", ["analyse", "build", "parse", "fabric", "base", "errors"]],
  ["contract", ["measure", "analyse", "build", "parse", "fabric", "base", "errors"]],
];
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    ...sharedLayers.map(([layer, below]) => ({
      name: `shared-${layer}`,
      severity: "error",
      from: { path: `^shared/${layer}/` },
      to: { path: "^shared/", pathNot: `^shared/(${[layer, ...below].join("|")})(/|\\.ts$)` },
    })),
    {
      name: "shared-is-pure",
      comment: "shared/ knows no Node, no DOM, no Electron; zod only in contract/",
      severity: "error",
      from: { path: "^shared/" },
      to: { path: `^(electron/|renderer/|node_modules/)|${node}`, pathNot: "^node_modules/zod/" },
    },
    {
      name: "zod-only-in-contract",
      severity: "error",
      from: { path: "^shared/", pathNot: "^shared/contract/" },
      to: { path: "^node_modules/zod/" },
    },
    {
      name: "renderer-not-electron",
      severity: "error",
      from: { path: "^renderer/" },
      to: { path: `^electron/|^node_modules/(electron|ssh2|write-file-atomic|electron-log)/|${node}` },
    },
    {
      name: "electron-not-renderer",
      severity: "error",
      from: { path: "^electron/" },
      to: { path: "^renderer/|^node_modules/(react|react-dom|cytoscape|zustand)/" },
    },
    {
      name: "electron-module-only-at-the-rim",
      comment: "the `electron` package only in main, preload, window, menu, ipc/electron, store/secrets, log/sink",
      severity: "error",
      from: {
        path: "^electron/",
        pathNot: "^electron/(main|preload|window|menu|ipc/electron|store/secrets|log/sink)\\.ts$",
      },
      to: { path: "^node_modules/electron/|^electron$" },
    },
    {
      name: "cli-without-electron",
      severity: "error",
      from: { path: "^electron/cli\\.ts$" },
      to: { path: "^node_modules/electron/", reachable: true },
    },
    {
      name: "preload-thin",
      severity: "error",
      from: { path: "^electron/preload\\.ts$" },
      to: { pathNot: "^shared/contract/names\\.ts$|^node_modules/electron/|^electron$" },
    },
    {
      name: "use-cases-know-the-runner-interface-only",
      severity: "error",
      from: { path: "^electron/(collect|measure)/" },
      to: { path: "^electron/run/", pathNot: "^electron/run/(runner|access)\\.ts$" },
    },
    {
      name: "parts-know-no-views",
      severity: "error",
      from: { path: "^renderer/(parts|theme)/" },
      to: { path: "^renderer/(views|graph|state)/" },
    },
    {
      name: "graph-knows-no-views",
      severity: "error",
      from: { path: "^renderer/graph/" },
      to: { path: "^renderer/(views|state|api)" },
    },
    {
      name: "state-knows-no-views",
      severity: "error",
      from: { path: "^renderer/state/" },
      to: { path: "^renderer/(views|graph)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
