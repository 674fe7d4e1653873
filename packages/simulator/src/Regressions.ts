/** Every seed that ever failed, and why: each is run as a test for ever. A seed tells the same story only as long as the simulator draws alike. */

export interface Regression {
  readonly seed: number
  readonly because: string
}

export const regressions: ReadonlyArray<Regression> = [
  { seed: 1, because: "a new credit note took what one of an earlier import had taken (RCPT035)" },
  { seed: 9, because: "an import undid a person's Resend; a hold whose reason was not true" },
  { seed: 13, because: "a document that was settled as not processed was stranded" },
  { seed: 17, because: "a lane with receipts of another device waits for a person's acknowledgement" },
  { seed: 20, because: "credit notes were stranded behind a stranded original" }
]
