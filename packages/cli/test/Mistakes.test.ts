/**
 * Output and exit code for each common mistake of the first hour. UPDATE_GOLDEN=1 writes the files
 * again.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { shellText } from "../src/output/Call.ts"
import { connector, examples, folderWith, gatewayFor } from "./RunningConnector.ts"

const screens = join(import.meta.dirname, "mistakes")

/** File that no user can read, not even root; available on Linux. */
const unreadable = "/proc/sys/vm/compact_memory"

const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode\n"

interface Slip {
  readonly args: ReadonlyArray<string>
  /** Texts that the output must contain. */
  readonly says: ReadonlyArray<string>
  /** Pattern that the output must not match. */
  readonly never?: RegExp
  /** Folder of the case for temporary files. */
  readonly temporary?: string
  /** Exit code. Default 1. */
  readonly code?: number
}

const slips: Readonly<Record<string, Slip>> = {
  "book-missing-for-plan": {
    args: ["plan", "sales.csv", "--book", "nope.json"],
    says: [
      "There is no mapping book nope.json.",
      "  connector plan sales.csv\n",
      "  connector start sales.csv --book nope.json\n"
    ]
  },
  "book-missing-for-import": {
    args: ["import", "own.csv", "--book", "nope.json", "--sandbox"],
    says: ["There is no mapping book nope.json.", "  connector start own.csv --book nope.json --sandbox\n"]
  },
  "book-as-configuration": {
    args: ["plan", "sales.csv", "--config", "sales.book.json"],
    says: [
      "sales.book.json is a mapping book, not a configuration.",
      "  connector plan sales.csv --book sales.book.json\n"
    ]
  },
  "book-as-configuration-of-an-import": {
    args: ["import", "sales.csv", "-c", "sales.book.json"],
    says: ["  connector import sales.csv --book sales.book.json --config FILE\n", "  connector init\n"]
  },
  "book-as-configuration-of-the-store": {
    args: ["list", "--config", "sales.book.json"],
    says: ["sales.book.json is a mapping book, not a configuration.", "  connector list --config FILE\n"]
  },
  "book-and-configuration-exchanged": {
    args: ["import", "sales.csv", "--config=sales.book.json", "--book=account.json"],
    says: ["  connector import sales.csv --book sales.book.json --config account.json\n"]
  },
  "configuration-as-book": {
    args: ["plan", "sales.csv", "--book", "account.json"],
    says: ["account.json is a configuration, not a mapping book.", "  connector plan sales.csv --config account.json\n"]
  },
  "configuration-as-book-of-start": {
    args: ["start", "own.csv", "--sandbox", "--book", "account.json"],
    says: ["account.json is a configuration, not a mapping book.", "  connector start own.csv --sandbox\n"]
  },
  "configuration-as-book-to-check": {
    args: ["book", "check", "account.json"],
    says: ["account.json is a configuration, not a mapping book.", "  connector config check --config account.json\n"]
  },
  "header-only": {
    args: ["plan", "header.csv"],
    says: ["There is no document in header.csv."]
  },
  "header-only-for-start": {
    args: ["start", "header.csv", "--sandbox"],
    says: ["There is no document in header.csv."]
  },
  "header-only-for-import": {
    args: ["import", "header.csv", "--book", "sales.book.json", "--sandbox"],
    says: ["0 documents: nothing to send\n", "There is no document in header.csv."],
    // A job gets the same result on a day without sales.
    code: 0
  },
  "empty-file": {
    args: ["plan", "empty.csv"],
    says: ["empty.csv is empty"]
  },
  "no-such-file": {
    args: ["plan", "nowhere.csv"],
    says: ["There is no file nowhere.csv."]
  },
  "format-that-is-none": {
    args: ["plan", "exel", "sales.csv"],
    says: ["exel is not a format", "  connector plan sales.csv\n"]
  },
  "format-of-another-content": {
    args: ["plan", "xlsx", "sales.csv"],
    says: ["  connector plan sales.csv\n"]
  },
  "format-of-another-system": {
    args: ["plan", "odoo-like", "erpnext.json"],
    says: ["  connector plan erpnext.json\n"]
  },
  "format-of-another-system-with-a-book": {
    args: ["plan", "odoo-like", "erpnext.json", "--book", "sales.book.json"],
    says: ["  connector plan erpnext.json --book sales.book.json\n"],
    // The findings of the wrong format are shown as well.
    code: 2
  },
  "folder-without-exports": {
    args: ["plan", "folder"],
    says: ["There is no export in the folder folder"]
  },
  "temporary-folder-missing": {
    args: ["plan", "sales.csv"],
    temporary: "nowhere",
    says: ["Nothing was sent.", "nothing can be written to /FOLDER/nowhere. TMPDIR names another folder"]
  },
  "file-that-cannot-be-read": {
    args: ["plan", "locked.csv"],
    says: ["The system does not allow this user to read locked.csv."],
    never: /write/
  },
  "file-that-cannot-be-read-by-its-format": {
    args: ["import", "csv", "locked.csv", "--book", "sales.book.json", "--sandbox"],
    says: ["The system does not allow this user to read locked.csv."],
    never: /write/
  },
  "file-that-cannot-be-read-by-start": {
    args: ["start", "locked.csv", "--sandbox"],
    says: ["The system does not allow this user to read locked.csv."],
    never: /write /
  }
}

const lasting = (text: string, folder: string) => text.replaceAll(folder, "/FOLDER")

describe.skipIf(!existsSync(unreadable))("a mistake of a new user", () => {
  for (const [name, { args, code: expected = 1, never, says, temporary }] of Object.entries(slips)) {
    it.live(`prints the next step and exits with ${expected}: ${name}`, function* () {
      const cwd = yield* folderWith()
      copyFileSync(join(examples, "historical-invoices.csv"), join(cwd, "sales.csv"))
      copyFileSync(join(examples, "historical-invoices.book.json"), join(cwd, "sales.book.json"))
      copyFileSync(join(examples, "historical-invoices.csv"), join(cwd, "own.csv"))
      copyFileSync(join(examples, "erpnext-like.json"), join(cwd, "erpnext.json"))
      writeFileSync(join(cwd, "header.csv"), header)
      writeFileSync(join(cwd, "empty.csv"), "")
      mkdirSync(join(cwd, "folder"))
      symlinkSync(unreadable, join(cwd, "locked.csv"))
      yield* gatewayFor(cwd)
      const before = readdirSync(cwd).toSorted()
      const { code, err, out } = yield* connector(args, {
        cwd,
        env: { COLUMNS: "100", TZ: "UTC", ...(temporary !== undefined && { TMPDIR: join(cwd, temporary) }) }
      })
      const text = lasting(
        `$ ${shellText(args)}\n${out}${err === "" ? "" : `--- standard error\n${err}`}[${code}]\n`,
        cwd
      )
      assert.strictEqual(code, expected, text)
      for (const said of says) assert.include(text, said)
      if (never !== undefined) assert.notMatch(text, never)
      assert.deepStrictEqual(readdirSync(cwd).toSorted(), before)
      const file = join(screens, `${name}.txt`)
      if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, text)
      assert.strictEqual(text, readFileSync(file, "utf8"))
    })
  }

  it("has one golden screen for every case, and no other screens", () => {
    assert.deepStrictEqual(
      readdirSync(screens).toSorted(),
      Object.keys(slips)
        .map((name) => `${name}.txt`)
        .toSorted()
    )
  })
})
