import { drivers } from '../../database/drivers.ts'
import type { Driver } from '../../database/drivers.ts'

/** A database for a new project. */
export type DatabaseChoice = Pick<Driver, 'packages' | 'projectUrl'>

/** The values of `--database`; the first one is the default. */
export const databaseChoices: Readonly<Record<string, DatabaseChoice>> = drivers

/** What a new project begins with. */
export interface Starter {
  /** Short description for the help. */
  readonly about: string
  /** Its folder in the scaffold of the package, and in this repository. */
  readonly folder: { readonly packed: string; readonly source: string }
  /** Whether it has a database, which can be chosen. */
  readonly hasDatabase: boolean
}

/** The values of `--starter`; the first one is the default. */
export const starters: Readonly<Record<string, Starter>> = {
  auth: {
    about: 'accounts, mails, a database',
    folder: { packed: 'scaffold/auth', source: '../starters/auth' },
    hasDatabase: true,
  },
  minimal: {
    about: 'one route, one view and one test',
    folder: { packed: 'scaffold/minimal', source: '../starters/minimal' },
    hasDatabase: false,
  },
  full: {
    about: 'the demo: an example of everything',
    folder: { packed: 'scaffold/full', source: '../demo' },
    hasDatabase: true,
  },
}
