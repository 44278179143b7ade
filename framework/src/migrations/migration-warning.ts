import type { Surface } from '../database/surface.ts'

/** A change that blocks others for long, because its table is big. */
export interface MigrationWarning {
  readonly table: string
  /** About how many rows it has. */
  readonly rows: number
  /** What is going to happen, and how to avoid it. */
  readonly text: string
}

/** Who is warned, and from how many rows on. */
export interface WarningOptions {
  /** Rows from which a table is big. */
  readonly bigTable: number
  /** Called before the change; to throw stops the migration. */
  readonly onWarning: (warning: MigrationWarning) => void
}

/** Warns of a change, if its table is big. `reason` is null for a change that blocks nobody. */
export async function warnOfBlocking(
  surface: Surface,
  { bigTable, onWarning }: WarningOptions,
  { table, change, reason }: { table: string; change: string; reason: string | null },
): Promise<void> {
  if (reason === null) return
  const rows = await surface.dialect.schema.catalog.estimateRows(surface, table)
  if (rows < bigTable) return
  const about = rows.toLocaleString('en')
  onWarning({ table, rows, text: `${table} has about ${about} rows: ${change} ${reason}` })
}
