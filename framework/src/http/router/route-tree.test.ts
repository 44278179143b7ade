import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parsePattern, shapeOf } from './route-pattern.ts'
import type { Segment } from './route-pattern.ts'
import { RouteTree } from './route-tree.ts'

function treeOf(...patterns: string[]): RouteTree<string> {
  const tree = new RouteTree<string>()
  for (const text of patterns) for (const form of parsePattern(text).forms) tree.add(form, text)
  return tree
}

test('fixed text wins over constrained parameters, those over plain ones, a catch-all comes last', () => {
  const tree = treeOf('/users/*rest', '/users/:name', '/users/:id<int>', '/users/me')
  assert.equal(tree.find('/users/me')?.leaf, '/users/me')
  assert.equal(tree.find('/users/42')?.leaf, '/users/:id<int>')
  assert.equal(tree.find('/users/ada')?.leaf, '/users/:name')
  assert.equal(tree.find('/users/ada/posts')?.leaf, '/users/*rest')
})

test('constraints are tried from the narrowest, whatever the order of declaration', () => {
  const tree = treeOf('/x/:slug<slug>', '/x/:hex<hex>', '/x/:int<int>')
  assert.deepEqual({ ...tree.find('/x/12')?.params }, { int: 12 })
  assert.deepEqual({ ...tree.find('/x/ff')?.params }, { hex: 'ff' })
  assert.deepEqual({ ...tree.find('/x/some-post')?.params }, { slug: 'some-post' })
})

test('a branch that leads nowhere is left again, with its parameters forgotten', () => {
  const tree = treeOf('/a/:x/c', '/:y/b/d')
  assert.deepEqual({ ...tree.find('/a/b/d')?.params }, { y: 'a' })
})

test('parameters are percent-decoded, the catch-all keeps its slashes', () => {
  const tree = treeOf('/files/:owner/*path')
  assert.deepEqual(
    { ...tree.find('/files/a%20b/c/d%2Fe')?.params },
    { owner: 'a b', path: 'c/d/e' },
  )
})

test('a parameter never matches an empty segment', () => {
  assert.equal(treeOf('/users/:id').find('/users/'), null)
})

test('broken percent-encoding in a parameter is a 400', () => {
  assert.throws(() => treeOf('/users/:id').find('/users/%zz'), { name: 'HttpError', status: 400 })
})

test('an own regular expression must match the whole segment', () => {
  const tree = treeOf(String.raw`/y/:year<\d{4}>`)
  assert.equal(tree.find('/y/2026')?.params['year'], '2026')
  assert.equal(tree.find('/y/20266'), null)
})

test('the tree finds what a walk over all routes would find', () => {
  const part = fc.constantFrom('a', 'b', ':p', ':n<int>', ':w<alpha>', '12')
  const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => {
    const named = parts.map((text, at) => text.replace(/^:(\w)/, `:$1${at}`))
    return `/${named.join('/')}`
  })
  const path = fc.array(fc.constantFrom('a', 'b', '12', 'zz', '-'), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 8 }), path, (patterns, parts) => {
      const unique = new Map(
        patterns.map((text) => [shapeOf(parsePattern(text).forms[0] ?? []), text]),
      )
      const tree = treeOf(...unique.values())
      const expected = [...unique.values()].filter((text) => fits(text, parts)).sort(byRank)[0]
      assert.equal(tree.find(`/${parts.join('/')}`)?.leaf, expected)
    }),
  )
})

function segmentsOf(pattern: string): readonly Segment[] {
  return parsePattern(pattern).forms[0] ?? []
}

function fits(pattern: string, parts: readonly string[]): boolean {
  const segments = segmentsOf(pattern)
  return (
    segments.length === parts.length &&
    segments.every((segment, at) => {
      if (segment.kind === 'static') return segment.text === parts[at]
      return segment.kind === 'param' && (segment.constraint?.matches.test(parts[at] ?? '') ?? true)
    })
  )
}

function byRank(a: string, b: string): number {
  const ranks = (pattern: string): number[] =>
    segmentsOf(pattern).map((segment) => {
      if (segment.kind === 'static') return -1
      return segment.kind === 'param' ? (segment.constraint?.rank ?? 1000) : 2000
    })
  const [left, right] = [ranks(a), ranks(b)]
  const at = left.findIndex((rank, index) => rank !== right[index])
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}

test('many text branches are distinguished like few', () => {
  const words = Array.from({ length: 20 }, (_, at) => `word${at}`)
  const tree = treeOf(...words.map((word) => `/${word}/:id`))
  for (const word of words) {
    assert.deepEqual({ ...tree.find(`/${word}/7`)?.params }, { id: '7' })
    assert.equal(tree.find(`/${word}/7`)?.leaf, `/${word}/:id`)
  }
  assert.equal(tree.find('/word20/7'), null)
})

test('a prefix of a branch is not the branch', () => {
  const tree = treeOf('/users/:id')
  assert.equal(tree.find('/user/7'), null)
  assert.equal(tree.find('/userss/7'), null)
})

test('an int is a number, up to the largest that a number holds exactly', () => {
  const tree = treeOf('/notes/:id<int>', '/archive/:year<int>/:month<int>?')
  assert.deepEqual(tree.find('/notes/9007199254740991')?.params, { id: 9_007_199_254_740_991 })
  for (const text of ['9007199254740992', '99999999999999999999', '-1', '1.5', '1e3', '%37', '']) {
    assert.equal(tree.find(`/notes/${text}`), null, text)
  }
  assert.deepEqual(tree.find('/archive/2026/07')?.params, { year: 2026, month: 7 })
  assert.deepEqual(tree.find('/archive/2026')?.params, { year: 2026 })
})
