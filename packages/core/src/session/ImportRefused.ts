/** Why an import sends nothing at all, although the account may be sent for. */
import { Data } from "effect"
import type { Overtaken } from "../import/Dating.ts"

export type ImportRefusal =
  /** The device, or the account's switch HIST-1, does not permit a historical batch. */
  | { readonly _tag: "HistoricalRefused"; readonly because: string; readonly fix: string }
  /** The gateway does not map what the planned documents need; each problem in words. */
  | { readonly _tag: "MappingsDiffer"; readonly problems: ReadonlyArray<string> }
  /** The plan was made for another account or device than the permission is for. */
  | { readonly _tag: "OtherDestination"; readonly planned: string; readonly now: string }
  /** Refused documents that a later one of the batch would overtake: once it had gone, they would be late. */
  | { readonly _tag: "WouldBecomeLate"; readonly overtaken: Overtaken }

/** Nothing was sent and nothing was planned. */
export class ImportRefused extends Data.TaggedError("ImportRefused")<{ readonly reason: ImportRefusal }> {
  override get message() {
    return `nothing was sent: ${words(this.reason)}`
  }
}

const words = (reason: ImportRefusal): string => {
  switch (reason._tag) {
    case "HistoricalRefused":
      return `${reason.because}. ${reason.fix}`
    case "MappingsDiffer":
      return `the gateway does not map what these documents need: ${reason.problems.join("; ")}`
    case "OtherDestination":
      return `it was planned for ${reason.planned}, and would be sent to ${reason.now}. Plan it again`
    case "WouldBecomeLate": {
      const { count, first } = reason.overtaken
      const more = count > first.length ? ` and ${count - first.length} more` : ""
      return `${first.join(", ")}${more} would become late, because documents of a later date would go before`
    }
  }
}
