/** Synchronization of a live source, or of a job's own documents, with an account. */
export * as FiscalAccount from "./pull/FiscalAccount.ts"
export * as SourceRuns from "./pull/SourceRuns.ts"
export * as Sync from "./pull/Sync.ts"
export * as Walk from "./pull/Walk.ts"
