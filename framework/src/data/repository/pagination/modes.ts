/**
 * How a pagination goes through the rows. `Page` takes a numbered slice and counts all rows with it,
 * `Cursor` goes on from the last row it gave and counts nothing.
 */
export const Modes = { Page: 'page', Cursor: 'cursor' } as const
Object.freeze(Modes)
export type Modes = (typeof Modes)[keyof typeof Modes]
