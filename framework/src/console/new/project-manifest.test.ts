import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { databaseChoices } from './choices.ts'
import { projectManifest } from './project-manifest.ts'

const scaffold = JSON.stringify({
  name: 'demo',
  scripts: { start: 'framework serve --environment development', serve: 'framework serve' },
  dependencies: { framework: 'file:../framework', valibot: '1.0.0' },
})

const made = { name: 'shop', tarball: 'framework-1.2.3.tgz', packages: {} }
const root = join(import.meta.dirname, '..', '..', '..', '..', 'package.json')
const own = JSON.parse(readFileSync(root, 'utf8'))
const ofFramework = join(import.meta.dirname, '..', '..', '..', 'package.json')
const { engines } = JSON.parse(readFileSync(ofFramework, 'utf8'))

test('the framework comes from the file beside the project and everything else stays', () => {
  const manifest = JSON.parse(projectManifest(scaffold, made))
  assert.equal(manifest.name, 'shop')
  assert.deepEqual(manifest.dependencies, {
    framework: 'file:vendor/framework-1.2.3.tgz',
    valibot: '1.0.0',
  })
})

test('no script names the environment, which .env does', () => {
  const { scripts } = JSON.parse(projectManifest(scaffold, made))
  assert.deepEqual(scripts, { start: 'framework serve', typecheck: 'tsc --noEmit' })
})

test('Node and the compiler are those of the repository', () => {
  const manifest = JSON.parse(projectManifest(scaffold, made))
  assert.deepEqual(manifest.optionalDependencies, own.optionalDependencies)
  assert.equal(manifest.engines.node, engines.node)
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    assert.equal(version, own.devDependencies[name], name)
  }
})

test('the packages of the chosen database are added, sorted and with the tested version', () => {
  const { packages } = databaseChoices['postgres'] ?? assert.fail()
  const manifest = JSON.parse(projectManifest(scaffold, { ...made, packages }))
  assert.deepEqual(Object.keys(manifest.dependencies), ['framework', 'pg', 'valibot'])
  for (const choice of Object.values(databaseChoices)) {
    for (const [name, version] of Object.entries(choice.packages)) {
      assert.equal(version, own.devDependencies[name], name)
    }
  }
})
