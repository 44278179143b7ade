interface Remembered {
  readonly value: string
  readonly line: string
}

/** The last line of each name: most responses repeat the same values. */
const remembered = new Map<string, Remembered>()
const rememberedNames = 100
const rememberedLength = 200

/** Headers that the engine sets itself; a second one could contradict it. */
const ownedByEngine = new Set(['connection', 'content-length', 'date', 'transfer-encoding'])

/**
 * A header line of a complete response; empty for headers the engine sets itself. Name and value must
 * already be validated.
 */
export function headerLine(name: string, value: string): string {
  const last = remembered.get(name)
  if (last !== undefined && last.value === value) return last.line
  const line = isOwnedByEngine(name) ? '' : `${name}: ${value}\r\n`
  if (mayBeKept(name, value) && (last !== undefined || remembered.size < rememberedNames)) {
    remembered.set(name, { value, line })
  }
  return line
}

/** Whether the engine sets that header itself. */
export function isOwnedByEngine(name: string): boolean {
  return ownedByEngine.has(name.toLowerCase())
}

/** Whether a header may be cached: long values rarely repeat, and cookies are secrets. */
export function mayBeKept(name: string, value: string): boolean {
  return value.length <= rememberedLength && name.toLowerCase() !== 'set-cookie'
}
