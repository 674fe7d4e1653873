/** The sentence about the quiet period, wherever a person is asked for the outcome of a request. */
export const lateRequest =
  "That it was not processed can be said once the quiet period of the document is over (5 minutes, or `quietPeriod` of the account): until then its last request may still arrive."
