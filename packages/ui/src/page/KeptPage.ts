import type { KeptImport } from "@fiscal-connector/core/host"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { RunReport } from "@fiscal-connector/core/session"
import { html, type Html, when } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Tiles from "../report/Tiles.ts"
import * as Texts from "../text/Texts.ts"
import type { Shown } from "../work/Kept.ts"
import type { Frame } from "./part/Layout.ts"

const texts = Texts.page
const livingTexts = Texts.living

export const keptAddress = (frame: Pick<Frame, "prefix">, id: number): string => `${frame.prefix}/imports/r${id}`

type KeptStanding = Pick<KeptImport.KeptImport, "rest" | "standing">

/** Look and text of the badge, then of the note. */
const standings: Readonly<
  Record<
    Exclude<KeptImport.ImportStanding, "whole">,
    readonly [badge: "waiting" | "plain" | "bad", (rest: number) => string, note: "waiting" | "bad", text: string]
  >
> = {
  accepted: ["waiting", texts.importWaits, "waiting", texts.importWaitsNote],
  begun: ["plain", () => texts.importBegun, "bad", texts.importBegunNote],
  cancelled: ["plain", () => texts.importCanceled, "waiting", texts.importCanceledNote],
  incomplete: ["bad", () => texts.importIncomplete, "bad", texts.importIncompleteNote],
  unfinished: ["bad", () => texts.unfinished, "bad", texts.brokeOff]
}

const standingBadge = ({ rest, standing }: KeptStanding): Html => {
  const [look, text] = standing === "whole" ? [] : standings[standing]
  return when(look, () => html` <span class="badge ${look}">${text?.(rest)}</span>`)
}

export const importNote = ({ standing }: Pick<KeptStanding, "standing">): Html => {
  const [, , look, text] = standing === "whole" ? [] : standings[standing]
  return when(look, () => html`<div class="note ${look}"><p>${text}</p></div>`)
}

export const importedAt = ({ at }: Pick<KeptImport.KeptImport, "at">): string =>
  `${Texts.day(Parts.time(at))}, ${Parts.clock(at).slice(0, "HH:MM".length)}`

/** Counts of an import: "done" is core's. Documents that agree and that need an operator add up. */
export const countsOf = ({ kept, result: { summary, tally } }: Pick<Shown, "kept" | "result">) => {
  const tiles = SignedSums.byGroup(summary, kept.rest)
  const { canceled, fiscalised: differing } = tally.differing
  const total = SignedSums.together(tiles).documents - Tiles.countOf(tiles, "skipped")
  const fiscalised = Tiles.countOf(tiles, "fiscalised")
  return {
    tiles,
    ending: RunReport.ending(kept.rest > 0 ? new Set([...tally.standings, "on-its-way"]) : tally.standings),
    waiting: Tiles.countOf(tiles, "to-send"),
    about:
      canceled + differing === 0
        ? livingTexts.fiscalised(fiscalised, total)
        : livingTexts.agreeing(fiscalised - differing, total + canceled),
    needs: [
      ...(tally.needing > 0 ? [livingTexts.needing(tally.needing)] : []),
      ...(tally.strays > 0 ? [livingTexts.strays(tally.strays)] : [])
    ].join(", ")
  }
}

const tones = { done: "good", open: "waiting", "needs-operator": "bad" } as const

/**
 * Lists the imports in the store, newest first. `before`: id at which older imports begin, null
 * without older ones. `loaded`: without an import that has too many documents to be read here.
 */
export const keptList = (
  frame: Pick<Frame, "prefix">,
  found: ReadonlyArray<KeptImport.KeptImport>,
  loaded: ReadonlyMap<number, Pick<Shown, "kept" | "result">>,
  sessions: ReadonlyMap<number, string>,
  before: number | null
): Html =>
  card(
    texts.imports,
    found.length > 0 &&
      html`<div id="imports" class="stacked">
        ${table(
          texts.imports,
          [
            Texts.report.file,
            { text: texts.importedAt, look: "nowrap" },
            Texts.word.by,
            { figures: Texts.word.total },
            Texts.word.state,
            Texts.word.toDo
          ],
          found.map((one) => {
            const { by, documents, files, id } = one
            const here = sessions.get(id) ?? keptAddress(frame, id)
            const shown = loaded.get(id)
            const counts = shown && countsOf(shown)
            return [
              html`<a href="${here}" aria-label="${`${files[0]?.name ?? ""} ${importedAt(one)}`}"
                ><b>${files.map(({ name }) => name).join(", ")}</b></a
              >`,
              importedAt(one),
              by ?? "",
              counts ? Tiles.amountsOf(SignedSums.together(counts.tiles)) : Texts.documents(documents),
              html`${counts && html`<span class="badge ${tones[counts.ending]}">${counts.about}</span>`}${standingBadge(one)}`,
              counts?.needs ? html`<a href="${here}">${counts.needs}</a>` : ""
            ]
          })
        )}
        ${when(before, () => html`<div class="paging"><a href="${`${frame.prefix}/?before=${before ?? 0}#imports`}">${Texts.page.next}</a></div>`)}
      </div>`
  )
