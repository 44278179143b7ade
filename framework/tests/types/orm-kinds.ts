// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import * as v from 'valibot'
import { type } from 'arktype'
import { z } from 'zod'
import type { Surface } from '../../src/database/surface.ts'
import type { TableBuilder } from '../../src/migrations/table-builder.ts'
import {
  enumeration,
  json,
  key,
  safeInteger,
  text,
  time,
  timestamp,
  uuid,
} from '../../src/orm/entity/column.ts'
import { sum } from '../../src/orm/aggregate.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import type { KeyOf, NewRowOf, RowOf } from '../../src/orm/entity/row.ts'
import { belongsTo } from '../../src/orm/relations/relation.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Matches, Operators, Orders } from '../../src/database/sql/plan/operators.ts'

// Mutually assignable, and neither is `any`.
type Same<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? false : true) : false
declare function same<A, B>(...proof: Same<A, B> extends true ? [] : [never]): void

const States = { Draft: 'draft', Live: 'live' } as const
const Shops = entity('shops', {
  id: key.uuid(),
  name: text(),
  state: enumeration(['open', 'closed']),
  stage: enumeration(Object.values(States)).nullable(),
  opens: time(),
  visitors: safeInteger(),
  code: uuid().nullable(),
  theme: json(v.object({ color: v.string(), size: v.optional(v.number(), 12) })),
  tags: json(z.array(z.string())).nullable(),
  place: json(type({ x: 'number', 'y?': 'number' }), 'location'),
  madeAt: timestamp().optional(),
})
const Visits = entity('visits', { id: key.uuid(), shop: belongsTo(() => Shops) })

same<
  RowOf<typeof Shops>,
  {
    id: string
    name: string
    state: 'open' | 'closed'
    stage: 'draft' | 'live' | null
    opens: string
    visitors: number
    code: string | null
    theme: { color: string; size: number }
    tags: string[] | null
    place: { x: number; y?: number }
    madeAt: Date
  }
>()
same<KeyOf<typeof Shops>, string>()
same<RowOf<typeof Visits>, { id: string; shopId: string }>()
// The repository makes a UUID that is missing.
same<NewRowOf<typeof Visits>, { id?: string; shopId: string }>()

// @ts-expect-error an enumeration needs texts
enumeration([1, 2])
// @ts-expect-error neither a schema nor a name
json(5)

declare const surface: Surface
const shops = new Repository(Shops, surface)
shops.select().filter('state', Operators.Equal, 'open').order(Orders.Asc, 'state')
shops.select().filter('stage', Operators.In, ['draft', States.Live])
// @ts-expect-error not a member
shops.select().filter('state', Operators.Equal, 'gone')
// @ts-expect-error a column that may be NULL
shops.walk(shops.select().order(Orders.Asc, 'stage'))
shops.select().match('name', Matches.Contains, 'x')
// @ts-expect-error only a text can be matched
shops.select().match('state', Matches.Contains, 'o')
shops.select().groupBy('state').having(sum('visitors'), Operators.Greater, 3e9)
// @ts-expect-error a time has no sum
shops.select().groupBy('state').having(sum('madeAt'), Operators.Greater, new Date())
// @ts-expect-error no such column
shops.select().groupBy('state').having(sum('nope'), Operators.Greater, 1)
shops.update('x', { state: 'closed', theme: { color: 'red', size: 1 } })
// @ts-expect-error not a member
shops.update('x', { state: 'gone' })
// @ts-expect-error not what the schema returns
shops.update('x', { theme: { color: 5, size: 1 } })
// @ts-expect-error the key is a text
shops.find(1)

export function define(table: TableBuilder): void {
  table.uuid('id')
  table.enumeration('state', ['open', 'closed']).default('open').nullable()
  // @ts-expect-error not a member
  table.enumeration('state', ['open', 'closed']).default('gone')
  table.time('opens').default('09:30')
  // @ts-expect-error a time is a text
  table.time('opens').default(9)
  table.safeInteger('visitors').default(0)
  // @ts-expect-error a safe integer is a number
  table.safeInteger('visitors').default(0n)
}
