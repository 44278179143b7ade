// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { Server } from 'framework/http'
import {
  atLeast,
  contains,
  custom,
  equal,
  list,
  oneOf,
  present,
  range,
  startsWith,
  type ListPage,
  type RangeValue,
} from 'framework/lists'
import {
  belongsTo,
  bigint,
  boolean,
  decimal,
  entity,
  enumeration,
  integer,
  key,
  Operators,
  text,
  timestamp,
  Orders,
  Pagination,
  type Repository,
} from 'framework/orm'

const Shelves = entity('shelves', { id: key.integer(), room: text() })
const Books = entity('books', {
  id: key.integer(),
  title: text(),
  price: decimal(),
  pages: integer(),
  weight: bigint(),
  lent: boolean(),
  note: text().nullable(),
  addedAt: timestamp().nullable(),
  shelf: belongsTo(() => Shelves),
})
declare const books: Repository<typeof Books>
declare const shelves: Repository<typeof Shelves>

const BookList = list(Books, {
  filter: {
    q: contains('title'),
    note: startsWith(),
    price: range(),
    weight: oneOf(),
    pages: atLeast(),
    lent: equal(),
    shelf: equal('shelfId'),
    dated: present('addedAt'),
    added: range('addedAt'),
    thick: (all) => all.filter('pages', Operators.Greater, 100),
    since: custom(Books, timestamp(), (all, time) => all.filter('addedAt', '>', time)),
    room: custom(Books, enumeration(['Hall', 'Attic']), (all, room) =>
      all.has('shelf', (each) => each.filter('room', '=', room)),
    ),
  },
  sort: { title: 'title', newest: ['-addedAt', 'title'] },
  defaultSort: 'newest',
  with: ['shelf'],
})

const server = new Server()
server.router.get(
  '/books',
  async ({ input: { query } }, response) => {
    const { filters, sort } = query
    const q: string | null = filters.q
    const note: string | null = filters.note
    const price: RangeValue<string> = filters.price
    const weight: readonly bigint[] = filters.weight
    const least: number | null = filters.pages
    const lent: boolean | null = filters.lent
    const shelf: number | null = filters.shelf
    const dated: boolean | null = filters.dated
    const added: RangeValue<Date> = filters.added
    const thick: boolean = filters.thick
    const since: Date | null = filters.since
    const at: 'Hall' | 'Attic' | null = filters.room
    const order: 'title' | 'newest' | null = sort
    void [q, note, price, weight, least, lent, shelf, dated, added, thick, since, at, order]
    // @ts-expect-error it may be missing
    void filters.q.length
    // @ts-expect-error no such filter
    void filters.author
    const page = await response.database.list(books, query, {
      scope: (all) => all.filter('lent', Operators.IsFalse),
    })
    const [first] = page.items
    const room: string | undefined = first?.shelf.room
    const pages: number | null = page.pages
    // @ts-expect-error the rows have no such column
    void first?.author
    // @ts-expect-error the repository of another entity
    void response.database.list(shelves, query)
    return { room, pages, page: page satisfies ListPage<unknown> }
  },
  { query: BookList },
)

// @ts-expect-error no such column
list(Books, { filter: { q: contains('titel') } })
// @ts-expect-error not a text
list(Books, { filter: { q: contains('pages') } })
// @ts-expect-error a filter without a column needs the name of one
list(Books, { filter: { q: equal() } })
// @ts-expect-error no such column
list(Books, { filter: { old: (all) => all.filter('age', Operators.Greater, 1) } })
// @ts-expect-error the value is a number
custom(Books, integer(), (all, value) => all.filter('title', '=', value))
// @ts-expect-error a filter of another entity
list(Books, { filter: { room: custom(Shelves, text(), (all) => all) } })
// @ts-expect-error no such column
list(Books, { sort: ['titel'] })
// @ts-expect-error no such column
list(Books, { sort: { oldest: '-age' } })
// @ts-expect-error no such order
list(Books, { sort: ['title'], defaultSort: 'price' })
list(Books, { sort: ['title'], defaultSort: '-title' })
// @ts-expect-error no such relation
list(Books, { with: ['author'] })

// With `nulls` a cursor supports every order.
const byNote = books.select().order(Orders.Asc, 'note')
void books.page(byNote, new Pagination({ mode: 'cursor', nulls: true }))
void books.walk(byNote, { nulls: true })
// @ts-expect-error without it, a cursor cannot follow an order by a nullable column
void books.page(byNote, new Pagination({ mode: 'cursor' }))
// @ts-expect-error the same
void books.walk(byNote)
