import { Data } from "effect"
import type { LateCause, Overtaken } from "../import/StagedDates.ts"

/**
 * `any`: the run stops if any document would become late. `too-many`: more documents would become
 * late than a run may send past.
 */
export type LateStop = "any" | "too-many"

export type ImportRefusal =
  /** The device, or the account's switch HIST-1, does not permit a historical batch. */
  | { readonly _tag: "HistoricalRefused"; readonly text: string; readonly fix: string }
  /**
   * The gateway lacks mappings that the planned documents need. Each problem is a text for the
   * user.
   */
  | { readonly _tag: "MappingsDiffer"; readonly problems: ReadonlyArray<string> }
  /** The plan was made for another account or device than the permission. */
  | { readonly _tag: "OtherDestination"; readonly planned: string; readonly now: string }
  /** Refused documents would be late once the others are sent. */
  | { readonly _tag: "WouldBecomeLate"; readonly overtaken: Overtaken; readonly stops: LateStop }

/** Error of an import of which nothing was sent and nothing was planned. */
export class ImportRefused extends Data.TaggedError("ImportRefused")<{ readonly reason: ImportRefusal }> {
  override get message() {
    return `nothing was sent: ${reasonText(this.reason)}`
  }
}

const reasonText = (reason: ImportRefusal): string => {
  switch (reason._tag) {
    case "HistoricalRefused":
      return `${reason.text}. ${reason.fix}`
    case "MappingsDiffer":
      return `the gateway does not map what these documents need: ${reason.problems.join("; ")}`
    case "OtherDestination":
      return `it was planned for ${reason.planned}, and would be sent to ${reason.now}. Plan it again`
    case "WouldBecomeLate": {
      const { causes, count, first } = reason.overtaken
      const more = count > first.length ? ` and ${count - first.length} more` : ""
      const many =
        reason.stops === "too-many" ? `. ${count} at once are more than a run makes late without a decision` : ""
      return `${first.join(", ")}${more} would become late, because documents of a later date would be sent first${many}. They are refused for: ${causes.map(causeText).join("; ")}`
    }
  }
}

const causeText = ({ code, documents, earlier, first, message }: LateCause): string => {
  const places = first.map(({ at, number }) => (at === null ? number : `${number} at ${at}`)).join(", ")
  const before = earlier === 0 ? "" : `, ${earlier} more that earlier runs made late`
  return `${code} (${message}): ${places}${documents > first.length ? ` and ${documents - first.length} more` : ""}${before}`
}
