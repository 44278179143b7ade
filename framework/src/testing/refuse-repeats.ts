import { AsyncLocalStorage } from 'node:async_hooks'
import { FrameworkError } from '../base/errors.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { Steps } from '../activity/steps.ts'
import { Emitter } from '../events/emitter.ts'
import {
  repeatFix,
  repeatMessage,
  countRepeats,
  repeatedStatements,
} from '../activity/repeated-statements.ts'
import { RequestEvents } from '../http/request/request-events.ts'
import type { InjectedResponse, InjectedRequest } from '../http/server/inject.ts'

type Inject = (request: InjectedRequest) => Promise<InjectedResponse>

/** How a project is watched for repeated statements. */
export interface RefuseRepeatsOptions {
  /** From how many repetitions on a request fails. */
  readonly min: number
  /** Folder of the project, which callers are relative to. */
  readonly root: string
}

/** An `inject` that rejects if the request repeats a statement, and a function that ends the watch. */
export function refuseRepeats(
  inject: Inject,
  { min, root }: RefuseRepeatsOptions,
): { readonly inject: Inject; readonly stop: () => void } {
  // Tells requests apart that are injected at the same time.
  const findings = new AsyncLocalStorage<FrameworkError[]>()
  const stops = [
    CurrentWork.follow(),
    Steps.Instance.watch(countRepeats),
    Emitter.Instance.listen(RequestEvents.Handled, ({ activity }) => {
      const [worst] = activity === null ? [] : repeatedStatements(activity, min)
      if (activity === null || worst === undefined) return
      const message = `${activity.title}: ${repeatMessage(worst, root)}: ${worst.statement}`
      const error = new FrameworkError('E_N_PLUS_ONE', `${message}; ${repeatFix(worst)}`)
      findings.getStore()?.push(error)
    }),
  ]
  return {
    async inject(request) {
      const found: FrameworkError[] = []
      const response = await findings.run(found, () => inject(request))
      const [error] = found
      if (error !== undefined) throw error
      return response
    },
    stop: () => stops.forEach((stop) => stop()),
  }
}
