import { drivers } from '../../database/drivers.ts'
import type { Driver } from '../../database/drivers.ts'

/** A database for a new project. */
export type DatabaseChoice = Pick<Driver, 'packages' | 'projectUrl'>

/** The values of `--database`; the first one is the default. */
export const databaseChoices: Readonly<Record<string, DatabaseChoice>> = drivers

/** A selection of parts for a new project. */
export interface Starter {
  /** Short description for the help. */
  readonly about: string
  /** The parts it leaves out; null for a project that is no copy of the scaffold. */
  readonly without: readonly string[] | null
}

/** The values of `--starter`; the first one is the default. */
export const starters: Readonly<Record<string, Starter>> = {
  full: { about: 'every part', without: [] },
  auth: { about: 'accounts, mails and error pages, without examples', without: ['items', 'tour'] },
  minimal: { about: 'one route, one view and one test', without: null },
}
