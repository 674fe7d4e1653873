/** Odoo-shaped sources in a configuration. */
import { defineSourceKind, PageSize, SourceAddress } from "@fiscal-connector/adapter-kit"
import { CivilDate } from "@fiscal-connector/core/adapter"
import { Redacted, Schema } from "effect"
import { options } from "./OdooLikeOptions.ts"
import * as OdooLikeSource from "./OdooLikeSource.ts"

const endOf = (day: CivilDate.CivilDate | undefined): number | undefined =>
  day === undefined ? undefined : Date.parse(`${day}T23:59:59Z`)

/** The kind, for a host with a configuration. */
export const kind = defineSourceKind({
  settings: {
    url: SourceAddress.annotate({ description: "the address of the server, as https://erp.example" }),
    database: Schema.optionalKey(
      Schema.NonEmptyString.annotate({ description: "the database, where the server has several" })
    ),
    keyEnds: Schema.optionalKey(
      CivilDate.CivilDate.annotate({
        description: "the last day of the API key, as 2026-05-01; a week before, health reports it"
      })
    ),
    pageSize: Schema.optionalKey(PageSize)
  },
  options: Schema.Struct(options),
  check: ({ secret, tenant }) => [
    ...(secret === undefined ? [{ path: ["secretFile"], message: "expected a file with the API key" }] : []),
    ...(/^\d{1,15}$/.test(tenant)
      ? []
      : [{ path: ["tenant"], message: "expected the number of the company (res.company), as 1" }])
  ],
  testServer: () => import("@fiscal-connector/sandbox/source/OdooSystem"),
  open: ({ name, options: given, secret = Redacted.make(""), settings: { keyEnds, ...own }, tenant }) =>
    OdooLikeSource.make({
      ...own,
      name,
      tenant,
      options: given,
      apiKey: secret,
      keyEnds: endOf(keyEnds)
    })
})
