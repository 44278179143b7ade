import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'

/** A process of this machine that is not over: a dead one may wait to be buried. */
export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** One letter, such as `R` for one that computes. */
  readonly state: string
}

const hasProc = existsSync('/proc/self/stat')

/** Every process that runs, from `/proc` where it exists and else from `ps`. */
export function runningProcesses(): RunningProcess[] {
  const all = hasProc ? fromProc() : fromPs(ps('-A', '-o', 'pid=,ppid=,pgid=,stat='))
  return all.filter(({ state }) => !['', 'Z', 'X'].includes(state))
}

/** The words with which a process was started, a blank behind each; empty when it is over. */
export function commandLine(pid: number): string {
  if (!hasProc) return `${ps('-p', String(pid), '-o', 'args=').trim()} `
  return orEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
}

/** Reads what `ps` lists: id, parent, group and state of a process on each line. */
export function fromPs(listed: string): RunningProcess[] {
  const rows = listed.split('\n').map((line) => line.trim().split(/\s+/))
  return rows
    .filter((row) => row.length === 4)
    .map(([pid, parent, group, state = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      state: state.slice(0, 1),
    }))
}

function fromProc(): RunningProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => {
    const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
    // The name, before the bracket, may itself hold spaces and brackets.
    const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { pid: Number(pid), parent: Number(parent), group: Number(group), state }
  })
}

function ps(...parameters: string[]): string {
  return orEmpty(() => execFileSync('ps', parameters, { encoding: 'utf8' }))
}

// Processes leave while one looks.
function orEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
