/** A stored bcrypt hash. */
export interface BcryptHash {
  readonly kind: 'bcrypt'
  readonly text: string
}

const form = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Rounds are two to the power of this; each step takes twice as long as the one before. */
const costs = { least: 4, most: 14 }

/** Reads `$2a$`, `$2b$` and `$2y$` hashes; null when it is none, or costs too much. */
export function parseBcrypt(text: string): BcryptHash | null {
  const cost = Number(form.exec(text)?.[1])
  return cost >= costs.least && cost <= costs.most ? { kind: 'bcrypt', text } : null
}

/**
 * Whether bcrypt can tell this password from others. It is written for texts that end at the first
 * NUL, so that everything behind one would count for nothing.
 */
export function isBcryptPassword(password: string): boolean {
  return !password.includes('\0')
}
