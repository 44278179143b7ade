import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCompiler } from './compile-consumer.ts'
import { writeDeclarations, writeEntityProject } from './entity-project.ts'

/** For an entity of 20 columns and relations and a module that reads and writes it in many ways. */
const maxInstantiations = 8_000

// A number of seconds is judged only on request: how long it takes depends on the machine.
const seconds = Number(process.env['TYPES_TEST_SECONDS'] ?? 0)
const entities = seconds > 0 ? 100 : 16

test(`a project of ${entities} entities costs the compiler little`, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-types-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const declarations = join(folder, 'framework')
  const project = join(folder, 'project')
  assert.equal(writeDeclarations(declarations), '')
  writeEntityProject(project, declarations, entities)

  // With several threads each would count what it shares with the others.
  const counted = runCompiler(project, '--extendedDiagnostics', '--singleThreaded')
  assert.ok(!counted.includes('error TS'), counted)
  const instantiations = number(counted, 'Instantiations')
  t.diagnostic(`${instantiations} instantiations, ${number(counted, 'Types')} types`)
  assert.ok(instantiations > 0, counted)
  assert.ok(
    instantiations < maxInstantiations * entities,
    `the types of the ORM became expensive: ${instantiations} instantiations for ${entities} entities`,
  )
  if (seconds === 0) return

  const started = performance.now()
  assert.equal(runCompiler(project), '')
  const elapsed = (performance.now() - started) / 1000
  t.diagnostic(`${elapsed.toFixed(1)} s`)
  assert.ok(elapsed < seconds, `it took ${elapsed.toFixed(1)} s`)
})

function number(output: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(output)?.[1])
}
