import type { CursorPage, Library } from './library.ts'
import {
  indexAtPlace,
  pageSize,
  positionAt,
  type Post,
  postAt,
  postsOf,
  wideCategory,
} from './posts.ts'
import { deepToken } from './work.ts'

/** A page that a library shows before it is measured: its rows and what it says of the others. */
export interface ShownPage {
  readonly title: string
  readonly items: readonly Post[]
  /** Whether there are more, by a cursor; the total and the number of pages, by a number. */
  readonly outcome: boolean | readonly [total: number, pages: number]
}

const narrowCategory = 17

/** The pages of a library: the beginning, deep and the end of a walk, and two numbered pages. */
export async function showPages(library: Library, rows: number): Promise<readonly ShownPage[]> {
  const end = library.tokenAfter(positionAt(indexAtPlace(rows - 6)))
  return [
    ...(await shownWalk('first', library, null)),
    ...(await shownWalk('deep', library, deepToken(library, rows))),
    shownCursorPage('end', await library.walk(end)),
    await shownList('page 1', library, narrowCategory, 1),
    await shownList('page 500', library, wideCategory, 500),
  ]
}

/** What every library must show. */
export function expectedPages(rows: number): readonly ShownPage[] {
  const deep = rows * 0.9
  const walk = (title: string, place: number, length = pageSize): ShownPage => ({
    title,
    items: Array.from({ length }, (_, at) => postAt(indexAtPlace(place + at), rows)),
    outcome: length === pageSize,
  })
  const list = (title: string, category: number, page: number): ShownPage => {
    const posts = postsOf(category, rows)
    const items = posts.slice((page - 1) * pageSize, page * pageSize)
    return { title, items, outcome: [posts.length, Math.ceil(posts.length / pageSize)] }
  }
  return [
    walk('first', 0),
    walk('first, next', pageSize),
    walk('deep', deep),
    walk('deep, next', deep + pageSize),
    walk('end', rows - 5, 5),
    list('page 1', narrowCategory, 1),
    list('page 500', wideCategory, 500),
  ]
}

async function shownWalk(
  title: string,
  library: Library,
  token: string | null,
): Promise<readonly ShownPage[]> {
  const page = await library.walk(token)
  const next = await library.walk(page.next)
  return [shownCursorPage(title, page), shownCursorPage(`${title}, next`, next)]
}

function shownCursorPage(title: string, { items, next }: CursorPage): ShownPage {
  return { title, items: items.map(plain), outcome: next !== null }
}

async function shownList(
  title: string,
  library: Library,
  category: number,
  page: number,
): Promise<ShownPage> {
  const { items, total, pages } = await library.list(category, page)
  return { title, items: items.map(plain), outcome: [total, pages] }
}

// Some give objects of a class of their own.
function plain({ id, category, title, views, createdAt, authorId }: Post): Post {
  return { id, category, title, views, createdAt, authorId }
}
