import { defineConfig } from "@playwright/test";

/** Tests of the real window. One at a time: they share the display and the two cores of a small machine. */
export default defineConfig({
  testDir: "test/e2e",
  outputDir: "test-results",
  workers: 1,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  retries: 0,
  reporter: [["list"]],
});
