import assert from 'node:assert/strict'
import { test } from 'node:test'
import { belongsTo, hasMany, hasOne, manyToMany } from './relation.ts'

const never = (): never => assert.fail('the target was asked for too early')

test('a relation does not resolve its target before it is needed', () => {
  const bridge = { through: 'post_tags', source: 'post_id', target: 'tag_id' }
  belongsTo(never)
  hasOne(never, 'userId')
  hasMany(never, 'userId')
  manyToMany(never, bridge)
})

test('each relation knows its kind, the property of its key and whether it is nullable', () => {
  const bridge = { through: 'post_tags', source: 'post_id', target: 'tag_id' }
  const made = [
    belongsTo(never),
    belongsTo(never, 'writerId'),
    hasOne(never, 'userId'),
    hasMany(never, 'userId'),
    manyToMany(never, bridge),
  ]
  assert.deepEqual(
    made.map(({ kind, property, isNullable }) => [kind, property, isNullable]),
    [
      ['belongs-to', null, false],
      ['belongs-to', 'writerId', false],
      ['has-one', 'userId', true],
      ['has-many', 'userId', false],
      ['many-to-many', null, false],
    ],
  )
  assert.deepEqual(made.at(-1)?.bridge, bridge)
})

test('nullable() returns a new relation and leaves the first unchanged', () => {
  const strict = belongsTo(never, 'writerId')
  const loose = strict.nullable()
  assert.deepEqual([strict.isNullable, loose.isNullable], [false, true])
  assert.deepEqual([loose.kind, loose.property, loose.target], ['belongs-to', 'writerId', never])
})
