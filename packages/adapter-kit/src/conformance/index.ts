/**
 * Entry point of the conformance suite: `suite` returns checks for any runner, `inFolder` loads the
 * fixtures of a folder.
 */
export { type AdapterCheck, NotHeld } from "./Check.ts"
export { draft, factsOf, type FixtureFacts } from "./Facts.ts"
export { factsFile, type Fixture, inFolder, optionsFile } from "./Fixture.ts"
export { laws } from "./Laws.ts"
export { type Mutant, mutants } from "./Mutants.ts"
export { noticedBy, soundLaws, suite } from "./Suite.ts"
