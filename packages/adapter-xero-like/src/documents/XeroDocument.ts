/** An invoice or credit note of the export as a source document. */
import type { CivilDate } from "@fiscal-connector/core/document/CivilDate"
import type { DocumentKind } from "@fiscal-connector/core/document/FiscalDocument"
import type { Instant } from "@fiscal-connector/core/document/Instant"
import type { Path } from "@fiscal-connector/core/finding/Finding"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { SourceBuyer, SourceDocument, SourceWord } from "@fiscal-connector/core/source/SourceDocument"
import type { Context } from "../joins/Context.ts"
import type { JsonOrigin } from "@fiscal-connector/adapter-kit/unstable/item/Origin"
import { Place } from "../json/Place.ts"
import { ofDocument, ofRows, type Shape } from "../values/Shape.ts"
import { whereIn } from "./Whereabouts.ts"

/** Values that the reader adds to the document's shape. */
export interface Stated extends Pick<
  SourceDocument,
  "id" | "order" | "taxMode" | "lines" | "charges" | "totals" | "originals" | "findings"
> {
  readonly date: CivilDate | Instant | undefined
  readonly due: CivilDate | undefined
  readonly currency: string | undefined
  readonly reference: string | undefined
  readonly buyer: SourceBuyer | undefined
  readonly paymentMethod: string | undefined
  readonly modified: number | undefined
  readonly words: ReadonlyArray<SourceWord>
}

export class XeroDocument implements SourceDocument {
  readonly _tag = "SourceDocument"
  readonly kind: DocumentKind
  readonly id: string
  readonly number: string
  readonly order: number
  declare readonly date?: CivilDate | Instant
  declare readonly due?: CivilDate
  declare readonly currency?: string
  readonly taxMode: SourceDocument["taxMode"]
  declare readonly buyer?: SourceBuyer
  readonly lines: SourceDocument["lines"]
  readonly charges: SourceDocument["charges"]
  readonly totals: SourceDocument["totals"]
  readonly originals: SourceDocument["originals"]
  declare readonly reference?: string
  declare readonly paymentMethod?: string
  declare readonly modified?: number
  declare readonly words?: ReadonlyArray<SourceWord>
  readonly findings: SourceDocument["findings"]
  /** Records of the export: a single object, or one row for each line. */
  readonly kept: readonly [JsonOrigin, ...ReadonlyArray<JsonOrigin>]
  private readonly form: Shape["form"]
  private readonly context: Context

  constructor(shape: Shape, stated: Stated, context: Context) {
    const [head, ...rows] = shape.records
    this.kept = [head.kept(), ...rows.map((row) => row.kept())]
    this.form = shape.form
    this.context = context
    this.kind = shape.kind
    this.id = stated.id
    this.number = shape.number ?? ""
    this.order = stated.order
    this.taxMode = stated.taxMode
    this.lines = stated.lines
    this.charges = stated.charges
    this.totals = stated.totals
    this.originals = stated.originals
    this.findings = stated.findings
    if (stated.date !== undefined) this.date = stated.date
    if (stated.due !== undefined) this.due = stated.due
    if (stated.currency !== undefined) this.currency = stated.currency
    if (stated.buyer !== undefined) this.buyer = stated.buyer
    if (stated.modified !== undefined) this.modified = stated.modified
    if (stated.reference !== undefined) this.reference = stated.reference
    if (stated.words.length > 0) this.words = stated.words
    if (stated.paymentMethod !== undefined) this.paymentMethod = stated.paymentMethod
  }

  where(path: Path): Provenance {
    const [head, ...rows] = this.kept
    if (path.length === 0) return head.place([])
    const shape =
      this.form === "document"
        ? ofDocument(Place.restored(head), this.kind)
        : ofRows([Place.restored(head), ...rows.map((row) => Place.restored(row))], this.kind)
    return whereIn(shape, this.context, path)
  }
}
