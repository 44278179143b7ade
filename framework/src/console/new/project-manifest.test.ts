import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectManifest } from './project-manifest.ts'

const scaffold = JSON.stringify({
  name: 'demo',
  scripts: { start: 'framework serve' },
  dependencies: { framework: 'file:../framework', valibot: '1.0.0' },
})

test('the framework comes from the file beside the project and everything else stays', () => {
  const manifest = JSON.parse(projectManifest(scaffold, 'shop', 'framework-1.2.3.tgz'))
  assert.equal(manifest.name, 'shop')
  assert.deepEqual(manifest.dependencies, {
    framework: 'file:vendor/framework-1.2.3.tgz',
    valibot: '1.0.0',
  })
  assert.deepEqual(manifest.scripts, { start: 'framework serve', typecheck: 'tsc --noEmit' })
})

test('Node and the compiler are those of the repository', () => {
  const root = join(import.meta.dirname, '..', '..', '..', '..', 'package.json')
  const own = JSON.parse(readFileSync(root, 'utf8'))
  const manifest = JSON.parse(projectManifest(scaffold, 'shop', 'framework-1.2.3.tgz'))
  assert.deepEqual(manifest.optionalDependencies, own.optionalDependencies)
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    assert.equal(version, own.devDependencies[name], name)
  }
})
