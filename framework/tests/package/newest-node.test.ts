import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { newestBelow, nodePackage, supportedNodes } from '../runner/newest-node.ts'

const repository = join(import.meta.dirname, '..', '..', '..')

test('the newest Node is the highest release whose major is below the bound', () => {
  const offered = ['24.9.0', '26.9.1', '26.10.0', '27.0.0', '26.11.0-rc.1', '8.0.0', 'nightly']
  assert.equal(newestBelow(offered, 27), '26.10.0')
  assert.equal(newestBelow(offered, 26), '24.9.0')
  assert.equal(newestBelow(offered, 5), null)
})

test('each platform whose Node the repository lists is one that the command knows', () => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(repository, 'package.json'), 'utf8'),
  )
  const platforms = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64']
  const names = platforms.map((platform) => {
    const [system = '', arch = ''] = platform.split(' ')
    return nodePackage(system, arch)
  })
  assert.deepEqual(new Set(names), new Set(Object.keys(optionalDependencies)))
  assert.equal(nodePackage('win32', 'x64'), null)
  const { from, below } = supportedNodes(repository)
  for (const version of Object.values(optionalDependencies)) {
    const major = Number.parseInt(String(version), 10)
    assert.ok(major >= from && major < below, String(version))
  }
})

test('npm asks for the same releases of Node as the guard', () => {
  const guard = createRequire(import.meta.url)('../../bin/node-version.cjs')
  assert.deepEqual(supportedNodes(repository), guard.needed)
})
