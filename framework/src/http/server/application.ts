import type { Environments } from '../../settings/environments.ts'
import type { Languages } from '../../i18n/languages.ts'
import type { UploadBudget } from '../request/upload-budget.ts'
import type { ResponseResources } from '../response/database-resource.ts'
import type { EventStreams } from '../live/event-streams.ts'
import type { CompleteOptions } from './options.ts'

/** Shared by all requests and responses of a server. Complete before the first request. */
export interface Application extends Pick<
  CompleteOptions,
  'limits' | 'peers' | 'timeZone' | 'views'
> {
  readonly environment: Environments
  /** What the uploads in flight may take up on disk. */
  readonly uploads: UploadBudget
  /** The event streams that are open. */
  readonly eventStreams: EventStreams
  /** The languages that pages exist in; null for English alone. */
  readonly languages: Languages | null
  /** Values for `it` in every view, error pages included. */
  readonly globals: Readonly<Record<string, unknown>>
  /** Each response gets bound copies of them. */
  readonly resources: ResponseResources
}
