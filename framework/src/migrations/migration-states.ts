import type { LedgerRow } from './ledger.ts'
import { MigrationError } from './migration-error.ts'
import { builtInChecksum } from './migration-file.ts'
import type { MigrationFile } from './migration-file.ts'
import { byName } from './project-modules.ts'

/** The state of a migration, comparing the folder with the database. */
export const MigrationStates = {
  Applied: 'applied',
  Pending: 'pending',
  /** Pending, although a later one has been applied. */
  Late: 'late',
  /** Applied, but its file has changed since. */
  Changed: 'changed',
  /** Applied, but its file is gone. */
  Missing: 'missing',
} as const
Object.freeze(MigrationStates)
export type MigrationStates = (typeof MigrationStates)[keyof typeof MigrationStates]

/** A migration and its state. */
export interface MigrationStatus {
  readonly name: string
  readonly state: MigrationStates
  /** Number of the run that applied it; null if not applied. */
  readonly batch: number | null
  /** In UTC: `2026-01-31 12:00:00`; null if not applied. */
  readonly appliedAt: string | null
}

/** The status of every migration of the folder and the database, by name. */
export function migrationStatuses(
  files: readonly MigrationFile[],
  rows: readonly LedgerRow[],
): readonly MigrationStatus[] {
  const applied = new Map(rows.map((row) => [row.name, row]))
  const known = new Set(files.map(({ name }) => name))
  const newest = rows.reduce((latest, { name }) => (name > latest ? name : latest), '')
  const present = files.flatMap((file): MigrationStatus[] => {
    const { name, builtIn } = file
    const row = applied.get(name)
    if (row !== undefined) return [status(row, isSame(file, row) ? 'applied' : 'changed')]
    if (builtIn?.isNeeded === false || applied.has(builtIn?.replaces ?? name)) return []
    // What a package adds later belongs before what the project has made on it.
    const isLate = builtIn === undefined && name < newest
    const state = isLate ? MigrationStates.Late : MigrationStates.Pending
    return [{ name, state, batch: null, appliedAt: null }]
  })
  const gone = rows.filter(({ name }) => !known.has(name))
  return [...present, ...gone.map((row) => status(row, stateWithoutFile(row)))].toSorted(byName)
}

/**
 * Throws when the folder and the database do not match.
 * @throws MigrationError that lists every difference and what to do about it.
 */
export function refuseMismatch(statuses: readonly MigrationStatus[]): void {
  const findings = statuses.flatMap(({ name, state }) => {
    const advice = advices[state]
    return advice === null ? [] : [`  ${name} ${advice}`]
  })
  if (findings.length === 0) return
  throw new MigrationError(
    [
      'nothing was migrated, because the folder and the database do not match:',
      ...findings,
      '`npx framework migrate --force` ignores these differences.',
    ].join('\n'),
  )
}

const advices: Readonly<Record<MigrationStates, string | null>> = {
  applied: null,
  pending: null,
  late: 'comes before one that has already been applied; give it a later time in its name',
  changed:
    'was changed after it was applied; restore it and make the change in a new migration, or, if it is the last ' +
    'one and its data may be lost, revert it with `npx framework migrate down --steps 1`',
  missing: 'was applied and its file is gone; restore the file',
}

// What was built in never had a file: it stays applied when the project no longer asks for it.
function stateWithoutFile(row: LedgerRow): MigrationStates {
  return wasBuiltIn(row) ? MigrationStates.Applied : MigrationStates.Missing
}

/** Whether a package has applied it, not a file. */
export function wasBuiltIn({ checksum }: Pick<LedgerRow, 'checksum'>): boolean {
  return checksum === builtInChecksum
}

// The built version of a migration has another checksum, so only the same kinds are compared.
function isSame({ checksum }: MigrationFile, row: LedgerRow): boolean {
  return checksum === row.checksum || checksum.slice(0, 3) !== row.checksum.slice(0, 3)
}

function status({ name, batch, appliedAt }: LedgerRow, state: MigrationStates): MigrationStatus {
  return { name, state, batch, appliedAt }
}
