/** How the body of a post is packed. */
export const Compressions = { None: 'none', Gzip: 'gzip' } as const
Object.freeze(Compressions)

/** How the body of a post is packed. */
export type Compressions = (typeof Compressions)[keyof typeof Compressions]
