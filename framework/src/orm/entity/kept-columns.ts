import { epochMs } from '../../base/time/epoch-seconds.ts'
import { Column } from './column.ts'

/**
 * The time at which a row was inserted, to the millisecond by the clock of this process. An insert
 * may provide another one.
 */
export function createdAt(name?: string): Column<Date, true, false, 'timestamp'> {
  return new Column('timestamp', { name: name ?? null, isOptional: true, generate: now })
}

/**
 * The time at which a row was last written through a repository, to the millisecond by the clock of
 * this process. A call may provide another one.
 */
export function updatedAt(name?: string): Column<Date, true, false, 'timestamp'> {
  return new Column('timestamp', {
    name: name ?? null,
    isOptional: true,
    generate: now,
    renewal: 'now',
  })
}

/**
 * Counts the updates of a row, from 1. An `update` that gives the version it has read fails with a
 * `StaleRowError` if the row was updated since.
 */
export function version(name?: string): Column<number, true, false, 'integer'> {
  return new Column('integer', {
    name: name ?? null,
    isOptional: true,
    generate: () => 1,
    renewal: 'count',
  })
}

function now(): Date {
  return new Date(epochMs())
}
