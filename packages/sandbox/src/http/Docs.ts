import * as Effect from "effect/Effect"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import { GatewayApi } from "./GatewayApi.ts"

const documented = (prefix: string) =>
  GatewayApi.annotateMerge(OpenApi.annotations({ servers: [{ url: prefix === "" ? "/" : prefix }] }))

/** Returns the OpenAPI 3.1 document of a sandbox below a path prefix. */
export const document = (prefix: string): OpenApi.OpenAPISpec => OpenApi.fromApi(documented(prefix))

export const page = (prefix: string) =>
  Effect.flatten(HttpRouter.toHttpEffect(HttpApiScalar.layer(documented(prefix), { path: "/docs" })))
