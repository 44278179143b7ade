import { InvalidArgumentException } from '../../../base/errors.ts'
import { DatabaseResource } from './database.ts'

/** The resources of a server; each response gets bound copies of them. */
export interface ResponseResources {
  /** Null leaves `response.database` without a database: it then lists repositories only. */
  readonly database: DatabaseResource | null
}

/** @throws InvalidArgumentException for anything but a `Resources.Database`. */
export function completeResources({
  database = null,
}: Partial<ResponseResources>): ResponseResources {
  if (database === null || database instanceof DatabaseResource) return { database }
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'resources: "database" must be a new Resources.Database(database)',
  )
}
