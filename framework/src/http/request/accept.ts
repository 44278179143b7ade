interface Range {
  readonly type: string
  readonly quality: number
  readonly specificity: number
}

/**
 * Picks the offered media type that an Accept header prefers: by quality, then by the order of the
 * offers. Null if the client accepts none of them. Without a header the first offer is taken.
 */
export function preferredType(
  accept: string | undefined,
  offers: readonly string[],
): string | null {
  if (accept === undefined || accept.trim() === '') return offers[0] ?? null
  const ranges = parseAccept(accept)
  let best: string | null = null
  let bestQuality = 0
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges)
    if (quality > bestQuality) {
      best = offer
      bestQuality = quality
    }
  }
  return best
}

/** A media type of an Accept list. */
export interface AcceptedType {
  readonly type: string
  readonly quality: number
}

/** The media types an Accept header allows, by quality, then in listed order. */
export function acceptedTypes(accept: string): AcceptedType[] {
  return parseAccept(accept)
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
}

function qualityOf(offer: string, ranges: readonly Range[]): number {
  const [main = ''] = offer.split('/')
  let best: Range | null = null
  for (const range of ranges) {
    const matches = range.type === offer || range.type === `${main}/*` || range.type === '*/*'
    if (matches && (best === null || range.specificity > best.specificity)) best = range
  }
  return best?.quality ?? 0
}

function parseAccept(accept: string): Range[] {
  return parseQualities(accept)
    .filter(({ type }) => type.includes('/'))
    .map(({ type, quality }) => {
      const specificity = type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2
      const valid = Number.isFinite(quality) ? Math.min(1, Math.max(0, quality)) : 0
      return { type, quality: valid, specificity }
    })
}

/** What the list of an `Accept` header names, in lower case, each with its quality as it is written. */
export function parseQualities(accept: string): AcceptedType[] {
  return accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = given === undefined ? 1 : Number(given.slice(2))
    return { type, quality }
  })
}
