/** Proves: lint finds a value that is recognized by a class of another package. */
import { assert, describe, it } from "@effect/vitest"
import { ofOthers } from "../../../scripts/style/Classes.ts"

describe("a value of another package", () => {
  it("is found where it is, by name, by another name and by the name of a module", () => {
    for (const planted of [
      'import { Adapter } from "@fiscal-connector/core/adapter"\n\nthrown instanceof Adapter.AdapterError',
      'import {\n  type Finding, Adapter as Failure } from "@fiscal-connector/core/adapter"\nx instanceof Failure.AdapterError',
      'import { Effect, PlatformError } from "effect"\n\nerror instanceof PlatformError.PlatformError',
      'import * as SqlError from "effect/sql/SqlError"\n\nerror instanceof SqlError.SqlError'
    ])
      assert.deepStrictEqual(
        ofOthers(planted).map(({ at }) => at),
        [3],
        planted
      )
  })

  it("may be an instance of a class of the same package, of the platform, or of a library of one module", () => {
    for (const allowed of [
      'import { CsvDocument } from "./CsvDocument.ts"\nreading instanceof CsvDocument',
      'import { ServerResponse } from "node:http"\nnode instanceof ServerResponse',
      'import * as oauth from "oauth4webapi"\nerror instanceof oauth.ResponseBodyError',
      "thrown instanceof Error"
    ])
      assert.deepStrictEqual(ofOthers(allowed), [], allowed)
  })
})
