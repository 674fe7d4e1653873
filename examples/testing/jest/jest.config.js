/** TypeScript without another compiler: Node takes the types out. */
export default {
  rootDir: "..",
  testMatch: ["<rootDir>/jest/*.spec.ts"],
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/jest/strip-types.js" },
  // packages of this repository are their sources
  transformIgnorePatterns: []
}
