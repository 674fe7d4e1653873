/** What a connector tells while it works. Delivered in order, after it was written down; an exception in the listener stops nothing. */
import type { Concern } from "./FiscalConnector.ts"
import type { Key, Status } from "./Result.ts"

export type FiscalEvent =
  /** A document changed its state, by whatever was done in this process. `from` is null when it is new. */
  | {
      readonly type: "document"
      readonly account: string
      readonly key: Key
      readonly number: string
      readonly from: Status | null
      readonly status: Status
      readonly at: Date
    }
  /** The source states something else of a document than was sent, has cancelled it, or neither any more: then both are null. */
  | {
      readonly type: "source"
      readonly account: string
      readonly key: Key
      readonly number: string
      readonly status: Status
      readonly changed: string | null
      readonly cancelled: string | null
      readonly at: Date
    }
  /**
   * What needs an operator is other than it was told last, as `health()` has it: looked at after each run, submit and decision. `concerns` is empty where
   * nothing needs one any more.
   */
  | { readonly type: "attention"; readonly concerns: ReadonlyArray<Concern>; readonly at: Date }
  /** A lane was left with something in it: stopped, waiting for a person, or worked by another process. */
  | { readonly type: "lane"; readonly lane: string; readonly because: string }
