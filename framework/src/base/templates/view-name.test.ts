import assert from 'node:assert/strict'
import { test } from 'node:test'

import { InvalidArgumentException } from '../errors.ts'
import { viewName } from './view-name.ts'

test('a name is taken from the views root', () => {
  assert.equal(viewName('account'), 'account')
  assert.equal(viewName('errors/404', 'emails/welcome'), 'errors/404')
  assert.equal(viewName('a..b/c.d'), 'a..b/c.d')
})

test('a name that starts with ./ is relative to the template that uses it', () => {
  assert.equal(viewName('./row', 'items/list'), 'items/row')
  assert.equal(viewName('./parts/row', 'items/list'), 'items/parts/row')
  assert.equal(viewName('./row', 'list'), 'row')
})

test('invalid names and names that leave the folder are rejected with a reason', () => {
  const refused: Array<[unknown, RegExp]> = [
    ['', /is empty/],
    ['../secret', /contains '\.\.'/],
    ['a/../../secret', /contains '\.\.'/],
    ['/etc/passwd', /absolute path/],
    ['a\\b', /backslash/],
    ['a\0b', /control character/],
    ['a\nb', /control character/],
    ['a//b', /empty part/],
    ['a/', /empty part/],
    ['./a', /empty part or '\.'/],
    ['a/./b', /empty part or '\.'/],
    [undefined, /undefined is not a string/],
    [{}, /object is not a string/],
  ]
  for (const [name, why] of refused) {
    assert.throws(
      () => viewName(name),
      (error) =>
        error instanceof InvalidArgumentException &&
        error.code === 'E_VIEW_REFUSED' &&
        why.test(error.message),
      String(name),
    )
  }
  for (const name of ['./../x', './/x', './', './a\0']) {
    assert.throws(() => viewName(name, 'items/list'), { code: 'E_VIEW_REFUSED' }, name)
  }
})
