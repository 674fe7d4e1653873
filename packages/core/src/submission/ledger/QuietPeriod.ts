/**
 * Minimum time between the last request of a document and a resend. A proxy may deliver a request
 * minutes after the client gave up, and a document sent again meanwhile would get two receipts. The
 * period starts at the end of the last attempt that may have been processed and has no final
 * result.
 */
import { Duration } from "effect"
import * as Patience from "./Patience.ts"

/**
 * Returns the shortest permitted quiet period. Before its end, a lease may be valid and a request
 * may be in flight.
 */
export const least = (
  lease: Duration.Duration,
  longestRequest: Duration.Duration,
  beyond = Patience.quietMargin.is
): Duration.Duration => Duration.sum(Duration.sum(lease, longestRequest), beyond)

/**
 * Explanation of the quiet period, shown whenever an operator must state the outcome of a request.
 */
export const lateRequest =
  "`not processed` is accepted only after the quiet period of the document (5 minutes, or `quietPeriod` of the account), because its last request may still arrive before."
