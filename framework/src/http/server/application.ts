import type { Environments } from '../../settings/environments.ts'
import type { Views } from '../../base/templates/views.ts'
import type { Peers } from '../request/peer.ts'
import type { UploadBudget } from '../request/upload-budget.ts'
import type { ResponseResources } from '../response/database-resource.ts'
import type { EventStreams } from '../live/event-streams.ts'
import type { Limits } from './engine/limits.ts'

/** Shared by all requests and responses of a server. Complete before the first request. */
export interface Application {
  readonly environment: Environments
  readonly limits: Limits
  readonly peers: Peers
  /** What the uploads in flight may take up on disk. */
  readonly uploads: UploadBudget
  /** The event streams that are open. */
  readonly eventStreams: EventStreams
  /** Null if the server has no views. */
  readonly views: Views | null
  /** Values for `it` in every view, error pages included. */
  readonly globals: Readonly<Record<string, unknown>>
  /** Each response gets bound copies of them. */
  readonly resources: ResponseResources
}
