import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { olderNodes } from './older-nodes.ts'
import { plantTree } from './planted-tree.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const guard = join(repository, 'framework', 'require-node.cjs')
const command = join(repository, 'framework', 'bin', 'framework.js')

interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `parameters` under a Node that reports this `version`. */
function pretend(t: TestContext, version: string, ...parameters: string[]): Run {
  const folder = plantTree(t, {
    'pretend.cjs': `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`,
  })
  return run(process.execPath, '-r', join(folder, 'pretend.cjs'), ...parameters)
}

function run(node: string, ...parameters: string[]): Run {
  const { status, stdout, stderr } = spawnSync(node, parameters, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

function sentence(version: string): string {
  return (
    `framework needs Node 24 to 26 and this is Node ${version}: run it through an npm script of a ` +
    'project that has its own Node as a package, as new projects do (npm puts that Node first), ' +
    'or install Node 24.\n'
  )
}

for (const version of [
  '0.10.48',
  '18.20.8',
  '20.20.2',
  '22.18.0',
  '23.11.1',
  '27.0.0',
  '100.0.0',
]) {
  test(`the scripts of the repository stop on Node ${version} with one sentence`, (t) => {
    const script = join(plantTree(t, { 'script.ts': `console.log('ran')` }), 'script.ts')
    assert.deepEqual(pretend(t, version, '-r', guard, script), {
      status: 1,
      stdout: '',
      stderr: sentence(version),
    })
  })

  test(`framework serve stops on Node ${version} with one sentence`, (t) => {
    assert.deepEqual(pretend(t, version, command, 'serve'), {
      status: 1,
      stdout: '',
      stderr: sentence(version),
    })
  })
}

for (const version of ['24.0.0', '25.0.0', '26.99.0']) {
  test(`the scripts of the repository run on Node ${version}`, (t) => {
    const script = join(plantTree(t, { 'script.ts': `console.log('ran')` }), 'script.ts')
    const result = pretend(t, version, '-r', guard, script)
    assert.deepEqual(result, { status: 0, stdout: 'ran\n', stderr: '' })
  })
}

test('below Node 20 not even help is shown', (t) => {
  assert.equal(pretend(t, '18.20.8', command, '--help').stderr, sentence('18.20.8'))
})

for (const name of ['--help', '-h', 'help', '--version', '-V', 'new']) {
  test(`framework ${name} is allowed from Node 20 on`, (t) => {
    const parameters = name === 'new' ? ['new', '--help'] : [name]
    for (const version of ['20.0.0', '27.0.0']) {
      const result = pretend(t, version, '--conditions=source', command, ...parameters)
      assert.equal(result.status, 0, result.stderr)
      assert.notEqual(result.stdout, '')
    }
  })
}

test('older Nodes on this machine, if any, print the sentence and no stack', () => {
  for (const { program, version } of olderNodes()) {
    const script = join(repository, 'framework', 'build.ts')
    const expected = { status: 1, stdout: '', stderr: sentence(version) }
    assert.deepEqual(run(program, '-r', guard, script), expected)
    assert.deepEqual(run(program, command, 'serve'), expected)
    // Only a current Node reads the sources; an old one prints the sentence instead of failing to load them.
    assert.deepEqual(run(program, '--conditions=source', command, '--help'), expected)
  }
})
