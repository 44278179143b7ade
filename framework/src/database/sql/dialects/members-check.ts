import type { ColumnDefinition } from '../plan/column-definition.ts'

/** The CHECK that a column has one of the texts of its enumeration; takes its quoted name. */
export function membersCheck(
  { members = [] }: ColumnDefinition,
  name: string,
  literal: (text: string) => string,
): string {
  return `${name} IN (${members.map(literal).join(', ')})`
}

/** The number of characters of the longest text of an enumeration. */
export function memberLength({ members = [] }: ColumnDefinition): number {
  return members.reduce((length, member) => Math.max(length, Array.from(member).length), 1)
}
