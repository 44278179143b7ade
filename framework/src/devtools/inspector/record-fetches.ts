import { followFetches } from '../../activity/fetch-calls.ts'
import { Scopes } from '../../activity/scopes.ts'
import { StepKinds } from '../../activity/step.ts'
import type { Steps } from '../../activity/steps.ts'

/** Makes a step of every `fetch` of an activity. Returns a function that stops it. */
export function recordFetches(steps: Steps): () => void {
  return followFetches(({ method, origin }) => {
    const step =
      Scopes.current().activity === null ? null : steps.begin(StepKinds.Fetch, method, origin)
    if (step === null) return null
    step.leave()
    let failure: string | null = null
    return {
      answered(status) {
        if (status >= 400) failure = String(status)
      },
      ended: (error) => step.end(0, error === null ? failure : 'error'),
    }
  })
}
