const maxNameLength = 255
const maxValueLength = 1_024

/**
 * Parses `name=value,name2=value2` with URL-encoded parts, the format of OTEL_RESOURCE_ATTRIBUTES.
 * Undefined when the text is invalid.
 */
export function parseAttributes(text: string): Readonly<Record<string, string>> | undefined {
  const pairs: (readonly [string, string])[] = []
  for (const entry of text.split(',')) {
    if (entry.trim() === '') continue
    const pair = parsePair(entry)
    if (pair === undefined) return undefined
    pairs.push(pair)
  }
  return Object.fromEntries(pairs)
}

function parsePair(entry: string): readonly [string, string] | undefined {
  const sign = entry.indexOf('=')
  try {
    const name = decodeURIComponent(entry.slice(0, Math.max(0, sign)).trim())
    const value = decodeURIComponent(entry.slice(sign + 1).trim())
    const fits = name !== '' && name.length <= maxNameLength && value.length <= maxValueLength
    return fits ? [name, value] : undefined
  } catch {
    return undefined
  }
}
