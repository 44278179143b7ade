/** Content codings the framework can make. */
export type Encoding = 'br' | 'zstd' | 'gzip'

/** What a client says about content codings. */
export interface EncodingChoice {
  /** Offered codings the client takes and does not like less than none, best first. */
  readonly encodings: readonly Encoding[]
  /** Whether the client takes an answer without any coding. */
  readonly plain: boolean
}

const nothing: EncodingChoice = { encodings: [], plain: true }

/** Reads an `Accept-Encoding` header; of equal quality the first offered counts more. */
export function chooseEncodings(
  accept: string | undefined,
  offers: readonly Encoding[],
): EncodingChoice {
  if (accept === undefined || accept === '') return nothing
  const qualities = parseQualities(accept)
  const any = qualities.get('*')
  const plain = qualities.get('identity')
  const qualityOf = (encoding: Encoding): number => qualities.get(encoding) ?? any ?? 0
  const encodings = offers
    .filter((encoding) => qualityOf(encoding) > 0 && qualityOf(encoding) >= (plain ?? 0))
    .sort((first, second) => qualityOf(second) - qualityOf(first))
  return { encodings, plain: plain === undefined ? any !== 0 : plain > 0 }
}

function parseQualities(accept: string): Map<string, number> {
  const qualities = new Map<string, number>()
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = given === undefined ? 1 : Number(given.slice(2))
    // A quality that is no number is a mistake of the client; without a coding it is always safe.
    qualities.set(name === 'x-gzip' ? 'gzip' : name, quality >= 0 && quality <= 1 ? quality : 0)
  }
  return qualities
}
