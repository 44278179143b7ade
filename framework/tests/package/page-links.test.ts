import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { brokenLinks, unlistedPages } from './page-links.ts'
import { plantTree } from './planted-tree.ts'

test('no link between pages or to tests is broken', () => {
  assert.deepEqual(brokenLinks(join(import.meta.dirname, '..', '..', '..')), [])
})

test('the index of the documentation leads to every page', (t) => {
  assert.deepEqual(unlistedPages(join(import.meta.dirname, '..', '..', '..')), [])
  const folder = plantTree(t, {
    'docs/README.md': '[a](guides/a.md) [all of it](reference)',
    'docs/guides/a.md': '',
    'docs/guides/b.md': '',
    'docs/reference/c.md': '',
    'docs/d.md': '',
  })
  assert.deepEqual(unlistedPages(folder), ['d.md', 'guides/b.md'])
})

test('links to existing files and headings pass, external links are ignored', (t) => {
  const folder = plantTree(t, {
    'README.md': '# Top\n[a](docs/guides/a.md) [b](docs/guides/a.md#two-words) [c](#top)',
    'docs/guides/a.md':
      '# A\n## Two `words`!\n[test](../../src/a.test.ts) [x](https://example.org/x)',
    'src/a.test.ts': '',
  })
  assert.deepEqual(brokenLinks(folder), [])
})

test('a link to a missing file or heading, or out of the repository, is found', (t) => {
  const folder = plantTree(t, {
    'README.md': '# Top\n[a](docs/gone.md) [b](docs/a.md#gone) [c](#gone) [d](../secret.md)',
    'docs/a.md': '```md\n# Gone\n[in code](gone.md)\n```\n[test](../src/gone.test.ts)',
  })
  assert.deepEqual(brokenLinks(folder), [
    'README.md links to docs/gone.md',
    'README.md links to docs/a.md#gone',
    'README.md links to #gone',
    'README.md links to ../secret.md',
    'docs/a.md links to ../src/gone.test.ts',
  ])
})
