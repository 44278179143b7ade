import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../tests/support/dialects.ts'
import { sql } from './sql/plan/statement.ts'
import { Slot, StatementTemplate } from './statement-template.ts'

test('a template binds a value wherever its slot stands', () => {
  const [name, now] = [new Slot('name'), new Slot('now')]
  const statement = sql`UPDATE notes SET used = ${now} WHERE name = ${name} AND ends > ${now}`
  const template = new StatementTemplate(statement, dialects.postgres, { raw: true })
  const query = template.query({ name: 'tea', now: 7 })
  assert.deepEqual(query, {
    sql: 'UPDATE notes SET used = $1 WHERE name = $2 AND ends > $3',
    parameters: [7, 'tea', 7],
    raw: true,
  })
  assert.equal(template.query({ name: 'milk', now: 8 }).sql, query.sql)
})

test('a value that is no slot is refused when the template is made', () => {
  assert.throws(() => new StatementTemplate(sql`SELECT ${1}`, dialects.sqlite), {
    code: 'E_INVALID_ARGUMENT',
  })
})
