import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../../base/files/has-code.ts'
import type { Check } from './check-context.ts'
import { warning } from './finding.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** A time that is certainly past, and how we know. */
interface Evidence {
  readonly what: string
  readonly timeMs: number
  /** How far it may be ahead of a clock that is right. */
  readonly marginMs: number
}

/** Whether the clock is behind the files of the project; more cannot be known without a network. */
export const checkClock: Check = ({ root, now }) => {
  const ahead = [...fileTimes(root), ...migrationTimes(root)].find(
    ({ timeMs, marginMs }) => timeMs - marginMs > now.getTime(),
  )
  if (ahead === undefined) return []
  const what = `the clock says ${shown(now.getTime())}, but ${ahead.what} is of ${shown(ahead.timeMs)}`
  const why = 'sessions, links and devices end at the wrong time, and certificates seem invalid'
  return [warning(what, why, 'set the clock, and keep it right with NTP')]
}

function fileTimes(root: string): Evidence[] {
  const files = ['package.json', 'package-lock.json', 'project.ts', 'project.js']
  return files.flatMap((file) => {
    const stats = statSync(join(root, file), { throwIfNoEntry: false })
    return stats === undefined ? [] : [{ what: file, timeMs: stats.mtimeMs, marginMs: minuteMs }]
  })
}

// Named after the time in UTC; a name written by hand may be in another time zone.
function migrationTimes(root: string): Evidence[] {
  return namesIn(join(root, 'migrations')).flatMap((name) => {
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/.exec(name) ?? []
    const timeMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    if (Number.isNaN(timeMs)) return []
    return [{ what: `migrations/${name}`, timeMs, marginMs: dayMs }]
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return []
    throw thrown
  }
}

function shown(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')
}
