import { parseQualities } from '../request/accept.ts'

/** The supported content codings. */
export type Encoding = 'br' | 'zstd' | 'gzip'

/** The content codings a client accepts. */
export interface EncodingChoice {
  /** Offered codings that the client accepts and prefers to an uncompressed body, best first. */
  readonly encodings: readonly Encoding[]
  /** Whether the client accepts an uncompressed body. */
  readonly plain: boolean
}

const nothing: EncodingChoice = { encodings: [], plain: true }

/** Reads an `Accept-Encoding` header; among equal qualities the first offer is preferred. */
export function chooseEncodings(
  accept: string | undefined,
  offers: readonly Encoding[],
): EncodingChoice {
  if (accept === undefined || accept === '') return nothing
  const qualities = new Map<string, number>()
  for (const { type, quality } of parseQualities(accept)) {
    // An invalid quality counts as 0: an uncompressed body is always safe.
    qualities.set(type === 'x-gzip' ? 'gzip' : type, quality >= 0 && quality <= 1 ? quality : 0)
  }
  const any = qualities.get('*')
  const plain = qualities.get('identity')
  const qualityOf = (encoding: Encoding): number => qualities.get(encoding) ?? any ?? 0
  const encodings = offers
    .filter((encoding) => qualityOf(encoding) > 0 && qualityOf(encoding) >= (plain ?? 0))
    .sort((first, second) => qualityOf(second) - qualityOf(first))
  return { encodings, plain: plain === undefined ? any !== 0 : plain > 0 }
}
