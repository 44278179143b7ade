/**
 * A value as JSON that every parser takes: half of a character, as a text has that was cut in its middle, is
 * replaced. Strict ones would refuse the whole document.
 */
export function wellFormedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  )
}
