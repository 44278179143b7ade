// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { connect } from '../../src/public/database.ts'
import { defineProject } from '../../src/public/framework.ts'
import { Resources, Response, routeSet } from '../../src/public/http.ts'
import { belongsTo, bigint, entity, key, Orders, Repository, text } from '../../src/public/orm.ts'

const Shops = entity('shops', { id: key.integer(), town: text() })
const Goods = entity('goods', {
  id: key.integer(),
  name: text(),
  code: bigint(),
  note: text().nullable(),
  shop: belongsTo(() => Shops),
})

const database = await connect('sqlite::memory:')
const goods = new Repository(Goods, database)
const { database: lists } = new Response()

// Rows have the types of the entity, whether it or a repository is listed.
const [good] = (await lists.paginate(Goods)).items
const name: string | undefined = good?.name
const code: bigint | undefined = (await lists.paginate(goods)).items[0]?.code
void [name, code]

// Only relations loaded by the selection are there.
const loaded = await lists.paginate(goods, goods.select().with('shop').order(Orders.Asc, 'note'))
const town: string | undefined = loaded.items[0]?.shop.town
void town
// @ts-expect-error the relation was not loaded
void good?.shop

// The request decides the mode, so the type of the body must be narrowed.
const list = await lists.paginate(goods)
const next: string | null | undefined = 'next' in list ? list.next : undefined
const pages: number | null | undefined = 'pages' in list ? list.pages : undefined
void [next, pages]
// @ts-expect-error a walk has no total
void list.total

// A list in cursor mode is always a walk, and its order must support that.
const walk = await lists.paginate(goods, goods.select().with('shop'), { mode: 'cursor' })
const after: string | null = walk.next
void [after, walk.items[0]?.shop.town]
// @ts-expect-error a walk has no pages
void walk.pages
const byNote = goods.select().order(Orders.Asc, 'note')
void lists.paginate(goods, byNote)
// @ts-expect-error a cursor cannot follow an order by a nullable column
void lists.paginate(goods, byNote, { mode: 'cursor' })

// @ts-expect-error a selection of another entity
void lists.paginate(goods, new Repository(Shops, database).select())

// @ts-expect-error a table is not listed by its name
void lists.paginate('goods')

void new Resources.Database(database, { cap: 50, limit: 5, pagination: { count: 'none' } })

// @ts-expect-error the limit of a list is an option of the resource
void new Resources.Database(database, { pagination: { limit: 5 } })

const Open = routeSet<unknown>('Open', () => {})
defineProject({
  name: 'shop',
  services: () => ({ database }),
  routes: [Open],
  resources: (services) => ({ database: new Resources.Database(services.database) }),
})

defineProject({
  name: 'shop',
  services: () => ({ database }),
  routes: [Open],
  // @ts-expect-error a database is not yet a resource
  resources: (services) => ({ database: services.database }),
})
