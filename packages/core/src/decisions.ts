/** Decisions about documents that need an operator, one by one or all of one cause. */
export * as BulkDecision from "./session/BulkDecision.ts"
export * as Decision from "./submission/Decision.ts"
export * as OperatorRecord from "./submission/OperatorRecord.ts"
export * as Pin from "./submission/Pin.ts"
