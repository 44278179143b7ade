import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext, runInThisContext } from 'node:vm'
import {
  maxFrames,
  framesOf,
  noteFailedCall,
  throwPoint,
  Origins,
  nearestLocation,
} from './frames.ts'
import type { Frame } from './frames.ts'

function withStack(stack: unknown, message = ''): Error {
  return Object.defineProperty(new Error(message), 'stack', { value: stack })
}

function frameOf(line: string): Frame | undefined {
  return framesOf(withStack(`Error\n    at ${line}`))[0]
}

test('a call has the name V8 gives it, its file, line, column and origin', () => {
  assert.deepEqual(frameOf('Users.find [as first] (/app/users.ts:12:9)'), {
    call: 'Users.find [as first]',
    file: '/app/users.ts',
    line: 12,
    column: 9,
    origin: 'application',
  })
})

test('the top of a module has no call', () => {
  assert.deepEqual(frameOf('/app/main.ts:1:7'), {
    call: '',
    file: '/app/main.ts',
    line: 1,
    column: 7,
    origin: 'application',
  })
})

test('constructors keep `new`, asynchronous calls lose `async`', () => {
  assert.equal(frameOf('new Users (/app/users.ts:1:2)')?.call, 'new Users')
  assert.equal(frameOf('async load (/app/users.ts:1:2)')?.call, 'load')
  assert.deepEqual(frameOf('async /app/users.ts:1:2')?.file, '/app/users.ts')
})

test('a place inside a combinator or a built-in has no line', () => {
  const all = frameOf('async Promise.all (index 0)')
  assert.deepEqual([all?.call, all?.line, all?.origin], ['Promise.all', 0, 'node'])
  for (const line of ['Array.map (<anonymous>)', 'Array.map (native)', '<anonymous>']) {
    const frame = frameOf(line)
    assert.deepEqual([frame?.line, frame?.origin], [0, 'node'])
  }
})

test('code of Node is told apart from that of packages, of the framework and of the application', () => {
  const origins = {
    'f (node:internal/process/task_queues:105:5)': 'node',
    'f (node:fs:1:1)': 'node',
    'f (/app/node_modules/left-pad/index.js:1:1)': 'vendor',
    'f (C:\\app\\node_modules\\left-pad\\index.js:1:1)': 'vendor',
    [`f (${import.meta.dirname}/frames.ts:1:1)`]: 'vendor',
    'f (/app/my_node_modules/index.js:1:1)': 'application',
    'f (C:\\app\\users.ts:1:1)': 'application',
  }
  for (const [line, origin] of Object.entries(origins)) assert.equal(frameOf(line)?.origin, origin)
})

test('a file URL is its path: blanks decoded, the query left out', () => {
  const frame = frameOf('load (file:///srv/my%20app/%C3%BC.ts?v=1:3:5)')
  assert.deepEqual([frame?.file, frame?.line, frame?.column], ['/srv/my app/ü.ts', 3, 5])
})

test('a file URL that is not a path is unchanged', () => {
  const frame = frameOf('load (file://other-host/x.ts:3:5)')
  assert.deepEqual([frame?.file, frame?.line], ['file://other-host/x.ts', 3])
})

test('paths with blanks, brackets, colons and a drive are whole', () => {
  const places: Record<string, [string, number, number]> = {
    'load (/app (copy)/a b.ts:3:5)': ['/app (copy)/a b.ts', 3, 5],
    'load (/app/1:2/x.ts:3:5)': ['/app/1:2/x.ts', 3, 5],
    'load (C:\\Program Files\\app\\x.ts:3:5)': ['C:\\Program Files\\app\\x.ts', 3, 5],
    'load (/app/x.ts:3)': ['/app/x.ts', 3, 0],
    'load (/app/x.ts)': ['/app/x.ts', 0, 0],
  }
  for (const [line, place] of Object.entries(places)) {
    const frame = frameOf(line)
    assert.deepEqual([frame?.file, frame?.line, frame?.column], place)
    assert.equal(frame?.call, 'load')
  }
})

test('evaluated code is located where eval was called, and marked', () => {
  const places: Record<string, [string, string, number, number]> = {
    'eval (eval at run (/app/x.js:2:3), <anonymous>:1:7)': ['eval', '/app/x.js', 2, 3],
    'inner (eval at run (/app/x.js:2:3), <anonymous>:1:7)': ['inner (eval)', '/app/x.js', 2, 3],
    'eval at run (file:///app/a%20b.js:2:3), <anonymous>:1:7': ['(eval)', '/app/a b.js', 2, 3],
    'f (eval at eval (eval at run (/app (copy)/x.js:2:3)), <anonymous>:1:7)': [
      'f (eval)',
      '/app (copy)/x.js',
      2,
      3,
    ],
    'f (eval at <anonymous> (<anonymous>), <anonymous>:1:7)': ['f (eval)', '<anonymous>', 0, 0],
  }
  for (const [line, place] of Object.entries(places)) {
    const frame = frameOf(line)
    assert.deepEqual([frame?.call, frame?.file, frame?.line, frame?.column], place, line)
  }
})

test('a real eval leads to the line that called it', () => {
  // oxlint-disable-next-line no-eval
  const evaluate: unknown = eval('(function inner() { return new Error("x") })')
  const error: unknown = typeof evaluate === 'function' ? evaluate() : null
  assert.ok(error instanceof Error)
  const [first] = framesOf(error)
  assert.deepEqual([first?.call, first?.file], ['inner (eval)', import.meta.filename])
  assert.equal(first?.origin, 'vendor', 'as all of this folder is')
  assert.ok((first?.line ?? 0) > 80)
})

