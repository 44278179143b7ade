/**
 * How a pagination moves through the rows. `Page` reads a numbered page and counts all rows;
 * `Cursor` continues after the last row and counts nothing.
 */
export const Modes = { Page: 'page', Cursor: 'cursor' } as const
Object.freeze(Modes)
export type Modes = (typeof Modes)[keyof typeof Modes]
