// Anywhere in the key: none of these is part of an everyday word.
const anywhere = /passw(?:or)?d|secret|token|authorization|cookie|csrf|credential/i
// The halves of our one-time links.
const whole = /^(?:verifier|validator)$/i
// "key" hides in too many words (monkey, keyboard), so it counts as a word of its own, or at the
// end of a compound that people write as one word.
const word = /^(?:api|access|auth|private|public|signing|encryption|master|session|ssh|app)?keys?$/

const MOST_REMEMBERED = 2_000
const LONGEST_REMEMBERED = 64
const remembered = new Map<string, boolean>()

/** Whether the value under this key (field, header, column, variable) must never be shown. */
export function isSecretKey(key: string): boolean {
  const known = remembered.get(key)
  if (known !== undefined) return known
  const secret = anywhere.test(key) || whole.test(key) || words(key).some((part) => word.test(part))
  if (key.length <= LONGEST_REMEMBERED) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(key, secret)
  }
  return secret
}

function words(key: string): string[] {
  return key
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}
