import type { PageContests } from './contests.ts'
import type { CursorPage, Library, NumberedPage } from './library.ts'
import { firstNarrowCategory, indexAtPlace, positionAt, wideCategory } from './posts.ts'

/** Reads one page. */
export type Work = () => Answer | Promise<Answer>
type Answer = CursorPage | NumberedPage

// A walk goes on for so many pages before it begins again where it began.
const walkLength = 100
// Categories whose first page is read in turn.
const categories = 30

/** The pages that a library reads in each contest, again and again. */
export function worksOf(library: Library, rows: number): Readonly<Record<PageContests, Work>> {
  return {
    'cursor-first': () => library.walk(null),
    'cursor-deep': walkOn(library, deepToken(library, rows)),
    'page-first': inTurn((category) => library.list(category, 1)),
    'page-500': () => library.list(wideCategory, 500),
  }
}

/** The token of the row that nine tenths of the table end with. */
export function deepToken(library: Library, rows: number): string {
  return library.tokenAfter(positionAt(indexAtPlace(rows * 0.9 - 1)))
}

function walkOn(library: Library, start: string): Work {
  let token: string | null = start
  let pages = 0
  const remember = (page: CursorPage): CursorPage => {
    pages += 1
    token = pages % walkLength === 0 ? start : page.next
    return page
  }
  return () => {
    const page = library.walk(token)
    return page instanceof Promise ? page.then(remember) : remember(page)
  }
}

function inTurn(list: (category: number) => Answer | Promise<Answer>): Work {
  let turn = 0
  return () => {
    turn += 1
    return list(firstNarrowCategory + (turn % categories))
  }
}
