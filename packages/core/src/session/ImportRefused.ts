/** Reasons to send nothing of an import although the account may be sent for. */
import { Data } from "effect"
import type { Overtaken } from "../import/StagedDates.ts"

export type ImportRefusal =
  /** The device, or the account's switch HIST-1, does not permit a historical batch. */
  | { readonly _tag: "HistoricalRefused"; readonly because: string; readonly fix: string }
  /**
   * The gateway lacks mappings that the planned documents need. Each problem is a text for the
   * user.
   */
  | { readonly _tag: "MappingsDiffer"; readonly problems: ReadonlyArray<string> }
  /** The plan was made for another account or device than the permission. */
  | { readonly _tag: "OtherDestination"; readonly planned: string; readonly now: string }
  /**
   * A later document of the batch would overtake refused documents: once the later one is sent,
   * they would be late.
   */
  | { readonly _tag: "WouldBecomeLate"; readonly overtaken: Overtaken }

/** Error of an import of which nothing was sent and nothing was planned. */
export class ImportRefused extends Data.TaggedError("ImportRefused")<{ readonly reason: ImportRefusal }> {
  override get message() {
    return `nothing was sent: ${reasonText(this.reason)}`
  }
}

const reasonText = (reason: ImportRefusal): string => {
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
