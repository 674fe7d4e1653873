/** What a worker says, one line for each thing that is other than it was: for a person, or as JSON for a collector of logs. */
import { inWords } from "@fiscal-connector/core/engine/LaneEndText"
import { type Change, type State, stuck } from "@fiscal-connector/core/submission/Submission"
import type { WorkerEvent } from "@fiscal-connector/core/engine/Worker"
import { DateTime } from "effect"
import { printable } from "../output/Terminal.ts"

export interface WorkerLine {
  readonly event: string
  readonly text: string
  readonly fields: Readonly<Record<string, string | number | null>>
}

const lanes = (count: number) => `${count} lane${count === 1 ? "" : "s"}`

export const started = (holder: string, accounts: number, slots: number): WorkerLine => ({
  event: "started",
  text: `${holder} works for ${accounts} account${accounts === 1 ? "" : "s"}, ${lanes(slots)} at once, until Ctrl-C or SIGTERM`,
  fields: { worker: holder, accounts, lanes: slots }
})

/** The pages of the status port are served. */
export const listening = (url: string): WorkerLine => ({
  event: "listening",
  text: `how it goes: ${url}/health and ${url}/metrics`,
  fields: { status: url }
})

export const stopped: WorkerLine = { event: "stopped", text: "stopped; every answer is written down", fields: {} }

export const ofEvent = (event: WorkerEvent): WorkerLine => {
  switch (event._tag) {
    case "Opened": {
      const { account, destination } = event.account
      return {
        event: "account-opened",
        text: `account ${account}: its documents are sent, in lane ${destination.lane}`,
        fields: { account, lane: destination.lane, environment: destination.environment }
      }
    }
    case "NotOpened": {
      const { account, findings, message } = event.error
      return {
        event: "account-stopped",
        text: `account ${account}: ${message}`,
        fields: { account, codes: findings.map(({ code }) => code).join(" ") }
      }
    }
    case "TakenOver":
      return {
        event: "lane-taken-over",
        text: `lane ${event.lane}: goes on here; ${event.from} is gone, or stood still for too long`,
        fields: { lane: event.lane, from: event.from }
      }
    case "Left": {
      const { attempts, end, lane } = event.report
      const sent = `${attempts} sent`
      const words = inWords(event.report)
      return {
        event: "lane-left",
        text: words === null ? `lane ${lane}: ${sent}, nothing is left to send` : `${words} (${sent})`,
        fields: {
          lane,
          attempts,
          end: end._tag.toLowerCase(),
          for: end._tag === "Waiting" ? end.wait.for : end._tag === "Stopped" ? end.stop.cause : null
        }
      }
    }
    case "Asking": {
      const { account, problem } = event
      return {
        event: problem === null ? "status-answers" : "status-fails",
        text: `account ${account}: /status ${problem === null ? "answers again" : `is not answered: ${problem}`}`,
        fields: { account, problem }
      }
    }
    case "Store":
      return event.error === null
        ? { event: "store-back", text: "the store is reached again", fields: {} }
        : {
            event: "store-away",
            text: `the store cannot be reached, and nothing is begun: ${event.error.message}`,
            fields: { problem: event.error.message }
          }
    case "Leaving":
      return {
        event: "leaving",
        text: `told to stop: nothing more is begun${event.lanes === 0 ? "" : `; in ${lanes(event.lanes)} an answer may be waited for`}`,
        fields: { lanes: event.lanes }
      }
  }
}

/** What somebody has to look at. */
const forSomebody: ReadonlySet<State> = new Set(stuck)

/** A document that somebody has to look at; null for the others. */
export const ofChange = ({ key, number, to }: Change): WorkerLine | null =>
  forSomebody.has(to)
    ? {
        event: "document",
        text: `${key.kind} ${number} of account ${key.account} is ${to}: connector explain ${key.id}`,
        fields: { account: key.account, kind: key.kind, id: key.id, number, state: to }
      }
    : null

export const format = ({ event, fields, text }: WorkerLine, at: DateTime.Utc, how: "people" | "json"): string =>
  how === "json"
    ? JSON.stringify({ at: DateTime.formatIso(at), event, ...fields, text })
    : `${DateTime.formatIso(at)} ${printable(text)}`
