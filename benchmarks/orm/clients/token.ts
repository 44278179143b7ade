/** What a hand-made token holds: the exact time of the last row and its key. */
export type TokenValues = readonly [createdAt: string, id: string]

/** A token as one makes it by hand. */
export function encodeToken(values: TokenValues): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** What a hand-made token holds. */
export function decodeToken(token: string): TokenValues {
  return JSON.parse(Buffer.from(token, 'base64url').toString())
}
