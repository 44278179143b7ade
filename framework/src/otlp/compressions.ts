/** How the request body is compressed. */
export const Compressions = { None: 'none', Gzip: 'gzip' } as const
Object.freeze(Compressions)

/** How the request body is compressed. */
export type Compressions = (typeof Compressions)[keyof typeof Compressions]
