/** Jest configuration for TypeScript without another compiler: Node strips the types. */
export default {
  rootDir: "..",
  testMatch: ["<rootDir>/jest/*.spec.ts"],
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/jest/strip-types.js" },
  // packages of this repository are used from their sources
  transformIgnorePatterns: [],
  // a test takes a second; a busy machine may need longer
  testTimeout: 120_000
}
