const maxMembers = 32
/** What every receiver accepts; a longer list is shortened. */
const maxLength = 512
/** Longer entries are the first to go. */
const longEntry = 128

const member =
  /^([a-z0-9][a-z0-9_\-*/@]{0,255})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

/**
 * Checks the value of the header `tracestate`, several joined by commas, and returns it without blanks
 * around its entries. Empty if it is invalid or has more than 32 entries. Of two entries with the same
 * key the first one, which is newer, is kept.
 */
export function parseTraceState(text: string): string {
  if (text === '') return ''
  const entries = new Map<string, string>()
  let members = 0
  for (const part of text.split(',')) {
    const entry = part.replaceAll(/^[ \t]+|[ \t]+$/g, '')
    if (entry === '') continue
    const key = member.exec(entry)?.[1]
    members += 1
    if (key === undefined || members > maxMembers) return ''
    if (!entries.has(key)) entries.set(key, entry)
  }
  return shorten([...entries.values()])
}

// As the recommendation asks: first long entries, then from the end.
function shorten(entries: readonly string[]): string {
  const whole = entries.join(',')
  if (whole.length <= maxLength) return whole
  const kept = entries.filter(({ length }) => length <= longEntry)
  while (kept.join(',').length > maxLength) kept.pop()
  return kept.join(',')
}
