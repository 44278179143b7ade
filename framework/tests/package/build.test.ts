import assert from 'node:assert/strict'
import { test } from 'node:test'
import { belongsToScaffold } from '../../build.ts'

test('the scaffold contains the files of the demo that belong in version control', () => {
  const kept = ['package.json', 'project.ts', '.gitignore', '.env.example', 'distance.ts', 'views']
  const left = ['node_modules', 'storage', 'dist', '.env', '.env.local', 'npm-debug.log']
  assert.deepEqual([...kept, ...left].filter(belongsToScaffold), kept)
})
