import { randomBytes } from 'node:crypto'

/** Where secrets are planted; each place has one of its own. */
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

/** Two halves of each place's secret, so that a value masked only up to a special sign is found too. */
export type Secrets = Readonly<Record<Place, readonly [head: string, tail: string]>>

/** A fresh secret for every place. They never stand in a source, which error pages rightly show. */
export function plantSecrets(): Secrets {
  const halves = places.map((place) => [place, [half(), half()]] as const)
  const secrets: unknown = Object.fromEntries(halves)
  if (isSecrets(secrets)) return secrets
  throw new Error('a place got no secret')
}

/** Whether these are secrets for all places, as another process got them as JSON. */
export function isSecrets(value: unknown): value is Secrets {
  if (typeof value !== 'object' || value === null) return false
  return places.every((place) => Array.isArray(Reflect.get(value, place)))
}

/** The secret of a place as one value that needs escaping in HTML, in URLs and in JSON. */
export function spiced(secrets: Secrets, place: Place): string {
  return secrets[place].join(`"&<'>%/#?@=; `)
}

/** The places whose secrets can be read in a text, also in part, base64, hex or percent-encoded. */
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

// Letters and digits only: HTML, URLs and JSON leave them as they are, so that one search finds a
// secret in all three. The special signs come in between, see `spiced`.
function half(): string {
  return `q${randomBytes(15).toString('hex').slice(0, 23)}`
}

// Twelve of its signs are enough to find a secret that was cut.
function plainForms(core: string): readonly string[] {
  const hex = Buffer.from(core).toString('hex')
  const percents = hex.replaceAll(/../g, '%$&')
  return [core.slice(0, 12), core.slice(-12), hex, percents]
}

/** How the secret looks inside base64, wherever in the encoded bytes it begins. */
function base64Forms(core: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('x'.repeat(before) + core).toString('base64')
    return encoded.replaceAll('=', '').slice(before === 0 ? 0 : before + 1, -1)
  })
}
