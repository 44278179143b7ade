// Matched anywhere in the key: none of these is part of an everyday word.
const anywhere = /passw(?:or)?d|passphrase|secret|token|authorization|cookie|csrf|credential/i
// The secret halves of our one-time links, and short names for passwords.
const whole = /^(?:verifier|validator|pass|pwd)$/i
// "key" matches anywhere except in these everyday words.
const everyday =
  /donkey|hockey|hotkey|jockey|keyboard|keyframe|keyhole|keynote|keystone|keyword|monkey|turkey|whiskey/gi

const maxRemembered = 2_000
const maxRememberedLength = 64
const remembered = new Map<string, boolean>()

/** Whether the value under this key (field, header, column, variable) must never be shown. */
export function isSecretKey(key: string): boolean {
  const known = remembered.get(key)
  if (known !== undefined) return known
  const secret = anywhere.test(key) || whole.test(key) || /key/i.test(key.replaceAll(everyday, ''))
  if (key.length <= maxRememberedLength) {
    if (remembered.size >= maxRemembered) remembered.clear()
    remembered.set(key, secret)
  }
  return secret
}
