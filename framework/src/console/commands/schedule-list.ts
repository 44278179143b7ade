import { printable } from '../../base/encoding/printable.ts'
import { epochMs } from '../../base/time/epoch-seconds.ts'
import type { TaskState } from '../../schedule/schedule-store.ts'
import type { BoundSchedule } from '../../project/schedule/schedule.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Paints } from '../../base/terminal/paints.ts'
import type { ProjectFlags } from '../project-queues.ts'
import { withProjectSchedule } from '../schedule/project-schedule.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'

/** Options of `framework schedule list`. */
export interface ScheduleListFlags extends ProjectFlags {
  readonly json?: boolean
}

interface TaskRow {
  readonly task: string
  readonly expression: string
  /** When it is due next; null for never. */
  readonly next: Date | null
  /** When its last run began. */
  readonly last: Date | null
  readonly outcome: 'done' | 'failed' | 'running' | 'lost' | null
  readonly reason: string | null
  readonly success: Date | null
  readonly runs: number
  readonly failures: number
  readonly skipped: number
  readonly missed: number
}

/** Lists the tasks of a project, those that no process has run yet included. */
export function listSchedule(
  { json = false, ...flags }: ScheduleListFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return withProjectSchedule(flags, process.stderr, async ({ schedule }) => {
    const rows = await rowsOf(schedule, epochMs())
    if (json) terminal.out(`${JSON.stringify(rows, null, 2)}\n`)
    else if (rows.length === 0) terminal.out('there are no tasks\n')
    else terminal.out(tableOf(rows, terminal.paint))
    return ExitStatus.Ok
  })
}

async function rowsOf({ tasks, store }: BoundSchedule, nowMs: number): Promise<TaskRow[]> {
  const states = new Map((await store.list()).map((state) => [state.task, state]))
  return tasks.map(({ name, times }) => {
    const state = states.get(name) ?? null
    return {
      task: name,
      expression: times.expression,
      next: dateOf(times.next(nowMs)),
      last: dateOf(state?.startedMs ?? null),
      outcome: state === null ? null : outcomeOf(state, nowMs),
      reason: state?.reason ?? null,
      success: dateOf(state?.successMs ?? null),
      runs: state?.runs ?? 0,
      failures: state?.failures ?? 0,
      skipped: state?.skipped ?? 0,
      missed: state?.missed ?? 0,
    }
  })
}

function outcomeOf(state: TaskState, nowMs: number): TaskRow['outcome'] {
  const { startedMs, endedMs, outcome, lease, leaseMs } = state
  if (startedMs === null || endedMs !== null) return outcome
  return lease !== null && leaseMs <= nowMs ? 'lost' : 'running'
}

function tableOf(rows: readonly TaskRow[], { bold, red, yellow }: Paints): string {
  const headings = [
    'task',
    'due',
    'next',
    'last run',
    'outcome',
    'runs',
    'failed',
    'skipped',
    'missed',
  ]
  const count = (number: number): string => (number === 0 ? '0' : yellow(String(number)))
  const cells = rows.map((row) => [
    row.task,
    printable(row.expression),
    timeOf(row.next),
    timeOf(row.last),
    row.outcome === 'failed' || row.outcome === 'lost'
      ? red([row.outcome, row.reason].filter((word) => word !== null).join(': '))
      : (row.outcome ?? ''),
    String(row.runs),
    row.failures === 0 ? '0' : red(String(row.failures)),
    count(row.skipped),
    count(row.missed),
  ])
  return textTable(headings, cells, bold)
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}

/** `2026-11-16 09:46:00 UTC` */
function timeOf(time: Date | null): string {
  if (time === null) return 'never'
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
