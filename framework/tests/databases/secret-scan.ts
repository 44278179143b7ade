/** Secrets that must not come to light, and the search for them. */
export class SecretScan {
  readonly #secrets = new Map<string, readonly string[]>()

  /** Keeps a secret, whatever it may look like once something has encoded it. */
  add(secret: string): void {
    if (secret.length < 8) throw new Error('too short to be told from chance')
    this.#secrets.set(secret, formsOf(secret))
  }

  /** How many secrets are searched for. */
  get size(): number {
    return this.#secrets.size
  }

  /** The secrets that a text holds, in any form. */
  leaks(text: string): readonly string[] {
    const lower = text.toLowerCase()
    return [...this.#secrets].flatMap(([secret, forms]) =>
      forms.some((form) => lower.includes(form)) ? [secret] : [],
    )
  }
}

// A mail breaks its lines wherever they are full, so that of a long secret one end is searched for.
function formsOf(secret: string): readonly string[] {
  const texts = secret.length < 40 ? [secret] : [secret.slice(0, 20), secret.slice(-20)]
  const bytes = texts.map((text) => Buffer.from(text))
  if (/^([\da-f]{2})+$/.test(secret)) bytes.push(Buffer.from(secret, 'hex'))
  if (/^[\w-]{43}$/.test(secret)) bytes.push(Buffer.from(secret, 'base64url'))
  const written = texts.flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
  ])
  return [...written, ...bytes.flatMap(encoded)].map((form) => form.toLowerCase())
}

function encoded(bytes: Buffer): readonly string[] {
  const shifted = [0, 1, 2].flatMap((shift) => encodedAt(bytes, shift))
  return [bytes.toString('latin1'), bytes.toString('hex'), ...shifted]
}

// Base64 looks different with what stands before it: the outer characters also hold bits of others.
function encodedAt(bytes: Buffer, shift: number): readonly string[] {
  const padded = Buffer.concat([Buffer.alloc(shift), bytes])
  const inner = (text: string): string =>
    text.replaceAll('=', '').slice(shift === 0 ? 0 : shift + 1, -2)
  return [inner(padded.toString('base64')), inner(padded.toString('base64url'))]
}
