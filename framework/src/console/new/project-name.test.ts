import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProjectName, nameFromFolder } from './project-name.ts'

test('a folder name becomes a package name', () => {
  assert.equal(nameFromFolder('shop'), 'shop')
  assert.equal(nameFromFolder('My Shop!'), 'my-shop')
  assert.equal(nameFromFolder('Café_2.0'), 'cafe_2.0')
  assert.equal(nameFromFolder('...'), 'app')
  assert.equal(nameFromFolder('商店'), 'app')
  assert.equal(nameFromFolder('framework'), 'app')
})

test('valid npm names are accepted, others are rejected with the rules', () => {
  for (const name of ['shop', '2nd-shop', 'a.b_c']) assert.equal(checkProjectName(name), name)
  for (const name of ['', 'Shop', '-shop', '.shop', 'a b', `a'b`, 'framework', 'x'.repeat(101)]) {
    assert.throws(() => checkProjectName(name), { code: 'E_NEW', message: /lower-case letters/ })
  }
})
