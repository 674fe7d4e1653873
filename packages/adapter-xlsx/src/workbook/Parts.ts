/** Relations between the parts of a workbook (ECMA-376 part 2). */
import { damaged, exportTable, Refusal, saveAs, tooMuch } from "../Refusal.ts"
import * as XmlPart from "../xml/XmlPart.ts"
import type { Archive } from "../zip/Archive.ts"

export interface Relation {
  readonly id: string
  /** Last segment of the relation's type: `worksheet`, `styles`. */
  readonly type: string
  readonly target: string
  readonly external: boolean
}

const namespace = "http://schemas.openxmlformats.org/package/2006/relationships"
/** Maximum relations of a part: a hostile file cannot fill the memory. */
const most = 1 << 14

/**
 * Returns the name of the workbook's main part. Rejects with a `Refusal` that names the actual file
 * type.
 */
export const main = async (archive: Archive): Promise<string> => {
  if (!archive.has("_rels/.rels") || !archive.has("[Content_Types].xml")) throw somethingElse(archive)
  const relation = (await read(archive, "_rels/.rels", "")).find(({ type }) => type === "officeDocument")
  if (relation === undefined || relation.external) throw somethingElse(archive)
  if (/\.bin$/i.test(relation.target)) {
    throw new Refusal("this is a binary workbook (.xlsb)", "Save it as an .xlsx, or as CSV, one row per line")
  }
  if (!/\.xml$/i.test(relation.target) || archive.has("word/document.xml") || archive.has("ppt/presentation.xml")) {
    throw somethingElse(archive)
  }
  return relation.target
}

const somethingElse = (archive: Archive): Refusal => {
  const [what, fix] = archive.has("content.xml")
    ? ["an OpenDocument file (.ods)", saveAs]
    : archive.has("word/document.xml")
      ? ["a text document (.docx)", exportTable]
      : archive.names.some((name) => name.endsWith(".iwa") || name === "index.zip")
        ? ["a Numbers file", saveAs]
        : archive.names.some((name) => /\.(csv|xlsx|xml|json)$/.test(name) && !name.includes("/"))
          ? ["an archive with files in it", "Unpack it, and choose the file that is in it"]
          : ["an archive without a workbook in it", exportTable]
  return new Refusal(`this is ${what}, not an Excel workbook`, fix)
}

const folderOf = (part: string): string => part.slice(0, part.lastIndexOf("/") + 1)

export const relationsPart = (part: string): string =>
  `${folderOf(part)}_rels/${part.slice(folderOf(part).length)}.rels`

export const relations = (archive: Archive, part: string): Promise<ReadonlyArray<Relation>> =>
  read(archive, relationsPart(part), folderOf(part))

const read = async (archive: Archive, part: string, folder: string): Promise<ReadonlyArray<Relation>> => {
  const found: Array<Relation> = []
  await XmlPart.read(part, namespace, archive.bytes(part), {
    open: (name, attributes) => {
      if (name !== "Relationship") return
      const { Id: id = "", Target: target = "", TargetMode: mode, Type: type = "" } = attributes
      if (type === "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument")
        throw XmlPart.strictOpenXml()
      const external = mode === "External"
      found.push({
        id,
        type: type.slice(type.lastIndexOf("/") + 1),
        external,
        target: external ? target : whole(folder, target)
      })
      if (found.length > most) throw tooMuch(`its part ${part} leads to too many others`)
    },
    close: () => undefined,
    text: () => undefined
  })
  return found
}

const whole = (folder: string, target: string): string => {
  const steps = (target.startsWith("/") ? target.slice(1) : folder + target).split("/")
  const path: Array<string> = []
  for (const step of steps) {
    if (step === "..") {
      if (path.pop() === undefined) throw damaged(`it leads to a part outside of it (${target})`)
    } else if (step !== "." && step !== "") path.push(step)
  }
  return path.join("/")
}
