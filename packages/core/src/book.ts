/** Mapping book, and the translation of a source document with it. */
export * as BookFile from "./mapping/BookFile.ts"
export * as MappingBook from "./mapping/MappingBook.ts"
export * as Translate from "./translate/translate.ts"
export * as Translated from "./translate/Translated.ts"
