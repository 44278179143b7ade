import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'

/** Says who sends a request. `Authentication` asks it before a route. */
export interface Guard {
  /** Whether the request is somebody's, who then stands in `request.identity`. */
  authenticate(request: Request, response: Response): boolean | Promise<boolean>
  /** Called right before an answer is written, error answers included: for what none of them may lack. */
  finish?(request: Request, response: Response): void
  /** What a refusal says is protected; `Protected area` unless given. */
  readonly realm?: string | undefined
}
