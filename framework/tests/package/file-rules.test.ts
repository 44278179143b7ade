import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkFiles, findCrowdedFolders, findForeignFiles, listFiles } from './file-rules.ts'
import { plantTree } from './planted-tree.ts'

const framework = join(import.meta.dirname, '..', '..')

for (const folder of ['src', 'tests']) {
  test(`every file of ${folder} has a descriptive name and at most 400 lines`, () => {
    assert.ok(listFiles(join(framework, folder)).length > 20)
    assert.deepEqual(checkFiles(join(framework, folder)), [])
  })
}

test('no folder of src has more than 25 sources', () => {
  assert.deepEqual(findCrowdedFolders(join(framework, 'src')), [])
})

test('a folder with 26 sources is found, not counting tests, and not that of the import paths', (t) => {
  const crowd = (folder: string, sources: number): Record<string, string> => {
    const stems = Array.from({ length: sources }, (_, at) => `${folder}/file-${at}`)
    return Object.fromEntries(
      stems.flatMap((stem) => [`${stem}.ts`, `${stem}.test.ts`].map((path) => [path, ''])),
    )
  }
  const folder = plantTree(t, {
    ...crowd('base/full', 25),
    ...crowd('base/crowded', 26),
    ...crowd('public', 26),
  })
  assert.deepEqual(findCrowdedFolders(folder), ['base/crowded has 26 sources, 25 are the most'])
})

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

test('line 401 is found and line 400 is not', (t) => {
  const folder = plantTree(t, {
    'base/full.ts': '\n'.repeat(400),
    'base/long.ts': '\n'.repeat(401),
    'base/long-open.ts': `${'\n'.repeat(400)}export {}`,
  })
  assert.deepEqual(checkFiles(folder), [
    'base/long-open.ts has 401 lines, 400 are the most',
    'base/long.ts has 401 lines, 400 are the most',
  ])
})
