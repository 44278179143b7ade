import { InvalidArgumentException } from '../../../base/errors.ts'

/** Databases the framework speaks to. */
export const Dialects = { SQLite: 'sqlite', Postgres: 'postgres', MariaDB: 'mariadb' } as const
Object.freeze(Dialects)
export type Dialects = (typeof Dialects)[keyof typeof Dialects]

/** How one database writes what all of them mean. */
export interface Dialect {
  readonly name: Dialects
  /** An identifier that can hold anything but a NUL, quoted so that it is nothing but a name. */
  readonly quote: (identifier: string) => string
  /** The place of the parameter with this number, from 1. */
  readonly placeholder: (position: number) => string
}

const sqlite: Dialect = {
  name: Dialects.SQLite,
  quote: (identifier) => quoted(identifier, '"'),
  placeholder: () => '?',
}

const postgres: Dialect = {
  name: Dialects.Postgres,
  quote: (identifier) => quoted(identifier, '"'),
  placeholder: (position) => `$${position}`,
}

const mariadb: Dialect = {
  name: Dialects.MariaDB,
  quote: (identifier) => quoted(identifier, '`'),
  placeholder: () => '?',
}

/** The dialects by name. */
export const dialects: Readonly<Record<Dialects, Dialect>> = { sqlite, postgres, mariadb }

function quoted(identifier: string, mark: string): string {
  if (identifier === '' || identifier.includes('\0')) {
    throw new InvalidArgumentException(
      'E_IDENTIFIER',
      `an SQL identifier is a text of one character or more without NUL, came ${JSON.stringify(identifier)}`,
    )
  }
  return mark + identifier.replaceAll(mark, mark + mark) + mark
}
