import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const repository = join(import.meta.dirname, '..', '..', '..')
const readme = readFileSync(join(repository, 'README.md'), 'utf8')
const why = readme.slice(readme.indexOf('\n## Why\n'))

/** Rows of the table: the claim about others, and the linked page that must confirm it. */
const lines = [...why.matchAll(/^\| [^|]+ \| ([^|]+) \| \[[^\]]+\]\((benchmarks\/[^)]+)\) \|$/gm)]

test('every page with npx framework new says where it may be run: the name on npm is not ours', () => {
  const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: repository }).map((page) => ({
    page,
    text: readFileSync(join(repository, page), 'utf8'),
  }))
  const shown = pages.filter(({ text }) => text.includes('npx framework new'))
  assert.ok(shown.length > 2, 'the pages were found')
  const silent = shown.filter(({ text }) => !/only where\s+the package is installed/.test(text))
  assert.deepEqual(
    silent.map(({ page }) => page),
    [],
  )
})

test('the claims of the README match the recorded benchmarks', () => {
  const claims = lines.flatMap(([, said = '', page = '']) =>
    [...said.matchAll(/([a-z][\w-]*(?: [\d.]+)?) ([\d.]+) ×/gi)].map(
      ([, name = '', times = '']) => ({
        page,
        name,
        times,
      }),
    ),
  )
  assert.ok(claims.length >= lines.length && lines.length > 3, 'the table was found')
  for (const { page, name, times } of claims) {
    const measured = measuredOf(page, name)
    // Compared with as many decimals as the README has.
    const decimals = times.split('.')[1]?.length ?? 0
    assert.equal(measured.toFixed(decimals), times, `${name} in ${page}: ${measured}`)
  }
})

test('the README has at most 150 lines', () => {
  assert.ok(readme.trimEnd().split('\n').length <= 150)
})

/** The ratio of the first line about a competitor on a page, or in a section of it, in a sentence or in a table. */
function measuredOf(page: string, name: string): number {
  const [path = '', section] = page.split('#')
  const whole = readFileSync(join(repository, path), 'utf8')
  const text = section === undefined ? whole : sectionOf(whole, section)
  const row = new RegExp(
    `^\\| ${name.replaceAll('.', '\\.')} +\\| +[\\d.]+ \\| +([\\d.]+) \\|`,
    'm',
  )
  const words = new RegExp(`^${name.split(' ')[0]} takes ([\\d.]+) ×`, 'm')
  const [, ratio] = words.exec(text) ?? row.exec(text) ?? []
  assert.ok(ratio !== undefined, `${page} tells nothing of ${name}`)
  return Number(ratio)
}

/** The text under the heading that a link leads to. */
function sectionOf(text: string, anchor: string): string {
  const slug = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-')
  const found = text.split(/^## /m).find((part) => slug(part.split('\n', 1)[0] ?? '') === anchor)
  assert.ok(found !== undefined, `there is no section ${anchor}`)
  return found
}
