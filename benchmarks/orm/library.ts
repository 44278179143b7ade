import type { Position, Post } from './posts.ts'

/** A page of a walk over all posts by time, with the token of what follows; null at the end. */
export interface CursorPage {
  readonly items: readonly Post[]
  readonly next: string | null
}

/** A page of a category by time, with the number of its rows and pages. */
export interface NumberedPage {
  readonly items: readonly Post[]
  readonly total: number
  readonly pages: number
}

/** How one library cuts the posts into pages. All do the same work. */
export interface Library {
  /** The page behind a token, or the first one. */
  walk(token: string | null): CursorPage | Promise<CursorPage>
  /** The token that a walk gives when its page ends there. */
  tokenAfter(position: Position): string
  /** A page of a category; the first has the number 1. */
  list(category: number, page: number): NumberedPage | Promise<NumberedPage>
}

/** Connects a library to the database with this URL. */
export type OpenLibrary = (url: string) => Promise<Library>
