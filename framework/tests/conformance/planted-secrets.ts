import { randomBytes } from 'node:crypto'

/** The places where secrets are planted, one secret each. */
export const places = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-csrf-token',
  'referer query',
  'query',
  'nested query',
  'form field',
  'multipart field',
  'uploaded file',
  'json body',
  'broken json body',
  ':verifier',
  ':token',
  'process.env',
  'url in the message',
  'broken url in the message',
  'query in the message',
  'nested query in the message',
  'prose in the message',
  'assignment in the message',
  'object in the message',
  'headers in the message',
  'json in the message',
  'json in json in the message',
  'plain cause',
  'url in a plain cause',
  'cause',
  'cause of the cause',
  'aggregated error',
  'thrown object',
  'thrown text',
  'property',
  'nested property',
  'getter',
  'pair',
  'raw header',
  'headers object',
  'nested getter',
  'map',
  'url object',
  'query of a url object',
  'class name',
  'frame',
  'page context',
] as const
export type Place = (typeof places)[number]

/** Two halves of each secret, so that a value masked only up to a special character is found too. */
export type Secrets = Readonly<Record<Place, readonly [head: string, tail: string]>>

/** Creates a new secret for every place. They are never in the source code, which error pages show. */
export function plantSecrets(): Secrets {
  const halves = places.map((place) => [place, [half(), half()]] as const)
  const secrets: unknown = Object.fromEntries(halves)
  if (isSecrets(secrets)) return secrets
  throw new Error('a place got no secret')
}

/** Whether a value parsed from JSON has a secret for every place. */
export function isSecrets(value: unknown): value is Secrets {
  if (typeof value !== 'object' || value === null) return false
  return places.every((place) => Array.isArray(Reflect.get(value, place)))
}

/** The secret of a place as one value that needs escaping in HTML, URLs and JSON. */
export function spiced(secrets: Secrets, place: Place): string {
  return secrets[place].join(`"&<'>%/#?@=; `)
}

/** The places whose secrets appear in a text, even truncated, base64, hex or percent-encoded. */
export function leaksIn(text: string, secrets: Secrets): readonly Place[] {
  const lower = text.toLowerCase()
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return places.filter((place) => {
    return secrets[place].some((core) => {
      return (
        plainForms(core).some((form) => lower.includes(form)) ||
        base64Forms(core).some((form) => base64.includes(form))
      )
    })
  })
}

// Letters and digits only: HTML, URLs and JSON leave them unchanged, so that one search finds a
// secret in all three. The special characters are added by `spiced`.
function half(): string {
  return `q${randomBytes(15).toString('hex').slice(0, 23)}`
}

// Twelve characters are enough to find a truncated secret.
function plainForms(core: string): readonly string[] {
  const hex = Buffer.from(core).toString('hex')
  const percents = hex.replaceAll(/../g, '%$&')
  return [core.slice(0, 12), core.slice(-12), hex, percents]
}

/** The secret inside base64, at each possible byte offset. */
function base64Forms(core: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('x'.repeat(before) + core).toString('base64')
    return encoded.replaceAll('=', '').slice(before === 0 ? 0 : before + 1, -1)
  })
}
