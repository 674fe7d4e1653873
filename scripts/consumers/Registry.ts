/**
 * Registry on the loopback address with our packed packages, which redirects requests for other
 * packages to this machine's registry. A package manager then installs our packages as if
 * published, and commands of the docs run unchanged.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A tarball written by `pnpm pack`. */
export interface Packed {
  readonly name: string
  readonly version: string
  readonly tarball: string
}

export interface Registry extends AsyncDisposable {
  readonly url: string
}

/** Returns a port that is currently free. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

const manifestOf = (tarball: string): object =>
  JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }))

/** Returns the registry's metadata of a package: a single version, published long ago. */
const packument = (url: string, { name, tarball, version }: Packed) => {
  const published = "2026-01-01T00:00:00.000Z"
  const dist = {
    tarball: `${url}/${name}/-/${version}.tgz`,
    integrity: `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`
  }
  return {
    name,
    "dist-tags": { latest: version },
    time: { created: published, modified: published, [version]: published },
    versions: { [version]: { ...manifestOf(tarball), dist } }
  }
}

export const serve = async (packed: ReadonlyArray<Packed>, others: string): Promise<Registry> => {
  const own = new Map(packed.map((one) => [one.name, one]))
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/").slice(1)
    const one = own.get(path.replace(/\/-\/.*$/, ""))
    if (one === undefined) {
      response.writeHead(307, { location: new URL(request.url ?? "/", others).href }).end()
    } else if (path.includes("/-/")) {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(readFileSync(one.tarball))
    } else {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(packument(url, one)))
    }
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      })
  }
}
