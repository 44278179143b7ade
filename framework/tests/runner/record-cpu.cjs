'use strict'

// Preloaded by the processes of a test run, through NODE_OPTIONS: that of a test file records, at its end,
// what it and the programs that it started used of the CPU. Its duration says little, because files
// run beside each other.

const fs = require('node:fs')
const path = require('node:path')
const { isMainThread } = require('node:worker_threads')

const { NODE_TEST_CONTEXT: context, FRAMEWORK_TEST_SHARED: shared = '' } = process.env
const file = process.argv[1] ?? ''

if (context !== undefined && shared !== '' && isMainThread && file.endsWith('.test.ts')) {
  process.once('exit', () => {
    const { user, system } = process.cpuUsage()
    const line = JSON.stringify({ file, cpuMs: (user + system) / 1000 + endedChildrenMs() })
    fs.appendFileSync(path.join(shared, 'cpu.jsonl'), `${line}\n`)
  })
}

/** Of the programs that have ended, as Linux tells it: in hundredths of a second. */
function endedChildrenMs() {
  if (!fs.existsSync('/proc/self/stat')) return 0
  const [, counters = ''] = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user = 0, system = 0] = counters.split(' ').slice(13, 15).map(Number)
  return (user + system) * 10
}
