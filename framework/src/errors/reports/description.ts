import { maskText } from '../../base/mask-text.ts'
import { className } from './class-name.ts'
import { chainOf } from '../stack/error-chain.ts'
import type { Relations } from '../stack/error-chain.ts'
import { framesOf } from '../stack/frames.ts'
import type { Frame } from '../stack/frames.ts'
import { messageOf } from '../../base/to-error.ts'
import { propertiesOf } from './preview.ts'
import type { Property } from './preview.ts'

/** What reports show of one error of a chain: secrets are redacted and sizes are bounded. */
export interface Description {
  readonly relation: Relations
  readonly class: string
  readonly message: string
  readonly properties: readonly Property[]
  /** Nearest call first. */
  readonly frames: readonly Frame[]
}

/** Describes an error and its causes, the outer error first. */
export function describe(error: Error): readonly Description[] {
  return chainOf(error).map((link) => ({
    relation: link.relation,
    class: maskText(className(link.error)),
    message: messageOf(link.error),
    properties: propertiesOf(link.error),
    frames: framesOf(link.error),
  }))
}