test('an eval inside a script without a file names that script', () => {
  const made: unknown = runInThisContext(`eval('(function inner() { return new Error("x") })()')`)
  assert.ok(made instanceof Error)
  assert.match(framesOf(made)[0]?.file ?? '', /^evalmachine\.<anonymous>$/)
})

test('message lines that look like frames are not frames', () => {
  const error = new Error('boom\n    at forged (/etc/passwd:1:1)\n    at forged (/x:2:2)')
  assert.ok(framesOf(error).length > 0)
  assert.ok(framesOf(error).every(({ call }) => call !== 'forged'))
  assert.notEqual(throwPoint(error)?.call, 'forged')
})

test('a message that was set later does not hide frames that hold the same words', () => {
  const error = withStack('Error\n    at load (/app/a.ts:1:1)\n    at run (/app/b.ts:2:2)')
  error.message = 'load'
  assert.equal(framesOf(error).length, 2)
})

test('lines that are no frames are passed over', () => {
  const error = withStack('Error: x\n  at two (/a:1:1)\nat none (/a:1:1)\n    at yes (/a:1:1)\nend')
  assert.deepEqual(
    framesOf(error).map(({ call }) => call),
    ['yes'],
  )
})

test('at most 32 frames are read, or fewer if requested', () => {
  const error = withStack(`Error${'\n    at f (/a.ts:1:1)'.repeat(100)}`)
  assert.equal(framesOf(error).length, maxFrames)
  assert.equal(framesOf(error, 3).length, 3)
})

test('an endless line is passed over', () => {
  const long = `    at f (/${'a'.repeat(1_000_000)}:1:1)`
  assert.equal(framesOf(withStack(`Error\n${long}\n    at g (/a.ts:1:1)`))[0]?.call, 'g')
})

test('a missing, non-string or throwing stack yields no frames', () => {
  const hostile = Object.defineProperty(new Error('x'), 'stack', {
    get: () => {
      throw new Error('no')
    },
  })
  for (const error of [
    withStack(undefined),
    withStack(''),
    withStack([{}]),
    withStack(7),
    hostile,
  ]) {
    assert.deepEqual(framesOf(error), [])
    assert.equal(throwPoint(error), null)
  }
})

test('the throw point is the first frame with a line', () => {
  const error = withStack('Error\n    at Array.map (<anonymous>)\n    at f (/app/a.ts:4:2)')
  assert.equal(throwPoint(error)?.line, 4)
})

test('a real error leads to the line it was made at', () => {
  const at = throwPoint(new Error('here'))
  assert.equal(at?.file, import.meta.filename)
  assert.ok((at?.line ?? 0) > 100)
})

test('a line that comes again is not parsed again, and nobody can change its frame', () => {
  const [first] = framesOf(withStack('Error: one\n    at sell (/shop/again.ts:1:1)', 'one'))
  const [second] = framesOf(withStack('Error: two\n    at sell (/shop/again.ts:1:1)', 'two'))
  assert.equal(first, second)
  assert.ok(Object.isFrozen(first))
})

test('frames that are remembered do not keep the messages above them', () => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  const used = (): number => {
    if (typeof collect === 'function') collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (let at = 0; at < 100; at += 1) {
    const message = Buffer.alloc(200_000, `order ${at} `).toString()
    framesOf(withStack(`Error: ${message}\n    at sell${at} (/shop/big${at}.ts:1:1)`, message))
  }
  const grown = used() - before
  assert.ok(grown < 10_000_000, `${grown} bytes`)
})

test('a message that was assigned later and occurs in a frame hides no frame', () => {
  const stack = 'Error\n    at f (/app/a: b.ts:1:1)\n    at g (/app/c.ts:2:2)'
  assert.equal(framesOf(withStack(stack, 'b.ts:1:1)')).length, 2)
})

function frame(file: string, line: number, origin: Origins): Frame {
  return { call: '', file, line, column: 1, origin }
}

const nodes = frame('node:fs', 573, Origins.Node)
const unknown = frame('<anonymous>', 0, Origins.Node)
const packages = frame('/app/node_modules/x/x.js', 4, Origins.Vendor)
const own = frame('/app/a.ts', 7, Origins.Application)

test('the nearest call outside Node itself is meant, a package counts as outside', () => {
  assert.equal(nearestLocation([nodes, own, packages]), own)
  assert.equal(nearestLocation([nodes, packages, own]), packages)
})

test('without one, the nearest frame with a line is used, else null', () => {
  assert.equal(nearestLocation([unknown, nodes]), nodes)
  assert.equal(nearestLocation([unknown]), null)
})

test('without a line of the project the last frame is the one that waits, else the own one of a cause', () => {
  const caller = { call: 'load', file: '/app/load.ts', line: 3, column: 5 }
  const foreign = withStack('Error\n    at query (/app/node_modules/pg/query.js:1:2)')
  assert.equal(framesOf(foreign).length, 1)
  noteFailedCall(foreign, { caller })
  const waiting = { ...caller, origin: 'application' }
  assert.deepEqual(framesOf(foreign).slice(1), [waiting])
  const outer = Object.assign(withStack('', 'fetch failed'), { cause: foreign })
  assert.deepEqual(framesOf(outer), [waiting])
  const own = withStack('Error\n    at list (/app/list.ts:7:8)')
  noteFailedCall(own, { caller })
  assert.deepEqual(
    framesOf(own).map(({ call }) => call),
    ['list'],
  )
})
