import type { ListLimits } from './list-request.ts'

/** The limits of lists that have none of their own; `DatabaseResource.cap` and `.limit` set them. */
export const listDefaults: { -readonly [Name in keyof ListLimits]: number } = {
  cap: 100,
  limit: 10,
}
