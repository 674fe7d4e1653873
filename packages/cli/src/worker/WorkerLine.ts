import { LaneEndText, type Worker } from "@fiscal-connector/core/worker"
import { Submission } from "@fiscal-connector/core/store"
import type { LogEntry } from "../output/LogLine.ts"

export interface WorkerLine extends LogEntry {
  readonly text: string
}

const lanes = (count: number) => `${count} lane${count === 1 ? "" : "s"}`

const plain = (line: Omit<WorkerLine, "text">): WorkerLine => ({ ...line, text: line.message })

export const started = (holder: string, accounts: number, slots: number): WorkerLine =>
  plain({
    level: "info",
    code: "started",
    message: `${holder} works for ${accounts} account${accounts === 1 ? "" : "s"}, ${lanes(slots)} at once, until Ctrl-C or SIGTERM`,
    fields: { worker: holder, accounts, lanes: slots }
  })

export const listening = (url: string): WorkerLine =>
  plain({
    level: "info",
    code: "listening",
    message: `how it goes: ${url}/health and ${url}/metrics`,
    fields: { addresses: [url] }
  })

export const stopped: WorkerLine = plain({
  level: "info",
  code: "stopped",
  message: "stopped; every answer is written down"
})

export const ofEvent = (event: Worker.WorkerEvent): WorkerLine => {
  switch (event._tag) {
    case "Opened": {
      const { account, destination } = event.account
      return plain({
        level: "info",
        code: "account-opened",
        message: `account ${account}: its documents are sent, in lane ${destination.lane}`,
        fields: { account, lane: destination.lane, environment: destination.environment }
      })
    }
    case "NotOpened": {
      const { account, findings, message } = event.error
      const codes = findings.map(({ code }) => code)
      return {
        level: "warn",
        code: "account-stopped",
        message: `nothing is sent for the account ${account}: ${codes.join(", ")}`,
        text: `account ${account}: ${message}`,
        fields: { account, findings: codes }
      }
    }
    case "TakenOver":
      return plain({
        level: "info",
        code: "lane-taken-over",
        message: `lane ${event.lane}: goes on here; ${event.from} has ended, or was suspended for too long`,
        fields: { lane: event.lane, from: event.from }
      })
    case "Left": {
      const { attempts, end, lane } = event.report
      const sent = `${attempts} sent`
      const endText = LaneEndText.inWords(event.report)
      const why = end._tag === "Waiting" ? end.wait.for : end._tag === "Stopped" ? end.stop.cause : null
      const how = end._tag.toLowerCase()
      return {
        level: end._tag === "Stopped" || why === "unknown" ? "warn" : "info",
        code: "lane-left",
        message: `lane ${lane}: ${sent}, ${how}${why === null ? "" : ` (${why})`}`,
        text: endText === null ? `lane ${lane}: ${sent}, nothing is left to send` : `${endText} (${sent})`,
        fields: { lane, attempts, end: how, for: why }
      }
    }
    case "Asking": {
      const { account, text } = event
      return {
        level: text === null ? "info" : "warn",
        code: text === null ? "status-answers" : "status-fails",
        message: `account ${account}: /status ${text === null ? "answers again" : "is not answered"}`,
        text: `account ${account}: /status ${text === null ? "answers again" : `is not answered: ${text}`}`,
        fields: { account }
      }
    }
    case "Store":
      return event.error === null
        ? plain({ level: "info", code: "store-back", message: "the store is reached again" })
        : plain({
            level: "error",
            code: "store-away",
            message: `the store cannot be reached, and nothing is begun: ${event.error.message}`,
            fields: { finding: `STORE_${event.error.reason.toUpperCase()}` }
          })
    case "Unwritten":
      return event.failure === null
        ? plain({ level: "info", code: "store-written", message: "the store is written again" })
        : plain({
            level: "error",
            code: "store-unwritten",
            message: `the store cannot be written, and nothing is begun: ${event.failure.text}`,
            fields: { finding: "STORE_UNWRITTEN" }
          })
    case "Leaving":
      return plain({
        level: "info",
        code: "leaving",
        message: `nothing more is begun${event.lanes === 0 ? "" : `; in ${lanes(event.lanes)} an answer may be waited for`}`,
        fields: { lanes: event.lanes }
      })
  }
}

const forSomebody: ReadonlySet<Submission.State> = new Set(Submission.stuck)

export const ofChange = ({ key, number, to }: Submission.Change): WorkerLine | null =>
  forSomebody.has(to)
    ? plain({
        level: "warn",
        code: "document",
        message: `${key.kind} ${number} of account ${key.account} is ${to}: connector explain ${key.id}`,
        fields: { account: key.account, kind: key.kind, id: key.id, number, state: to }
      })
    : null
