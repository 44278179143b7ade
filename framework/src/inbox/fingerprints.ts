import { hash } from 'node:crypto'
import { className } from '../errors/reports/class-name.ts'
import { messageOf } from '../base/to-error.ts'
import { fileLabel } from '../errors/stack/file-label.ts'
import { Origins, framesOf } from '../errors/stack/frames.ts'
import type { Frame } from '../errors/stack/frames.ts'
import { failedStepOf } from '../activity/failed-step.ts'

/** What tells errors of one cause from others. */
export interface Fingerprint {
  /** 32 hexadecimal digits. */
  readonly id: string
  /** The nearest call in the project's own code, such as `routes/orders.ts placeOrder`; may be empty. */
  readonly place: string
}

/** Frames of one stack, by file and function, nearest first. Lines are left out: every edit moves them. */
interface Calls {
  readonly own: readonly string[]
  /** Whether none of the own functions has a name. */
  readonly isAnonymous: boolean
  /** The nearest frames, whoever's they are. */
  readonly nearest: readonly string[]
  /** The last fingerprint with these calls, and what else it was made of: digests are slow, too. */
  last: { readonly traits: string; readonly fingerprint: Fingerprint } | null
}

const maxOwn = 8
const maxNearest = 3
const maxMessageLength = 200

/**
 * Computes fingerprints: the class and the calls in the project's own code; if none of these has a name,
 * also the route. An error without such calls is told by its code, failed statement and nearest calls, and one without
 * a stack by its message without numbers and quoted parts.
 */
export class Fingerprints {
  readonly #root: string
  readonly #calls = new WeakMap<readonly Frame[], Calls>()

  /** File names are relative to `root`, so that the same error in a new folder is the same. */
  constructor(root: string) {
    this.#root = root
  }

  /** `title` is that of the activity, such as `GET /orders/:id`; empty if there is none. */
  of(error: Error, title = ''): Fingerprint {
    const calls = this.#callsOf(error)
    if (calls.own.length > 0) {
      const traits = `${className(error)}\n${calls.isAnonymous ? title : ''}`
      if (calls.last?.traits !== traits) {
        calls.last = { traits, fingerprint: fingerprint([traits], calls.own) }
      }
      return calls.last.fingerprint
    }
    return fingerprint([className(error), ...otherTraits(error, calls)], [])
  }

  #callsOf(error: Error): Calls {
    const frames = framesOf(error)
    const known = this.#calls.get(frames)
    if (known !== undefined) return known
    const calls = this.#read(frames)
    this.#calls.set(frames, calls)
    return calls
  }

  #read(frames: readonly Frame[]): Calls {
    const own = frames.filter(({ origin }) => origin === Origins.Application)
    return {
      own: this.#distinct(own, maxOwn),
      isAnonymous: own.every(({ call }) => anonymous.has(nameOf(call))),
      nearest: this.#distinct(frames, maxNearest),
      last: null,
    }
  }

  // Each call once: how deep a recursion was does not matter.
  #distinct(frames: readonly Frame[], max: number): readonly string[] {
    const calls = frames.map(({ file, call }) =>
      `${fileLabel(file, this.#root)} ${nameOf(call)}`.trim(),
    )
    return [...new Set(calls)].slice(0, max)
  }
}

/** As V8 names functions without a name; `handle` is where the router keeps a handler. */
const anonymous: ReadonlySet<string> = new Set(['', '<anonymous>', 'handle'])

/** The function without how it was called, such as `Object.` and `[as handle]`. */
function nameOf(call: string): string {
  return call.replace(/ \[as [^\]]*\]$/, '').replace(/^Object\./, '')
}

function fingerprint(traits: readonly string[], own: readonly string[]): Fingerprint {
  const id = hash('sha256', [...traits, '', ...own].join('\n'), 'hex').slice(0, 32)
  return { id, place: own[0] ?? '' }
}

function otherTraits(error: Error, { nearest }: Calls): readonly string[] {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const statement = failedStepOf(error)?.step.text ?? ''
  return [code, statement, ...(nearest.length > 0 ? nearest : [withoutValues(messageOf(error))])]
}

function withoutValues(message: string): string {
  return message
    .slice(0, maxMessageLength)
    .replaceAll(/(["'`]).*?\1/g, '…')
    .replaceAll(/[\da-f]*\d[\da-f]*/gi, '0')
}
