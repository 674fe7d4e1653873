import { BookEditing } from "@fiscal-connector/core/host/import"
import type { Choice } from "../Problem.ts"

export const bookWith = <Book extends string | object>(book: Book, choices: ReadonlyArray<Choice>): Book => {
  const edits = choices.flatMap((choice) => (choice.settles === "book" ? choice.entries : []))
  const text = BookEditing.apply(
    typeof book === "string" ? book : JSON.stringify(book),
    // its days are valid civil dates, because the device reported them
    edits as ReadonlyArray<BookEditing.BookEdit>
  )
  return (typeof book === "string" ? text : JSON.parse(text)) as Book
}
