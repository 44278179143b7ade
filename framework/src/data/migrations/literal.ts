import { InvalidArgumentException } from '../../base/errors.ts'
import { Dialects } from '../sql/dialects/dialect.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'

/**
 * A value as part of a statement, for the defaults of columns: those are the one place where no
 * database takes a parameter.
 * @throws InvalidArgumentException for a value that has no such form.
 */
export function literal(value: unknown, dialect: Dialect): string {
  if (value === null) return 'NULL'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'boolean') return booleanLiteral(value, dialect)
  if (typeof value === 'string') return textLiteral(value, dialect)
  if (value instanceof Uint8Array) return bytesLiteral(value, dialect)
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `a default is null, a number, a text, a boolean, a Date or bytes, came ${typeof value}`,
  )
}

function booleanLiteral(value: boolean, { name }: Dialect): string {
  if (name === Dialects.Postgres) return value ? 'TRUE' : 'FALSE'
  return value ? '1' : '0'
}

function textLiteral(text: string, { name }: Dialect): string {
  if (text.includes('\0')) {
    throw new InvalidArgumentException('E_INVALID_ARGUMENT', 'a default text cannot hold NUL')
  }
  const quoted = text.replaceAll("'", "''")
  if (!text.includes('\\') || name === Dialects.SQLite) return `'${quoted}'`
  // A backslash begins an escape on MariaDB always, on PostgreSQL by a setting; E says so whatever it is.
  const escaped = quoted.replaceAll('\\', '\\\\')
  return name === Dialects.Postgres ? `E'${escaped}'` : `'${escaped}'`
}

function bytesLiteral(bytes: Uint8Array, { name }: Dialect): string {
  const hex = Buffer.from(bytes).toString('hex')
  return name === Dialects.Postgres ? `decode('${hex}', 'hex')` : `x'${hex}'`
}
