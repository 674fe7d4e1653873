/**
 * Events of a connector at work. Events are delivered in order, after the change is stored; an
 * exception in the listener has no effect.
 */
import type { Concern } from "./FiscalConnector.ts"
import type { Key, Status } from "./Result.ts"

export type FiscalEvent =
  /** Change of a document's state by this process. `from` is null for a new document. */
  | {
      readonly type: "document"
      readonly account: string
      readonly key: Key
      readonly number: string
      readonly from: Status | null
      readonly status: Status
      readonly at: Date
    }
  /**
   * Difference between the source and the sent document, or a cancellation in the source. If both
   * are resolved, `changed` and `cancelled` are null.
   */
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
   * Change in the items that need an operator, with the content of `health()`. Checked after each
   * run, submit and decision. `concerns` is empty if no item is left.
   */
  | { readonly type: "attention"; readonly concerns: ReadonlyArray<Concern>; readonly at: Date }
  /**
   * Lane with remaining work after a run: stopped or waiting. Not sent if another process works on
   * the lane.
   */
  | { readonly type: "lane"; readonly lane: string; readonly because: string }
