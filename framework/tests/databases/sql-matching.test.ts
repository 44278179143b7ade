import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Database } from '../../src/database/surface.ts'
import { compileSelect } from '../../src/database/sql/write/compile-select.ts'
import { dialects } from '../support/dialects.ts'
import { Matches, Orders } from '../../src/database/sql/plan/operators.ts'
import { by, match, planOf, Posts } from '../support/sample-plans.ts'
import { createTable, insertRows, readRows } from '../support/sample-tables.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const titles = [
  'Node in practice',
  'more node',
  '100% sure',
  '1000 sure',
  'snake_case',
  'snakescase',
  'back\\slash',
  'wow!',
  "it's",
]

const expectations: readonly (readonly [match: Matches, text: string, found: readonly string[]])[] =
  [
    [Matches.Contains, 'NODE', ['Node in practice', 'more node']],
    [Matches.Contains, '0%', ['100% sure']],
    [Matches.Contains, '_', ['snake_case']],
    [Matches.Contains, '\\', ['back\\slash']],
    [Matches.Contains, '!', ['wow!']],
    [Matches.Contains, "'", ["it's"]],
    [Matches.Contains, '', titles],
    [Matches.Contains, '%', ['100% sure']],
    [Matches.StartsWith, 'node', ['Node in practice']],
    [Matches.StartsWith, 'snake_', ['snake_case']],
    [Matches.EndsWith, 'NODE', ['more node']],
    [Matches.EndsWith, '% sure', ['100% sure']],
    [Matches.EndsWith, '!', ['wow!']],
    [Matches.Like, '%node%', ['Node in practice', 'more node']],
    [Matches.Like, 'snake_case', ['snake_case', 'snakescase']],
    [Matches.Like, 'snake\\_case', ['snake_case']],
    [Matches.Like, '100\\% sure', ['100% sure']],
    [Matches.Like, 'back\\\\slash', ['back\\slash']],
    [Matches.Like, '%!', ['wow!']],
    [Matches.Like, 'node', []],
  ]

onEveryDatabase((name, open) => {
  let database: Database
  before(async () => {
    database = await open()
    await createTable(database, Posts)
    const columns = ['title', 'views', 'isOpen', 'createdAt']
    await insertRows(
      database,
      Posts,
      columns,
      titles.map((title) => [title, 0, false, new Date(0)]),
    )
  })

  for (const [kind, text, found] of expectations) {
    test(`${kind} ${JSON.stringify(text)} finds ${found.length} of the titles`, async () => {
      const columns = [Posts.column('title')]
      const conditions = [match('title', kind, text)]
      const plan = planOf(Posts, { columns, conditions, orderings: [by('id', Orders.Asc)] })
      const rows = await readRows(database, compileSelect(plan, dialects[name]), columns)
      assert.deepEqual(rows.flat(), found)
    })
  }
})
