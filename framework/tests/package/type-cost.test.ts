import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCompiler } from './compile-consumer.ts'
import { writeDeclarations, writeEntityProject } from './entity-project.ts'

/** For an entity of 20 columns and relations and a module that reads and writes it in many ways. */
const maxInstantiations = 8_000

// A number of seconds is judged only on request: how long it takes depends on the machine.
const seconds = Number(process.env['TYPES_TEST_SECONDS'] ?? 0)
const entities = seconds > 0 ? 100 : 16

const folder = mkdtempSync(join(tmpdir(), 'framework-types-'))
const declarations = join(folder, 'framework')
before(() => assert.equal(writeDeclarations(declarations), ''))
after(() => rmSync(folder, { recursive: true, force: true }))

test(`a project of ${entities} entities costs the compiler little`, (t) => {
  const project = join(folder, 'project')
  writeEntityProject(project, declarations, entities)

  // With several threads each would count what it shares with the others.
  const counted = runCompiler(project, '--extendedDiagnostics', '--singleThreaded')
  assert.ok(!counted.includes('error TS'), counted)
  const instantiations = number(counted, 'Instantiations')
  t.diagnostic(`${instantiations} instantiations, ${number(counted, 'Types')} types`)
  assert.ok(instantiations > 0, counted)
  assert.ok(
    instantiations < maxInstantiations * entities,
    `the types of the ORM became expensive: ${instantiations} instantiations for ${entities} entities`,
  )
  if (seconds === 0) return

  const started = performance.now()
  assert.equal(runCompiler(project), '')
  const elapsed = (performance.now() - started) / 1000
  t.diagnostic(`${elapsed.toFixed(1)} s`)
  assert.ok(elapsed < seconds, `it took ${elapsed.toFixed(1)} s`)
})

const mistakes: readonly (readonly [code: string, explanation: string])[] = [
  [`posts.filter('titel', '=', 'a')`, `parameter of type '"at" | "authorId" | "extra" |`],
  [`posts.filter('extra', '=', 'a')`, 'databases compare JSON differently; use where(sql`…`)'],
  [`posts.select().order('desc', 'titel')`, `parameter of type '"at" | "authorId" | "extra" |`],
  [`posts.select().order('desc', 'extra')`, 'a JSON column is neither compared nor ordered'],
  [`posts.select().groupBy('extra')`, 'a JSON column is neither compared nor ordered'],
  [`posts.select().with('autor')`, `parameter of type '"author" | "notes" | "replies"'`],
  [`posts.select().with({ autor: true })`, `parameter of type '"author" | "notes" | "replies"'`],
  [`posts.select().with('notes')`, 'names the foreign key pstId, which no column has'],
  [
    `posts.select().has('replies')`,
    'the foreign key code is not of the type of the key it refers to',
  ],
  [`posts.select().withDeleted()`, 'the entity has no soft delete; define it with'],
  [`posts.sum('title')`, `parameter of type '"authorId" | "id" | "views"'`],
  [`posts.aggregate(posts.select(), { all: sum('state') })`, 'state has no sum'],
  [`posts.aggregate(posts.select(), { all: sum('veiws') })`, 'the entity has no column veiws'],
  [`posts.updateAll(posts.select(), {})`, 'updateAll() needs at least one change'],
  [`posts.deleteAll(posts.select().limit(3))`, 'a write takes conditions alone; remove limit()'],
  [`new Pagination({ page: 1, cursor: 'x' })`, 'page, cursor and before exclude each other'],
  [`keyless.find(1)`, 'the entity has no key; add one, as in id: key.integer()'],
  [
    `entity('a', { id: key.integer(), at: text() }, { softDelete: 'at' })`,
    'softDelete names a column',
  ],
]

test('the compiler explains mistakes by names and sentences', () => {
  const project = join(folder, 'mistakes')
  writeEntityProject(project, declarations, 0)
  const head = `import type { Database } from 'framework/database'
import { belongsTo, entity, enumeration, hasMany, integer, json, key, Pagination, Repository, sum, text, timestamp } from 'framework/orm'
const Users = entity('users', { id: key.integer(), name: text() })
const Notes = entity('notes', { id: key.integer(), postId: integer(), code: text() })
const Posts = entity('posts', { id: key.integer(), title: text(), views: integer(), state: enumeration(['a', 'b']), extra: json<{ a: 1 }>(), at: timestamp().nullable(), author: belongsTo(() => Users), notes: hasMany(() => Notes, 'pstId'), replies: hasMany(() => Notes, 'code') })
declare const database: Database
const posts = new Repository(Posts, database)
const keyless = new Repository(entity('keyless', { name: text() }), database)
`
  const body = mistakes.map(([code]) => `void ${code}`).join('\n')
  writeFileSync(join(project, 'mistakes.ts'), head + body)
  const output = runCompiler(project)
  const first = head.split('\n').length
  const errors = output.split(/^(?=\S*mistakes\.ts)/m)
  for (const [at, [code, explanation]] of mistakes.entries()) {
    const found = errors.find((error) => error.includes(`mistakes.ts(${first + at},`)) ?? output
    assert.ok(found.includes(explanation), `${code}:\n${found}`)
  }
})

function number(output: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(output)?.[1])
}
