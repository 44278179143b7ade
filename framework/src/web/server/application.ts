import type { Environments } from '../../app/environments/environments.ts'
import type { Views } from '../../base/templates/views.ts'
import type { Peers } from '../request/peer.ts'
import type { ResponseResources } from '../response/resources/response-resources.ts'
import type { Limits } from './engine/limits.ts'

/** What every request and response of one server shares. Complete before the first request. */
export interface Application {
  readonly environment: Environments
  readonly limits: Limits
  readonly peers: Peers
  /** Folder of templates, or null when the server has none. */
  readonly views: Views | null
  /** What every view finds in `it`, error pages included. */
  readonly globals: Readonly<Record<string, unknown>>
  /** What the resources of each response are bound from. */
  readonly resources: ResponseResources
}
