import type { DatabaseFailure } from '../database-error.ts'
import { isServerError } from './driver-error.ts'
import type { DriverError } from './driver-error.ts'

/** Error numbers whose SQLSTATE class is too vague or misleading. */
const numbers: ReadonlyMap<number, DatabaseFailure> = new Map([
  ...each('E_DUPLICATE_KEY', 1022, 1062, 1169, 1586, 1859),
  ...each('E_FOREIGN_KEY', 1216, 1217, 1451, 1452, 1701, 1761, 1762),
  ...each('E_NOT_NULL', 1048, 1138, 1263, 1364),
  ...each('E_CHECK', 1369, 3819, 4025),
  ...each('E_VALUE', 1139, 1153, 1264, 1265, 1292, 1300, 1301, 1366, 1367, 1406, 1411, 1690, 1977),
  ...each('E_STATEMENT', 1193, 1210, 1235, 1290, 1295, 1792),
  ...each('E_DEADLOCK', 1020, 1213, 1614),
  ...each('E_DATABASE_BUSY', 1205, 3572),
  ...each('E_STATEMENT_TIMEOUT', 1317, 1969, 3024),
  ...each('E_CONNECTION_LOST', 1040, 1053, 1129, 1130, 1203, 1927),
  // A limit of the user, such as statements per hour: neither the statement nor the session is at
  // fault.
  ...each('E_DATABASE', 1226),
])

/** SQLSTATE classes. */
const classes: ReadonlyMap<string, DatabaseFailure> = new Map([
  ...each('E_CONNECTION_LOST', '08', '28'),
  ...each('E_VALUE', '22'),
  ...each('E_DEADLOCK', '40'),
  ...each('E_STATEMENT', '0A', '21', '25', '3D', '42'),
])

/** Driver errors about the statement, which leave the connection usable. */
const statementNames: ReadonlySet<string> = new Set([
  'ER_MISSING_PARAMETER',
  'ER_UNDEFINED_SQL',
  'ER_PREPARE_CLOSED',
])

/** The code of a failed statement. */
export function failureCode(error: DriverError): DatabaseFailure {
  if (isServerError(error)) {
    return numbers.get(error.number) ?? classes.get(error.state.slice(0, 2)) ?? 'E_DATABASE'
  }
  if (error.name === 'ER_MAX_ALLOWED_PACKET') return 'E_VALUE'
  if (statementNames.has(error.name)) return 'E_STATEMENT'
  // Any other driver or system error means that the connection is unusable.
  return error.name === '' ? 'E_DATABASE' : 'E_CONNECTION_LOST'
}

function each<Key>(
  failure: DatabaseFailure,
  ...keys: readonly Key[]
): readonly (readonly [Key, DatabaseFailure])[] {
  return keys.map((key) => [key, failure])
}
