/** A stored bcrypt hash. */
export interface BcryptHash {
  readonly kind: 'bcrypt'
  readonly text: string
}

const form = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Log2 of the number of rounds: each step doubles the time. */
const costs = { min: 4, max: 14 }

/** Parses `$2a$`, `$2b$` and `$2y$` hashes; null for anything else, or if it costs too much. */
export function parseBcrypt(text: string): BcryptHash | null {
  const cost = Number(form.exec(text)?.[1])
  return cost >= costs.min && cost <= costs.max ? { kind: 'bcrypt', text } : null
}

/**
 * Whether bcrypt can distinguish this password from others: it ignores everything after the first
 * NUL.
 */
export function isBcryptPassword(password: string): boolean {
  return !password.includes('\0')
}
