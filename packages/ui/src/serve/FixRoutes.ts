import { BookRemedy } from "@fiscal-connector/core/host/import"
import { DateTime, Effect, Stream } from "effect"
import { OperatorRecord } from "@fiscal-connector/core/decisions"
import { correctableCells, keyOf } from "../page/part/RefusedPart.ts"
import * as Texts from "../text/Texts.ts"
import * as Corrections from "../work/Corrections.ts"
import type { PageImport, PhaseOf } from "../work/PageImport.ts"
import * as Planning from "../work/Planning.ts"
import type { RequestForm } from "./Request.ts"
import { gone, looking, type Site } from "./Site.ts"

/** Corrects documents of a checked import. The page of the import shows the outcome. */
export const fix = (
  site: Site,
  one: PageImport,
  phase: PhaseOf<"Checked">,
  what: "remedy" | "cells" | "undo-cell",
  form: RequestForm
) =>
  Effect.gen(function* () {
    const { checked } = phase
    if (what === "undo-cell") {
      const corrections = one.decided.corrections.filter((cell) => Corrections.cellOf(cell) !== form.get("cell"))
      return yield* site.imports.decide(one, { corrections })
    }
    // browsers send forms with CRLF
    const key = (form.get("cause") ?? "").replaceAll("\r\n", "\n")
    const cause = checked.tally.causes("error").find((cause) => keyOf(cause) === key)
    if (what === "remedy" && cause === undefined) return yield* gone
    const corrections = yield* typed(one, phase, form)
    if (corrections === null) return void (one.phase = { ...phase, note: Texts.fix.notFound })
    if (what === "cells" || cause === undefined) {
      if (corrections !== one.decided.corrections) yield* site.imports.decide(one, { corrections })
      return
    }
    const id = form.get("do") === "leave-out" ? "leave-out" : (form.get("remedy") ?? "")
    const leftOut = one.decided.leftOut.union(new Set(cause.names))
    if (id === "leave-out") return yield* site.imports.decide(one, { leftOut, corrections })
    const remedy = BookRemedy.of(cause.finding, checked.book).find((remedy) => remedy.id === id)
    if (remedy === undefined) return yield* gone
    const answers =
      remedy.asks?.of === "each-item"
        ? new Map(Array.from(checked.uncoded.keys(), (item, at) => [item, form.get(`item.${id}.${at}`) ?? ""] as const))
        : new Map([["", form.get(`fill.${id}`) ?? ""]])
    const edits = remedy.edits(answers)
    if (edits === undefined) return void (one.phase = { ...phase, note: Texts.fix.notUsable })
    one.decided = { ...one.decided, corrections }
    const filled = [...answers.values()].filter((text) => text.trim() !== "").join(", ")
    yield* site.imports.edit(one, edits, [filled === "" ? remedy.words : `${remedy.words}: ${filled}`])
  })

/**
 * Returns the corrections with the changed cells of the form. Ignores cells that no cause names.
 * Null if a cell is not found in its file.
 */
const typed = (one: PageImport, phase: PhaseOf<"Checked">, form: RequestForm) =>
  Effect.gen(function* () {
    const { corrections } = one.decided
    const at = DateTime.formatIso(yield* DateTime.now)
    const { name: by } = yield* OperatorRecord.Operator
    const changed = Array.from(correctableCells(one, phase.checked)).flatMap(([name, { finding, number }]) => {
      const to = form.get(`cell.${name}`)
      const place = finding.at
      if (to === undefined || !Corrections.isCorrectable(place) || to === place.text || /[\r\n]/.test(to)) return []
      const { columnName, file, line, sheet, text } = place
      const column = one.format.content === "text" ? Corrections.placeInFile(place, corrections) : place.column
      const stated = { file, ...(sheet !== undefined && { sheet }), line, column, columnName }
      return [{ ...stated, number, from: text, to, length: 0, by, at }]
    })
    if (changed.length === 0) return corrections
    const all = new Map(corrections.map((cell) => [Corrections.cellOf(cell), cell]))
    for (const cell of changed) {
      const name = Corrections.cellOf(cell)
      // a cell corrected twice keeps the original text of the file
      all.set(name, { ...cell, from: all.get(name)?.from ?? cell.from })
    }
    const wanted = [...all.values()].filter(({ from, to }) => from !== to)
    // the adapter of a workbook finds its cells itself
    return one.format.content === "text" ? yield* measure(one, wanted) : wanted
  })

const measure = (one: PageImport, wanted: ReadonlyArray<Corrections.Correction>) =>
  Effect.gen(function* () {
    const { files } = yield* Planning.inputOf(one)
    const lengths = new Map<Corrections.Correction, number>()
    for (const { bytes, name } of files) {
      const own = wanted.filter(({ file }) => file === name)
      yield* Stream.runDrain(Corrections.apply(bytes, own, (cell, length) => void lengths.set(cell, length)))
    }
    return wanted.every((cell) => lengths.has(cell))
      ? wanted.map((cell) => ({ ...cell, length: lengths.get(cell) ?? 0 }))
      : null
  }).pipe(Effect.orElseSucceed(() => null))

export const undoBook = (site: Site, one: PageImport, form: RequestForm) =>
  Effect.gen(function* () {
    one.notice = yield* undoChange(site, form)
    yield* site.imports.recheck(one)
  })

export const undoChange = (site: Site, form: RequestForm) =>
  Effect.gen(function* () {
    const id = Number(form.get("change"))
    const change = site.history.all().find((one) => one.id === id)
    if (change === undefined) return yield* gone
    const used = (yield* looking(site, site.history.isUsed(change))) === true
    const undone = yield* site.history.undo(id, used ? "used" : "unused")
    return undone === "gone" ? yield* gone : Texts.fix.undoing[undone]
  })
