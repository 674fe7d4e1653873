/**
 * Draws comments and messages for a retelling: a reader who does not know the code says in other
 * words what each text states, and a second reader compares that with the code.
 *
 *     node scripts/style/draw.ts SEED [COUNT]     SEED: any text, such as the hash of a commit
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { allCodes } from "../../packages/cli/src/why/AllCodes.ts"
import * as Passages from "./Passages.ts"
import * as Sources from "./Sources.ts"

const [seed = "", count = "40"] = process.argv.slice(2)

/** Returns the texts whose hashes with the seed are the smallest. */
const drawn = <A>(all: ReadonlyArray<A>, name: (one: A) => string): ReadonlyArray<A> =>
  all
    .map((one) => ({
      one,
      at: createHash("sha256")
        .update(`${seed} ${name(one)}`)
        .digest("hex")
    }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, Number(count))
    .map(({ one }) => one)

const comments = Sources.files(":(glob)packages/*/src/**/*.ts").flatMap((file) =>
  Passages.comments(readFileSync(join(Sources.root, file), "utf8"))
    .filter(({ text }) => text.split(" ").length >= 8)
    .map(({ at, text }) => ({ place: `${file}:${at}`, text }))
)

const messages = (await allCodes()).map(({ code, consequence, fix, meaning }) => ({
  place: code,
  text: [meaning, consequence, fix].filter(Boolean).join(" | ")
}))

for (const [title, texts] of [
  ["COMMENTS", drawn(comments, ({ place }) => place)],
  ["MESSAGES", drawn(messages, ({ place }) => place)]
] as const) {
  process.stdout.write(`${title}\n`)
  for (const [index, { place, text }] of texts.entries()) process.stdout.write(`${index + 1}. [${place}] ${text}\n`)
}
