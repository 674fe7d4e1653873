import { type Finding, type Provenance, SourceDocument } from "@fiscal-connector/core/adapter"
import type { Context } from "../joins/Context.ts"
import type { JsonOrigin } from "@fiscal-connector/adapter-kit/unstable/item/Origin"
import { JsonPlace } from "../json/Place.ts"
import { ofDocument, ofRows, type Shape } from "../values/Shape.ts"
import { whereIn } from "./Whereabouts.ts"

export class XeroDocument extends SourceDocument.StatedDocument {
  readonly kept: readonly [JsonOrigin, ...ReadonlyArray<JsonOrigin>]
  private readonly form: Shape["form"]
  private readonly context: Context

  constructor({ form, records: [head, ...rows] }: Shape, stated: SourceDocument.StatedFields, context: Context) {
    super(stated)
    this.kept = [head.kept(), ...rows.map((row) => row.kept())]
    this.form = form
    this.context = context
  }

  where(path: Finding.Path): Provenance.Provenance {
    const [head, ...rows] = this.kept
    if (path.length === 0) return head.place([])
    const shape =
      this.form === "document"
        ? ofDocument(JsonPlace.restored(head), this.kind)
        : ofRows([JsonPlace.restored(head), ...rows.map((row) => JsonPlace.restored(row))], this.kind)
    return whereIn(shape, this.context, path)
  }
}
