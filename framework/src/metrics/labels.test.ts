import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLabels, isLabelName, labelJson, labelSet, labelText } from './labels.ts'

test('labels are copied, put in order and frozen', () => {
  const given = { route: '/users', method: 'GET' }
  const labels = createLabels(given)
  given.route = '/changed'
  assert.deepEqual(labels, { method: 'GET', route: '/users' })
  assert.deepEqual(Object.keys(labels), ['method', 'route'])
  assert.ok(Object.isFrozen(labels))
})

test('nothing is visible on labels but themselves', () => {
  const labels = createLabels({ a: '1' })
  assert.deepEqual(Reflect.ownKeys({ ...labels }), ['a'])
  assert.equal(JSON.stringify(labels), '{"a":"1"}')
})

test('label texts are written in order of the names and escaped', () => {
  const given = { b: 'a "quote"', a: 'C:\\new\nline' }
  const text = String.raw`a="C:\\new\nline",b="a \"quote\""`
  for (const labels of [createLabels(given), given]) {
    assert.equal(labelText(labels), text)
    assert.equal(labelSet(labels), `{${text}} `)
    assert.equal(labelJson(labels), JSON.stringify({ a: 'C:\\new\nline', b: 'a "quote"' }))
  }
  assert.deepEqual([labelText({}), labelSet({}), labelJson({})], ['', ' ', '{}'])
})

test('labels that only look similar have different texts', () => {
  const one = createLabels({ a: '1",b="2' })
  const two = createLabels({ a: '1', b: '2' })
  assert.notEqual(labelJson(one), labelJson(two))
  assert.notEqual(labelText(one), labelText(two))
})

test('a label name has letters, digits and underscores, and none that is reserved', () => {
  for (const name of ['a', '_a1', 'Route_2', 'constructor', 'toString']) {
    assert.equal(isLabelName(name), true, name)
  }
  for (const name of ['', '1a', 'a-b', 'a:b', 'ä', '__name__', '__proto__', 'a\n', ' a']) {
    assert.equal(isLabelName(name), false, name)
  }
})

test('an invalid label is rejected with its name, without its value', () => {
  const refused = (labels: unknown, message: RegExp): void => {
    assert.throws(() => Reflect.apply(createLabels, null, [labels]), {
      name: 'InvalidArgumentException',
      code: 'E_METRIC_LABEL',
      message,
    })
  }
  refused({ 'user-id': '1' }, /"user-id"/)
  refused(JSON.parse('{"__proto__":"x"}'), /"__proto__"/)
  refused({ status: 200 }, /label "status" must be a string; got a value of type number/)
  refused({ status: undefined }, /label "status"/)
  refused({ status: null }, /got null/)
  refused('route', /an object with string values/)
  refused(null, /an object with string values/)
})
