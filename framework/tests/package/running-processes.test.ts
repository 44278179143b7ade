import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { commandLine, fromPs, runningProcesses } from '../support/running-processes.ts'

test('a process is found with its parent, its group and its command line', () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
  const found = runningProcesses().find(({ pid }) => pid === child.pid)
  assert.equal(found?.parent, process.pid)
  assert.equal(found.group, child.pid)
  assert.ok(runningProcesses().some(({ pid }) => pid === process.ppid))
  assert.ok(commandLine(process.pid).startsWith(process.execPath))
  child.kill('SIGKILL')
})

test('what ps lists is read, whatever the widths of its columns', () => {
  assert.deepEqual(fromPs('    1     0     1 Ss\n  501   1   501 R+\n99999 501 99999 Z\n'), [
    { pid: 1, parent: 0, group: 1, state: 'S' },
    { pid: 501, parent: 1, group: 501, state: 'R' },
    { pid: 99_999, parent: 501, group: 99_999, state: 'Z' },
  ])
})
