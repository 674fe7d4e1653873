/**
 * One session from an export to its outcomes, and the only way to plan and to send: `open` the
 * account, `plan` what would be sent, `consent` to the plan, then `send`, or `accept` now and
 * `resume` later. The command, the page, the promise package, the simulator and users' own jobs all
 * call these functions.
 */
export { open } from "./Opening.ts"
export { ImportRefused, type ImportRefusal, type LateStop } from "./ImportRefused.ts"
export { type ImportOrder, openFor, plan, type PlannedImport } from "./Planning.ts"
export { type MissingCode, type MissingCodes, requireNone as requireMapped } from "./UsedMappings.ts"
export { type Consent, type Decisions, give as consent, type WhenLate } from "./Consent.ts"
export { accept, type Accepted, nameOf } from "./Acceptance.ts"
export { type Progress, report, type SendingReport, resume, send, type SendOptions, watched } from "./Sending.ts"
export { sendOne } from "./Single.ts"
export { documents, type ImportStage, summary } from "./Documents.ts"
export type { RunOptions, Settlement } from "../sending/Runner.ts"
