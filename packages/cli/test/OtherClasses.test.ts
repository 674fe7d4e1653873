/** Proves: lint finds a value that is recognized by a class of another package. */
import { assert, describe, it } from "@effect/vitest"
import { ofOthers } from "../../../scripts/style/Classes.ts"

describe("a value of another package", () => {
  it("is found where it is, by name, by another name and by the name of a module", () => {
    for (const planted of [
      'import { AdapterError } from "@fiscal-connector/core/source/Adapter"\n\nthrown instanceof AdapterError',
      'import {\n  type Adapter, AdapterError as Failure } from "@fiscal-connector/core/source/Adapter"\nx instanceof Failure',
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
