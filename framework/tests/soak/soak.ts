import { parseArgs } from 'node:util'
import { disturbances } from './disturbances.ts'
import { runSoak } from './run-soak.ts'

const usage =
  'npm run soak -- [--minutes N] [--database postgres|mariadb] [--bug <names>] [--calm | --only <part of a kind>]'
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    database: { type: 'string', default: 'postgres' },
    bug: { type: 'string', default: '' },
    calm: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(values.minutes) * 60
const { database, bug, calm, only } = values
const kinds = calm ? [] : Object.keys(disturbances).filter((kind) => kind.includes(only))
const isUnknown = !calm && kinds.length === 0
if (isUnknown || !(seconds > 0) || (database !== 'postgres' && database !== 'mariadb')) {
  console.error(`${usage}\nKinds: ${Object.keys(disturbances).join(', ')}`)
  process.exit(1)
}

const undos: (() => unknown)[] = []
const cleanup = { after: (undo: () => unknown) => undos.push(undo) }
try {
  const history = await runSoak(cleanup, { seconds, database, bugs: bug.split(','), kinds })
  const happened = Map.groupBy(history.disturbances, ({ kind }) => kind)
  const deposits = [...history.deposits.values()]
  const acknowledged = deposits.filter((one) => one.isAcknowledged).length
  console.log(`${deposits.length} deposits, ${acknowledged} acknowledged`)
  for (const [what, times] of Object.entries(history.counts)) {
    console.log(`${String(times).padStart(8)}  ${what}`)
  }
  for (const [kind, { length }] of happened) console.log(`${String(length).padStart(8)}  ${kind}`)
  for (const line of history.found) console.log(`WRONG  ${line}`)
  console.log(
    history.found.length === 0
      ? 'Nothing was wrong.'
      : `${history.found.length} things were wrong.`,
  )
  if (history.found.length > 0) process.exitCode = 1
} finally {
  for (const undo of undos.toReversed()) await undo()
}
process.exit()
