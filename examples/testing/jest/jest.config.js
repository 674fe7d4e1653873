/** TypeScript without another compiler: Node takes the types out. */
export default {
  rootDir: "..",
  testMatch: ["<rootDir>/jest/*.spec.ts"],
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/jest/strip-types.js" },
  // packages of this repository are their sources
  transformIgnorePatterns: [],
  // a test takes a second; a busy machine may take longer
  testTimeout: 120_000
}
