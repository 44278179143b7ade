import type { ColumnDefinition } from '../plan/column-definition.ts'

/** The type of a text with a length; null without one. */
export function limitedText({ length, isFixed }: ColumnDefinition): string | null {
  if (length === null) return null
  return isFixed ? `CHAR(${length})` : `VARCHAR(${length})`
}
