import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantTree } from '../package/planted-tree.ts'
import { serverUser, withinReach } from '../support/postgres-programs.ts'

test('PostgreSQL of a package in a folder of root alone is copied to where its user may run it', (t) => {
  const home = plantTree(t, { 'native/bin/postgres': '#!/bin/sh\n', 'native/lib/a.so.1': 'a' })
  chmodSync(join(home, 'native/bin/postgres'), 0o755)
  symlinkSync(join(home, 'native/lib/a.so.1'), join(home, 'native/lib/a.so'))
  const programs = {
    folder: join(home, 'native/bin'),
    libraries: { 'a.so': join(home, 'native/lib/a.so') },
  }
  const reachable = plantTree(t, {})
  chmodSync(reachable, 0o755)
  const folder = join(reachable, 'programs')
  chmodSync(home, 0o755)
  assert.equal(withinReach(programs, folder), programs)
  chmodSync(home, 0o700)
  const found = withinReach(programs, folder)
  const { libraries } = found
  const inFolder = serverUser === undefined ? home : folder
  assert.ok(libraries['a.so']?.startsWith(inFolder))
  for (const [file, ...words] of [
    [join(found.folder, 'postgres')],
    ['/bin/cat', libraries['a.so']],
  ]) {
    const { status } = spawnSync(file ?? '', words.map(String), { ...serverUser, cwd: '/' })
    assert.equal(status, 0, file)
  }
})
