import type { BroadcastEntry } from '../broadcast-entry.ts'
import type { HistoryLimits } from '../history.ts'
import type { Position } from '../position.ts'

/** Message from a worker to the primary: publishes an event, or asks for all of them. */
export type BroadcastQuestion =
  | {
      readonly type: 'framework:publish'
      readonly number: number
      readonly channel: string
      readonly name: string
      readonly data: string
    }
  | { readonly type: 'framework:follow-broadcast'; readonly limits: HistoryLimits }

/** Message from the primary to a worker. */
export type BroadcastAnswer =
  | {
      readonly type: 'framework:published'
      readonly number: number
      readonly position: Position
    }
  | {
      readonly type: 'framework:broadcast'
      /** If it is not null, everything before is to be forgotten, and the entries follow it. */
      readonly restart: Position | null
      readonly entries: readonly BroadcastEntry[]
      /** Whether more of what is kept follows. */
      readonly more: boolean
    }

/** Whether a message is a question of a worker of the same version of the framework. */
export function isBroadcastQuestion(message: unknown): message is BroadcastQuestion {
  const type = typeOf(message)
  return type === 'framework:publish' || type === 'framework:follow-broadcast'
}

/** Whether a message is an answer of a primary of the same version of the framework. */
export function isBroadcastAnswer(message: unknown): message is BroadcastAnswer {
  const type = typeOf(message)
  return type === 'framework:published' || type === 'framework:broadcast'
}

function typeOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'type' in message ? message.type : null
}
