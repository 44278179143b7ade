import type { LedgerRow } from './ledger.ts'
import { MigrationError } from './migration-error.ts'
import type { MigrationFile } from './migration-file.ts'
import { byName } from './project-modules.ts'

/** How a migration stands between its folder and the database. */
export const MigrationStates = {
  Applied: 'applied',
  Pending: 'pending',
  /** Pending, though one that comes after it was applied. */
  Late: 'late',
  /** Applied, and its file says something else now. */
  Changed: 'changed',
  /** Applied, and its file is gone. */
  Missing: 'missing',
} as const
Object.freeze(MigrationStates)
export type MigrationStates = (typeof MigrationStates)[keyof typeof MigrationStates]

/** A migration and how it stands. */
export interface MigrationStatus {
  readonly name: string
  readonly state: MigrationStates
  /** Number of the run that applied it; null if none did. */
  readonly batch: number | null
  /** In UTC: `2026-01-31 12:00:00`; null if it was not applied. */
  readonly appliedAt: string | null
}

/** How every migration of the folder and of the database stands, by name. */
export function migrationStatuses(
  files: readonly MigrationFile[],
  rows: readonly LedgerRow[],
): readonly MigrationStatus[] {
  const applied = new Map(rows.map((row) => [row.name, row]))
  const known = new Set(files.map(({ name }) => name))
  const newest = rows.reduce((latest, { name }) => (name > latest ? name : latest), '')
  const present = files.map((file): MigrationStatus => {
    const row = applied.get(file.name)
    if (row !== undefined) return status(row, isSame(file, row) ? 'applied' : 'changed')
    const state = file.name < newest ? MigrationStates.Late : MigrationStates.Pending
    return { name: file.name, state, batch: null, appliedAt: null }
  })
  const gone = rows.filter(({ name }) => !known.has(name))
  return [...present, ...gone.map((row) => status(row, 'missing'))].toSorted(byName)
}

/**
 * Refuses to go on when folder and database tell different stories.
 * @throws MigrationError that lists every difference and what to do about it.
 */
export function refuseDisorder(statuses: readonly MigrationStatus[]): void {
  const findings = statuses.flatMap(({ name, state }) => {
    const advice = advices[state]
    return advice === null ? [] : [`  ${name} ${advice}`]
  })
  if (findings.length === 0) return
  throw new MigrationError(
    [
      'nothing was migrated, because the folder and the database do not agree:',
      ...findings,
      '`npx framework migrate --force` takes this as it is.',
    ].join('\n'),
  )
}

const advices: Readonly<Record<MigrationStates, string | null>> = {
  applied: null,
  pending: null,
  late: 'comes before one that was applied already; give it a later time in its name',
  changed:
    'was changed after it was applied; put it back and write the change as a new one, or, if what it ' +
    'made may go and it is the last one, take it back with `npx framework migrate down --steps 1`',
  missing: 'was applied and its file is gone; bring the file back',
}

// A built project has the same migration in other words; only like is compared with like.
function isSame({ checksum }: MigrationFile, row: LedgerRow): boolean {
  return checksum === row.checksum || checksum.slice(0, 3) !== row.checksum.slice(0, 3)
}

function status({ name, batch, appliedAt }: LedgerRow, state: MigrationStates): MigrationStatus {
  return { name, state, batch, appliedAt }
}
