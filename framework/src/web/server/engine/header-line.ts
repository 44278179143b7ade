interface Remembered {
  readonly value: string
  readonly line: string
}

/** The last line of each name: most answers repeat the values of the one before. */
const remembered = new Map<string, Remembered>()
const rememberedNames = 100
const rememberedLength = 200

/** Headers the engine works out itself; a second one of these would contradict it. */
const ownedByEngine = new Set(['connection', 'content-length', 'date', 'transfer-encoding'])

/**
 * A header as it stands in the head of a whole answer; nothing for those the engine adds itself.
 * Name and value have been checked by then.
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

/** Whether the engine works that header out itself. */
export function isOwnedByEngine(name: string): boolean {
  return ownedByEngine.has(name.toLowerCase())
}

/** Whether a header may stay in memory: long values rarely repeat, and cookies are nobody's to keep. */
export function mayBeKept(name: string, value: string): boolean {
  return value.length <= rememberedLength && name.toLowerCase() !== 'set-cookie'
}
