import { InvalidArgumentException } from '../../../base/errors.ts'
import { DatabaseResource } from './database.ts'

/** The resources of a server, each of which is bound to a response when that is asked for it. */
export interface ResponseResources {
  /** Null leaves `response.database` without a database of its own: it lists repositories only. */
  readonly database: DatabaseResource | null
}

/** @throws InvalidArgumentException for what is no resource. */
export function completeResources({
  database = null,
}: Partial<ResponseResources>): ResponseResources {
  if (database === null || database instanceof DatabaseResource) return { database }
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'resources: "database" must be made by new Resources.Database(database)',
  )
}
