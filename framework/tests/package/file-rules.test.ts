import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkFiles, findForeignFiles, listFiles } from './file-rules.ts'
import { plantTree } from './planted-tree.ts'

const framework = join(import.meta.dirname, '..', '..')

for (const folder of ['src', 'tests']) {
  test(`every file of ${folder} has a descriptive name`, () => {
    assert.ok(listFiles(join(framework, folder)).length > 20)
    assert.deepEqual(checkFiles(join(framework, folder)), [])
  })
}

test('vague names are found', (t) => {
  const folder = plantTree(t, {
    'base/types.ts': '',
    'base/index.ts': '',
    'base/utils.test.ts': '',
    'base/helpers/text.ts': '',
    'web/common.ts': '',
    'web/common-passwords.ts': '',
    'web/types/request.ts': '',
  })
  assert.deepEqual(checkFiles(folder), [
    'base/helpers/text.ts lies in a folder that says nothing: helpers',
    'base/index.ts has a name that says nothing: index',
    'base/types.ts has a name that says nothing: types',
    'base/utils.test.ts has a name that says nothing: utils',
    'web/common.ts has a name that says nothing: common',
  ])
})

test('a name that is not in kebab-case is found', (t) => {
  const folder = plantTree(t, {
    'base/toError.ts': '',
    'base/sha256.ts': '',
    'base/a-B.test.ts': '',
  })
  assert.deepEqual(checkFiles(folder), [
    'base/a-B.test.ts is not named in kebab-case',
    'base/toError.ts is not named in kebab-case',
  ])
})

test('files in src that the compiler would not copy are found', (t) => {
  assert.deepEqual(findForeignFiles(join(framework, 'src')), [])
  const folder = plantTree(t, { 'base/page.css': '', 'base/page.ts': '' })
  assert.deepEqual(findForeignFiles(folder), ['base/page.css'])
})
