import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Origins } from './frames.ts'
import type { Frame } from './frames.ts'
import { nearestLocation } from './nearest-location.ts'

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
