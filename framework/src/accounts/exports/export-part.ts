/**
 * Reads a part of the data of an account, as JSON values: all of it, or one after the other for a part that
 * can be long.
 */
export type ExportPart = (user: string) => Promise<unknown> | AsyncIterable<unknown>

/** The parts of an export, by their names in the file. */
export type ExportParts = Readonly<Record<string, ExportPart>>
